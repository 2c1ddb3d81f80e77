// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares the model with published_formulas.hpp, which counts blocks one by one and has its own numbers, for compute
/// capability 1.x to 3.x. Current versions of cuda_occupancy.h do not support anything before 3.0.

#include "published_formulas.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace wg = warpguard;

namespace {

constexpr int gpus_published = 10;
static_assert(sizeof(published::gpus) / sizeof(published::gpus[0]) == gpus_published);

constexpr wg::limiter expected_limiters(published::gpu const& g, published::result const& a) {
  wg::limiter set = wg::limiter::none;
  if (a.by_warps == a.blocks) set = set | wg::limiter::warps;
  if (a.by_registers == a.blocks) set = set | wg::limiter::registers;
  if (a.by_shared_memory == a.blocks) set = set | wg::limiter::shared_memory;
  if (g.slots == a.blocks) set = set | wg::limiter::block_slots;
  return set;
}

constexpr bool agrees(wg::architecture const& row, published::gpu const& g, published::block const& b) {
  wg::kernel_resources kernel{b.threads, b.registers, b.bytes / 2, b.bytes - b.bytes / 2};
  wg::shared_memory_config config;
  config.preference = static_cast<wg::cache_preference>(static_cast<int>(b.preference));
  config.opt_in = b.bytes % 2 == 0;  // has no effect on these GPUs
  wg::occupancy const ours = wg::occupancy_of(row, kernel, config);
  published::result const theirs = published::compute(g, b);
  return ours.blocks_per_sm == theirs.blocks && ours.blocks_by_warps == theirs.by_warps &&
         ours.blocks_by_registers == theirs.by_registers && ours.blocks_by_shared_memory == theirs.by_shared_memory &&
         ours.blocks_by_block_slots == g.slots && ours.blocks_by_barriers == wg::unlimited &&
         ours.limited_by == expected_limiters(g, theirs) && ours.registers_per_block == theirs.registers_taken &&
         ours.shared_memory_per_block == theirs.bytes_taken &&
         ours.warps_per_sm == theirs.blocks * published::warps_of(b.threads);
}

constexpr wg::architecture const& row_of(published::gpu const& g) { return *wg::find_architecture(g.version); }

/// A few inputs at compile time; sweep() compares many more at run time.
constexpr bool test_samples() {
  for (published::gpu const& g : published::gpus) {
    for (int threads : {1, 33, 65, 192, 512, 1024, 1025}) {
      for (int registers : {0, 10, 21, 32, 63, 64, 125, 256}) {
        if (!agrees(row_of(g), g, {threads, registers, threads * 20, published::split::none})) return false;
      }
    }
  }
  return true;
}
static_assert(test_samples());

// Worked examples: warp slots in pairs on 1.x (the spreadsheet returns 8 and 6), and Fermi's doubled unit.
static_assert(wg::occupancy_of(wg::sm_10, {65}).blocks_by_warps == 6);
static_assert(wg::occupancy_of(wg::sm_12, {129}).blocks_by_warps == 5);
static_assert(wg::occupancy_of(wg::sm_20, {32, 20}).registers_per_block == 640);
static_assert(wg::occupancy_of(wg::sm_20, {32, 21}).registers_per_block == 768);
static_assert(wg::occupancy_of(wg::sm_20, {32, 23}).registers_per_block == 768);
static_assert(wg::occupancy_of(wg::sm_20, {32, 46}).registers_per_block == 1536);
static_assert(wg::occupancy_of(wg::sm_20, {32, 53}).registers_per_block == 1728);

template <class Visit>
bool sweep(published::gpu const& g, Visit visit) {
  for (int threads = 1; threads <= 1100; threads += threads % 32 == 1 || threads % 32 == 0 ? 1 : 10) {
    for (int registers = 0; registers <= 257; ++registers) {
      if (!visit({threads, registers, 0, published::split::none})) return false;
    }
  }
  for (int bytes = 0; bytes <= 49152 + 600; ++bytes) {
    for (int preference = 0; preference <= 3; ++preference) {
      if (!visit({64, 16, bytes, static_cast<published::split>(preference)})) return false;
    }
  }
  inputs::random_source random(static_cast<std::uint64_t>(g.version));
  auto const below = [&random](int bound) { return random.between(0, bound - 1); };
  for (int i = 0; i < 200000; ++i) {
    int const bytes = below(3) == 0 ? below(50000) : below(8000);
    if (!visit({1 + below(1100), below(below(2) == 0 ? 70 : 260), bytes, static_cast<published::split>(below(4))})) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("1.x to 3.x agree with blocks that are placed one by one") {
  long inputs = 0;
  long different = 0;
  for (published::gpu const& g : published::gpus) {
    sweep(g, [&](published::block const& b) {
      ++inputs;
      if (agrees(row_of(g), g, b)) return true;
      ++different;
      CHECK_MESSAGE(different > 5, "sm_", g.version, ": ", b.threads, " threads, ", b.registers, " registers, ",
                    b.bytes, " B, preference ", static_cast<int>(b.preference));
      return true;
    });
  }
  CHECK(different == 0);
  CHECK(inputs > 4000000);
  MESSAGE("published formulas: ", inputs, " inputs, ", different, " differences");
}

TEST_CASE("registers agree with the spreadsheet on GPUs that allocate them per warp and allow a block the whole file") {
  for (int version : {20, 21, 30, 35}) {
    for (published::gpu const& g : published::gpus) {
      if (g.version != version) continue;
      for (int threads = 32; threads <= 1024; threads += 32) {
        for (int registers = 1; registers <= 256; ++registers) {
          int const theirs = published::spreadsheet_by_registers(g, {threads, registers, 0, published::split::none});
          int const ours = wg::occupancy_of(row_of(g), {threads, registers}).blocks_by_registers;
          CHECK(ours == theirs);
        }
      }
    }
  }
}

TEST_CASE("a change of any number of 1.x and 2.x by one unit is detected") {
  struct cell {
    std::string name;
    int wg::architecture::*member;
    int unit;  // 0: one allocation of registers; -1: one allocation of shared memory
  };
  cell const cells[] = {
      {"warp_size", &wg::architecture::warp_size, 1},
      {"max_threads_per_block", &wg::architecture::max_threads_per_block, 1},
      {"max_warps_per_sm", &wg::architecture::max_warps_per_sm, 1},
      {"max_threads_per_sm", &wg::architecture::max_threads_per_sm, 32},
      {"max_blocks_per_sm", &wg::architecture::max_blocks_per_sm, 1},
      {"registers_per_sm", &wg::architecture::registers_per_sm, 0},
      {"max_registers_per_block", &wg::architecture::max_registers_per_block, 0},
      {"max_registers_per_thread", &wg::architecture::max_registers_per_thread, 1},
      {"register_allocation_unit", &wg::architecture::register_allocation_unit, 1},
      {"warp_allocation_granularity", &wg::architecture::warp_allocation_granularity, 1},
      {"sub_partitions", &wg::architecture::sub_partitions, 1},
      {"shared_memory_per_sm", &wg::architecture::shared_memory_per_sm, 1024},
      {"max_shared_per_block_default", &wg::architecture::max_shared_per_block_default, -1},
      {"max_shared_per_block_optin", &wg::architecture::max_shared_per_block_optin, -1},
      {"shared_allocation_unit", &wg::architecture::shared_allocation_unit, 1},
      {"reserved_shared_per_block", &wg::architecture::reserved_shared_per_block, 1},
      {"virtual_resources_per_sm", &wg::architecture::virtual_resources_per_sm, 1},
  };
  // Why a change cannot be detected here, or an empty string. tests/hardware/table.cpp checks these numbers.
  auto const reason = [](published::gpu const& g, std::string const& name, int direction) -> std::string {
    if (name == "sub_partitions" && g.pools == 0) return "registers are allocated per block, from one file";
    if (name == "warp_allocation_granularity" && g.pools == 2 && direction < 0) {
      return "a block may have all registers, so whatever fits the two files also passes the check of the block";
    }
    if (name == "virtual_resources_per_sm") return "kernels for these GPUs use none";
    return {};
  };
  for (published::gpu const& g : published::gpus) {
    if (g.version >= 30) continue;
    auto const detected = [&](wg::architecture const& row) {
      if (!wg::is_valid(row)) return true;
      return !sweep(g, [&](published::block const& b) { return agrees(row, g, b); });
    };
    for (cell const& c : cells) {
      for (int direction : {-1, 1}) {
        wg::architecture row = row_of(g);
        int const unit = c.unit > 0    ? c.unit
                         : c.unit == 0 ? row.register_allocation_unit * row.sub_partitions
                                       : row.shared_allocation_unit;
        row.*c.member += direction * unit;
        std::string const why = reason(g, c.name, direction);
        INFO("sm_", g.version, " ", c.name, " changed by ", direction * unit);
        if (!why.empty()) {
          if (wg::is_valid(row)) CHECK_FALSE(detected(row));
          MESSAGE("sm_", g.version, " ", c.name, std::string(direction > 0 ? " up: " : " down: "), why);
        } else {
          CHECK(detected(row));
        }
      }
    }
    for (int i = 0; row_of(g).carveouts_kb[i] != 0; ++i) {
      for (int direction : {-1, 1}) {
        wg::architecture row = row_of(g);
        row.carveouts_kb[i] += direction;
        INFO("sm_", g.version, " carveouts_kb[", i, "]");
        CHECK(detected(row));
      }
    }
    wg::architecture other_rule = row_of(g);
    other_rule.rules ^= wg::allocation_rule::fermi_unit;
    CHECK(detected(other_rule));
    other_rule = row_of(g);
    other_rule.register_allocation_granularity = g.pools == 0 ? wg::granularity::warp : wg::granularity::block;
    CHECK(detected(other_rule));
  }
}
