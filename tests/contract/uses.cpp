// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Where people put contracts and what they do with them, each of which once failed or might: compiled with every
/// standard by every compiler, warnings being errors. Compile with -DWARPGUARD_TARGETS=750,900.

#include <warpguard/warpguard.hpp>

#include <boost/hana/for_each.hpp>
#include <type_traits>

namespace wg = warpguard;
namespace hana = boost::hana;

using block = wg::threads_per_block<256>;

// ---- where ----------------------------------------------------------------------------------------------------------

namespace library::detail {
struct in_namespace : wg::contract<block, wg::max_registers<40>> {};
}  // namespace library::detail
static_assert(wg::guarantee<library::detail::in_namespace>);

namespace {
struct in_anonymous_namespace : wg::contract<block> {};
static_assert(wg::guarantee<in_anonymous_namespace>);
}  // namespace

class owner {
  struct hidden : wg::contract<block, wg::min_blocks_per_sm<1>> {};
  static_assert(wg::guarantee<hidden>);

 public:
  static constexpr int threads = hidden::threads;
};
static_assert(owner::threads == 256);

constexpr bool inside_function() {
  struct local : wg::contract<block> {};
  static_assert(wg::guarantee_on<local, wg::sm<75>, wg::sm<75>>);
  return wg::guarantee<local>;
}
static_assert(inside_function());

template <class Element, int Threads>
struct gemm {
  struct contract : wg::contract<wg::threads_per_block<Threads>, wg::static_shared_memory<Threads * sizeof(Element)>,
                                 wg::on<wg::sm<90>, wg::max_registers<Threads / 4>>> {};
  static_assert(wg::guarantee<contract>);
  static constexpr int registers = contract::template on_sm<wg::sm<90>>::max_registers;
};
static_assert(gemm<float, 256>::registers == 64 && gemm<double, 128>::registers == 32);

// A policy for each architecture, as a class template of the element.
template <class Element>
struct sort_policy {
  template <class Architecture>
  static constexpr int items = (Architecture::compute_capability >= 90 ? 32 : 16) / sizeof(Element);
  template <class Architecture>
  using threads_on = wg::threads_per_block<Architecture::compute_capability >= 90 ? 384 : 256>;
  template <class Architecture>
  using bytes_on = wg::dynamic_shared_memory<threads_on<Architecture>::as_value.settings[0].value *
                                             items<Architecture>* static_cast<int>(sizeof(Element))>;
  struct contract : wg::contract<wg::on_each<threads_on>, wg::on_each<bytes_on>, wg::max_registers<40>,
                                 wg::on_from<wg::sm<90>, wg::min_blocks_per_sm<4>>> {};
  struct small : wg::contract_from<contract, wg::max_registers<32>> {};
  static_assert(wg::guarantee<contract> && wg::guarantee<small>);
};
static_assert(sort_policy<float>::contract::on_sm<wg::sm<90>>::dynamic_shared_memory == 384 * 32);
static_assert(sort_policy<double>::small::on_sm<wg::sm<75>>::dynamic_shared_memory == 256 * 16);

template <int Most, int BytesPerThread>
struct any_block_contract : wg::contract<wg::max_threads_per_block<Most>, wg::min_threads_per_block<64>,
                                         wg::max_registers<32>, wg::dynamic_shared_memory_per_thread<BytesPerThread>,
                                         wg::max_dynamic_shared_memory<512>, wg::min_warps_per_sm<16>> {};
static_assert(wg::guarantee<any_block_contract<512, 16>>);
static_assert(!wg::is_kept_on<any_block_contract<512, 160>, wg::sm<75>>);

// ---- made of what ---------------------------------------------------------------------------------------------------

using alias = wg::contract<block>;
static_assert(wg::guarantee<alias>);

struct nobody_derives_from final : wg::contract<block> {};
constexpr nobody_derives_from object{};
static_assert(wg::guarantee<decltype(object)> && wg::is_kept<decltype(object)>);

enum class size { tile = 128 };
constexpr unsigned long long blocks = 2;
struct from_other_types : wg::contract<wg::threads_per_block<static_cast<int>(size::tile)>, wg::max_registers<'('>,
                                       wg::dynamic_shared_memory<1024L>, wg::min_blocks_per_sm<blocks>> {};
struct derived_again : from_other_types {
  static constexpr int unroll = 4;
};
static_assert(wg::guarantee<derived_again> && derived_again::on_sm<wg::sm<90>>::max_registers == 40);

struct forty : wg::max_registers<40> {};
struct with_own_options : wg::contract<block const, forty, wg::on<wg::sm<90> const, wg::max_registers<32>>> {};
static_assert(wg::guarantee<with_own_options> && with_own_options::on_sm<wg::sm<90>>::max_registers == 32);
static_assert(with_own_options::on_sm<wg::sm<75>>::max_registers == 40);

struct a_tile;
struct b_tile;
using layout = wg::shared_layout<wg::shared_array<a_tile, float, 64>, wg::shared_array<b_tile, int, 4>>;
struct by_layout : wg::contract<block, wg::dynamic_shared_memory_of<layout const>> {};
static_assert(wg::guarantee<by_layout> && by_layout::on_sm<wg::sm<90>>::dynamic_shared_memory == layout::bytes);

// ---- chosen by what -------------------------------------------------------------------------------------------------

template <int Tile>
struct tiled : wg::contract<block, wg::dynamic_shared_memory<Tile * Tile * 8>, wg::min_blocks_per_sm<2>> {};

template <template <int> class ContractOf, int... Tile>
constexpr int largest_tile() {
  int largest = 0;
  ((largest = wg::is_kept_on<ContractOf<Tile>, wg::sm<86>> && Tile > largest ? Tile : largest), ...);
  return largest;
}
static_assert(largest_tile<tiled, 32, 64, 96, 128>() == 64);

template <class Contract, std::enable_if_t<wg::is_kept_on<Contract, wg::sm<90>>, int> = 0>
constexpr int chosen(int) {
  return 1;
}
template <class Contract>
constexpr int chosen(...) {
  return 0;
}
static_assert(chosen<tiled<64>>(0) == 1 && chosen<tiled<160>>(0) == 0);

constexpr bool for_each_target() {
  bool kept = true;
  hana::for_each(wg::targets, [&kept](auto const& architecture) {
    using on = std::remove_reference_t<decltype(architecture)>;  // const
    kept = kept && wg::guarantee_on<tiled<32>, on> && wg::is_kept_on<tiled<32>, on> &&
           tiled<32>::on_sm<on>::blocks_per_sm >= 2;
  });
  return kept;
}
static_assert(for_each_target());

#if __cplusplus >= 202002L
template <class Contract>
concept fits_hopper = wg::is_kept_on<Contract, wg::sm<90>>;
template <fits_hopper Contract>
consteval int threads_of() {
  return Contract::threads;
}
static_assert(threads_of<tiled<64>>() == 256 && !fits_hopper<tiled<160>>);
#endif
