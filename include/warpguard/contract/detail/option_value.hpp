// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// An option as a value, and how a list of them comes to the terms on one architecture. Everything is decided over
/// values, because functions of templates cost the compiler ten times as much.

#pragma once

#include "../../hardware/table.hpp"
#include "../../model/allocation.hpp"
#include "../resolved_contract.hpp"

namespace warpguard {

/// What an option is about. A contract has at most one option of each kind, but one `on` and one `on_from` for each
/// architecture, and several `on_each`.
enum class option_kind {
  none,               ///< of a type that is not an option
  threads_per_block,  ///< threads_per_block, max_threads_per_block
  min_threads_per_block,
  max_registers,
  min_registers,
  static_shared_memory,
  dynamic_shared_memory,  ///< dynamic_shared_memory, max_dynamic_shared_memory
  dynamic_shared_memory_per_thread,
  barriers,
  cluster_size,
  spill_budget,
  minimum_residency,  ///< min_occupancy, min_warps_per_sm, min_blocks_per_sm, exactly_blocks_per_sm
  maximum_residency,  ///< max_blocks_per_sm
  min_blocks_bound,   ///< no_min_blocks_bound
  missed_promise,     ///< refuse_missed_promise
  on,
  on_from,
  on_each,
  also_runs_on,
  invalid_base,  ///< stands for a base of contract_from that is not a contract
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

WARPGUARD_DETAIL_HOST constexpr table_maxima find_table_maxima() {
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

WARPGUARD_DETAIL_HOST constexpr bool is_block_shape(int x_threads, int y_threads, int z_threads) {
  if (x_threads < 1 || x_threads > max_threads_anywhere) return false;
  if (y_threads < 1 || y_threads > max_threads_anywhere) return false;
  if (z_threads < 1 || z_threads > max_block_z) return false;
  return x_threads * y_threads * z_threads <= max_threads_anywhere;
}

/// Returns the blocks of a cluster of that shape. A length that no cluster has is returned as it is, so that the
/// product cannot overflow.
WARPGUARD_DETAIL_HOST constexpr int blocks_of_cluster(int x_blocks, int y_blocks, int z_blocks) {
  if (x_blocks < 1 || x_blocks > max_cluster_anywhere) return x_blocks;
  if (y_blocks < 1 || y_blocks > max_cluster_anywhere) return y_blocks;
  if (z_blocks < 1 || z_blocks > max_cluster_anywhere) return z_blocks;
  return x_blocks * y_blocks * z_blocks;
}

using contract_member = int resolved_contract::*;

/// A member of resolved_contract and what an option sets it to.
struct setting {
  contract_member member = nullptr;
  int value = 0;
};

struct option_value;

/// What `on_each` states on one architecture.
struct option_on_architecture {
  int compute_capability = 0;
  option_value const* option = nullptr;
};

/// An option as a value.
struct option_value {
  static constexpr int max_settings = 4;

  option_kind kind = option_kind::none;
  bool is_valid = false;  ///< whether any architecture accepts its numbers
  int least = 0;          ///< of an option with one number: the range that any architecture accepts
  int most = 0;
  setting settings[max_settings] = {};
  int compute_capability = 0;  ///< of `on` and `on_from`; 0 for a type that is not an architecture
  /// The options of `on` and `on_from`.
  option_value const* const* nested = nullptr;
  int nested_count = 0;
  /// The architectures of also_runs_on, as rows of the table; -1 for one that is unknown, or none.
  int const* rows = nullptr;
  int row_count = 0;
  /// What `on_each` states on each architecture of a list.
  option_on_architecture const* each = nullptr;
  int each_count = 0;
};

/// An option with one number, `value`, that is to be `least` to `most`.
WARPGUARD_DETAIL_HOST constexpr option_value number_value(option_kind kind, contract_member member, int value,
                                                          int least, int most) {
  return {kind, least <= value && value <= most, least, most, {{member, value}}};
}

/// An option without numbers.
WARPGUARD_DETAIL_HOST constexpr option_value flag_value(option_kind kind, contract_member member, int value) {
  return {kind, true, 0, 0, {{member, value}}};
}

WARPGUARD_DETAIL_HOST constexpr option_value minimum_value(int value, int unit) {
  int const most = unit == minimum_unit::percent ? 100 : unlimited;
  return {option_kind::minimum_residency,
          1 <= value && value <= most,
          1,
          most,
          {{&resolved_contract::minimum, value}, {&resolved_contract::unit, unit}}};
}

/// `alignment`: of what begins in the dynamic shared memory, in bytes. `varies`: whether each launch chooses its bytes.
WARPGUARD_DETAIL_HOST constexpr option_value dynamic_value(int bytes, int alignment, bool varies = false) {
  return {option_kind::dynamic_shared_memory,
          bytes >= 0,
          0,
          unlimited,
          {{&resolved_contract::dynamic_shared_memory, bytes},
           {&resolved_contract::dynamic_alignment, alignment},
           {&resolved_contract::dynamic_varies, varies ? 1 : 0}}};
}

WARPGUARD_DETAIL_HOST constexpr option_value valid_if(bool holds, option_value option) {
  option.is_valid = option.is_valid && holds;
  return option;
}

/// Whether an option holds other options, or architectures. Such an option does not stand inside another.
WARPGUARD_DETAIL_HOST constexpr bool is_outer_kind(option_kind kind) {
  return kind == option_kind::on || kind == option_kind::on_from || kind == option_kind::on_each ||
         kind == option_kind::also_runs_on;
}

/// Whether two options are of one kind. Two `on` are of one kind if they are for one architecture, as are two
/// `on_from`. Two `on_each` may be; see find_each_fault().
WARPGUARD_DETAIL_HOST constexpr bool collides(option_value const& first, option_value const& second) {
  if (first.kind != second.kind || first.kind == option_kind::none || first.kind == option_kind::on_each) return false;
  return first.compute_capability == second.compute_capability;
}

/// The positions of two options; -1 for none.
struct option_pair {
  int first = -1;
  int second = -1;
};

/// Returns the first two options of one kind.
WARPGUARD_DETAIL_HOST constexpr option_pair find_collision(option_value const* const* options, int count) {
  for (int second = 1; second < count; ++second) {
    for (int first = 0; first < second; ++first) {
      if (options[first]->kind != options[second]->kind) continue;  // saves the compiler most calls
      if (collides(*options[first], *options[second])) return {first, second};
    }
  }
  return {};
}

WARPGUARD_DETAIL_HOST constexpr bool has_kind(option_value const* const* options, int count, option_kind kind) {
  for (int index = 0; index < count; ++index) {
    if (options[index]->kind == kind) return true;
  }
  return false;
}

WARPGUARD_DETAIL_HOST constexpr bool has_outer_kind(option_value const* const* options, int count) {
  for (int index = 0; index < count; ++index) {
    if (is_outer_kind(options[index]->kind)) return true;
  }
  return false;
}

/// Whether an option may stand where it stands, with the numbers that it has.
WARPGUARD_DETAIL_HOST constexpr bool is_valid_option(option_value const& option, bool is_inner) {
  return option.is_valid && !(is_inner && is_outer_kind(option.kind));
}

WARPGUARD_DETAIL_HOST constexpr bool are_options(option_value const* const* options, int count, bool are_inner) {
  for (int index = 0; index < count; ++index) {
    if (!is_valid_option(*options[index], are_inner)) return false;
  }
  return find_collision(options, count).second < 0;
}

/// Returns the position of an architecture in the list of an `on_each`; -1 for another option, and outside of its list.
WARPGUARD_DETAIL_HOST constexpr int find_in_each(option_value const& option, int compute_capability) {
  for (int index = 0; index < option.each_count; ++index) {
    if (option.each[index].compute_capability == compute_capability) return index;
  }
  return -1;
}

/// What is wrong with the `on_each` of a list of options on one architecture: `second` alone states no option, or one
/// that is out of range; or both state the same one.
WARPGUARD_DETAIL_HOST constexpr option_pair find_each_fault(option_value const* const* options, int count,
                                                            int compute_capability) {
  for (int second = 0; second < count; ++second) {
    int const at = find_in_each(*options[second], compute_capability);
    if (at < 0) continue;
    option_value const& stated = *options[second]->each[at].option;
    if (!is_valid_option(stated, true)) return {-1, second};
    for (int first = 0; first < second; ++first) {
      int const at_first = find_in_each(*options[first], compute_capability);
      if (at_first >= 0 && options[first]->each[at_first].option->kind == stated.kind) return {first, second};
    }
  }
  return {};
}

WARPGUARD_DETAIL_HOST constexpr void apply(option_value const& option, resolved_contract& terms) {
  for (int index = 0; index < option_value::max_settings && option.settings[index].member != nullptr; ++index) {
    terms.*option.settings[index].member = option.settings[index].value;
  }
}

WARPGUARD_DETAIL_HOST constexpr void apply_nested(option_value const& option, resolved_contract& terms) {
  for (int inner = 0; inner < option.nested_count; ++inner) apply(*option.nested[inner], terms);
}

/// Returns the `on_from` that holds on an architecture: the one for the latest architecture up to it; -1 without one.
WARPGUARD_DETAIL_HOST constexpr int find_nearest_from(option_value const* const* options, int count,
                                                      int compute_capability) {
  int nearest = -1;
  for (int index = 0; index < count; ++index) {
    option_value const& option = *options[index];
    if (option.kind != option_kind::on_from || option.compute_capability > compute_capability) continue;
    if (nearest < 0 || option.compute_capability > options[nearest]->compute_capability) nearest = index;
  }
  return nearest;
}

/// Applies the options that hold everywhere, and then what replaces them on an architecture: `on_each`, the nearest
/// `on_from`, `on`. 0 is no architecture.
WARPGUARD_DETAIL_HOST constexpr resolved_contract resolve(option_value const* const* options, int count,
                                                          int compute_capability) {
  resolved_contract terms;
  for (int index = 0; index < count; ++index) apply(*options[index], terms);
  if (compute_capability == 0 || !has_outer_kind(options, count)) return terms;
  for (int index = 0; index < count; ++index) {
    int const at = find_in_each(*options[index], compute_capability);
    if (at >= 0) apply(*options[index]->each[at].option, terms);
  }
  int const nearest = find_nearest_from(options, count, compute_capability);
  if (nearest >= 0) apply_nested(*options[nearest], terms);
  for (int index = 0; index < count; ++index) {
    option_value const& option = *options[index];
    if (option.kind == option_kind::on && option.compute_capability == compute_capability) apply_nested(option, terms);
  }
  return terms;
}

/// Whether `on` names an architecture that no compiler has code for any more.
WARPGUARD_DETAIL_HOST constexpr bool is_dead_on(option_value const& option) {
  return option.kind == option_kind::on && option.compute_capability < 20;
}

WARPGUARD_DETAIL_HOST constexpr bool has_dead_on(option_value const* const* options, int count) {
  for (int index = 0; index < count; ++index) {
    if (is_dead_on(*options[index])) return true;
  }
  return false;
}

/// Whether an option of a contract states threads per block, or may do so for some architecture.
WARPGUARD_DETAIL_HOST constexpr bool states_threads(option_value const* const* options, int count) {
  for (int index = 0; index < count; ++index) {
    option_value const& option = *options[index];
    if (option.kind == option_kind::threads_per_block || option.kind == option_kind::on_each) return true;
    if (option.nested_count == 0) continue;
    if (has_kind(option.nested, option.nested_count, option_kind::threads_per_block)) return true;
  }
  return false;
}

/// Whether each launch chooses the amount that an option states.
WARPGUARD_DETAIL_HOST constexpr bool varies(option_value const& option) {
  for (setting const& one : option.settings) {
    bool const is_choice =
        one.member == &resolved_contract::block_varies || one.member == &resolved_contract::dynamic_varies;
    if (is_choice && one.value != 0) return true;
  }
  return false;
}

/// The value of any type: `as_value` of an option.
template <class Type, class = void>
inline constexpr option_value value_of{};
template <class Option>
inline constexpr option_value const& value_of<Option, typename Option::warpguard_option> = Option::as_value;

}  // namespace detail

}  // namespace warpguard
