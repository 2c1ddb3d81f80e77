// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The commands that answer questions about GPUs and kernels, and their arguments.

#pragma once

#include <CLI/CLI.hpp>

namespace measure {

/// Adds the commands. Each sets `status` to the exit code of the program.
void add_query_commands(CLI::App& app, int& status);

}  // namespace measure
