// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/hardware/architecture.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <cstdio>

namespace wg = warpguard;

int main() {
  wg::kernel_resources const kernel{256, 40, 16 * 1024};  // threads, registers per thread, static bytes
  int const capabilities[] = {75, 86, 90};
  for (int capability : capabilities) {
    wg::architecture const* arch = wg::find_architecture(capability);
    if (arch == nullptr) return 1;  // nobody knows this GPU
    wg::occupancy const now = wg::occupancy_of(*arch, kernel);
    std::printf("%d.%d: %d blocks, %d warps, %.1f %%; for %d blocks at most %d registers\n", capability / 10,
                capability % 10, now.blocks_per_sm, now.warps_per_sm, now.percent(), now.blocks_per_sm + 1,
                wg::max_registers_per_thread(*arch, kernel.threads_per_block, now.blocks_per_sm + 1));
  }
}
