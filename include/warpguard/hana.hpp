// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Makes warpguard's types Hana's, so that its algorithms work on them:
///
/// - `sm<...>` is Comparable, Orderable and Hashable.
/// - `targets`, a contract's `options`, a layout's `arrays` and measured kernels are Sequences. What an algorithm makes
/// of
///   them is a hana::tuple.
/// - A contract is Searchable by kind of option (`wg::kind<...>`), a layout by the name of an array
/// (`hana::type_c<...>`).
/// - `architecture`, `kernel_resources`, `occupancy` and `measurement` are Structs: their members have names and can be
///   iterated.
///
/// docs/hana.md has programs. Files with kernels do not need this header.

#pragma once

#include <boost/hana/accessors.hpp>
#include <boost/hana/any_of.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/bool.hpp>
#include <boost/hana/concept/sequence.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/drop_front.hpp>
#include <boost/hana/equal.hpp>
#include <boost/hana/find_if.hpp>
#include <boost/hana/fwd/hash.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/is_empty.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/less.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>
#include <utility>

#include "contract.hpp"
#include "measured/measurement.hpp"

namespace warpguard {

/// The key of an option in a contract: `hana::find(saxpy_contract{}, wg::kind<wg::option_kind::max_registers>)`.
template <option_kind Kind>
inline constexpr boost::hana::integral_constant<option_kind, Kind> kind{};

// Comparisons of architectures, as Hana's own constants have them.
template <int First, int Other>
constexpr auto operator==(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First == Other>;
}
template <int First, int Other>
constexpr auto operator!=(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First != Other>;
}
template <int First, int Other>
constexpr auto operator<(sm<First>, sm<Other>) {
  return boost::hana::bool_c<(First < Other)>;
}
template <int First, int Other>
constexpr auto operator<=(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First <= Other>;
}
template <int First, int Other>
constexpr auto operator>(sm<First>, sm<Other>) {
  return boost::hana::bool_c<(First > Other)>;
}
template <int First, int Other>
constexpr auto operator>=(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First >= Other>;
}

namespace detail {

/// The elements of warpguard's lists.
template <int... ComputeCapability>
constexpr boost::hana::tuple<sm<ComputeCapability>...> to_hana_tuple(target_list<ComputeCapability...>) {
  return {};
}
template <class... Option>
constexpr boost::hana::tuple<Option...> to_hana_tuple(option_list<Option...>) {
  return {};
}
template <class Layout, class... Name>
constexpr boost::hana::tuple<typename Layout::template array<Name>...> to_hana_tuple(layout_arrays<Layout, Name...>) {
  return {};
}
template <class List, std::size_t... Index>
constexpr boost::hana::tuple<typename List::template at<static_cast<int>(Index)>...> to_hana_tuple(
    List, std::index_sequence<Index...>) {
  return {};
}
template <class List>
constexpr auto to_hana_tuple(List list) -> decltype(to_hana_tuple(list, std::make_index_sequence<List::count>{})) {
  return {};
}

template <class Option>
using kind_of_option = boost::hana::integral_constant<option_kind, Option::as_value.kind>;

/// A Sequence, by way of the tuple of its elements.
struct unpack_list {
  template <class List, class Function>
  static constexpr decltype(auto) apply(List const& list, Function&& function) {
    return boost::hana::unpack(to_hana_tuple(list), static_cast<Function&&>(function));
  }
};
struct at_in_list {
  template <class List, class Index>
  static constexpr auto apply(List const& list, Index const& index) {
    return boost::hana::at(to_hana_tuple(list), index);
  }
};
struct drop_front_of_list {
  template <class List, class Count>
  static constexpr auto apply(List const& list, Count const& count) {
    return boost::hana::drop_front(to_hana_tuple(list), count);
  }
};
struct length_of_list {
  template <class List>
  static constexpr auto apply(List const&) {
    return boost::hana::size_c<static_cast<std::size_t>(List::count)>;
  }
};
struct is_list_empty {
  template <class List>
  static constexpr auto apply(List const&) {
    return boost::hana::bool_c<List::count == 0>;
  }
};
/// Returns a member of a Struct.
template <auto Member>
struct read_member {
  template <class Object>
  constexpr decltype(auto) operator()(Object&& object) const {
    return (static_cast<Object&&>(object).*Member);
  }
};

template <class Type, class... Name, auto... Member>
constexpr bool add_up_to(boost::hana::tuple<boost::hana::pair<Name, read_member<Member>>...> const&) {
  constexpr std::size_t bytes = (0 + ... + sizeof(static_cast<Type*>(nullptr)->*Member));
  return (bytes + alignof(Type) - 1) / alignof(Type) * alignof(Type) == sizeof(Type);
}

/// What algorithms make of a list.
struct make_tuple_of_list {
  template <class... Element>
  static constexpr auto apply(Element&&... element) {
    return boost::hana::make_tuple(static_cast<Element&&>(element)...);
  }
};

}  // namespace detail

}  // namespace warpguard

