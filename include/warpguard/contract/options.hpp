// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The options of a contract. Each is defined here and nowhere else: its kind, the values that it accepts, and what it
/// sets. Which combinations make a contract is checked in contract.hpp; whether an architecture can keep one, in
/// violation.hpp.
///
/// To add an option: its kind in `option_kind` (detail/option_value.hpp), its value in `resolved_contract`, and its
/// struct, whose `as_value` says what it sets and which values it accepts. tests/refusals/ and docs/errors.md have a
/// line for it.
///
/// An option is a type for users and for messages, and a value for the compiler.

#pragma once

#include "../hardware/table.hpp"
#include "../model/allocation.hpp"
#include "detail/option_value.hpp"
#include "guard_list.hpp"
#include "resolved_contract.hpp"
#include "targets.hpp"

namespace warpguard {

/// Makes options a Hana type; see hana.hpp.
struct option_tag;

namespace detail {

/// The base of every option.
struct option {
  using hana_tag = option_tag;
  /// Every option has it, and no other type.
  using warpguard_option = void;
  /// What is wrong with an option that is refused in its own way; refusal.hpp has the guards of all others.
  using faults = guard_list<>;
};

}  // namespace detail

/// The block has exactly `XThreads` x `YThreads` x `ZThreads` threads: at most 1024 x 1024 x 64, and together at most
/// 1024 (512 on 1.x).
template <int XThreads, int YThreads = 1, int ZThreads = 1>
struct threads_per_block : detail::option {
  // A shape that is refused has no threads: their product may not be an int.
  static constexpr detail::option_value as_value{
      option_kind::threads_per_block,
      detail::is_block_shape(XThreads, YThreads, ZThreads),
      0,
      0,
      {{&resolved_contract::block_x, detail::is_block_shape(XThreads, YThreads, ZThreads) ? XThreads : 0},
       {&resolved_contract::block_y, YThreads},
       {&resolved_contract::block_z, ZThreads},
       {&resolved_contract::block_varies, 0}}};
};

/// Each launch chooses its block, of any shape with at most `Threads` threads: 1 to 1024 (512 on 1.x). The promise
/// holds for every number of warps; the launch bounds are those of `Threads`.
template <int Threads>
struct max_threads_per_block : detail::option {
  static constexpr int value = Threads;
  static constexpr detail::option_value as_value{option_kind::threads_per_block,
                                                 (1 <= value && value <= detail::max_threads_anywhere),
                                                 1,
                                                 detail::max_threads_anywhere,
                                                 {{&resolved_contract::block_x, value},
                                                  {&resolved_contract::block_y, 1},
                                                  {&resolved_contract::block_z, 1},
                                                  {&resolved_contract::block_varies, 1}}};
};

/// Beside max_threads_per_block: a launch chooses a block of at least `Threads` threads: 1 to 1024. 1 if not stated.
template <int Threads>
struct min_threads_per_block : detail::option {
  static constexpr int value = Threads;
  static constexpr detail::option_value as_value = detail::number_value(
      option_kind::min_threads_per_block, &resolved_contract::min_threads, value, 1, detail::max_threads_anywhere);
};

/// The kernel uses at most `Registers` 32-bit registers per thread: 1 to 255 (63 on 2.x and 3.0, 124 on 1.x).
template <int Registers>
struct max_registers : detail::option {
  static constexpr int value = Registers;
  static constexpr detail::option_value as_value = detail::number_value(
      option_kind::max_registers, &resolved_contract::max_registers, value, 1, detail::max_registers_anywhere);
};

/// The kernel uses at least `Registers` 32-bit registers per thread: 1 to 255. Only measured_guarantee and the launch
/// check it, because only ptxas knows. A promised maximum that registers are to keep needs it.
template <int Registers>
struct min_registers : detail::option {
  static constexpr int value = Registers;
  static constexpr detail::option_value as_value = detail::number_value(
      option_kind::min_registers, &resolved_contract::min_registers, value, 1, detail::max_registers_anywhere);
};

/// The kernel declares `Bytes` bytes of `__shared__` memory per block: 0 to 48 KiB (16 KiB on 1.x).
template <int Bytes>
struct static_shared_memory : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::option_value as_value =
      detail::number_value(option_kind::static_shared_memory, &resolved_contract::static_shared_memory, value, 0,
                           detail::max_static_bytes_anywhere);
};

/// The kernel is launched with `Bytes` bytes of dynamic shared memory per block: 0 or more; static and dynamic bytes
/// together are at most what the architecture grants a block that opts in.
template <int Bytes>
struct dynamic_shared_memory : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::option_value as_value = detail::dynamic_value(Bytes, 1);
};

