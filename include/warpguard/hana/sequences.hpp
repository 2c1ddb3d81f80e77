// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Makes warpguard's lists Sequences of Hana, and contracts and layouts Searchable; hana.hpp says what that means.
///
/// Includes only the declarations of Hana's algorithms. As with Hana's own types, a file includes the header of each
/// algorithm that it uses.

#pragma once

#include "../hardware/host_device.hpp"  // first, because it stops compilers without C++17

#if !__has_include(<boost/hana/tuple.hpp>)
#include "warpguard needs Boost.Hana here: install libboost-dev, or include warpguard/contract.hpp instead [boost]"
#endif

#include <boost/hana/bool.hpp>
#include <boost/hana/fwd/any_of.hpp>
#include <boost/hana/fwd/at.hpp>
#include <boost/hana/fwd/concept/sequence.hpp>
#include <boost/hana/fwd/core/make.hpp>
#include <boost/hana/fwd/drop_front.hpp>
#include <boost/hana/fwd/equal.hpp>
#include <boost/hana/fwd/find_if.hpp>
#include <boost/hana/fwd/hash.hpp>
#include <boost/hana/fwd/is_empty.hpp>
#include <boost/hana/fwd/length.hpp>
#include <boost/hana/fwd/less.hpp>
#include <boost/hana/fwd/unpack.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "../contract/contract.hpp"
#include "../contract/options.hpp"
#include "../contract/targets.hpp"
#include "../layout/shared_layout.hpp"
#include "../measured/measurement.hpp"

namespace warpguard {

/// The key of an option in a contract: `hana::find(saxpy_contract{}, wg::kind<wg::option_kind::max_registers>)`.
template <option_kind Kind>
inline constexpr boost::hana::integral_constant<option_kind, Kind> kind{};

// Comparisons of architectures. Their results are constants of Hana, so that they work inside its algorithms.

/// Whether both are the same architecture, as a constant of Hana.
template <int First, int Other>
constexpr auto operator==(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First == Other>;
}
/// Whether they are different architectures, as a constant of Hana.
template <int First, int Other>
constexpr auto operator!=(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First != Other>;
}
/// Whether the first has the lower compute capability, as a constant of Hana.
template <int First, int Other>
constexpr auto operator<(sm<First>, sm<Other>) {
  return boost::hana::bool_c<(First < Other)>;
}
/// Whether the first has the lower compute capability, or the same, as a constant of Hana.
template <int First, int Other>
constexpr auto operator<=(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First <= Other>;
}
/// Whether the first has the higher compute capability, as a constant of Hana.
template <int First, int Other>
constexpr auto operator>(sm<First>, sm<Other>) {
  return boost::hana::bool_c<(First > Other)>;
}
/// Whether the first has the higher compute capability, or the same, as a constant of Hana.
template <int First, int Other>
constexpr auto operator>=(sm<First>, sm<Other>) {
  return boost::hana::bool_c<First >= Other>;
}

namespace detail {

// ---- Elements of lists ----------------------------------------------------------------------------------------------

/// Two elements are equal if they are of one type.
struct are_one_type {
  template <class First, class Other>
  static constexpr auto apply(First const&, Other const&) {
    return boost::hana::bool_c<std::is_same_v<First, Other>>;
  }
};
struct is_lower_capability {
  template <class First, class Other>
  static constexpr auto apply(First const&, Other const&) {
    return boost::hana::bool_c<(First::compute_capability < Other::compute_capability)>;
  }
};
struct hash_type {
  template <class Element>
  static constexpr auto apply(Element const&) {
    return boost::hana::type_c<Element>;
  }
};

// ---- Lists ----------------------------------------------------------------------------------------------------------

/// The elements of a list as a tuple. All of them are empty types.
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
template <class Kernels, std::size_t... Index>
constexpr boost::hana::tuple<typename Kernels::template at<static_cast<int>(Index)>...> to_hana_tuple(
    Kernels, std::index_sequence<Index...>) {
  return {};
}
template <class Kernels>
constexpr auto to_hana_tuple(Kernels kernels)
    -> decltype(to_hana_tuple(kernels, std::make_index_sequence<Kernels::count>{})) {
  return {};
}

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
/// Algorithms call this for their results, which may have elements of any type.
struct make_tuple_of_list {
  template <class... Element>
  static constexpr auto apply(Element&&... element) {
    return boost::hana::make_tuple(static_cast<Element&&>(element)...);
  }
};

// ---- Contracts and layouts ------------------------------------------------------------------------------------------

/// What a contract contains, and by which key it is found.
struct options_by_kind {
  template <class Contract>
  using list = typename Contract::options;
  template <class Option>
  using key = boost::hana::integral_constant<option_kind, value_of<Option>.kind>;
};
struct arrays_by_name {
  template <class Layout>
  using list = typename Layout::arrays;
  template <class Array>
  using key = boost::hana::type<typename Array::name>;
};

/// A predicate of keys as a predicate of elements.
template <class Contents, class Predicate>
struct predicate_of_key {
  Predicate const& predicate;

