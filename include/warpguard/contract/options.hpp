// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The options of a contract, and the values that they come to. Each option is defined here and nowhere else: its kind,
/// the values that it accepts, and what it sets. Which combinations make a contract is checked in contract.hpp; whether
/// an architecture can keep one, in violation.hpp.
///
/// To add an option: its kind in `option_kind`, its value in `resolved_contract`, and its struct, whose `as_value` says
/// what it sets and which values it accepts. tests/refusals/ and docs/errors.md have a line for it.
///
/// An option is a type for users and for messages, and a value for the compiler: everything is decided over values,
/// because functions of templates cost the compiler ten times as much.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/table.hpp"
#include "../model/advice.hpp"
#include "../model/capacity.hpp"
#include "../model/kernel_resources.hpp"
#include "../model/occupancy.hpp"
#include "guard_list.hpp"
#include "targets.hpp"

namespace warpguard {

/// What an option is about. A contract has at most one option of each kind, but several `on`.
enum class option_kind {
  none,  ///< of a type that is not an option
  threads_per_block,
  max_registers,
  static_shared_memory,
  dynamic_shared_memory,
  barriers,
  cluster_size,
  spill_budget,
  minimum_residency,  ///< min_occupancy, min_warps_per_sm, min_blocks_per_sm, exactly_blocks_per_sm
  maximum_residency,  ///< max_blocks_per_sm
  min_blocks_bound,   ///< no_min_blocks_bound
  on,
  also_runs_on,
};

namespace detail {

/// The largest limits of any architecture in the table.
struct table_maxima {
  int threads_per_block = 0;
  int registers_per_thread = 0;
  int static_bytes = 0;
  int block_bytes = 0;  ///< static and dynamic shared memory, with opt-in
  int barriers = 0;
  int cluster = 0;
};

constexpr table_maxima find_table_maxima() {
  table_maxima most;
  for (architecture const* row : architectures) {
    if (row->max_threads_per_block > most.threads_per_block) most.threads_per_block = row->max_threads_per_block;
    if (row->max_registers_per_thread > most.registers_per_thread) {
      most.registers_per_thread = row->max_registers_per_thread;
    }
    if (row->max_shared_per_block_default > most.static_bytes) most.static_bytes = row->max_shared_per_block_default;
    if (row->max_shared_per_block_optin > most.block_bytes) most.block_bytes = row->max_shared_per_block_optin;
    if (row->named_barriers_per_block > most.barriers) most.barriers = row->named_barriers_per_block;
    if (row->max_cluster_nonportable > most.cluster) most.cluster = row->max_cluster_nonportable;
  }
  return most;
}

inline constexpr table_maxima maxima = find_table_maxima();
inline constexpr int max_threads_anywhere = maxima.threads_per_block;
inline constexpr int max_registers_anywhere = maxima.registers_per_thread;
inline constexpr int max_static_bytes_anywhere = maxima.static_bytes;
inline constexpr int max_block_bytes_anywhere = maxima.block_bytes;
inline constexpr int max_barriers_anywhere = maxima.barriers;
inline constexpr int max_cluster_anywhere = maxima.cluster;
inline constexpr int max_block_z = 64;  ///< threads in z, on every architecture

constexpr bool is_block_shape(int x_threads, int y_threads, int z_threads) {
  if (x_threads < 1 || x_threads > max_threads_anywhere) return false;
  if (y_threads < 1 || y_threads > max_threads_anywhere) return false;
  if (z_threads < 1 || z_threads > max_block_z) return false;
  return x_threads * y_threads * z_threads <= max_threads_anywhere;
}

/// Returns the blocks of a cluster of that shape. A length that no cluster has is returned as it is, so that the
/// product cannot overflow.
constexpr int blocks_of_cluster(int x_blocks, int y_blocks, int z_blocks) {
  if (x_blocks < 1 || x_blocks > max_cluster_anywhere) return x_blocks;
  if (y_blocks < 1 || y_blocks > max_cluster_anywhere) return y_blocks;
  if (z_blocks < 1 || z_blocks > max_cluster_anywhere) return z_blocks;
  return x_blocks * y_blocks * z_blocks;
}

}  // namespace detail

/// The unit of a promised minimum.
struct minimum_unit {
  static constexpr int percent = 0;  ///< of an SM's warp slots
  static constexpr int warps = 1;
  static constexpr int blocks = 2;
  static constexpr int exact_blocks = 3;  ///< a minimum and a maximum
};

/// The values that a contract's options come to on one architecture. All are ints, so that an option can name the
/// member that it sets.
struct resolved_contract {
  int block_x = 0;  ///< threads; 0: not stated
  int block_y = 1;
  int block_z = 1;
  int max_registers = 0;          ///< per thread; 0: not stated
  int static_shared_memory = 0;   ///< bytes per block
  int dynamic_shared_memory = 0;  ///< bytes per block
  int dynamic_alignment = 1;      ///< bytes; of a layout in the dynamic shared memory
  int barriers = 1;               ///< per block
  int cluster_x = 1;              ///< blocks
  int cluster_y = 1;
  int cluster_z = 1;
  int spill_budget = 0;             ///< bytes per thread
  int minimum = 0;                  ///< promised per SM, in `unit`; 0: no promise
  int unit = minimum_unit::blocks;  ///< one of minimum_unit
  int max_blocks = unlimited;       ///< resident per SM
  int min_blocks_bound = 1;         ///< 1: the minimum is the second argument of `__launch_bounds__`; 0: it is omitted

