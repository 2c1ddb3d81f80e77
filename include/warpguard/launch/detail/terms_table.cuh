// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a contract says, as constants that a launch looks up: once for each architecture that it names in an `on`, and
/// once for all others.

#pragma once

#include "../../contract/contract.hpp"
#include "../../contract/contract_terms.hpp"

namespace warpguard::detail {

template <int Ons>
struct terms_table {
  contract_terms everywhere;
  int compute_capability[Ons + 1] = {};
  contract_terms on[Ons + 1] = {};

  constexpr contract_terms const& of(int wanted) const {
    for (int i = 0; i < Ons; ++i) {
      if (compute_capability[i] == wanted) return on[i];
    }
    return everywhere;
  }
};

constexpr int count_ons(stated const* options, int count) {
  int ons = 0;
  for (int i = 0; i < count; ++i) ons += options[i].kind == option_kind::architecture ? 1 : 0;
  return ons;
}

template <class Contract>
constexpr auto make_terms_table() {
  terms_table<count_ons(Contract::said, Contract::option_count)> table{Contract::terms_on(0)};
  int next = 0;
  for (int i = 0; i < Contract::option_count; ++i) {
    if (Contract::said[i].kind != option_kind::architecture) continue;
    table.compute_capability[next] = Contract::said[i].compute_capability;
    table.on[next] = Contract::terms_on(Contract::said[i].compute_capability);
    ++next;
  }
  return table;
}

template <class Contract>
inline constexpr auto terms_of = make_terms_table<Contract>();

}  // namespace warpguard::detail
