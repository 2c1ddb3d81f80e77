// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Makes warpguard's aggregates Structs of Hana: a list of their members, each with its name and an accessor. Tables,
/// JSON and tests iterate this list, so that none of them can forget a member. A member that is left out here does not
/// compile.

#pragma once

#include "../hardware/host_device.hpp"  // first, because it stops compilers without C++17

#if !__has_include(<boost/hana/tuple.hpp>)
#include "warpguard needs Boost.Hana here: install libboost-dev, or include warpguard/contract.hpp instead [boost]"
#endif

#include <boost/hana/fwd/accessors.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../hardware/architecture.hpp"
#include "../hardware/products.hpp"
#include "../hardware/throughput.hpp"
#include "../measured/measurement.hpp"
#include "../model/kernel_resources.hpp"
#include "../model/occupancy.hpp"

namespace warpguard {

/// Refused: a list of members that is not the list of the aggregate's members.
template <class Struct>
struct struct_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Struct*) == 0, "warpguard: hana/structs.hpp leaves out a member, or lists one twice [struct]");
    return true;
  }
};

namespace detail {

template <class Element, std::size_t Count, std::size_t... Index>
constexpr auto copy_array(Element const (&array)[Count], std::index_sequence<Index...>) {
  return boost::hana::make_tuple(array[Index]...);
}

/// The accessor of a member. Returns a reference to the member; of an array it returns a tuple of the elements, because
/// Hana would take the array for a pointer.
template <auto Member>
struct read_member {
  static constexpr auto pointer = Member;

  template <class Object>
  constexpr decltype(auto) operator()(Object&& object) const {
    using type = std::remove_reference_t<decltype(object.*Member)>;
    if constexpr (std::is_array_v<type>) {
      return copy_array(object.*Member, std::make_index_sequence<std::extent_v<type>>{});
    } else {
      return (static_cast<Object&&>(object).*Member);
    }
  }
};

/// Initialises a member of any type.
struct any_initializer {
  template <class Type>
  operator Type() const;
};
template <std::size_t>
using repeat_initializer = any_initializer;

/// Whether an aggregate takes that many initialisers. An array in it takes one for each element.
template <class Type, class Indices, class = void>
inline constexpr bool takes_initializers = false;
template <class Type, std::size_t... Index>
inline constexpr bool takes_initializers<Type, std::index_sequence<Index...>,
                                         std::void_t<decltype(Type{repeat_initializer<Index>{}...})>> = true;

template <class Type, auto Member>
using type_of_member = std::remove_reference_t<decltype(std::declval<Type&>().*Member)>;
template <class Member>
inline constexpr std::size_t initializers_of = std::is_array_v<Member> ? std::extent_v<Member> : 1;

constexpr bool are_equal(char const* first, char const* other) {
  for (; *first == *other; ++first, ++other) {
    if (*first == '\0') return true;
  }
  return false;
}

template <std::size_t Count>
constexpr bool are_different(char const* const (&names)[Count]) {
  for (std::size_t index = 1; index < Count; ++index) {
    for (std::size_t before = 0; before < index; ++before) {
      if (are_equal(names[before], names[index])) return false;
    }
  }
  return true;
}

/// Returns the list of members. Refuses one that does not have every member of the aggregate once.
template <class Type, class... Name, auto... Member>
constexpr auto every_member(boost::hana::pair<Name, read_member<Member>>... members) {
  constexpr std::size_t listed = (0 + ... + initializers_of<type_of_member<Type, Member>>);
  constexpr bool are_all_listed = takes_initializers<Type, std::make_index_sequence<listed>> &&
                                  !takes_initializers<Type, std::make_index_sequence<listed + 1>>;
  if constexpr (!are_all_listed || !are_different({Name::c_str()...})) struct_guard<Type>::holds();
  return boost::hana::make_tuple(members...);
}

}  // namespace detail

}  // namespace warpguard

