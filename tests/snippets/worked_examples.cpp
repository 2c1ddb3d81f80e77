// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The calculations that docs/how-occupancy-works.md does by hand.

#include <warpguard/core.hpp>

namespace wg = warpguard;

// 7.0, 37 registers
constexpr wg::occupancy volta = wg::occupancy_of(wg::sm_70, {128, 37});
static_assert(volta.blocks_by_warps == 16);
static_assert(volta.blocks_by_registers == 12);
static_assert(volta.blocks_by_block_slots == 32);
static_assert(volta.blocks_per_sm == 12 && volta.warps_per_sm == 48);
static_assert(volta.limited_by == wg::limiter::registers);
static_assert(volta.reaches(75) && !volta.reaches(76));
static_assert(volta.registers_per_block == 5120 && volta.unused_registers == 4096);

constexpr wg::occupancy larger = wg::occupancy_of(wg::sm_70, {320, 37});
static_assert(larger.blocks_by_warps == 6);
static_assert(larger.blocks_by_registers == 4);
static_assert(larger.blocks_per_sm == 4 && larger.warps_per_sm == 40);
static_assert(larger.reaches(62) && !larger.reaches(63));  // 62.5 %

// 6.0, two sub-partitions
constexpr wg::occupancy pascal = wg::occupancy_of(wg::sm_60, {256, 32});
static_assert(pascal.blocks_by_warps == 8);
static_assert(pascal.blocks_by_registers == 8);
static_assert(pascal.blocks_per_sm == 8 && pascal.warps_per_sm == 64);
static_assert(pascal.limited_by == (wg::limiter::warps | wg::limiter::registers));

// 7.5, half the warps
constexpr wg::occupancy heavy = wg::occupancy_of(wg::sm_75, {64, 96});
static_assert(heavy.blocks_by_warps == 16);
static_assert(heavy.blocks_by_registers == 10);
static_assert(heavy.blocks_per_sm == 10 && heavy.warps_per_sm == 20 && heavy.max_warps_per_sm == 32);

constexpr wg::occupancy light = wg::occupancy_of(wg::sm_75, {64, 9});
static_assert(light.blocks_by_registers == 64);
static_assert(light.blocks_per_sm == 16);
static_assert(light.limited_by == (wg::limiter::warps | wg::limiter::block_slots));

// The hardware's check of one block
constexpr wg::occupancy tegra = wg::occupancy_of(wg::sm_62, {160, 129});
static_assert(tegra.blocks_per_sm == 0);
static_assert(tegra.obstructed_by == wg::obstacle::registers_per_block);
static_assert(wg::occupancy_of(wg::sm_61, {160, 129}).blocks_per_sm == 2);

// The driver's reserve
static_assert(wg::occupancy_of(wg::sm_90, {32, 8, 12 * 1024}).blocks_per_sm == 17);
static_assert(wg::occupancy_of(wg::sm_80, {256, 0, 32 * 1024}).blocks_per_sm == 4);

constexpr wg::architecture without_reserve(wg::architecture arch) {
  arch.reserved_shared_per_block = 0;
  return arch;
}
static_assert(wg::occupancy_of(without_reserve(wg::sm_90), {32, 8, 12 * 1024}).blocks_per_sm == 19);
static_assert(wg::occupancy_of(without_reserve(wg::sm_80), {256, 0, 32 * 1024}).blocks_per_sm == 5);

// The carve-out
constexpr wg::kernel_resources kernel{32, 0, 20000};
static_assert(wg::occupancy_of(wg::sm_80, kernel).blocks_per_sm == 7);
static_assert(wg::occupancy_of(wg::sm_80, kernel, {60}).blocks_per_sm == 4);
static_assert(wg::occupancy_of(wg::sm_80, kernel, {61}).blocks_per_sm == 6);

// Barriers
static_assert(wg::occupancy_of(wg::sm_90, {64, 0, 0, 0, 3}).blocks_per_sm == 21);
static_assert(wg::occupancy_of(wg::sm_120, {64, 0, 0, 0, 2}).blocks_per_sm == 12);
static_assert(wg::occupancy_of(wg::sm_80, {64, 0, 0, 0, 3}).blocks_by_barriers == wg::unlimited);

// The launch bound
static_assert(wg::max_registers_per_thread(wg::sm_90, 256, 3) == 80);
static_assert(wg::max_registers_per_thread(wg::sm_86, 256, 3) == 80);
static_assert(wg::max_registers_per_thread(wg::sm_90, 256, 8) == 32);
static_assert(wg::max_registers_per_thread(wg::sm_86, 256, 8) == wg::impossible);
