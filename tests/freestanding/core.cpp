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
#include <warpguard/model/common_block_size.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/latency.hpp>
#include <warpguard/model/next_steps.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/reaching_changes.hpp>
#include <warpguard/model/residency_limits.hpp>
#include <warpguard/model/residency_range.hpp>
#include <warpguard/model/roofline.hpp>
#include <warpguard/model/trade_offs.hpp>
#include <warpguard/model/warp_roles.hpp>
#include <warpguard/model/waves.hpp>
#include <warpguard/version.hpp>

static_assert(warpguard::occupancy_of(warpguard::sm_90, {128, 37}).blocks_per_sm == 12);
static_assert(warpguard::max_registers_per_thread(warpguard::sm_90, 256, 3) == 80);
static_assert(warpguard::suggest_block_size(warpguard::sm_90, {0, 40}) == 768);
static_assert(warpguard::fit_together(warpguard::sm_90, {384, 128}, {128, 32}));
static_assert(warpguard::check_warp_roles(warpguard::sm_90, {384, 168}, {{4, 40}, {8, 232}}).holds());
static_assert(warpguard::max_cluster_size(warpguard::sm_90) == 8);
static_assert(warpguard::next_steps(warpguard::sm_90, {256, 40}).registers_per_thread.more_blocks.amount == 32);
static_assert(warpguard::limits_for(warpguard::sm_90, 256, 6).registers_at_most == 40);
static_assert(warpguard::trade_offs(warpguard::sm_90, {0, 40}).count > 0);
static_assert(warpguard::waves_of(132, 6, 800).tail_blocks == 8);
static_assert(warpguard::min_warps_for({4, 64}) == 8);
static_assert(warpguard::is_bound_by_memory({19500, 1555}, {2, 12}));
static_assert(warpguard::find_throughput(90)->fp32 == 128);
static_assert(warpguard::peak(*warpguard::find_device("A100 SXM 40GB"), warpguard::precision::fp32) == 19491840000000);
static_assert(warpguard::similar_devices("RTX 4091").count == 3);

// The longest questions on every row are constant expressions within clang's default limit of steps.
template <int Row>
constexpr warpguard::architecture const& row = *warpguard::architectures[Row];
template <int Row>
constexpr int trade_offs = warpguard::trade_offs(row<Row>, {0}).count;
template <int Row>
constexpr int headroom = warpguard::next_steps(row<Row>, {512, 32}).shared_memory.headroom;
template <int Row>
constexpr int fitting = warpguard::what_fits(row<Row>, {32, 255, 0, 16000, 16}, {0, 64}).registers_at_most;
template <int Row>
constexpr bool are_constants = trade_offs<Row> > 0 && headroom<Row> >= 0 && fitting<Row> > -2;
template <int... Row>
constexpr bool are_all_constants() {
  return (are_constants<Row> && ...);
}
static_assert(are_all_constants<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                                24, 25, 26, 27, 28, 29, 30>());

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

extern "C" int warpguard_fewer_registers_for_more_blocks(int compute_capability, int threads_per_block,
                                                         int registers_per_thread) {
  warpguard::architecture const* row = warpguard::find_architecture(compute_capability);
  if (row == nullptr) return -1;
  return warpguard::next_steps(*row, {threads_per_block, registers_per_thread}).registers_per_thread.more_blocks.amount;
}

extern "C" double warpguard_wave_efficiency(int sms, int blocks_per_sm, long long grid) {
  return warpguard::waves_of(sms, blocks_per_sm, grid).percent();
}
