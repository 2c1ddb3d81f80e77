// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A program's list of the contracts that it holds against measured kernels: what measured_guarantee is where CHECKS
/// are compiled for the lock and the reports. Nothing is refused there; what is wrong is reported.

#pragma once

#include <boost/hana/tuple.hpp>
#include <type_traits>

#include "../contract/contract.hpp"
#include "measurement.hpp"
#include "../contract/contract_terms.hpp"
#include "../contract/option_rules.hpp"

namespace warpguard::detail {

/// A pair of contract and kernel that a program has, for the lock and the reports: they need the block's threads.
struct held_pair {
  char const* names;   ///< the compiler's name of name_in_full<Contract>()
  char const* kernel;  ///< as in the lock; instances of a template each for themselves
  contract_terms (*terms_on)(int compute_capability);
  int const* architectures;
  int architecture_count;
  measurement const* measurements;
  int measurement_count;
  held_pair const* next;
};
inline held_pair const* held_pairs = nullptr;

template <class Contract>
constexpr char const* name_in_full() {
  return __PRETTY_FUNCTION__;
}

inline held_pair const* hold(held_pair& pair) {
  pair.next = held_pairs;
  held_pairs = &pair;
  return &pair;
}

template <class Contract, class Instance>
struct held {
  static held_pair pair;
  static held_pair const* const listed;
};
template <class Contract, class Instance>
held_pair held<Contract, Instance>::pair = {
    name_in_full<Contract>(),     Instance::name,         &Contract::terms_on,         Instance::architectures,
    Instance::architecture_count, Instance::measurements, Instance::measurement_count, nullptr};
template <class Contract, class Instance>
held_pair const* const held<Contract, Instance>::listed = hold(held<Contract, Instance>::pair);

/// Needs the address of an entry, so that it is initialised and lists itself.
constexpr bool lists(void const*) { return true; }

template <class Contract, class... Instance>
constexpr bool list_instances(boost::hana::tuple<Instance...> const*) {
  return (... && lists(&held<Contract, Instance>::listed));
}

template <class Contract, class Kernel>
constexpr bool list_measured() {
  if constexpr (is_contract(static_cast<Contract*>(nullptr)) && std::is_base_of_v<measured_kernel, Kernel>) {
    return list_instances<Contract>(static_cast<typename Kernel::instances*>(nullptr));
  } else {
    return true;
  }
}

}  // namespace warpguard::detail