  constexpr int threads() const { return block_x * block_y * block_z; }
  constexpr int cluster_size() const { return cluster_x * cluster_y * cluster_z; }

  constexpr kernel_resources resources() const {
    return {threads(), max_registers, static_shared_memory, dynamic_shared_memory, barriers};
  }

  /// The promised minimum, if an SM has `max_warps_per_sm` warps.
  constexpr residency_goal goal(int max_warps_per_sm) const {
    switch (unit) {
      case minimum_unit::percent: return {0, detail::divide_up(minimum * max_warps_per_sm, 100)};
      case minimum_unit::warps: return {0, minimum};
      default: return {minimum, 0};
    }
  }

  /// The promised minimum in blocks per SM; 0 without a promise.
  constexpr int blocks_required(architecture const& arch) const {
    if (unit >= minimum_unit::blocks || minimum == 0) return minimum;
    return goal(arch.max_warps_per_sm).blocks_of(detail::divide_up(threads(), arch.warp_size));
  }

  /// The promised maximum in blocks per SM; `unlimited` without a promise.
  constexpr int blocks_allowed() const {
    return unit == minimum_unit::exact_blocks ? detail::min_of(minimum, max_blocks) : max_blocks;
  }

  /// The second argument of `__launch_bounds__`; 0 omits it.
  constexpr int launch_min_blocks(architecture const& arch) const {
    return min_blocks_bound != 0 ? blocks_required(arch) : 0;
  }

