// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// For NVRTC, which has no standard library and so no Hana: files of tests get what is whole without them.

#pragma once

#include <warpguard/contract.hpp>
