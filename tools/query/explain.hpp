// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard explain`: what docs/errors.md says about the messages in the output of a compiler.

#pragma once

#include <string>

namespace measure {

/// Explains the messages in a file; "-" is standard input. Returns the exit code of the program.
int explain_messages(std::string const& path);

}  // namespace measure
