// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Refuses a table with a row that contradicts itself or is out of order. Not in table.hpp, because files with kernels
/// would pay a seventh of core.hpp for it.

#pragma once

#include "architecture.hpp"
#include "table.hpp"

namespace warpguard::detail {

constexpr bool table_is_valid() {
  int before = 0;
  for (architecture const* row : architectures) {
    if (!is_valid(*row) || row->compute_capability <= before) return false;
    before = row->compute_capability;
  }
  return true;
}
static_assert(table_is_valid(),
              "warpguard: a row of the architecture table contradicts itself or is out of order [table]");

}  // namespace warpguard::detail
