// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// docs/errors.md, as CMake puts it into the program.

#pragma once

namespace measure {

/// The lines of docs/errors.md without line ends; nullptr is after the last.
extern char const* const error_page[];

}  // namespace measure
