// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/contract.hpp>

namespace wg = warpguard;

namespace {

// ---- choosing a block size

constexpr wg::kernel_resources scan{0, 40};  // the number of threads is the question; 40 registers each
constexpr int threads = wg::suggest_block_size(wg::sm_90, scan);
static_assert(threads == 768);

constexpr int tile_bytes(int block) { return 8 * block + 512; }  // two floats for each thread
constexpr int tiled = wg::suggest_block_size(wg::sm_86, {0, 32}, tile_bytes);
static_assert(tiled == 768);

static_assert(wg::suggest_block_size(wg::sm_90, scan, {512}) == 512);         // at most 512 threads
static_assert(wg::suggest_block_size(wg::sm_90, scan, {0, 64}) == 768);       // a multiple of 64
static_assert(wg::suggest_block_size(wg::sm_90, scan, {0, 0, 4096}) == 512);  // a divisor of 4096

static_assert(wg::suggest_block_size(wg::sm_90, {0, 40, 0, 228 * 1024}) == wg::impossible);

struct scan_contract
    : wg::contract<wg::suggested_threads_per_block<wg::sm<90>, wg::max_registers<40>>, wg::max_registers<40>,
                   wg::min_occupancy<75>,
                   wg::on<wg::sm<75>, wg::suggested_threads_per_block<wg::sm<75>, wg::max_registers<40>>>> {};
static_assert(wg::guarantee_on<scan_contract, wg::sm<75>, wg::sm<90>>);

// ---- two kernels on one SM

constexpr wg::kernel_resources gemm{384, 128, 0, 160 * 1024};
constexpr wg::kernel_resources copy{128, 32, 0, 16 * 1024};
static_assert(wg::fit_together(wg::sm_90, gemm, copy));
static_assert(wg::blocks_beside(wg::sm_90, gemm, 1, copy) == 3);  // 67 KiB are left, and each takes 16 + 1

// ---- registers of a warp-specialised kernel

constexpr wg::kernel_resources specialised{384, 168};
constexpr wg::warp_role roles[] = {{4, 40}, {8, 232}};  // warps, registers per thread: a producer, two consumers
static_assert(wg::check_warp_roles(wg::sm_90, specialised, roles).holds());

constexpr wg::warp_role greedy[] = {{4, 40}, {8, 240}};
static_assert(wg::check_warp_roles(wg::sm_90, specialised, greedy).fault == wg::role_fault::registers_together);

constexpr wg::warp_role asked[] = {{4, 24}, {8, 0}};
static_assert(wg::max_registers_for(wg::sm_90, specialised, asked, 1) == 240);

// ---- clusters

static_assert(wg::max_cluster_size(wg::sm_90) == 8);
static_assert(wg::max_cluster_size(wg::sm_90, true) == 16);  // after opting in
static_assert(wg::support_of_cluster(wg::sm_103, 16) == wg::cluster_support::unknown);
static_assert(wg::support_of_cluster(wg::sm_120, 16) == wg::cluster_support::refused);

static_assert(wg::max_active_clusters(wg::sm_90, specialised, 4, 132) == 33);          // 132 SMs
static_assert(wg::estimated_active_clusters(wg::sm_90, specialised, 4, 18, 7) == 28);  // 7 GPCs of 18 SMs

}  // namespace
