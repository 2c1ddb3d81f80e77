// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Inputs for the tests: extreme values of int, random numbers from a fixed seed, random kernels and architectures, and
/// the int members of a row by number. Nothing here computes an expected result.

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

struct model_input {
  warpguard::architecture const* row;
  warpguard::kernel_resources kernel;
  warpguard::shared_memory_config config;
};

/// A realistic kernel on a random row.
constexpr model_input plausible(random_source& random) {
  model_input input{warpguard::architectures[random.between(0, 30)], {1}, {}};
  input.kernel.threads_per_block = random.between(1, 1100);
  input.kernel.registers_per_thread = random.between(0, random.between(1, 3) == 1 ? 260 : 64);
  input.kernel.static_shared_memory = random.between(1, 2) == 1 ? 0 : random.between(0, 12000);
  input.kernel.dynamic_shared_memory = random.between(1, 2) == 1 ? 0 : random.between(0, random.between(100, 170000));
  input.kernel.barriers = random.between(1, 2) == 1 ? 1 : random.between(0, 20);
  input.kernel.virtual_resources = random.between(1, 3) == 1 ? random.between(0, 20) : 0;
  input.kernel.caching = static_cast<warpguard::partitioned_caching>(random.between(0, 2));
  input.config.carveout_percent = random.between(-1, 100);
  input.config.preference = static_cast<warpguard::cache_preference>(random.between(0, 3));
  input.config.opt_in = random.between(0, 1) == 1;
  return input;
}

/// A kernel whose members may be any int, extreme values more often than others.
constexpr model_input hostile(random_source& random) {
  model_input input = plausible(random);
  auto const spoil = [&random](int& value) {
    int const how = random.between(0, 4);
    if (how == 0) value = random.any_int();
    if (how == 1) value = random.extreme();
  };
  spoil(input.kernel.threads_per_block);
  spoil(input.kernel.registers_per_thread);
  spoil(input.kernel.static_shared_memory);
  spoil(input.kernel.dynamic_shared_memory);
  spoil(input.kernel.barriers);
  spoil(input.kernel.virtual_resources);
  spoil(input.config.carveout_percent);
  if (random.between(0, 9) == 0) input.config.preference = static_cast<warpguard::cache_preference>(random.any_int());
  if (random.between(0, 9) == 0) input.kernel.caching = static_cast<warpguard::partitioned_caching>(random.any_int());
  return input;
}

/// A random architecture whose members are consistent but not realistic: warps of 1 to 1024 threads, unusual units.
constexpr warpguard::architecture synthetic_architecture(random_source& random) {
  constexpr int max = (1 << 24) - 1;
  warpguard::architecture row = *warpguard::architectures[random.between(0, 30)];
  auto const up_to = [&random](int limit) {
    int const how = random.between(0, 2);
    return how == 0 ? limit : how == 1 ? random.between(1, limit) : random.between(1, limit < 8 ? limit : 8);
  };
  auto const unit = [&random](int max_bits) { return 1 << random.between(0, max_bits); };
  row.warp_size = unit(10);
  row.max_warps_per_sm = up_to(max / row.warp_size);
  row.max_threads_per_sm = row.warp_size * row.max_warps_per_sm;
  row.max_threads_per_block = up_to(row.max_threads_per_sm);
  row.max_blocks_per_sm = up_to(row.max_warps_per_sm);
  row.sub_partitions = unit(10);
  row.registers_per_sm = row.sub_partitions * up_to(max / row.sub_partitions);
  row.max_registers_per_block = up_to(row.registers_per_sm);
  row.max_registers_per_thread = up_to(1024);
  row.register_allocation_unit = unit(15);
  row.warp_allocation_granularity = unit(10);
  row.shared_allocation_unit = unit(15);
  int const kib = up_to(max / 1024);
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
  row.block_barriers_per_sm = random.between(0, max);
  row.virtual_resources_per_sm = random.between(0, max);
  row.register_allocation_granularity =
      random.between(0, 1) == 0 ? warpguard::granularity::block : warpguard::granularity::warp;
  row.rules = static_cast<unsigned>(random.between(0, 31));
  return row;
}

}  // namespace inputs