  /// The most registers per thread that the compiler may use: ptxas's cap under these launch bounds, or max_registers
  /// if that is less. `impossible` if the block cannot run.
  constexpr int register_cap(architecture const& arch) const {
    int const blocks = launch_min_blocks(arch);
    int const cap = max_registers_per_thread(arch, threads(), blocks > 0 ? blocks : 1);
    return max_registers > 0 ? detail::min_of(cap, max_registers) : cap;
  }
};

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

using contract_member = int resolved_contract::*;

/// A member of resolved_contract and what an option sets it to.
struct setting {
  contract_member member = nullptr;
  int value = 0;
};

/// An option as a value.
struct option_value {
  option_kind kind = option_kind::none;
  bool is_valid = false;  ///< whether any architecture accepts its numbers
  int least = 0;          ///< of an option with one number: the range that any architecture accepts
  int most = 0;
  setting settings[3] = {};
  int compute_capability = 0;  ///< of `on`; 0 for a type that is not an architecture
  /// The options of `on`.
  option_value const* const* nested = nullptr;
  int nested_count = 0;
  /// The architectures of also_runs_on, as rows of the table; -1 for one that is unknown, or none.
  int const* rows = nullptr;
  int row_count = 0;
};

/// An option with one number, `value`, that is to be `least` to `most`.
constexpr option_value number_value(option_kind kind, contract_member member, int value, int least, int most) {
  return {kind, least <= value && value <= most, least, most, {{member, value}}};
}

constexpr option_value minimum_value(int value, int unit) {
  int const most = unit == minimum_unit::percent ? 100 : unlimited;
  return {option_kind::minimum_residency,
          1 <= value && value <= most,
          1,
          most,
          {{&resolved_contract::minimum, value}, {&resolved_contract::unit, unit}}};
}

/// `alignment`: of what begins in the dynamic shared memory, in bytes.
constexpr option_value dynamic_value(int bytes, int alignment) {
  return {option_kind::dynamic_shared_memory,
          bytes >= 0,
          0,
          unlimited,
          {{&resolved_contract::dynamic_shared_memory, bytes}, {&resolved_contract::dynamic_alignment, alignment}}};
}

constexpr option_value valid_if(bool holds, option_value option) {
  option.is_valid = option.is_valid && holds;
  return option;
}

/// The positions of two options; -1 for none.
struct option_pair {
  int first = -1;
  int second = -1;
};

/// Returns the first two options of one kind. Two `on` are of one kind if they are for one architecture.
constexpr option_pair find_collision(option_value const* const* options, int count) {
  for (int second = 1; second < count; ++second) {
    for (int first = 0; first < second; ++first) {
      if (options[first]->kind != options[second]->kind || options[first]->kind == option_kind::none) continue;
      if (options[first]->compute_capability == options[second]->compute_capability) return {first, second};
    }
  }
  return {};
}

constexpr bool has_kind(option_value const* const* options, int count, option_kind kind) {
  for (int index = 0; index < count; ++index) {
    if (options[index]->kind == kind) return true;
  }
  return false;
}

/// Whether an option may stand where it stands, with the numbers that it has.
constexpr bool is_valid_option(option_value const& option, bool inside_on) {
  bool const outside_only = option.kind == option_kind::on || option.kind == option_kind::also_runs_on;
  return option.is_valid && !(inside_on && outside_only);
}

constexpr bool are_options(option_value const* const* options, int count, bool inside_on) {
  for (int index = 0; index < count; ++index) {
    if (!is_valid_option(*options[index], inside_on)) return false;
  }
  return find_collision(options, count).second < 0;
}

constexpr void apply(option_value const& option, resolved_contract& terms) {
  for (int index = 0; index < 3 && option.settings[index].member != nullptr; ++index) {
    terms.*option.settings[index].member = option.settings[index].value;
  }
}

/// Applies the options that hold everywhere, then what `on` replaces on an architecture; 0 is no architecture.
constexpr resolved_contract resolve(option_value const* const* options, int count, int compute_capability) {
  resolved_contract terms;
  for (int index = 0; index < count; ++index) apply(*options[index], terms);
  if (compute_capability == 0) return terms;
  for (int index = 0; index < count; ++index) {
    option_value const& option = *options[index];
    if (option.compute_capability != compute_capability) continue;
    for (int inner = 0; inner < option.nested_count; ++inner) apply(*option.nested[inner], terms);
  }
  return terms;
}

/// The value of any type: `as_value` of an option.
template <class Type, class = void>
inline constexpr option_value value_of{};
template <class Option>
inline constexpr option_value const& value_of<Option, typename Option::warpguard_option> = Option::as_value;

}  // namespace detail

/// The block has exactly `XThreads` x `YThreads` x `ZThreads` threads: at most 1024 x 1024 x 64, and together at most
/// 1024 (512 on 1.x).
template <int XThreads, int YThreads = 1, int ZThreads = 1>
struct threads_per_block : detail::option {
  static constexpr detail::option_value as_value{option_kind::threads_per_block,
                                                 detail::is_block_shape(XThreads, YThreads, ZThreads),
                                                 0,
                                                 0,
                                                 {{&resolved_contract::block_x, XThreads},
                                                  {&resolved_contract::block_y, YThreads},
                                                  {&resolved_contract::block_z, ZThreads}}};
};

/// The kernel uses at most `Registers` 32-bit registers per thread: 1 to 255 (63 on 2.x and 3.0, 124 on 1.x).
template <int Registers>
struct max_registers : detail::option {
  static constexpr int value = Registers;
  static constexpr detail::option_value as_value = detail::number_value(
      option_kind::max_registers, &resolved_contract::max_registers, value, 1, detail::max_registers_anywhere);
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
      detail::number_value(option_kind::min_blocks_bound, &resolved_contract::min_blocks_bound, 0, 0, 0);
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

/// What differs on one architecture: `on<sm<90>, dynamic_shared_memory<200 * 1024>>`. There each option replaces the
/// contract's option of the same kind; the four minimums are one kind.
template <class Architecture, class... Option>
struct on : detail::option {
 private:
  static constexpr detail::option_value const* nested[sizeof...(Option) + 1] = {&detail::value_of<Option>...};

 public:
  static constexpr detail::option_value as_value{option_kind::on,
                                                 detail::row_index(detail::capability_of<Architecture>) >= 0 &&
                                                     detail::are_options(nested, sizeof...(Option), true),
                                                 0,
                                                 0,
                                                 {},
                                                 detail::capability_of<Architecture>,
                                                 nested,
                                                 sizeof...(Option)};
};

}  // namespace warpguard
