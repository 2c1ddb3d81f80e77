// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiles the core without a standard library. The target is WebAssembly, for which no library can be found by
/// accident:
///
///     clang++ --target=wasm32 -ffreestanding -nostdinc -nostdinc++ -fno-exceptions -fno-rtti -std=c++17 -c core.cpp

#include <warpguard/hardware/find_device.hpp>
#include <warpguard/hardware/peak.hpp>
#include <warpguard/hardware/products.hpp>
#include <warpguard/hardware/table.hpp>
#include <warpguard/hardware/throughput.hpp>
#include <warpguard/model/advice.hpp>
#include <warpguard/model/block_size.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/clusters.hpp>
#include <warpguard/model/co_residency.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/warp_roles.hpp>
#include <warpguard/version.hpp>

static_assert(warpguard::occupancy_of(warpguard::sm_90, {128, 37}).blocks_per_sm == 12);
static_assert(warpguard::max_registers_per_thread(warpguard::sm_90, 256, 3) == 80);
static_assert(warpguard::suggest_block_size(warpguard::sm_90, {0, 40}) == 768);
static_assert(warpguard::fit_together(warpguard::sm_90, {384, 128}, {128, 32}));
static_assert(warpguard::check_warp_roles(warpguard::sm_90, {384, 168}, {{4, 40}, {8, 232}}).holds());
static_assert(warpguard::max_cluster_size(warpguard::sm_90) == 8);
static_assert(warpguard::find_throughput(90)->fp32 == 128);
static_assert(warpguard::peak(*warpguard::find_device("A100 SXM 40GB"), warpguard::precision::fp32) == 19491840000000);
static_assert(warpguard::similar_devices("RTX 4091").count == 3);

/// Returns the operations per second, or -1 for an unknown name or without a source.
extern "C" long long warpguard_peak(char const* device_name, int precision) {
  warpguard::product const* device = warpguard::find_device(device_name);
  return device == nullptr ? warpguard::not_known
                           : warpguard::peak(*device, static_cast<warpguard::precision>(precision));
}

/// Returns the blocks per SM, or -1 for an unknown compute capability.
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
  return row == nullptr ? -1 : warpguard::max_dynamic_bytes(*row, {threads_per_block}, blocks_per_sm);
}

extern "C" int warpguard_suggest_block_size(int compute_capability, int registers_per_thread, int dynamic_shared_memory,
                                            int at_most) {
  warpguard::architecture const* row = warpguard::find_architecture(compute_capability);
  if (row == nullptr) return -1;
  return warpguard::suggest_block_size(*row, {0, registers_per_thread, 0, dynamic_shared_memory}, {at_most});
}
