// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The core with no standard library at all; compiled to WebAssembly, where there is none to be found by accident:
///
///     clang++ --target=wasm32 -ffreestanding -nostdinc -nostdinc++ -fno-exceptions -fno-rtti -std=c++17 -c core.cpp

#include <warpguard/architecture.hpp>
#include <warpguard/capacity.hpp>
#include <warpguard/kernel_resources.hpp>
#include <warpguard/occupancy.hpp>
#include <warpguard/version.hpp>

static_assert(warpguard::occupancy_of(warpguard::sm_90, {128, 37}).blocks_per_sm == 12);
static_assert(warpguard::max_registers_per_thread(warpguard::sm_90, 256, 3) == 80);

/// Blocks per SM, or -1 for a compute capability that nobody knows.
extern "C" int warpguard_blocks_per_sm(int compute_capability, int threads_per_block, int registers_per_thread,
                                       int static_shared_memory, int dynamic_shared_memory) {
  warpguard::architecture const* row = warpguard::find_architecture(compute_capability);
  if (row == nullptr) return -1;
  return warpguard::occupancy_of(*row,
                                 {threads_per_block, registers_per_thread, static_shared_memory, dynamic_shared_memory})
      .blocks_per_sm;
}

extern "C" int warpguard_max_registers_per_thread(int compute_capability, int threads_per_block, int blocks_per_sm) {
  warpguard::architecture const* row = warpguard::find_architecture(compute_capability);
  return row == nullptr ? -1 : warpguard::max_registers_per_thread(*row, threads_per_block, blocks_per_sm);
}

extern "C" int warpguard_max_dynamic_shared_memory(int compute_capability, int threads_per_block, int blocks_per_sm) {
  warpguard::architecture const* row = warpguard::find_architecture(compute_capability);
  return row == nullptr ? -1 : warpguard::max_dynamic_shared_memory(*row, {threads_per_block}, blocks_per_sm);
}