/// Each launch chooses its bytes of dynamic shared memory per block, up to `Bytes`: 0 or more. The promised minimum
/// holds for the most, a promised maximum for none.
template <int Bytes>
struct max_dynamic_shared_memory : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::option_value as_value = detail::dynamic_value(Bytes, 1, true);
};

/// Adds `Bytes` bytes of dynamic shared memory for each thread of the block, as in `block * sizeof(T)`: 0 or more.
/// With dynamic_shared_memory the launch adds both; with max_dynamic_shared_memory their sum is the most that a launch
/// may choose.
template <int Bytes>
struct dynamic_shared_memory_per_thread : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::option_value as_value = detail::number_value(
      option_kind::dynamic_shared_memory_per_thread, &resolved_contract::dynamic_per_thread, value, 0, unlimited);
};

/// The kernel uses `Barriers` named barriers per block: 0 to 16; `__syncthreads()` is one. 1 if not stated.
template <int Barriers>
struct barriers : detail::option {
  static constexpr int value = Barriers;
  static constexpr detail::option_value as_value = detail::number_value(
      option_kind::barriers, &resolved_contract::barriers, value, 0, detail::max_barriers_anywhere);
};

/// The kernel is launched in clusters of `XBlocks` x `YBlocks` x `ZBlocks` blocks: together 1 to 16. More than 1 needs
/// 9.0 or later.
template <int XBlocks, int YBlocks = 1, int ZBlocks = 1>
struct cluster_size : detail::option {
  static constexpr int value = detail::blocks_of_cluster(XBlocks, YBlocks, ZBlocks);
  static constexpr detail::option_value as_value{option_kind::cluster_size,
                                                 (1 <= value && value <= detail::max_cluster_anywhere),
                                                 1,
                                                 detail::max_cluster_anywhere,
                                                 {{&resolved_contract::cluster_x, XBlocks},
                                                  {&resolved_contract::cluster_y, YBlocks},
                                                  {&resolved_contract::cluster_z, ZBlocks}}};
};

/// The kernel spills at most `Bytes` bytes per thread, stores or loads, whichever is more: 0 or more; 0 if not stated.
/// Only measured_guarantee checks it, because only ptxas knows.
template <int Bytes>
struct spill_budget : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::option_value as_value =
      detail::number_value(option_kind::spill_budget, &resolved_contract::spill_budget, value, 0, unlimited);
};

/// Promise: at least `Percent` percent of an SM's warp slots are taken: 1 to 100.
template <int Percent>
struct min_occupancy : detail::option {
  static constexpr int value = Percent;
  static constexpr detail::option_value as_value = detail::minimum_value(value, minimum_unit::percent);
};

/// Promise: at least `Warps` warps are resident on an SM: 1 or more.
template <int Warps>
struct min_warps_per_sm : detail::option {
  static constexpr int value = Warps;
  static constexpr detail::option_value as_value = detail::minimum_value(value, minimum_unit::warps);
};

/// Promise: at least `Blocks` blocks are resident on an SM: 1 or more.
template <int Blocks>
struct min_blocks_per_sm : detail::option {
  static constexpr int value = Blocks;
  static constexpr detail::option_value as_value = detail::minimum_value(value, minimum_unit::blocks);
};

/// Promise: exactly `Blocks` blocks are resident on an SM: 1 or more.
template <int Blocks>
struct exactly_blocks_per_sm : detail::option {
  static constexpr int value = Blocks;
  static constexpr detail::option_value as_value = detail::minimum_value(value, minimum_unit::exact_blocks);
};

/// Promise: at most `Blocks` blocks are resident on an SM: 1 or more.
template <int Blocks>
struct max_blocks_per_sm : detail::option {
  static constexpr int value = Blocks;
  static constexpr detail::option_value as_value =
      detail::number_value(option_kind::maximum_residency, &resolved_contract::max_blocks, value, 1, unlimited);
};

/// Checks the minimum, but omits it from `__launch_bounds__`: ptxas then spills no registers to reach it. A minimum
/// then needs max_registers, because nothing else limits what the compiler may use.
struct no_min_blocks_bound : detail::option {
  static constexpr detail::option_value as_value =
      detail::flag_value(option_kind::min_blocks_bound, &resolved_contract::min_blocks_bound, 0);
};

/// A launch on a device that misses the promised residency, or for which it cannot be checked, is an error; otherwise
/// it is launched and reported.
struct refuse_missed_promise : detail::option {
  static constexpr detail::option_value as_value =
      detail::flag_value(option_kind::missed_promise, &resolved_contract::promise_required, 1);
};

