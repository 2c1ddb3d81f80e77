// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/answers.hpp>
#include <warpguard/contract.hpp>
#include <warpguard/products.hpp>

namespace wg = warpguard;

namespace steps {

constexpr wg::kernel_resources kernel{256, 80};  // threads, registers per thread
constexpr wg::occupancy now = wg::occupancy_of(wg::sm_90, kernel);
static_assert(now.blocks_per_sm == 3 && now.percent() == 37.5);
static_assert(now.limited_by == wg::limiter::registers);

constexpr wg::residency_steps next = wg::next_steps(wg::sm_90, kernel);
static_assert(next.registers_per_thread.more_blocks.amount == 64);  // 16 registers fewer:
static_assert(next.registers_per_thread.more_blocks.blocks_per_sm == 4);
static_assert(next.registers_per_thread.headroom == 0);  // one register more:
static_assert(next.registers_per_thread.fewer_blocks.blocks_per_sm == 2);
static_assert(next.shared_memory.headroom == 76800);         // so many bytes cost nothing
static_assert(!next.shared_memory.more_blocks.exists());     // fewer bytes alone do not help
static_assert(!next.more_warps_in_smaller_blocks.exists());  // nor does another block size

constexpr wg::residency_goal three_quarters{0, 48};  // blocks, or warps
constexpr wg::single_changes alone = wg::changes_that_reach(wg::sm_90, kernel, three_quarters);
static_assert(alone.registers_at_most == 40 && alone.smaller_block == wg::impossible);

constexpr wg::kernel_resources tile{256, 80, 0, 50 * 1024};
static_assert(wg::changes_that_reach(wg::sm_90, tile, {4, 0}).registers_at_most == 64);
static_assert(wg::changes_that_reach(wg::sm_90, tile, {5, 0}).registers_at_most == wg::impossible);
constexpr wg::advice together = wg::what_fits(wg::sm_90, tile, {5, 0});
static_assert(together.registers_at_most == 48 && together.shared_memory_at_most == 45568);

}  // namespace steps

namespace limits {

constexpr wg::architecture const* gpus[] = {&wg::sm_86, &wg::sm_90};
constexpr wg::residency_limits two = wg::limits_for(gpus, 256, 2);  // blocks of 256 threads, two of them
static_assert(two.registers_at_most == 128);
static_assert(two.shared_memory_at_most == 50176);

static_assert(wg::max_blocks_of(wg::sm_86, 256) == 6);
static_assert(wg::limits_for(wg::sm_86, 256, 1).registers_at_most == 255);
static_assert(wg::limits_for(wg::sm_86, 256, 4).registers_at_most == 64);
static_assert(wg::limits_for(wg::sm_86, 256, 6).registers_at_most == 40);
static_assert(!wg::limits_for(wg::sm_86, 256, 7).exist());

}  // namespace limits

namespace sizes {

constexpr wg::architecture const* gpus[] = {&wg::sm_75, &wg::sm_86, &wg::sm_90};
constexpr wg::common_block_size best = wg::suggest_common_block_size(gpus, {0, 48});  // 48 registers each
static_assert(best.threads_per_block == 640);
static_assert(best.worst == 0 && best.percent() == 62.5);  // on gpus[0], which is 7.5

constexpr wg::residency_range range = wg::residencies_between(wg::sm_90, {0, 48}, 64, 1024);
static_assert(range.most_warps.warps_per_sm == 40 && range.most_warps.threads_per_block == 64);
static_assert(range.fewest_warps.warps_per_sm == 21 && range.fewest_warps.threads_per_block == 641);

constexpr wg::trade_off_list choices = wg::trade_offs(wg::sm_90, {0, 64, 0, 100000});
static_assert(choices.count == 7);
constexpr wg::trade_off first = choices.entries[0];
static_assert(first.threads_per_block == 256 && first.warps_per_sm == 8 && first.registers_at_most == 255);
constexpr wg::trade_off last = choices.entries[6];
static_assert(last.threads_per_block == 1024 && last.warps_per_sm == 32 && last.registers_at_most == 64);

}  // namespace sizes

namespace grids {

constexpr wg::kernel_resources kernel{256, 40};
constexpr wg::product h100 = *wg::find_device("H100 SXM");
constexpr wg::grid_waves waves = wg::waves_of(wg::sm_90, kernel, h100.sms, 800);  // 132 SMs, 800 blocks
static_assert(waves.slots == 792);                                                // 6 blocks on each SM
static_assert(waves.full_waves == 1 && waves.tail_blocks == 8);
static_assert(waves.grid == 800 && waves.offered_slots() == 1584);  // 50.5 % of the slots are used

static_assert(wg::best_grid_near(132, 6, 800, 16) == 792);
static_assert(wg::waves_of(132, 6, 792).percent() == 100.0);

constexpr wg::even_split split = wg::split_evenly(1000000, 792);  // items, blocks
static_assert(split.count_of(0) == 1263 && split.count_of(791) == 1262);
static_assert(split.first_of(1) == 1263);

}  // namespace grids

namespace enough {

static_assert(wg::min_warps_for({4, 128}) == 16);    // 4 cycles, 4 schedulers x 32 threads
static_assert(wg::min_warps_for({4, 128, 2}) == 8);  // two independent instructions in each warp

// An H100 SXM by its data sheet, and an assumed latency under load: measure yours.
constexpr wg::memory_latency hbm{3350, 1000, 132};  // GB/s, ns, SMs
static_assert(wg::bytes_in_flight_per_sm(hbm) == 25379);

constexpr int warps = wg::min_warps_for(hbm, 16);  // each thread has one float4 in flight
static_assert(warps == 50);
struct copy_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<32>, wg::min_warps_per_sm<warps>> {};
static_assert(wg::guarantee_on<copy_contract, wg::sm<90>>);

constexpr int stage = (128 + 128) * 64 * 2;  // bytes: two tiles of 128 x 64 halves
struct gemm_contract
    : wg::contract<wg::threads_per_block<384>, wg::max_registers<168>, wg::dynamic_shared_memory<4 * stage>,
                   wg::min_blocks_per_sm<wg::min_blocks_for(hbm, 3 * stage)>> {};  // one stage is being consumed
static_assert(wg::min_blocks_for(hbm, 3 * stage) == 1);
static_assert(wg::guarantee_on<gemm_contract, wg::sm<90>>);

}  // namespace enough

namespace roof {

constexpr wg::roofline a100{19500, 1555};  // GFLOP/s in FP32 and GB/s: the data sheet of the A100 with 40 GB
constexpr wg::kernel_work saxpy{2, 12};    // operations, bytes: for each element
static_assert(wg::is_bound_by_memory(a100, saxpy));
static_assert(wg::attainable_gigaoperations(a100, saxpy) == 259);

}  // namespace roof
