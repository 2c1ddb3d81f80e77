// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares the hardware table with cuda::arch_traits of the toolkit's CCCL (3.1 and later). NVIDIA maintains these
/// numbers by hand and separately from cuda_occupancy.h. Exits with 77, which means skipped, if this CCCL has no
/// arch_traits.

#include <cstdio>

#if defined(__has_include)
#if __has_include(<cuda/__device/arch_traits.h>)
#define WARPGUARD_TEST_HAS_ARCH_TRAITS 1
#endif
#endif

#ifdef WARPGUARD_TEST_HAS_ARCH_TRAITS

#include <cuda/devices>

#include <warpguard/hardware/table.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace wg = warpguard;

namespace {

constexpr int rows = static_cast<int>(sizeof(wg::architectures) / sizeof(wg::architectures[0]));

/// The id of compute capability 9.0 is 90. For an unknown capability arch_traits is declared but not defined, so it is
/// no constant expression.
template <int ComputeCapability>
using warp_size_of =
    std::integral_constant<int, cuda::arch_traits<static_cast<cuda::arch_id>(ComputeCapability)>().warp_size>;

template <int ComputeCapability, class = void>
constexpr bool is_known = false;
template <int ComputeCapability>
constexpr bool is_known<ComputeCapability, std::void_t<warp_size_of<ComputeCapability>>> = true;

int compared = 0;
int differences = 0;

void compare(int cc, char const* what, long long theirs, long long ours) {
  ++compared;
  if (theirs == ours) return;
  ++differences;
  std::printf("sm_%d: %s: arch_traits %lld, table %lld\n", cc, what, theirs, ours);
}

template <int ComputeCapability>
void compare_row() {
  if constexpr (is_known<ComputeCapability>) {
    constexpr auto t = cuda::arch_traits<static_cast<cuda::arch_id>(ComputeCapability)>();
    wg::architecture const* row = wg::find_architecture(ComputeCapability);
    if (row == nullptr && ComputeCapability == 107) {  // docs/sources.md gives the reason
      std::printf("arch_traits has sm_107, which the table leaves out because sources disagree\n");
      return;
    }
    if (row == nullptr) {
      ++differences;
      std::printf("arch_traits has sm_%d, the table does not\n", ComputeCapability);
      return;
    }
    auto const bytes = [](std::size_t size) { return static_cast<long long>(size); };
    int const cc = ComputeCapability;
    compare(cc, "warp_size", t.warp_size, row->warp_size);
    compare(cc, "max_threads_per_block", t.max_threads_per_block, row->max_threads_per_block);
    compare(cc, "max_threads_per_sm", t.max_threads_per_multiprocessor, row->max_threads_per_sm);
    compare(cc, "max_warps_per_sm", t.max_warps_per_multiprocessor, row->max_warps_per_sm);
    compare(cc, "max_blocks_per_sm", t.max_blocks_per_multiprocessor, row->max_blocks_per_sm);
    compare(cc, "registers_per_sm", t.max_registers_per_multiprocessor, row->registers_per_sm);
    compare(cc, "max_registers_per_block", t.max_registers_per_block, row->max_registers_per_block);
    compare(cc, "max_registers_per_thread", t.max_registers_per_thread, row->max_registers_per_thread);
    compare(cc, "shared_memory_per_sm", bytes(t.max_shared_memory_per_multiprocessor), row->shared_memory_per_sm);
    compare(cc, "max_shared_per_block_default", bytes(t.max_shared_memory_per_block),
            row->max_shared_per_block_default);
    compare(cc, "max_shared_per_block_optin", bytes(t.max_shared_memory_per_block_optin),
            row->max_shared_per_block_optin);
    compare(cc, "reserved_shared_per_block", bytes(t.reserved_shared_memory_per_block), row->reserved_shared_per_block);
    compare(cc, "clusters", t.cluster_supported, row->max_cluster_portable > 1);
    // A known error of CCCL: the traits of sm_100 were copied from sm_90 and have compute capability 9.0.
    if (ComputeCapability != 100) {
      compare(cc, "compute_capability", 10 * t.compute_capability_major + t.compute_capability_minor, cc);
    }
  }
}

template <int... ComputeCapability>
void compare_rows(std::integer_sequence<int, ComputeCapability...>) {
  (compare_row<ComputeCapability>(), ...);
}

}  // namespace

int main() {
  compare_rows(std::make_integer_sequence<int, 200>{});  // up to 19.9
  std::printf("cuda::arch_traits: %d numbers compared, %d differences, %d rows in the table\n", compared, differences,
              rows);
  return differences == 0 && compared > 0 ? 0 : 1;
}

#else

int main() {
  std::printf("skipped: this CCCL has no cuda::arch_traits\n");
  return 77;
}

#endif