/// Checks the contract on these architectures too, which run code that was built for a target: GPUs of 8.6 and 8.9 run
/// code for 8.0. Takes one architecture or more; not allowed inside `on`.
template <class... Architecture>
struct also_runs_on : detail::option {
 private:
  static constexpr int rows[sizeof...(Architecture) + 1] = {detail::row_index(detail::capability_of<Architecture>)...};

 public:
  static constexpr detail::option_value as_value{
      option_kind::also_runs_on,
      sizeof...(Architecture) > 0 && (... && (detail::row_index(detail::capability_of<Architecture>) >= 0)),
      0,
      0,
      {},
      0,
      nullptr,
      0,
      rows,
      sizeof...(Architecture)};
};

namespace detail {

/// A member of a class, because NVRTC fails for addresses of instances of a variable template ("Broken module").
template <class... Option>
struct values_of {
  static constexpr option_value const* values[sizeof...(Option) + 1] = {&value_of<Option>...};
};

/// `on` and `on_from`. Without options they are refused, because they state nothing.
template <class Architecture, class... Option>
WARPGUARD_DETAIL_HOST constexpr option_value nested_value(option_kind kind) {
  bool const are_valid = sizeof...(Option) > 0 && are_options(values_of<Option...>::values, sizeof...(Option), true);
  return {kind,
          row_index(capability_of<Architecture>) >= 0 && are_valid,
          0,
          0,
          {},
          capability_of<Architecture>,
          values_of<Option...>::values,
          sizeof...(Option)};
}

}  // namespace detail

/// What differs on one architecture: `on<sm<90>, dynamic_shared_memory<200 * 1024>>`. There each option replaces the
/// contract's option of the same kind; the four minimums are one kind.
template <class Architecture, class... Option>
struct on : detail::option {
  static constexpr detail::option_value as_value = detail::nested_value<Architecture, Option...>(option_kind::on);
};

/// What differs on an architecture and all later ones: `on_from<sm<80>, max_registers<64>>`. Of several, the nearest
/// holds; `on` for exactly the architecture comes before it.
template <class Architecture, class... Option>
struct on_from : detail::option {
  static constexpr detail::option_value as_value = detail::nested_value<Architecture, Option...>(option_kind::on_from);
};

namespace detail {

/// The option that `OptionOf` gives for an architecture; none if the table lacks it, because then it is refused.
template <template <class> class OptionOf, int ComputeCapability, bool IsKnown = (row_index(ComputeCapability) >= 0)>
struct each_option {
  static constexpr option_value none{};
  static constexpr option_value const* value = &none;
};
template <template <class> class OptionOf, int ComputeCapability>
struct each_option<OptionOf, ComputeCapability, true> {
  static constexpr option_value const* value = &value_of<OptionOf<sm<ComputeCapability>>>;
};

/// `on_each` for a list of architectures.
template <template <class> class OptionOf, class Architectures>
struct each_on;
template <template <class> class OptionOf, int... ComputeCapability>
struct each_on<OptionOf, target_list<ComputeCapability...>> {
  static constexpr option_on_architecture options[sizeof...(ComputeCapability) + 1] = {
      {ComputeCapability, each_option<OptionOf, ComputeCapability>::value}...};
  static constexpr option_value as_value{
      option_kind::on_each, true, 0, 0, {}, 0, nullptr, 0, nullptr, 0, options, sizeof...(ComputeCapability)};
};

}  // namespace detail

/// An option as a function of the architecture: `OptionOf<sm<90>>` is an option, which holds on 9.0. It replaces the
/// contract's option of the same kind; `on` and `on_from` come before it:
///
///     template <class Architecture>
///     using tile_on = wg::dynamic_shared_memory_of<tile_layout<best_tile<Architecture>>>;
///     struct stencil_contract : wg::contract<wg::threads_per_block<256>, wg::on_each<tile_on>> {};
///
/// `OptionOf` is instantiated for the targets of the build and for architectures that are named, no others.
template <template <class> class OptionOf>
struct on_each : detail::option {
  /// The value for an empty list of architectures.
  static constexpr detail::option_value as_value{option_kind::on_each, true};
  template <class Architectures>
  using on_list = detail::each_on<OptionOf, Architectures>;
};

namespace detail {

/// The value of an option for a list of architectures; the same for all lists but for on_each.
template <class Option, class Architectures, bool IsEach = value_of<Option>.kind == option_kind::on_each>
inline constexpr option_value const& value_on = value_of<Option>;
template <class Option, class Architectures>
inline constexpr option_value const& value_on<Option, Architectures, true> =
    Option::template on_list<Architectures>::as_value;

}  // namespace detail

}  // namespace warpguard
