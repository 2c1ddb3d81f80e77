// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints the hardware table as lines of "capability member value". Each argument THREADS:BLOCKS adds a line
/// "capability cap THREADS:BLOCKS value" with the register cap of each row. ptxas_limits.cmake compares these numbers
/// with ptxas.

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace wg = warpguard;

int main(int argc, char** argv) {
  using a = wg::architecture;
  using cell = std::pair<char const*, int a::*>;
  for (wg::architecture const* row : wg::architectures) {
    int const cc = row->compute_capability;
    for (auto const& [name, member] : {cell{"warp_size", &a::warp_size},
                                       cell{"max_threads_per_block", &a::max_threads_per_block},
                                       cell{"max_warps_per_sm", &a::max_warps_per_sm},
                                       cell{"max_threads_per_sm", &a::max_threads_per_sm},
                                       cell{"max_blocks_per_sm", &a::max_blocks_per_sm},
                                       cell{"registers_per_sm", &a::registers_per_sm},
                                       cell{"max_registers_per_block", &a::max_registers_per_block},
                                       cell{"max_registers_per_thread", &a::max_registers_per_thread},
                                       cell{"register_allocation_unit", &a::register_allocation_unit},
                                       cell{"warp_allocation_granularity", &a::warp_allocation_granularity},
                                       cell{"sub_partitions", &a::sub_partitions},
                                       cell{"shared_memory_per_sm", &a::shared_memory_per_sm},
                                       cell{"max_shared_per_block_default", &a::max_shared_per_block_default},
                                       cell{"max_shared_per_block_optin", &a::max_shared_per_block_optin},
                                       cell{"shared_allocation_unit", &a::shared_allocation_unit},
                                       cell{"reserved_shared_per_block", &a::reserved_shared_per_block},
                                       cell{"named_barriers_per_block", &a::named_barriers_per_block},
                                       cell{"block_barriers_per_sm", &a::block_barriers_per_sm},
                                       cell{"max_cluster_portable", &a::max_cluster_portable},
                                       cell{"max_cluster_nonportable", &a::max_cluster_nonportable},
                                       cell{"virtual_resources_per_sm", &a::virtual_resources_per_sm}}) {
      std::printf("%d %s %d\n", cc, name, row->*member);
    }
    std::printf("%d carveouts_kb", cc);
    for (int i = 0; i < 10 && (i == 0 || row->carveouts_kb[i] != 0); ++i) {
      std::printf("%c%d", i == 0 ? ' ' : ',', row->carveouts_kb[i]);
    }
    std::printf("\n");
    // ptxas assumes four sub-partitions for 6.0, as for 6.1 (docs/how-occupancy-works.md).
    wg::architecture const& as_ptxas_has = cc == 60 ? wg::sm_61 : *row;
    for (int i = 1; i < argc; ++i) {
      char* rest = nullptr;
      int const threads = static_cast<int>(std::strtol(argv[i], &rest, 10));
      int const blocks = *rest == ':' ? static_cast<int>(std::strtol(rest + 1, nullptr, 10)) : 0;
      std::printf("%d cap %s %d\n", cc, argv[i], wg::max_registers_per_thread(as_ptxas_has, threads, blocks));
    }
  }
}
