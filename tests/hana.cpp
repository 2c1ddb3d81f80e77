// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Hana's algorithms on warpguard's types. On a list each algorithm must give what it gives on the tuple of the list's
/// elements, the type of the result included.
///
/// Compiled with WARPGUARD_TARGETS=750,800,860,890,900,1000,1200.

#include <warpguard/hana.hpp>
#include <warpguard/products.hpp>

#include <doctest/doctest.h>
#include <boost/hana.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

#include "measured/kernels.hpp"

namespace wg = warpguard;
namespace hana = boost::hana;
using namespace hana::literals;

namespace {

// ---- What the lists are ---------------------------------------------------------------------------------------------

struct a_tile;
struct b_tile;
struct barriers_of_tiles;

struct matmul_contract
    : wg::contract<wg::threads_per_block<16, 16>, wg::max_registers<64>, wg::static_shared_memory<4096>,
                   wg::min_occupancy<50>, wg::on<wg::sm<90>, wg::max_registers<128>>, wg::on<wg::sm<75>>> {};
struct bare_contract : wg::contract<> {};

using tiles =
    wg::shared_layout<wg::shared_array<a_tile, float[32], 32>, wg::staged<2, wg::shared_array<b_tile, float[32], 32>>,
                      wg::shared_array<barriers_of_tiles, long long, 2>>;

namespace measured = wg::measured::app;

constexpr auto targets_tuple =
    hana::tuple<wg::sm<75>, wg::sm<80>, wg::sm<86>, wg::sm<89>, wg::sm<90>, wg::sm<100>, wg::sm<120>>{};
constexpr auto options_tuple =
    hana::tuple<wg::threads_per_block<16, 16>, wg::max_registers<64>, wg::static_shared_memory<4096>,
                wg::min_occupancy<50>, wg::on<wg::sm<90>, wg::max_registers<128>>, wg::on<wg::sm<75>>>{};
constexpr auto arrays_tuple =
    hana::tuple<tiles::array<a_tile>, tiles::array<b_tile>, tiles::array<barriers_of_tiles>>{};
constexpr auto kernels_tuple =
    hana::tuple<measured::sum, measured::scale::of_1, measured::scale::of_2, measured::scale::of_3>{};

template <class List>
constexpr bool is_sequence = hana::Sequence<List>::value&& hana::Foldable<List>::value&& hana::Iterable<List>::value&&
    hana::Searchable<List>::value&& hana::Functor<List>::value&& hana::Applicative<List>::value&& hana::Monad<
        List>::value&& hana::MonadPlus<List>::value&& hana::Comparable<List>::value&& hana::Orderable<List>::value;
static_assert(is_sequence<wg::build_target_list>);
static_assert(is_sequence<wg::target_list<>>);
static_assert(is_sequence<matmul_contract::options>);
static_assert(is_sequence<bare_contract::options>);
static_assert(is_sequence<tiles::arrays>);
static_assert(is_sequence<measured::every_kernel>);

// ---- Algorithms on a list and on the tuple of its elements ----------------------------------------------------------

/// Both results have one type. The elements are empty types, so their values are equal if their types are.
template <class List, class Tuple, class Algorithm>
constexpr bool gives_the_same(List const& list, Tuple const& tuple, Algorithm const& algorithm) {
  return std::is_same_v<decltype(algorithm(list)), decltype(algorithm(tuple))>;
}

struct name_of_type {
  template <class Element>
  constexpr auto operator()(Element const&) const {
    return hana::type_c<Element>;
  }
};

/// A predicate that holds for the elements at 1, 2 and 3.
template <class Tuple>
struct is_inner {
  template <class Element>
  constexpr auto operator()(Element const& element) const {
    return hana::contains(hana::take_front_c<3>(hana::drop_front(Tuple{})), element);
  }
};

struct never {
  template <class Element>
  constexpr auto operator()(Element const&) const {
    return hana::false_c;
  }
};

#define SAME(...) CHECK(gives_the_same(list, tuple, [](auto const& xs) { return __VA_ARGS__; }))

/// Algorithms that need nothing of the elements but that they are Comparable.
template <class List, class Tuple>
void test_sequence(List const& list, Tuple const& tuple) {
  using inner = is_inner<Tuple>;
  using first_type = std::decay_t<decltype(hana::front(Tuple{}))>;
  using last_type = std::decay_t<decltype(hana::back(Tuple{}))>;

  // Iterable
  SAME(hana::at_c<0>(xs));
  SAME(hana::at_c<2>(xs));
  SAME(hana::at(xs, hana::size_c<1>));
  SAME(hana::front(xs));
  SAME(hana::back(xs));
  SAME(hana::is_empty(xs));
  SAME(hana::drop_front(xs));
  SAME(hana::drop_front(xs, hana::size_c<2>));
  SAME(hana::drop_front_exactly(xs, hana::size_c<2>));
  SAME(hana::drop_back(xs));
  SAME(hana::drop_back(xs, hana::size_c<100>));
  SAME(hana::drop_while(xs, hana::not_equal.to(last_type{})));

  // Foldable
  SAME(hana::length(xs));
  SAME(hana::size(xs));
  SAME(hana::unpack(xs, hana::make_tuple));
  SAME(hana::unpack(xs, hana::make_basic_tuple));
  SAME(hana::fold_left(xs, hana::make_tuple(), hana::append));
  SAME(hana::fold_left(xs, hana::make_pair));
  SAME(hana::fold_right(xs, hana::make_tuple(), hana::flip(hana::append)));
  SAME(hana::fold_right(xs, hana::make_pair));
  SAME(hana::reverse_fold(xs, hana::make_tuple(), hana::append));
  SAME(hana::count(xs, first_type{}));
  SAME(hana::count_if(xs, inner{}));

  // Searchable
  SAME(hana::contains(xs, first_type{}));
  SAME(hana::contains(xs, last_type{}));
  SAME(hana::in(last_type{}, xs));
  SAME(hana::find(xs, last_type{}));
  SAME(hana::find_if(xs, inner{}));
  SAME(hana::find_if(xs, never{}));
  SAME(hana::index_if(xs, inner{}));
  SAME(hana::index_if(xs, never{}));
  SAME(hana::at_key(xs, last_type{}));
  SAME(hana::is_subset(xs, xs));
  SAME(hana::is_subset(hana::drop_front(xs), hana::to_tuple(xs)));
  SAME(hana::is_disjoint(xs, xs));
  SAME(hana::any_of(xs, inner{}));
  SAME(hana::any_of(xs, never{}));
  SAME(hana::all_of(xs, inner{}));
  SAME(hana::none_of(xs, never{}));

  // Functor, Applicative, Monad, MonadPlus
  SAME(hana::transform(xs, name_of_type{}));
  SAME(hana::adjust_if(xs, inner{}, name_of_type{}));
  SAME(hana::adjust(xs, first_type{}, name_of_type{}));
  SAME(hana::replace_if(xs, inner{}, hana::int_c<1>));
  SAME(hana::replace(xs, first_type{}, hana::int_c<1>));
  SAME(hana::fill(xs, hana::int_c<1>));
  SAME(hana::ap(hana::make_tuple(name_of_type{}, hana::id), hana::to_tuple(xs)));
  SAME(hana::chain(xs, [](auto const& x) { return hana::make_tuple(x, hana::type_c<std::decay_t<decltype(x)>>); }));
  SAME(hana::concat(xs, xs));
  SAME(hana::append(xs, hana::int_c<1>));
  SAME(hana::prepend(xs, hana::int_c<1>));
  SAME(hana::filter(xs, inner{}));
  SAME(hana::filter(xs, never{}));
  SAME(hana::remove_if(xs, inner{}));
  SAME(hana::remove(xs, first_type{}));
  SAME(hana::cycle(xs, hana::size_c<2>));

  // Sequence
  SAME(hana::cartesian_product(hana::make_tuple(hana::to_tuple(xs), hana::to_tuple(xs))));
  SAME(hana::group(xs));
  SAME(hana::insert(xs, hana::size_c<1>, hana::int_c<1>));
  SAME(hana::insert_range(xs, hana::size_c<1>, hana::make_tuple(hana::int_c<1>, hana::int_c<2>)));
  SAME(hana::intersperse(xs, hana::int_c<1>));
  SAME(hana::partition(xs, inner{}));
  SAME(hana::remove_at_c<1>(xs));
  SAME(hana::remove_range_c<1, 3>(xs));
  SAME(hana::reverse(xs));
  SAME(hana::scan_left(xs, hana::make_tuple(), hana::append));
  SAME(hana::scan_right(xs, hana::make_tuple(), hana::flip(hana::prepend)));
  SAME(hana::slice(xs, hana::tuple_c<std::size_t, 2, 0>));
  SAME(hana::slice_c<1, 3>(std::decay_t<decltype(xs)>{}));
  SAME(hana::span(xs, hana::not_equal.to(last_type{})));
  SAME(hana::take_back_c<2>(xs));
  SAME(hana::take_front_c<2>(xs));
  SAME(hana::take_front(xs, hana::size_c<100>));
  SAME(hana::take_while(xs, hana::not_equal.to(last_type{})));
  SAME(hana::unique(hana::concat(xs, xs)));
  SAME(hana::unique(xs));
  SAME(hana::zip(xs, xs));
  SAME(hana::zip(xs, hana::to_tuple(xs)));
  SAME(hana::zip_with(hana::make_pair, xs, xs));
  SAME(hana::zip_shortest(xs, hana::drop_front(xs)));

  // Conversions
  SAME(hana::to<hana::tuple_tag>(xs));
  SAME(hana::to_tuple(xs));
  SAME(hana::to<hana::set_tag>(xs));
  SAME(hana::to<hana::map_tag>(
      hana::transform(xs, [](auto const& x) { return hana::make_pair(x, hana::type_c<std::decay_t<decltype(x)>>); })));
  SAME(hana::keys(hana::to_map(hana::zip_with(hana::make_pair, xs, xs))));

  // The list beside the tuple
  CHECK(hana::equal(list, tuple));
  CHECK(hana::equal(tuple, list));
  CHECK(hana::equal(list, list));
  CHECK(hana::not_equal(list, hana::drop_front(tuple)));
  CHECK(hana::not_equal(list, hana::reverse(list)));
  CHECK(std::is_same_v<decltype(hana::to_tuple(list)), Tuple>);

  // Calls in order, at run time
  std::size_t called = 0;
  hana::for_each(list, [&called](auto const& element) {
    std::size_t position = 0;
    hana::for_each(Tuple{}, [&](auto const& other) {
      if (std::is_same_v<decltype(element), decltype(other)>) CHECK(position == called);
      ++position;
    });
    ++called;
  });
  CHECK(called == decltype(hana::length(tuple))::value);
  CHECK(hana::fold_left(list, 0, [](int sum, auto const&) { return sum + 1; }) == static_cast<int>(called));
}

/// Algorithms that order the elements.
template <class List, class Tuple>
void test_orderable_sequence(List const& list, Tuple const& tuple) {
  SAME(hana::maximum(xs));
  SAME(hana::minimum(xs));
  SAME(hana::maximum(xs, hana::greater));
  SAME(hana::sort(xs));
  SAME(hana::sort(hana::reverse(xs)));
  SAME(hana::sort(xs, hana::greater));
  SAME(hana::sort.by(hana::greater, xs));
  SAME(hana::less(xs, hana::drop_front(xs)));
  SAME(hana::lexicographical_compare(hana::drop_front(xs), xs));
  SAME(hana::permutations(hana::take_front_c<3>(xs)));
  CHECK(hana::less(list, hana::drop_front(tuple)));
  CHECK_FALSE(hana::less(list, tuple));
}

#undef SAME

TEST_CASE("the targets") {
  test_sequence(wg::targets, targets_tuple);
  test_orderable_sequence(wg::targets, targets_tuple);
}
TEST_CASE("a contract's options") { test_sequence(matmul_contract::options{}, options_tuple); }
TEST_CASE("a layout's arrays") { test_sequence(tiles::arrays{}, arrays_tuple); }
TEST_CASE("measured kernels") { test_sequence(measured::every_kernel{}, kernels_tuple); }

TEST_CASE("a list without elements") {
  auto const test = [](auto list) {
    CHECK(hana::is_empty(list));
    CHECK((hana::length(list) == hana::size_c<0>));
    CHECK(hana::equal(list, hana::make_tuple()));
    CHECK((hana::to_tuple(list) == hana::make_tuple()));
    CHECK((hana::transform(list, name_of_type{}) == hana::make_tuple()));
    CHECK((hana::find(list, wg::sm<90>{}) == hana::nothing));
    CHECK_FALSE(hana::contains(list, wg::sm<90>{}));
    CHECK((hana::drop_front(list) == hana::make_tuple()));
    CHECK(hana::fold_left(list, 7, [](int, auto const&) { return 0; }) == 7);
    hana::for_each(list, [](auto const&) { CHECK(false); });
  };
  test(wg::target_list<>{});
  test(bare_contract::options{});
  test(wg::shared_layout<>::arrays{});
}

// Results are constants where those of a tuple are.
static_assert(decltype(hana::contains(wg::targets, wg::sm<86>{}))::value);
static_assert(!decltype(hana::contains(wg::targets, wg::sm<87>{}))::value);
static_assert(hana::contains(matmul_contract::options{}, wg::max_registers<64>{}));
static_assert(!hana::contains(matmul_contract::options{}, wg::max_registers<32>{}));
static_assert(std::is_same_v<decltype(hana::maximum(wg::targets)), wg::sm<120>>);
static_assert(hana::sum<hana::integral_constant_tag<int>>(hana::transform(measured::every_kernel{}, [](auto kernel) {
                return hana::int_c<decltype(kernel)::measurement_count>;
              })) == 9_c);
static_assert(hana::fold_left(wg::targets, 0, [](int sum, auto architecture) {
                return sum + decltype(architecture)::compute_capability;
              }) == 75 + 80 + 86 + 89 + 90 + 100 + 120);
static_assert(hana::at_c<1>(hana::transform(wg::targets, [](auto architecture) {
                return architecture.limits().max_warps_per_sm;
              })) == 64);

// ---- Architectures --------------------------------------------------------------------------------------------------

static_assert(hana::Comparable<wg::sm<90>>::value);
static_assert(hana::Orderable<wg::sm<90>>::value);
static_assert(hana::Hashable<wg::sm<90>>::value);

constexpr wg::sm<86> older{};
constexpr wg::sm<90> newer{};

static_assert(older == older && !(older == newer) && older != newer && !(older != older));
static_assert(older < newer && !(newer < older) && !(older < older));
static_assert(older <= newer && older <= older && !(newer <= older));
static_assert(newer > older && !(older > newer) && !(older > older));
static_assert(newer >= older && older >= older && !(older >= newer));
static_assert(decltype(older < newer)::value, "the result is a constant, also of objects that are none");

static_assert(hana::equal(older, older) && hana::not_equal(older, newer));
static_assert(hana::less(older, newer) && hana::less_equal(older, older) && hana::greater(newer, older));
static_assert(hana::greater_equal(newer, older) && hana::max(older, newer) == newer &&
              hana::min(older, newer) == older);
static_assert(hana::equal(hana::comparing(hana::id)(older, older), hana::true_c));
static_assert(hana::ordering(hana::id)(older, newer));
static_assert(!hana::equal(older, hana::int_c<86>), "an architecture is no number");
static_assert(std::is_same_v<decltype(hana::hash(older)), hana::type<wg::sm<86>>>);

// Options, arrays and kernels are equal if they are of one type.
static_assert(wg::max_registers<40>::value == 40 && hana::equal(wg::max_registers<40>{}, wg::max_registers<40>{}));
static_assert(hana::not_equal(wg::max_registers<40>{}, wg::max_registers<41>{}));
static_assert(hana::not_equal(wg::max_registers<4>{}, wg::barriers<4>{}));
static_assert(hana::equal(tiles::array<a_tile>{}, tiles::array<a_tile>{}));
static_assert(hana::not_equal(tiles::array<a_tile>{}, tiles::array<b_tile>{}));
static_assert(hana::equal(measured::sum{}, measured::sum{}));
static_assert(hana::not_equal(measured::sum{}, measured::scale::of_1{}));

TEST_CASE("architectures are keys of maps and elements of sets") {
  constexpr auto tile = hana::make_map(hana::make_pair(wg::sm<75>{}, 32), hana::make_pair(wg::sm<90>{}, 64));
  static_assert(tile[wg::sm<75>{}] == 32 && tile[wg::sm<90>{}] == 64);
  static_assert(hana::contains(tile, wg::sm<90>{}) && !hana::contains(tile, wg::sm<86>{}));
  static_assert(hana::find(tile, wg::sm<86>{}) == hana::nothing);

  constexpr auto of_build = hana::to_set(wg::targets);
  constexpr auto with_clusters = hana::make_set(wg::sm<90>{}, wg::sm<100>{}, wg::sm<103>{});
  static_assert(hana::size(of_build) == hana::size_c<7>);
  static_assert(hana::intersection(of_build, with_clusters) == hana::make_set(wg::sm<90>{}, wg::sm<100>{}));
  static_assert(hana::difference(with_clusters, of_build) == hana::make_set(wg::sm<103>{}));
  static_assert(hana::size(hana::union_(of_build, with_clusters)) == hana::size_c<8>);
  static_assert(hana::insert(of_build, wg::sm<75>{}) == of_build, "once");
  static_assert(hana::sort(hana::to_tuple(hana::to_set(hana::reverse(wg::targets)))) == hana::to_tuple(wg::targets));

  constexpr auto options = hana::make_set(wg::max_registers<40>{}, wg::barriers<2>{});
  static_assert(hana::contains(options, wg::barriers<2>{}) && !hana::contains(options, wg::barriers<3>{}));
}

// ---- Contracts and layouts ------------------------------------------------------------------------------------------

using kinds = wg::option_kind;
constexpr auto registers_kind = wg::kind<kinds::max_registers>;
constexpr auto barriers_kind = wg::kind<kinds::barriers>;

static_assert(hana::Searchable<matmul_contract>::value && hana::Foldable<matmul_contract>::value);
static_assert(!hana::Sequence<matmul_contract>::value, "its options are");
static_assert(hana::Searchable<tiles>::value && hana::Foldable<tiles>::value);

TEST_CASE("options are found by their kind") {
  constexpr matmul_contract contract{};
  static_assert(std::is_same_v<std::decay_t<decltype(*hana::find(contract, registers_kind))>, wg::max_registers<64>>);
  static_assert(hana::find(contract, registers_kind)->value == 64);
  static_assert(hana::find(contract, barriers_kind) == hana::nothing);
  static_assert(hana::find(contract, wg::kind<kinds::minimum_residency>) == hana::just(wg::min_occupancy<50>{}));
  static_assert(hana::find(contract, wg::kind<kinds::on>) == hana::just(wg::on<wg::sm<90>, wg::max_registers<128>>{}),
                "the first of a kind");
  static_assert(hana::at_key(contract, registers_kind).value == 64);

  static_assert(hana::contains(contract, registers_kind) && !hana::contains(contract, barriers_kind));
  static_assert(hana::in(registers_kind, contract));
  constexpr auto is_registers = hana::equal.to(registers_kind);
  static_assert(hana::find_if(contract, is_registers) == hana::just(wg::max_registers<64>{}));
  static_assert(hana::any_of(contract, is_registers) && !hana::all_of(contract, is_registers));
  static_assert(!hana::none_of(contract, is_registers) &&
                hana::any(hana::make_tuple(hana::any_of(contract, is_registers))));
  static_assert(!hana::any_of(bare_contract{}, is_registers) &&
                hana::find(bare_contract{}, registers_kind) == hana::nothing);
  static_assert(!hana::contains(contract, hana::type_c<wg::max_registers<64>>), "a key is a kind");

  // Foldable: over the options.
  static_assert(hana::length(contract) == hana::size_c<6> && hana::length(bare_contract{}) == hana::size_c<0>);
  static_assert(hana::to_tuple(contract) == options_tuple);
  static_assert(hana::unpack(contract, hana::make_tuple) == options_tuple);
  static_assert(hana::count_if(contract, hana::equal.to(wg::max_registers<64>{})) == hana::size_c<1>);
  int seen = 0;
  hana::for_each(contract, [&seen](auto const&) { ++seen; });
  CHECK(seen == 6);
}

TEST_CASE("arrays are found by their name") {
  constexpr tiles layout{};
  static_assert(
      std::is_same_v<std::decay_t<decltype(*hana::find(layout, hana::type_c<b_tile>))>, tiles::array<b_tile>>);
  static_assert(hana::find(layout, hana::type_c<b_tile>)->stages == 2);
  static_assert(hana::find(layout, hana::type_c<matmul_contract>) == hana::nothing);
  static_assert(hana::at_key(layout, hana::type_c<b_tile>).offset == 4096);
  static_assert(hana::contains(layout, hana::type_c<a_tile>) && !hana::contains(layout, hana::type_c<int>));
  static_assert(hana::any_of(layout, hana::equal.to(hana::type_c<barriers_of_tiles>)));
  static_assert(!hana::any_of(wg::shared_layout<>{}, hana::equal.to(hana::type_c<a_tile>)));

  static_assert(hana::length(layout) == hana::size_c<3>);
  static_assert(hana::to_tuple(layout) == arrays_tuple);
  int bytes = 0;
  hana::for_each(layout, [&bytes](auto array) { bytes += decltype(array)::bytes * decltype(array)::stages; });
  CHECK(bytes == tiles::bytes);
}

TEST_CASE("objects of every value category are taken") {
  matmul_contract contract;
  matmul_contract const constant{};
  CHECK((hana::find(contract, registers_kind) == hana::just(wg::max_registers<64>{})));
  CHECK((hana::find(constant, registers_kind) == hana::just(wg::max_registers<64>{})));
  CHECK((hana::find(matmul_contract{}, registers_kind) == hana::just(wg::max_registers<64>{})));
  measured::every_kernel kernels;
  CHECK(hana::equal(hana::at_c<0>(kernels), measured::sum{}));
  tiles layout;
  CHECK(hana::contains(layout, hana::type_c<a_tile>));
}

// ---- Structs --------------------------------------------------------------------------------------------------------

static_assert(hana::Struct<wg::architecture>::value && hana::Struct<wg::kernel_resources>::value);
static_assert(hana::Struct<wg::occupancy>::value && hana::Struct<wg::measurement>::value);

/// What holds for every Struct. `object` and `other` differ in all members.
template <class Type>
void test_struct(Type const& object, Type const& other, std::size_t count, std::string const& first_name) {
  static_assert(hana::Comparable<Type>::value && hana::Foldable<Type>::value && hana::Searchable<Type>::value);
  CHECK(decltype(hana::length(hana::accessors<Type>()))::value == count);
  CHECK(decltype(hana::length(hana::keys(object)))::value == count);
  CHECK(decltype(hana::length(hana::members(object)))::value == count);
  CHECK(decltype(hana::length(object))::value == count);
  CHECK(hana::front(hana::keys(object)).c_str() == first_name);
  CHECK(hana::equal(object, object));
  CHECK_FALSE(hana::equal(object, other));
  CHECK_FALSE(hana::contains(object, BOOST_HANA_STRING("no_such_member")));
  CHECK((hana::find(object, BOOST_HANA_STRING("no_such_member")) == hana::nothing));

  // The keys, the members and the pairs are in one order, and each accessor leads to one member.
  std::size_t visited = 0;
  hana::for_each(hana::accessors<Type>(), hana::fuse([&](auto name, auto read) {
                   CHECK(hana::contains(object, name));
                   CHECK(hana::equal(hana::at_key(object, name), read(object)));
                   CHECK(hana::equal(*hana::find(object, name), read(object)));
                   ++visited;

                   Type changed = object;
                   CHECK(hana::equal(object, changed));
                   auto& member = changed.*decltype(read)::pointer;
                   auto const& wanted = other.*decltype(read)::pointer;
                   if constexpr (std::is_array_v<std::remove_reference_t<decltype(member)>>) {
                     member[0] = wanted[0];
                   } else {
                     member = wanted;
                   }
                   INFO(std::string(name.c_str()));
                   CHECK_FALSE(hana::equal(object, changed));
                   CHECK_FALSE(hana::equal(read(object), read(changed)));
                   int differing = 0;
                   hana::for_each(hana::accessors<Type>(), hana::fuse([&](auto, auto each) {
                                    differing += hana::equal(each(object), each(changed)) ? 0 : 1;
                                  }));
                   CHECK(differing == 1);
                 }));
  CHECK(visited == count);

  std::string names_of_pairs;
  hana::for_each(object, hana::fuse([&](auto name, auto const& value) {
                   names_of_pairs += name.c_str();
                   CHECK(hana::equal(hana::at_key(object, name), value));
                 }));
  std::string names_of_keys;
  hana::for_each(hana::keys(object), [&](auto name) { names_of_keys += name.c_str(); });
  CHECK(names_of_pairs == names_of_keys);

  CHECK(hana::equal(hana::to<hana::map_tag>(object), hana::to<hana::map_tag>(Type(object))));
  CHECK(hana::equal(hana::members(object), hana::members(Type(object))));
  CHECK_FALSE(hana::equal(hana::members(object), hana::members(other)));
}

/// A second object whose members all differ from those of the first.
template <class Type>
Type with_other_members(Type object) {
  hana::for_each(hana::accessors<Type>(), hana::fuse([&object](auto, auto read) {
                   auto& member = object.*decltype(read)::pointer;
                   using member_type = std::remove_reference_t<decltype(member)>;
                   if constexpr (std::is_array_v<member_type>) {
                     for (auto& element : member) ++element;
                   } else if constexpr (std::is_same_v<member_type, bool>) {
                     member = !member;
                   } else if constexpr (std::is_enum_v<member_type>) {
                     member = static_cast<member_type>(static_cast<int>(member) == 0 ? 1 : 0);
                   } else if constexpr (std::is_same_v<member_type, int>) {
                     member ^= 1;  // it may be the largest int
                   } else {
                     ++member;
                   }
                 }));
  return object;
}

TEST_CASE("the members of an architecture") {
  test_struct(wg::sm_90, with_other_members(wg::sm_90), 25, "compute_capability");
  static_assert(hana::at_key(wg::sm_90, BOOST_HANA_STRING("max_warps_per_sm")) == 64);
  static_assert(hana::at_key(wg::sm_10, BOOST_HANA_STRING("register_allocation_granularity")) ==
                wg::granularity::block);
  static_assert(hana::equal(wg::sm_90, wg::sm<90>::limits()) && !hana::equal(wg::sm_90, wg::sm_100));
  // Carve-outs are a tuple, not a pointer.
  static_assert(hana::at_key(wg::sm_75, BOOST_HANA_STRING("carveouts_kb")) ==
                hana::make_tuple(32, 64, 0, 0, 0, 0, 0, 0, 0, 0));
  wg::architecture what_if = wg::sm_75;
  what_if.carveouts_kb[9] = 1;
  CHECK_FALSE(hana::equal(what_if, wg::sm_75));
}

TEST_CASE("the members of an SM's rates") {
  constexpr wg::throughput h100 = *wg::find_throughput(90);
  test_struct(h100, with_other_members(h100), 14, "compute_capability");
  static_assert(hana::at_key(h100, BOOST_HANA_STRING("tensor_fp8")) == 4096);
  static_assert(hana::members(h100) ==
                hana::make_tuple(90, 64, 128, 256, 256, 128, 1024, 2048, 2048, 4096, 0, 0, 4096, 2));
}

TEST_CASE("the members of a product") {
  constexpr wg::product h100 = *wg::find_device("H100 SXM");
  test_struct(h100, with_other_members(h100), 12, "name");
  static_assert(hana::at_key(h100, BOOST_HANA_STRING("sms")) == 132);
  CHECK(std::string(hana::at_key(h100, BOOST_HANA_STRING("name"))) == "H100 SXM");
}

TEST_CASE("a member is changed through its accessor") {
  wg::architecture what_if = wg::sm_86;
  hana::at_key(what_if, BOOST_HANA_STRING("max_blocks_per_sm")) = 24;
  CHECK(what_if.max_blocks_per_sm == 24);
  CHECK_FALSE(hana::equal(what_if, wg::sm_86));
  what_if.max_blocks_per_sm = wg::sm_86.max_blocks_per_sm;
  CHECK(hana::equal(what_if, wg::sm_86));
}

TEST_CASE("the members of a kernel's resources") {
  constexpr wg::kernel_resources kernel{256, 40, 1024, 2048, 2, 3, wg::partitioned_caching::strict};
  static_assert(hana::members(kernel) == hana::make_tuple(256, 40, 1024, 2048, 2, 3, wg::partitioned_caching::strict));
  static_assert(hana::at_key(kernel, BOOST_HANA_STRING("registers_per_thread")) == 40);
  test_struct(kernel, with_other_members(kernel), 7, "threads_per_block");
}

TEST_CASE("the members of an occupancy") {
  constexpr wg::occupancy answer = wg::occupancy_of(wg::sm_90, {256, 40});
  static_assert(hana::at_key(answer, BOOST_HANA_STRING("blocks_per_sm")) == 6);
  static_assert(hana::at_key(answer, BOOST_HANA_STRING("limited_by")) == wg::limiter::registers);
  static_assert(!hana::equal(answer, wg::occupancy_of(wg::sm_86, {256, 40})));
  test_struct(answer, with_other_members(answer), 19, "blocks_per_sm");
}

TEST_CASE("the members of a measurement") {
  constexpr wg::measurement found{90, 42, 1024, 8, 16, 24, 1, 360, false};
  static_assert(hana::members(found) == hana::make_tuple(90, 42, 1024, 8, 16, 24, 1, 360, false));
  static_assert(hana::equal(found, measured::every_kernel::measurements[2]) == false, "its stack is 16");
  test_struct(found, with_other_members(found), 9, "compute_capability");
}

}  // namespace