namespace boost::hana {

// ---- Architectures --------------------------------------------------------------------------------------------------

template <>
struct equal_impl<warpguard::architecture_tag, warpguard::architecture_tag> {
  template <class First, class Other>
  static constexpr auto apply(First, Other) {
    return First{} == Other{};
  }
};
template <>
struct less_impl<warpguard::architecture_tag, warpguard::architecture_tag> {
  template <class First, class Other>
  static constexpr auto apply(First, Other) {
    return First{} < Other{};
  }
};
template <>
struct hash_impl<warpguard::architecture_tag> {
  template <class Architecture>
  static constexpr auto apply(Architecture const&) {
    return type_c<Architecture>;
  }
};

// ---- Sequences ------------------------------------------------------------------------------------------------------

#define WARPGUARD_DETAIL_SEQUENCE(tag)                                               \
  template <>                                                                        \
  struct Sequence<warpguard::tag> {                                                  \
    static constexpr bool value = true;                                              \
  };                                                                                 \
  template <>                                                                        \
  struct unpack_impl<warpguard::tag> : warpguard::detail::unpack_list {};            \
  template <>                                                                        \
  struct at_impl<warpguard::tag> : warpguard::detail::at_in_list {};                 \
  template <>                                                                        \
  struct drop_front_impl<warpguard::tag> : warpguard::detail::drop_front_of_list {}; \
  template <>                                                                        \
  struct length_impl<warpguard::tag> : warpguard::detail::length_of_list {};         \
  template <>                                                                        \
  struct is_empty_impl<warpguard::tag> : warpguard::detail::is_list_empty {};        \
  template <>                                                                        \
  struct make_impl<warpguard::tag> : warpguard::detail::make_tuple_of_list {}
WARPGUARD_DETAIL_SEQUENCE(target_list_tag);
WARPGUARD_DETAIL_SEQUENCE(option_list_tag);
WARPGUARD_DETAIL_SEQUENCE(layout_arrays_tag);
WARPGUARD_DETAIL_SEQUENCE(measured_kernels_tag);
#undef WARPGUARD_DETAIL_SEQUENCE

// ---- Contracts and layouts ------------------------------------------------------------------------------------------

template <>
struct unpack_impl<warpguard::contract_tag> {
  template <class Contract, class Function>
  static constexpr decltype(auto) apply(Contract const&, Function&& function) {
    return unpack(typename Contract::options{}, static_cast<Function&&>(function));
  }
};
template <>
struct find_if_impl<warpguard::contract_tag> {
  template <class Contract, class Predicate>
  static constexpr auto apply(Contract const&, Predicate const& predicate) {
    return find_if(warpguard::detail::to_hana_tuple(typename Contract::options{}), [&predicate](auto const& option) {
      return predicate(warpguard::detail::kind_of_option<std::decay_t<decltype(option)>>{});
    });
  }
};
template <>
struct any_of_impl<warpguard::contract_tag> {
  template <class Contract, class Predicate>
  static constexpr auto apply(Contract const&, Predicate const& predicate) {
    return any_of(warpguard::detail::to_hana_tuple(typename Contract::options{}), [&predicate](auto const& option) {
      return predicate(warpguard::detail::kind_of_option<std::decay_t<decltype(option)>>{});
    });
  }
};

template <>
struct unpack_impl<warpguard::layout_tag> {
  template <class Layout, class Function>
  static constexpr decltype(auto) apply(Layout const&, Function&& function) {
    return unpack(typename Layout::arrays{}, static_cast<Function&&>(function));
  }
};
template <>
struct find_if_impl<warpguard::layout_tag> {
  template <class Layout, class Predicate>
  static constexpr auto apply(Layout const&, Predicate const& predicate) {
    return find_if(warpguard::detail::to_hana_tuple(typename Layout::arrays{}), [&predicate](auto const& array) {
      return predicate(type_c<typename std::decay_t<decltype(array)>::name>);
    });
  }
};
template <>
struct any_of_impl<warpguard::layout_tag> {
  template <class Layout, class Predicate>
  static constexpr auto apply(Layout const&, Predicate const& predicate) {
    return any_of(warpguard::detail::to_hana_tuple(typename Layout::arrays{}), [&predicate](auto const& array) {
      return predicate(type_c<typename std::decay_t<decltype(array)>::name>);
    });
  }
};

// ---- Structs --------------------------------------------------------------------------------------------------------

// The members by name. Templates, so that a file pays for the names only if it uses them: BOOST_HANA_ADAPT_STRUCT would
// cost every file 0.3 s. A member that is left out does not compile.
#define WARPGUARD_DETAIL_MEMBER(member) \
  make_pair(BOOST_HANA_STRING(#member), warpguard::detail::read_member<&Type::member>{})

template <>
struct accessors_impl<warpguard::architecture> {
  template <class Type = warpguard::architecture>
  static constexpr auto apply() {
    auto const members =
        make_tuple(WARPGUARD_DETAIL_MEMBER(compute_capability), WARPGUARD_DETAIL_MEMBER(warp_size),
                   WARPGUARD_DETAIL_MEMBER(max_threads_per_block), WARPGUARD_DETAIL_MEMBER(max_warps_per_sm),
                   WARPGUARD_DETAIL_MEMBER(max_threads_per_sm), WARPGUARD_DETAIL_MEMBER(max_blocks_per_sm),
                   WARPGUARD_DETAIL_MEMBER(registers_per_sm), WARPGUARD_DETAIL_MEMBER(max_registers_per_block),
                   WARPGUARD_DETAIL_MEMBER(max_registers_per_thread), WARPGUARD_DETAIL_MEMBER(register_allocation_unit),
                   WARPGUARD_DETAIL_MEMBER(register_allocation_granularity),
                   WARPGUARD_DETAIL_MEMBER(warp_allocation_granularity), WARPGUARD_DETAIL_MEMBER(sub_partitions),
                   WARPGUARD_DETAIL_MEMBER(shared_memory_per_sm), WARPGUARD_DETAIL_MEMBER(max_shared_per_block_default),
                   WARPGUARD_DETAIL_MEMBER(max_shared_per_block_optin), WARPGUARD_DETAIL_MEMBER(shared_allocation_unit),
                   WARPGUARD_DETAIL_MEMBER(reserved_shared_per_block), WARPGUARD_DETAIL_MEMBER(carveouts_kb),
                   WARPGUARD_DETAIL_MEMBER(named_barriers_per_block), WARPGUARD_DETAIL_MEMBER(block_barriers_per_sm),
                   WARPGUARD_DETAIL_MEMBER(max_cluster_portable), WARPGUARD_DETAIL_MEMBER(max_cluster_nonportable),
                   WARPGUARD_DETAIL_MEMBER(virtual_resources_per_sm), WARPGUARD_DETAIL_MEMBER(rules));
    static_assert(warpguard::detail::add_up_to<Type>(members), "warpguard: hana.hpp leaves out a member");
    return members;
  }
};
template <>
struct accessors_impl<warpguard::kernel_resources> {
  template <class Type = warpguard::kernel_resources>
  static constexpr auto apply() {
    auto const members =
        make_tuple(WARPGUARD_DETAIL_MEMBER(threads_per_block), WARPGUARD_DETAIL_MEMBER(registers_per_thread),
                   WARPGUARD_DETAIL_MEMBER(static_shared_memory), WARPGUARD_DETAIL_MEMBER(dynamic_shared_memory),
                   WARPGUARD_DETAIL_MEMBER(barriers), WARPGUARD_DETAIL_MEMBER(virtual_resources),
                   WARPGUARD_DETAIL_MEMBER(caching));
    static_assert(warpguard::detail::add_up_to<Type>(members), "warpguard: hana.hpp leaves out a member");
    return members;
  }
};
template <>
struct accessors_impl<warpguard::occupancy> {
  template <class Type = warpguard::occupancy>
  static constexpr auto apply() {
    auto const members =
        make_tuple(WARPGUARD_DETAIL_MEMBER(blocks_per_sm), WARPGUARD_DETAIL_MEMBER(warps_per_sm),
                   WARPGUARD_DETAIL_MEMBER(threads_per_sm), WARPGUARD_DETAIL_MEMBER(blocks_by_warps),
                   WARPGUARD_DETAIL_MEMBER(blocks_by_registers), WARPGUARD_DETAIL_MEMBER(blocks_by_shared_memory),
                   WARPGUARD_DETAIL_MEMBER(blocks_by_block_slots), WARPGUARD_DETAIL_MEMBER(blocks_by_barriers),
                   WARPGUARD_DETAIL_MEMBER(blocks_by_virtual_resources), WARPGUARD_DETAIL_MEMBER(limited_by),
                   WARPGUARD_DETAIL_MEMBER(obstructed_by), WARPGUARD_DETAIL_MEMBER(warps_per_block),
                   WARPGUARD_DETAIL_MEMBER(registers_per_block), WARPGUARD_DETAIL_MEMBER(shared_memory_per_block),
                   WARPGUARD_DETAIL_MEMBER(shared_memory_budget), WARPGUARD_DETAIL_MEMBER(max_warps_per_sm),
                   WARPGUARD_DETAIL_MEMBER(unused_warps), WARPGUARD_DETAIL_MEMBER(unused_registers),
                   WARPGUARD_DETAIL_MEMBER(unused_shared_memory));
    static_assert(warpguard::detail::add_up_to<Type>(members), "warpguard: hana.hpp leaves out a member");
    return members;
  }
};
template <>
struct accessors_impl<warpguard::measurement> {
  template <class Type = warpguard::measurement>
  static constexpr auto apply() {
    auto const members = make_tuple(WARPGUARD_DETAIL_MEMBER(compute_capability), WARPGUARD_DETAIL_MEMBER(registers),
                                    WARPGUARD_DETAIL_MEMBER(static_shared_memory),
                                    WARPGUARD_DETAIL_MEMBER(spill_stores), WARPGUARD_DETAIL_MEMBER(spill_loads),
                                    WARPGUARD_DETAIL_MEMBER(stack), WARPGUARD_DETAIL_MEMBER(barriers),
                                    WARPGUARD_DETAIL_MEMBER(constant_memory), WARPGUARD_DETAIL_MEMBER(bounds_ignored));
    static_assert(warpguard::detail::add_up_to<Type>(members), "warpguard: hana.hpp leaves out a member");
    return members;
  }
};
#undef WARPGUARD_DETAIL_MEMBER

}  // namespace boost::hana