namespace boost::hana {

// These functions are templates, so that only a file that uses the names pays for them: BOOST_HANA_ADAPT_STRUCT would
// cost every file 0.3 s.

#define WARPGUARD_DETAIL_MEMBER(member) \
  make_pair(BOOST_HANA_STRING(#member), warpguard::detail::read_member<&Type::member>{})

template <>
struct accessors_impl<warpguard::architecture> {
  template <class Type = warpguard::architecture>
  static constexpr auto apply() {
    return warpguard::detail::every_member<Type>(
        WARPGUARD_DETAIL_MEMBER(compute_capability), WARPGUARD_DETAIL_MEMBER(warp_size),
        WARPGUARD_DETAIL_MEMBER(max_threads_per_block), WARPGUARD_DETAIL_MEMBER(max_warps_per_sm),
        WARPGUARD_DETAIL_MEMBER(max_threads_per_sm), WARPGUARD_DETAIL_MEMBER(max_blocks_per_sm),
        WARPGUARD_DETAIL_MEMBER(registers_per_sm), WARPGUARD_DETAIL_MEMBER(max_registers_per_block),
        WARPGUARD_DETAIL_MEMBER(max_registers_per_thread), WARPGUARD_DETAIL_MEMBER(register_allocation_unit),
        WARPGUARD_DETAIL_MEMBER(register_allocation_granularity), WARPGUARD_DETAIL_MEMBER(warp_allocation_granularity),
        WARPGUARD_DETAIL_MEMBER(sub_partitions), WARPGUARD_DETAIL_MEMBER(shared_memory_per_sm),
        WARPGUARD_DETAIL_MEMBER(max_shared_per_block_default), WARPGUARD_DETAIL_MEMBER(max_shared_per_block_optin),
        WARPGUARD_DETAIL_MEMBER(shared_allocation_unit), WARPGUARD_DETAIL_MEMBER(reserved_shared_per_block),
        WARPGUARD_DETAIL_MEMBER(carveouts_kb), WARPGUARD_DETAIL_MEMBER(named_barriers_per_block),
        WARPGUARD_DETAIL_MEMBER(block_barriers_per_sm), WARPGUARD_DETAIL_MEMBER(max_cluster_portable),
        WARPGUARD_DETAIL_MEMBER(max_cluster_nonportable), WARPGUARD_DETAIL_MEMBER(virtual_resources_per_sm),
        WARPGUARD_DETAIL_MEMBER(rules));
  }
};
template <>
struct accessors_impl<warpguard::throughput> {
  template <class Type = warpguard::throughput>
  static constexpr auto apply() {
    return warpguard::detail::every_member<Type>(
        WARPGUARD_DETAIL_MEMBER(compute_capability), WARPGUARD_DETAIL_MEMBER(fp64), WARPGUARD_DETAIL_MEMBER(fp32),
        WARPGUARD_DETAIL_MEMBER(fp16), WARPGUARD_DETAIL_MEMBER(bf16), WARPGUARD_DETAIL_MEMBER(tensor_fp64),
        WARPGUARD_DETAIL_MEMBER(tensor_tf32), WARPGUARD_DETAIL_MEMBER(tensor_fp16),
        WARPGUARD_DETAIL_MEMBER(tensor_bf16), WARPGUARD_DETAIL_MEMBER(tensor_fp8), WARPGUARD_DETAIL_MEMBER(tensor_fp6),
        WARPGUARD_DETAIL_MEMBER(tensor_fp4), WARPGUARD_DETAIL_MEMBER(tensor_int8), WARPGUARD_DETAIL_MEMBER(sparsity));
  }
};
template <>
struct accessors_impl<warpguard::product> {
  template <class Type = warpguard::product>
  static constexpr auto apply() {
    return warpguard::detail::every_member<Type>(
        WARPGUARD_DETAIL_MEMBER(name), WARPGUARD_DETAIL_MEMBER(other_names),
        WARPGUARD_DETAIL_MEMBER(compute_capability), WARPGUARD_DETAIL_MEMBER(sms),
        WARPGUARD_DETAIL_MEMBER(base_clock_mhz), WARPGUARD_DETAIL_MEMBER(boost_clock_mhz),
        WARPGUARD_DETAIL_MEMBER(peak_clock_mhz), WARPGUARD_DETAIL_MEMBER(tensor_peak_clock_mhz),
        WARPGUARD_DETAIL_MEMBER(fp32_sum_divisor), WARPGUARD_DETAIL_MEMBER(memory_bandwidth_mb),
        WARPGUARD_DETAIL_MEMBER(memory_gb), WARPGUARD_DETAIL_MEMBER(l2_cache_kb));
  }
};
template <>
struct accessors_impl<warpguard::kernel_resources> {
  template <class Type = warpguard::kernel_resources>
  static constexpr auto apply() {
    return warpguard::detail::every_member<Type>(
        WARPGUARD_DETAIL_MEMBER(threads_per_block), WARPGUARD_DETAIL_MEMBER(registers_per_thread),
        WARPGUARD_DETAIL_MEMBER(static_shared_memory), WARPGUARD_DETAIL_MEMBER(dynamic_shared_memory),
        WARPGUARD_DETAIL_MEMBER(barriers), WARPGUARD_DETAIL_MEMBER(virtual_resources),
        WARPGUARD_DETAIL_MEMBER(caching));
  }
};
template <>
struct accessors_impl<warpguard::occupancy> {
  template <class Type = warpguard::occupancy>
  static constexpr auto apply() {
    return warpguard::detail::every_member<Type>(
        WARPGUARD_DETAIL_MEMBER(blocks_per_sm), WARPGUARD_DETAIL_MEMBER(warps_per_sm),
        WARPGUARD_DETAIL_MEMBER(threads_per_sm), WARPGUARD_DETAIL_MEMBER(blocks_by_warps),
        WARPGUARD_DETAIL_MEMBER(blocks_by_registers), WARPGUARD_DETAIL_MEMBER(blocks_by_shared_memory),
        WARPGUARD_DETAIL_MEMBER(blocks_by_block_slots), WARPGUARD_DETAIL_MEMBER(blocks_by_barriers),
        WARPGUARD_DETAIL_MEMBER(blocks_by_virtual_resources), WARPGUARD_DETAIL_MEMBER(limited_by),
        WARPGUARD_DETAIL_MEMBER(obstructed_by), WARPGUARD_DETAIL_MEMBER(warps_per_block),
        WARPGUARD_DETAIL_MEMBER(registers_per_block), WARPGUARD_DETAIL_MEMBER(shared_memory_per_block),
        WARPGUARD_DETAIL_MEMBER(shared_memory_budget), WARPGUARD_DETAIL_MEMBER(max_warps_per_sm),
        WARPGUARD_DETAIL_MEMBER(unused_warps), WARPGUARD_DETAIL_MEMBER(unused_registers),
        WARPGUARD_DETAIL_MEMBER(unused_shared_memory));
  }
};
template <>
struct accessors_impl<warpguard::measurement> {
  template <class Type = warpguard::measurement>
  static constexpr auto apply() {
    return warpguard::detail::every_member<Type>(
        WARPGUARD_DETAIL_MEMBER(compute_capability), WARPGUARD_DETAIL_MEMBER(registers),
        WARPGUARD_DETAIL_MEMBER(static_shared_memory), WARPGUARD_DETAIL_MEMBER(spill_stores),
        WARPGUARD_DETAIL_MEMBER(spill_loads), WARPGUARD_DETAIL_MEMBER(stack), WARPGUARD_DETAIL_MEMBER(barriers),
        WARPGUARD_DETAIL_MEMBER(constant_memory), WARPGUARD_DETAIL_MEMBER(bounds_ignored));
  }
};

#undef WARPGUARD_DETAIL_MEMBER

}  // namespace boost::hana
