// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A short cut for the compiler's time: an imagined architecture that is nowhere better than any of several. A contract
/// without a maximum that this one keeps, they all keep; what it does not keep is decided architecture by architecture.

#pragma once

#include "../../hardware/architecture.hpp"
#include "../contract.hpp"
#include "../../hardware/arithmetic.hpp"
#include "../verdict.hpp"

namespace warpguard::detail {

struct weakest {
  architecture row{};
  int most_warps_per_sm = 0;  ///< of any of them: what a percentage is at most a percentage of
  bool exists = false;        ///< false where they give out registers in different ways
};

constexpr void lower(int& limit, int other) { limit = min_of(limit, other); }
constexpr void raise(int& cost, int other) { cost = cost < other ? other : cost; }

constexpr bool allocate_alike(architecture const& a, architecture const& b) {
  unsigned const own_ways = allocation_rule::fermi_unit | allocation_rule::gp100;
  return a.warp_size == b.warp_size && a.sub_partitions == b.sub_partitions &&
         a.register_allocation_unit == b.register_allocation_unit &&
         a.register_allocation_granularity == b.register_allocation_granularity &&
         a.warp_allocation_granularity == b.warp_allocation_granularity && (a.rules & own_ways) == (b.rules & own_ways);
}

/// `rows`: where `architectures` has them; -1 for one that it has not.
constexpr weakest weakest_of(int const* rows, int count) {
  if (count == 0 || rows[0] < 0) return {};
  weakest all{*architectures[rows[0]], architectures[rows[0]]->max_warps_per_sm, true};
  architecture& row = all.row;
  row.max_cluster_nonportable = max_cluster(row);
  for (int i = 1; i < count; ++i) {
    if (rows[i] < 0 || !allocate_alike(row, *architectures[rows[i]])) return {};
    architecture const& other = *architectures[rows[i]];
    raise(all.most_warps_per_sm, other.max_warps_per_sm);
    lower(row.max_threads_per_block, other.max_threads_per_block);
    lower(row.max_warps_per_sm, other.max_warps_per_sm);
    lower(row.max_threads_per_sm, other.max_threads_per_sm);
    lower(row.max_blocks_per_sm, other.max_blocks_per_sm);
    lower(row.registers_per_sm, other.registers_per_sm);
    lower(row.max_registers_per_block, other.max_registers_per_block);
    lower(row.max_registers_per_thread, other.max_registers_per_thread);
    lower(row.max_shared_per_block_default, other.max_shared_per_block_default);
    lower(row.max_shared_per_block_optin, other.max_shared_per_block_optin);
    raise(row.shared_allocation_unit, other.shared_allocation_unit);
    raise(row.reserved_shared_per_block, other.reserved_shared_per_block);
    lower(row.max_cluster_nonportable, max_cluster(other));
    lower(row.max_cluster_portable, other.max_cluster_portable);
    if (other.shared_memory_per_sm < row.shared_memory_per_sm) {
      row.shared_memory_per_sm = other.shared_memory_per_sm;
      for (int c = 0; c < 10; ++c) row.carveouts_kb[c] = other.carveouts_kb[c];
    }
    if (has_rule(other, allocation_rule::barriers)) {
      if (has_rule(row, allocation_rule::barriers)) {
        lower(row.block_barriers_per_sm, other.block_barriers_per_sm);
      } else {
        row.block_barriers_per_sm = other.block_barriers_per_sm;
      }
    }
    row.rules |= other.rules;
  }
  lower(row.max_shared_per_block_optin, row.shared_memory_per_sm - row.reserved_shared_per_block);
  lower(row.max_shared_per_block_default, row.max_shared_per_block_optin);
  return all;
}

/// Whether every architecture that `all` stands for keeps the terms. False says nothing.
constexpr bool surely_kept(weakest const& all, contract_terms const& terms) {
  if (!all.exists || terms.blocks_allowed() != unlimited) return false;
  int const warps = divide_up(terms.threads(), all.row.warp_size);
  return judge(all.row, terms, terms.goal(all.most_warps_per_sm).blocks_of(warps)) == verdict::kept;
}

}  // namespace warpguard::detail
