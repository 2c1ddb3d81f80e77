// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Whether a type is a contract.

#pragma once

#include "../contract.hpp"
#include "../options.hpp"

namespace warpguard::detail {

enum class contract_fault { not_a_contract, incomplete, not_public, two_contracts, options };

struct yes {
  static constexpr bool value = true;
};
struct no {
  static constexpr bool value = false;
};

enum class contract_kind { none, plain, with_each };

/// For a contract, whether it has an on_each.
template <bool HasEach>
struct yes_contract : yes {
  static constexpr contract_kind kind = HasEach ? contract_kind::with_each : contract_kind::plain;
};
struct no_contract : no {
  static constexpr contract_kind kind = contract_kind::none;
};

/// Carries a type, which may be one that has no pointers.
template <class Type>
struct carried;

/// Whether a pointer converts to one of contract_base: not if the type is incomplete or no contract, if the base is not
/// public, or if there are two.
WARPGUARD_DETAIL_HOST void take_contract(contract_base const volatile*);
template <class Type, class = decltype(take_contract(static_cast<Type*>(nullptr)))>
WARPGUARD_DETAIL_HOST yes_contract<Type::has_each> test_contract(carried<Type>*);
WARPGUARD_DETAIL_HOST no_contract test_contract(...);
template <class Type>
using is_contract = decltype(test_contract(static_cast<carried<Type>*>(nullptr)));

template <class Type, int = sizeof(Type)>
WARPGUARD_DETAIL_HOST yes test_complete(carried<Type>*);
WARPGUARD_DETAIL_HOST no test_complete(...);

/// This kind of cast ignores access, so it fails only if there are two bases.
using contract_base_pointer = contract_base const volatile*;
template <class Type, class = decltype(contract_base_pointer(static_cast<Type*>(nullptr)))>
WARPGUARD_DETAIL_HOST yes test_one_base(carried<Type>*);
WARPGUARD_DETAIL_HOST no test_one_base(...);

/// Returns what is wrong with a type for which is_contract is false.
template <class Type>
WARPGUARD_DETAIL_HOST constexpr contract_fault find_type_fault() {
  if constexpr (!__is_class(Type)) {
    return contract_fault::not_a_contract;
  } else if constexpr (!decltype(test_complete(static_cast<carried<Type>*>(nullptr)))::value) {
    return contract_fault::incomplete;
  } else if constexpr (!__is_base_of(contract_base, Type)) {
    return contract_fault::not_a_contract;
  } else {
    constexpr bool one_base = decltype(test_one_base(static_cast<carried<Type>*>(nullptr)))::value;
    return one_base ? contract_fault::not_public : contract_fault::two_contracts;
  }
}

/// The fault of what is known to be none, or to have options that make none.
template <class Contract, bool IsContract = is_contract<Contract>::value>
inline constexpr contract_fault fault_of = find_type_fault<Contract>();
template <class Contract>
inline constexpr contract_fault fault_of<Contract, true> = contract_fault::options;

}  // namespace warpguard::detail
