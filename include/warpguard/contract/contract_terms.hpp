// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a contract says, as values: what each option states, and what they come to on one architecture. Everything that
/// is decided about contracts is decided over these; types are for users and for messages.

#pragma once

#include "../model/advice.hpp"
#include "../hardware/architecture.hpp"
#include "../model/capacity.hpp"
#include "../model/kernel_resources.hpp"
#include "../model/occupancy.hpp"
#include "../hardware/arithmetic.hpp"

namespace warpguard::detail {

/// What an option speaks about. A contract has each kind at most once, `on` once per architecture.
enum class option_kind {
  unknown,
  threads,
  registers,
  static_shared_memory,
  dynamic_shared_memory,
  barriers,
  cluster,
  minimum,
  maximum,
  bounds,
  compatible,
  architecture,
  spills,
};

enum class minimum_unit { none, percent, warps, blocks, exact_blocks };

/// Blocks of a cluster, of any architecture.
inline constexpr int largest_cluster = 16;

/// Blocks of a cluster of that shape; a length that no cluster has stands for itself, so that nothing overflows.
constexpr int blocks_of_cluster(int x, int y, int z) {
  if (x < 1 || x > largest_cluster) return x;
  if (y < 1 || y > largest_cluster) return y;
  if (z < 1 || z > largest_cluster) return z;
  return x * y * z;
}

/// What a contract says on one architecture, as values.
struct contract_terms {
  int x = 0;  // threads; 0: not stated
  int y = 1;
  int z = 1;
  int max_registers = 0;  // per thread; 0: not stated
  int static_shared_memory = 0;
  int dynamic_shared_memory = 0;
  int dynamic_alignment = 1;  // bytes; of a layout in the dynamic shared memory
  int barriers = 1;
  int cluster_x = 1;  // blocks
  int cluster_y = 1;
  int cluster_z = 1;
  minimum_unit unit = minimum_unit::none;
  int minimum = 0;
  int max_blocks = unlimited;
  bool forced = true;
  int spill_budget = 0;  // bytes per thread

  constexpr int threads() const { return x * y * z; }
  constexpr int cluster_size() const { return blocks_of_cluster(cluster_x, cluster_y, cluster_z); }

  constexpr kernel_resources resources() const {
    return {threads(), max_registers, static_shared_memory, dynamic_shared_memory, barriers};
  }

  /// The promise, where an SM has `max_warps_per_sm` warps.
  constexpr residency_goal goal(int max_warps_per_sm) const {
    switch (unit) {
      case minimum_unit::none: return {0, 0};
      case minimum_unit::percent: return {0, divide_up(minimum * max_warps_per_sm, 100)};
      case minimum_unit::warps: return {0, minimum};
      default: return {minimum, 0};
    }
  }

  /// Blocks per SM that the promise comes to; 0 without one.
  constexpr int blocks_required(architecture const& arch) const {
    return goal(arch.max_warps_per_sm).blocks_of(divide_up(threads(), arch.warp_size));
  }

  /// Blocks per SM that the promise does not allow to exceed.
  constexpr int blocks_allowed() const { return unit == minimum_unit::exact_blocks ? minimum : max_blocks; }

  /// The second argument of `__launch_bounds__`: 0 leaves it out.
  constexpr int launch_min_blocks(architecture const& arch) const { return forced ? blocks_required(arch) : 0; }
};

/// Its own loop, because launches ask at run time, which row_index() does not allow.
constexpr int launch_min_blocks(contract_terms const& terms, int compute_capability) {
  for (architecture const* row : architectures) {
    if (row->compute_capability == compute_capability) return terms.launch_min_blocks(*row);
  }
  return 0;
}

/// The most registers per thread that the terms leave the compiler; `impossible` where the block cannot run at all.
constexpr int register_cap(architecture const& arch, contract_terms const& terms) {
  int const blocks = terms.launch_min_blocks(arch);
  int const cap = max_registers_per_thread(arch, terms.threads(), blocks > 0 ? blocks : 1);
  return terms.max_registers > 0 ? min_of(cap, terms.max_registers) : cap;
}

/// An option as a value. `options` are those inside an `on`, or the architectures inside a `compatible`.
struct stated {
  option_kind kind = option_kind::unknown;
  int value = 0;
  int y = 1;
  int z = 1;
  minimum_unit unit = minimum_unit::none;
  int compute_capability = 0;
  stated const* options = nullptr;
  int count = 0;
};

constexpr void apply(contract_terms& terms, stated const& option) {
  switch (option.kind) {
    case option_kind::threads:
      terms.x = option.value;
      terms.y = option.y;
      terms.z = option.z;
      break;
    case option_kind::registers: terms.max_registers = option.value; break;
    case option_kind::static_shared_memory: terms.static_shared_memory = option.value; break;
    case option_kind::dynamic_shared_memory:
      terms.dynamic_shared_memory = option.value;
      terms.dynamic_alignment = option.y;
      break;
    case option_kind::barriers: terms.barriers = option.value; break;
    case option_kind::cluster:
      terms.cluster_x = option.value;
      terms.cluster_y = option.y;
      terms.cluster_z = option.z;
      break;
    case option_kind::minimum:
      terms.minimum = option.value;
      terms.unit = option.unit;
      break;
    case option_kind::maximum: terms.max_blocks = option.value; break;
    case option_kind::bounds: terms.forced = false; break;
    case option_kind::spills: terms.spill_budget = option.value; break;
    case option_kind::compatible:
    case option_kind::architecture:
    case option_kind::unknown: break;
  }
}

/// What holds everywhere first, then what an `on` replaces.
constexpr contract_terms read_terms(stated const* options, int count, int compute_capability) {
  contract_terms terms;
  for (int i = 0; i < count; ++i) apply(terms, options[i]);
  for (int i = 0; compute_capability != 0 && i < count; ++i) {
    if (options[i].kind == option_kind::architecture && options[i].compute_capability == compute_capability) {
      for (int j = 0; j < options[i].count; ++j) apply(terms, options[i].options[j]);
    }
  }
  return terms;
}

}  // namespace warpguard::detail
