// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Shell completion and the manual page, written from the descriptions that --help prints.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace measure {

/// The names of arguments' types that say where a shell completes names of files.
inline constexpr char file_type[] = "FILE";
inline constexpr char path_type[] = "PATH";  // a file or a folder

// Each returns the whole text of a file.

std::string write_bash_completion(CLI::App const& program);
std::string write_zsh_completion(CLI::App const& program);
std::string write_fish_completion(CLI::App const& program);

/// The manual page, for section 1.
std::string write_manual_page(CLI::App const& program, std::string const& version);

}  // namespace measure
