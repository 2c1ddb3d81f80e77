// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The version of warpguard. CMake reads it from here; it is written nowhere else.

#pragma once

#define WARPGUARD_VERSION_MAJOR 0
#define WARPGUARD_VERSION_MINOR 1
#define WARPGUARD_VERSION_PATCH 0

/// 10000 * major + 100 * minor + patch, for `#if`.
#define WARPGUARD_VERSION (WARPGUARD_VERSION_MAJOR * 10000 + WARPGUARD_VERSION_MINOR * 100 + WARPGUARD_VERSION_PATCH)
