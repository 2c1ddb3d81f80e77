// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Two translation units include everything and agree: no symbol twice, one table.

#include "shared_contract.hpp"

int blocks_in_first();
warpguard::architecture const* row_in_first();

int main() {
  bool const same_number = blocks_in_first() == shared_contract::on_sm<wg::sm<90>>::blocks_per_sm;
  bool const same_table = row_in_first() == &wg::sm_90;
  return same_number && same_table ? 0 : 1;
}
