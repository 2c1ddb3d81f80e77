// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/core.hpp>

#include <cstdio>

namespace wg = warpguard;

int main() {
  wg::kernel_resources const kernel{256, 40, 16 * 1024};  // threads, registers per thread, static bytes
  int const capabilities[] = {75, 86, 90};
  for (int capability : capabilities) {
    wg::architecture const* arch = wg::find_architecture(capability);
    if (arch == nullptr) return 1;  // an unknown GPU
    wg::occupancy const now = wg::occupancy_of(*arch, kernel);
    std::printf("%d.%d: %d blocks, %d warps, %.1f %%; ", capability / 10, capability % 10, now.blocks_per_sm,
                now.warps_per_sm, now.percent());

    int const more = now.blocks_per_sm + 1;
    int const registers = wg::max_registers_per_thread(*arch, kernel.threads_per_block, more);
    if (registers == wg::impossible) {
      std::printf("%d blocks would not fit with any number of registers\n", more);
    } else {
      std::printf("for %d blocks at most %d registers\n", more, registers);
    }
  }
}
