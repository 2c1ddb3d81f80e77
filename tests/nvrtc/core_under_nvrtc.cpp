// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiles kernels that use the core with NVRTC, which has no host code and no standard library. A kernel cannot call
/// a function that lacks WARPGUARD_HOST_DEVICE, so a missing one is an error here. Needs no GPU.
///
///     core_under_nvrtc INCLUDE_DIR

#include "compile.hpp"

#include <cstdio>
#include <string>

namespace {

char const* const source = R"cuda(
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
#include <warpguard/model/waves.hpp>
#include <warpguard/version.hpp>
#include <warpguard/model/warp_roles.hpp>

namespace wg = warpguard;

static_assert(wg::occupancy_of(wg::sm_75, {64, 96}).warps_per_sm == 20, "at compile time");
static_assert(wg::find_architecture(90) == &wg::sm_90, "at compile time");

constexpr wg::product a100 = *wg::find_device("A100 SXM 40GB");
static_assert(wg::peak(a100, wg::precision::tensor_tf32) == 155934720000000, "at compile time");
static_assert(wg::find_devices("H100").count == 3 && wg::architecture_named("sm_80") == &wg::sm_80, "at compile time");

constexpr wg::kernel_resources resources{256, 40};
constexpr int blocks = wg::occupancy_of(wg::sm_90, resources).blocks_per_sm;

extern "C" __global__ void __launch_bounds__(256, blocks) constants(int* out) {
  static_assert(wg::is_valid(wg::sm_80), "inside a kernel");
  constexpr int cap = wg::max_registers_per_thread(wg::sm_80, 256, 2);
  constexpr wg::occupancy result = wg::occupancy_of(wg::sm_80, {256, cap, 1024, 2048});
  __shared__ int buffer[wg::max_static_bytes(wg::sm_80, {256}, 8) / 4];
  buffer[threadIdx.x] = result.blocks_per_sm;
  __syncthreads();
  constexpr wg::throughput rates = *wg::find_throughput(80);
  static_assert(wg::peak(a100, rates, wg::precision::fp32) == 19491840000000, "inside a kernel");
  out[threadIdx.x] = buffer[threadIdx.x ^ 1] + (result.reaches(50) ? 1 : 0) + a100.sms;
}

// Every function of the core, with values that are known only at run time.
extern "C" __global__ void at_run_time(int* out, int threads, int registers, int bytes, int blocks, int percent) {
  wg::architecture arch = wg::sm_90;
  arch.max_blocks_per_sm -= percent & 1;
  wg::kernel_resources kernel{threads, registers, bytes};
  wg::shared_memory_config const config{percent};
  wg::occupancy const result = wg::occupancy_of(arch, kernel, config);
  out[0] = result.blocks_per_sm;
  out[1] = result.reaches(percent);
  out[2] = static_cast<int>(result.percent());
  out[3] = contains(result.limited_by | wg::limiter::warps, wg::limiter::warps & result.limited_by);
  out[4] = static_cast<int>(result.obstructed_by);
  out[5] = wg::is_valid(arch);
  out[6] = wg::max_registers_per_thread(arch, threads, blocks);
  out[7] = wg::max_shared_bytes(arch, kernel, blocks, config);
  out[8] = wg::max_dynamic_bytes(arch, kernel, blocks, config);
  out[9] = wg::max_static_bytes(arch, kernel, blocks, config);
  out[10] = wg::max_block_size(arch, kernel, blocks, config);
  out[11] = wg::min_carveout_percent(arch, kernel, blocks);
  out[12] = wg::occupancy_of(wg::sm_120, kernel).blocks_per_sm;
  out[13] = wg::suggest_block_size(arch, kernel, {percent}, config);
  out[14] = wg::suggest_block_size(arch, kernel, [bytes](int size) { return size * bytes; });
  out[15] = wg::blocks_beside(arch, kernel, blocks, {256, 32}, config);
  out[16] = wg::fit_together(arch, kernel, {256, 32});
  wg::warp_role const roles[] = {{4, registers}, {8, 232}};
  out[17] = wg::check_warp_roles(arch, kernel, roles).wanted;
  out[18] = wg::max_registers_for(arch, kernel, roles, 0);
  out[19] = wg::max_cluster_size(arch, true);
  out[20] = static_cast<int>(wg::support_of_cluster(arch, blocks));
  out[21] = wg::estimated_active_clusters(arch, kernel, blocks, 16, 8);
  out[22] = wg::next_steps(arch, kernel, config).shared_memory.headroom;
  out[23] = wg::what_fits(arch, kernel, {blocks, 0}, config).registers_at_most;
  out[24] = wg::changes_that_reach(arch, kernel, {blocks, 0}, config).smaller_block;
  out[25] = wg::limits_for(arch, threads, blocks, config).shared_memory_at_most + wg::max_blocks_of(arch, threads);
  wg::architecture const* const archs[] = {&arch};
  out[26] = wg::limits_for(archs, threads, blocks, config).registers_at_most;
  out[27] = wg::suggest_common_block_size(archs, kernel, {percent}, config).threads_per_block;
  out[28] = wg::residencies_between(arch, kernel, 1, threads, config).most_warps.warps_per_sm;
  wg::trade_off_list const list = wg::trade_offs(arch, kernel, threads, blocks, config);
  for (wg::trade_off const& entry : list) out[29] += entry.dominates(list.entries[0]);
  wg::grid_waves const waves = wg::waves_of(arch, kernel, 132, bytes, config);
  out[30] = static_cast<int>(waves.percent() + waves.tail_percent()) + static_cast<int>(waves.offered_slots());
  out[31] = static_cast<int>(wg::best_grid_near(132, blocks, bytes, percent));
  wg::even_split const split = wg::split_evenly(bytes, blocks);
  out[32] = static_cast<int>(split.first_of(percent) + split.count_of(percent));
  out[33] = wg::min_warps_for({threads, registers}) + wg::min_warps_for({threads, registers, 132}, bytes);
  out[34] = wg::min_blocks_for({threads, registers, 132}, bytes);
  out[35] = wg::is_bound_by_memory({threads, registers}, {bytes, blocks});
  wg::product device{};
  device.sms = blocks;
  device.boost_clock_mhz = threads;
  wg::throughput rates{};
  rates.tensor_fp8 = registers;
  out[36] = static_cast<int>(wg::peak(device, rates, wg::precision::tensor_fp8, {wg::clock_choice::boost}) / bytes);
}
)cuda";

bool compiles(std::string const& architecture, std::string const& include_dir) {
  nvrtc_tests::compiled const output = nvrtc_tests::compile(
      "core.cu", source, {"--gpu-architecture=" + architecture, "--include-path=" + include_dir, "--std=c++17"});
  bool const has_bounds = output.head_of("constants").find(".minnctapersm 6") != std::string::npos;
  bool const ok = output.is_clean() && has_bounds && !output.head_of("at_run_time").empty();
  std::printf("%s: %s, %zu bytes of PTX\n%s", architecture.c_str(),
              ok ? "compiled" : nvrtcGetErrorString(output.result), output.ptx.size(), output.log.c_str());
  return ok;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s INCLUDE_DIR\n", argv[0]);
    return 2;
  }
  int version = 0;
  int revision = 0;
  nvrtcVersion(&version, &revision);
  std::printf("NVRTC %d.%d\n", version, revision);
  bool ok = true;
  for (char const* architecture : {"compute_75", "compute_90"}) ok = compiles(architecture, argv[1]) && ok;
  return ok ? 0 : 1;
}
