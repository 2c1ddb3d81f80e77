// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard explain`: what docs/errors.md says about an anchor, or about the messages in the output of a compiler.

#pragma once

#include <string>

namespace measure {

/// What is to be explained: the section of an anchor; or, if `anchor` is empty, the messages in a file, where "-" is
/// standard input.
struct explain_options {
  std::string anchor;
  std::string path = "-";
};

/// Reads an anchor (`residency` or `[residency]`), the name of a guard (`residency_guard`), or the path of a file. A
/// file whose name is an anchor is written `./residency`. Returns an error message, or an empty string.
std::string read_explained(std::string const& text, explain_options& options);

/// Prints the explanation. Returns the exit code of the program.
int print_explanation(explain_options const& options);

}  // namespace measure