  template <class Element>
  constexpr auto operator()(Element const&) const {
    return predicate(typename Contents::template key<Element>{});
  }
};

template <class Contents>
struct unpack_contents {
  template <class Container, class Function>
  static constexpr decltype(auto) apply(Container const&, Function&& function) {
    return unpack_list::apply(typename Contents::template list<Container>{}, static_cast<Function&&>(function));
  }
};
template <class Contents>
struct find_in_contents {
  template <class Container, class Predicate>
  static constexpr auto apply(Container const&, Predicate const& predicate) {
    return boost::hana::find_if(to_hana_tuple(typename Contents::template list<Container>{}),
                                predicate_of_key<Contents, Predicate>{predicate});
  }
};
template <class Contents>
struct any_of_contents {
  template <class Container, class Predicate>
  static constexpr auto apply(Container const&, Predicate const& predicate) {
    return boost::hana::any_of(to_hana_tuple(typename Contents::template list<Container>{}),
                               predicate_of_key<Contents, Predicate>{predicate});
  }
};

}  // namespace detail

}  // namespace warpguard

namespace boost::hana {

// ---- Elements of lists ----------------------------------------------------------------------------------------------

#define WARPGUARD_DETAIL_COMPARABLE_TYPES(tag)                                            \
  template <>                                                                             \
  struct equal_impl<warpguard::tag, warpguard::tag> : warpguard::detail::are_one_type {}; \
  template <>                                                                             \
  struct hash_impl<warpguard::tag> : warpguard::detail::hash_type {}
WARPGUARD_DETAIL_COMPARABLE_TYPES(architecture_tag);
WARPGUARD_DETAIL_COMPARABLE_TYPES(option_tag);
WARPGUARD_DETAIL_COMPARABLE_TYPES(layout_array_tag);
WARPGUARD_DETAIL_COMPARABLE_TYPES(measured_kernel_tag);
#undef WARPGUARD_DETAIL_COMPARABLE_TYPES

template <>
struct less_impl<warpguard::architecture_tag, warpguard::architecture_tag> : warpguard::detail::is_lower_capability {};

// ---- Lists ----------------------------------------------------------------------------------------------------------

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

#define WARPGUARD_DETAIL_SEARCHABLE(tag, contents)                                                           \
  template <>                                                                                                \
  struct unpack_impl<warpguard::tag> : warpguard::detail::unpack_contents<warpguard::detail::contents> {};   \
  template <>                                                                                                \
  struct find_if_impl<warpguard::tag> : warpguard::detail::find_in_contents<warpguard::detail::contents> {}; \
  template <>                                                                                                \
  struct any_of_impl<warpguard::tag> : warpguard::detail::any_of_contents<warpguard::detail::contents> {}
WARPGUARD_DETAIL_SEARCHABLE(contract_tag, options_by_kind);
WARPGUARD_DETAIL_SEARCHABLE(layout_tag, arrays_by_name);
#undef WARPGUARD_DETAIL_SEARCHABLE

}  // namespace boost::hana
