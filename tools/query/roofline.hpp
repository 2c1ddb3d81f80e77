// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `warpguard roofline`: whether memory or arithmetic limits a kernel, and how fast it can be at most.

#pragma once

#include <CLI/CLI.hpp>

namespace measure {

/// Adds the command, which sets `status` to the exit code of the program.
void add_roofline(CLI::App& app, int& status);

}  // namespace measure
