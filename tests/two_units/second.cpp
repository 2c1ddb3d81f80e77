// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Links two translation units that include all headers: no symbol is defined twice, and both see the same table.

#include "shared_contract.hpp"

int blocks_in_first();
warpguard::architecture const* row_in_first();

int main() {
  bool const same_number = blocks_in_first() == shared_contract::on_sm<wg::sm<90>>::blocks_per_sm;
  bool const same_table = row_in_first() == &wg::sm_90;
  return same_number && same_table ? 0 : 1;
}
