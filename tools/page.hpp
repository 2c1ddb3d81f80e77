// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// An HTML page with all kernels, what changed, and the history of their lock. It is one file, and loads nothing.

#pragma once

#include <string>

#include "delta.hpp"
#include "kernel_set.hpp"
#include "lock_history.hpp"

namespace measure {

/// Returns the text of the page. `kernels` is the new side of `changes`.
std::string write_page(std::string const& title, kernel_set const& kernels, delta const& changes,
                       lock_history const& history);

}  // namespace measure
