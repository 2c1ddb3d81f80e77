// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Inputs for the tests of the model: the ends of the int range, random numbers from a fixed seed, and the int members
/// of a row by number. Nothing here computes an answer.

#pragma once

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>

#include <climits>
#include <cstdint>

namespace inputs {

constexpr int extremes[] = {INT_MIN,
                            INT_MIN + 1,
                            -65537,
                            -1,
                            0,
                            1,
                            2,
                            3,
                            31,
                            32,
                            33,
                            255,
                            256,
                            1024,
                            1025,
                            65535,
                            65536,
                            (1 << 24) - 1,
                            1 << 24,
                            (1 << 24) + 1,
                            1 << 26,
                            1 << 30,
                            INT_MAX - 31,
                            INT_MAX - 1,
                            INT_MAX};

constexpr int scalar_members = 22;

constexpr int warpguard::architecture::*members[scalar_members] = {
    &warpguard::architecture::compute_capability,
    &warpguard::architecture::warp_size,
    &warpguard::architecture::max_threads_per_block,
    &warpguard::architecture::max_warps_per_sm,
    &warpguard::architecture::max_threads_per_sm,
    &warpguard::architecture::max_blocks_per_sm,
    &warpguard::architecture::registers_per_sm,
    &warpguard::architecture::max_registers_per_block,
    &warpguard::architecture::max_registers_per_thread,
    &warpguard::architecture::register_allocation_unit,
    &warpguard::architecture::warp_allocation_granularity,
    &warpguard::architecture::sub_partitions,
    &warpguard::architecture::shared_memory_per_sm,
    &warpguard::architecture::max_shared_per_block_default,
    &warpguard::architecture::max_shared_per_block_optin,
    &warpguard::architecture::shared_allocation_unit,
    &warpguard::architecture::reserved_shared_per_block,
    &warpguard::architecture::named_barriers_per_block,
    &warpguard::architecture::block_barriers_per_sm,
    &warpguard::architecture::max_cluster_portable,
    &warpguard::architecture::max_cluster_nonportable,
    &warpguard::architecture::virtual_resources_per_sm,
};

constexpr int cells = scalar_members + 10;

constexpr int& cell(warpguard::architecture& row, int number) {
  return number < scalar_members ? row.*members[number] : row.carveouts_kb[number - scalar_members];
}

/// splitmix64
class random_source {
 public:
  constexpr explicit random_source(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  constexpr int between(int low, int high) {
    auto const width = static_cast<std::uint64_t>(static_cast<long long>(high) - low + 1);
    return static_cast<int>(low + static_cast<long long>(next() % width));
  }
  constexpr int any_int() { return between(INT_MIN, INT_MAX); }
  constexpr int extreme() { return extremes[between(0, static_cast<int>(sizeof(extremes) / sizeof(int)) - 1)]; }

 private:
  std::uint64_t state_;
};

struct question {
  warpguard::architecture const* row;
  warpguard::kernel_resources kernel;
  warpguard::shared_memory_config config;
};

/// A kernel as people write them, on any row.
constexpr question plausible(random_source& random) {
  question q{warpguard::architectures[random.between(0, 30)], {1}, {}};
  q.kernel.threads_per_block = random.between(1, 1100);
  q.kernel.registers_per_thread = random.between(0, random.between(1, 3) == 1 ? 260 : 64);
  q.kernel.static_shared_memory = random.between(1, 2) == 1 ? 0 : random.between(0, 12000);
  q.kernel.dynamic_shared_memory = random.between(1, 2) == 1 ? 0 : random.between(0, random.between(100, 170000));
  q.kernel.barriers = random.between(1, 2) == 1 ? 1 : random.between(0, 20);
  q.kernel.virtual_resources = random.between(1, 3) == 1 ? random.between(0, 20) : 0;
  q.kernel.caching = static_cast<warpguard::partitioned_caching>(random.between(0, 2));
  q.config.carveout_percent = random.between(-1, 100);
  q.config.preference = static_cast<warpguard::cache_preference>(random.between(0, 3));
  q.config.opt_in = random.between(0, 1) == 1;
  return q;
}

/// Any ints at all, the ends of the range more often than the rest.
constexpr question hostile(random_source& random) {
  question q = plausible(random);
  auto const spoil = [&random](int& value) {
    int const how = random.between(0, 4);
    if (how == 0) value = random.any_int();
    if (how == 1) value = random.extreme();
  };
  spoil(q.kernel.threads_per_block);
  spoil(q.kernel.registers_per_thread);
  spoil(q.kernel.static_shared_memory);
  spoil(q.kernel.dynamic_shared_memory);
  spoil(q.kernel.barriers);
  spoil(q.kernel.virtual_resources);
  spoil(q.config.carveout_percent);
  if (random.between(0, 9) == 0) q.config.preference = static_cast<warpguard::cache_preference>(random.any_int());
  if (random.between(0, 9) == 0) q.kernel.caching = static_cast<warpguard::partitioned_caching>(random.any_int());
  return q;
}

/// An SM that contradicts nothing but need not look like one: warps of one thread or of a million, odd units.
constexpr warpguard::architecture strange_but_consistent(random_source& random) {
  constexpr int most = (1 << 24) - 1;
  warpguard::architecture row = *warpguard::architectures[random.between(0, 30)];
  auto const up_to = [&random](int limit) {
    int const how = random.between(0, 2);
    return how == 0 ? limit : how == 1 ? random.between(1, limit) : random.between(1, limit < 8 ? limit : 8);
  };
  auto const unit = [&random](int most_bits) { return 1 << random.between(0, most_bits); };
  row.warp_size = unit(10);
  row.max_warps_per_sm = up_to(most / row.warp_size);
  row.max_threads_per_sm = row.warp_size * row.max_warps_per_sm;
  row.max_threads_per_block = up_to(row.max_threads_per_sm);
  row.max_blocks_per_sm = up_to(row.max_warps_per_sm);
  row.sub_partitions = unit(10);
  row.registers_per_sm = row.sub_partitions * up_to(most / row.sub_partitions);
  row.max_registers_per_block = up_to(row.registers_per_sm);
  row.max_registers_per_thread = up_to(1024);
  row.register_allocation_unit = unit(15);
  row.warp_allocation_granularity = unit(10);
  row.shared_allocation_unit = unit(15);
  int const kib = up_to(most / 1024);
  row.shared_memory_per_sm = kib * 1024;
  for (int& kb : row.carveouts_kb) kb = 0;
  row.carveouts_kb[0] = kib;
  if (kib > 2) {
    row.carveouts_kb[0] = random.between(0, kib - 2);
    row.carveouts_kb[1] = kib - 1;
    row.carveouts_kb[2] = kib;
  }
  row.reserved_shared_per_block = random.between(0, random.between(0, 1) == 0 ? 1023 : row.shared_memory_per_sm - 1);
  row.max_shared_per_block_optin = up_to(row.shared_memory_per_sm - row.reserved_shared_per_block);
  row.max_shared_per_block_default = up_to(row.max_shared_per_block_optin);
  row.block_barriers_per_sm = random.between(0, most);
  row.virtual_resources_per_sm = random.between(0, most);
  row.register_allocation_granularity =
      random.between(0, 1) == 0 ? warpguard::granularity::block : warpguard::granularity::warp;
  row.rules = static_cast<unsigned>(random.between(0, 31));
  return row;
}

}  // namespace inputs
