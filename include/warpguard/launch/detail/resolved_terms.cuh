// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A contract's terms as constants that a launch looks up: one entry for each `on`, and one for all other
/// architectures.

#pragma once

#include "../../contract/contract.hpp"
#include "../../contract/options.hpp"

namespace warpguard::detail {

template <int OnCount>
struct resolved_terms {
  resolved_contract everywhere;
  int compute_capabilities[static_cast<unsigned>(OnCount) + 1] = {};
  resolved_contract on[static_cast<unsigned>(OnCount) + 1] = {};

  constexpr resolved_contract const& of(int compute_capability) const {
    for (int index = 0; index < OnCount; ++index) {
      if (compute_capabilities[index] == compute_capability) return on[index];
    }
    return everywhere;
  }
};

constexpr int count_ons(option_value const* const* options, int count) {
  int ons = 0;
  for (int index = 0; index < count; ++index) ons += options[index]->kind == option_kind::on ? 1 : 0;
  return ons;
}

template <class Contract>
constexpr auto resolve_terms() {
  constexpr int count = Contract::options::count;
  resolved_terms<count_ons(Contract::template values_for<build_target_list>, count)> terms{Contract::terms_on(0)};
  int next = 0;
  for (int index = 0; index < count; ++index) {
    option_value const& option = *Contract::template values_for<build_target_list>[index];
    if (option.kind != option_kind::on) continue;
    terms.compute_capabilities[next] = option.compute_capability;
    terms.on[next] = Contract::terms_on(option.compute_capability);
    ++next;
  }
  return terms;
}

template <class Contract>
inline constexpr auto terms_of = resolve_terms<Contract>();

}  // namespace warpguard::detail
