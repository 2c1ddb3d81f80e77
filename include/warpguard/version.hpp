// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The version of warpguard. CMake reads it from here; it is written nowhere else.

#pragma once

#define WARPGUARD_VERSION_MAJOR 0  ///< changes when names that users write change
#define WARPGUARD_VERSION_MINOR 1  ///< changes when something is added
#define WARPGUARD_VERSION_PATCH 0  ///< changes when something is corrected

/// 10000 * major + 100 * minor + patch, for `#if`.
#define WARPGUARD_VERSION (WARPGUARD_VERSION_MAJOR * 10000 + WARPGUARD_VERSION_MINOR * 100 + WARPGUARD_VERSION_PATCH)
