// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The resources of an SM as rows of an answer, and why a block cannot run, in words. Includes no library: the
/// calculator's module needs it too.

#pragma once

#include <warpguard/hardware/architecture.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

namespace measure {

constexpr char const* words_of(warpguard::obstacle why) {
  using warpguard::obstacle;
  switch (why) {
    case obstacle::none: return "";
    case obstacle::architecture: return "this architecture cannot be computed";
    case obstacle::threads_per_block: return "a block has too many threads, or none";
    case obstacle::registers_per_thread: return "a thread has too many registers";
    case obstacle::shared_memory_config: return "there is no such carve-out";
    case obstacle::negative_amount: return "an amount is negative";
    case obstacle::registers_per_block: return "a block needs too many registers";
    case obstacle::shared_memory_per_block: return "a block needs too much shared memory";
    case obstacle::barriers: return "a block needs too many barriers";
    case obstacle::virtual_resources: return "a block needs too many virtual resources";
  }
  return "";
}

/// A resource as a row of the answer.
struct limit_row {
  char const* name;
  warpguard::limiter limiter;
  int blocks;  // that it allows, or `unlimited`
  int per_block;
  int available;  // on an SM; 0: not shown
};

struct limit_rows {
  limit_row rows[5];
};

constexpr limit_rows limit_rows_of(warpguard::architecture const& arch, warpguard::kernel_resources const& kernel,
                                   warpguard::occupancy const& o) {
  using warpguard::limiter;
  return {{{"warps", limiter::warps, o.blocks_by_warps, o.warps_per_block, arch.max_warps_per_sm},
           {"registers", limiter::registers, o.blocks_by_registers, o.registers_per_block, arch.registers_per_sm},
           {"shared memory", limiter::shared_memory, o.blocks_by_shared_memory, o.shared_memory_per_block,
            o.shared_memory_budget},
           {"block slots", limiter::block_slots, o.blocks_by_block_slots, 1, arch.max_blocks_per_sm},
           {"barriers", limiter::barriers, o.blocks_by_barriers, kernel.barriers, arch.block_barriers_per_sm}}};
}

}  // namespace measure
