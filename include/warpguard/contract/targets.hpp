// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Architectures as types, and the list of those that this build targets. Holding contracts against them is
/// guard.hpp's.

#pragma once

#include <boost/hana/tuple.hpp>
#include <utility>

#include "../hardware/architecture.hpp"
#include "../hardware/host_device.hpp"

namespace warpguard {

/// Refused: a compute capability that the table lacks. There is no default GPU.
template <int ComputeCapability>
struct architecture_guard {
  WARPGUARD_HOST_DEVICE static constexpr bool holds() {
    static_assert(detail::row_index(ComputeCapability) >= 0,
                  "warpguard: nobody knows this compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS)");
    return true;
  }
};

/// The type of an architecture: `sm<90>` is compute capability 9.0.
template <int ComputeCapability>
struct sm {
  static constexpr int compute_capability = ComputeCapability;

  /// The row of the table, for use in kernels too. Refused where the table lacks it.
  WARPGUARD_HOST_DEVICE static constexpr architecture limits() {
    static_assert(architecture_guard<ComputeCapability>::holds());
    constexpr int index = detail::row_index(ComputeCapability);
    // Once refused, any row will do: it keeps the compiler from adding errors of its own.
    constexpr architecture row = *architectures[index >= 0 ? index : 0];
    return row;
  }
};

namespace detail {

/// Compute capabilities, ascending, each once.
struct target_list {
  int count = 0;
  int compute_capability[64] = {};

  constexpr void insert(int value) {
    int position = count;
    while (position > 0 && compute_capability[position - 1] >= value) --position;
    if (position < count && compute_capability[position] == value) return;
    for (int i = count; i > position; --i) compute_capability[i] = compute_capability[i - 1];
    compute_capability[position] = value;
    ++count;
  }

  constexpr bool contains(int value) const {
    for (int i = 0; i < count; ++i) {
      if (compute_capability[i] == value) return true;
    }
    return false;
  }
};

/// `ArchMacros` are values as `__CUDA_ARCH__` has them: 900 is 9.0.
template <int... ArchMacros>
constexpr target_list list_targets() {
  static_assert(sizeof...(ArchMacros) <= 64, "warpguard: more than 64 targets");
  target_list list;
  // 905 must not pass for 9.0, nor 75 for 7.5: with a sign it is no compute capability and still names itself.
  (list.insert(ArchMacros % 10 == 0 ? ArchMacros / 10 : -ArchMacros), ...);
  return list;
}

// The compiler's own list counts always; WARPGUARD_TARGETS adds to it, so that no GPU of the build goes unchecked.
#if defined(__CUDA_ARCH_LIST__) && defined(WARPGUARD_TARGETS)
constexpr target_list target_numbers = list_targets<__CUDA_ARCH_LIST__, WARPGUARD_TARGETS>();
#elif defined(__CUDA_ARCH_LIST__)
constexpr target_list target_numbers = list_targets<__CUDA_ARCH_LIST__>();
#elif defined(WARPGUARD_TARGETS)
constexpr target_list target_numbers = list_targets<WARPGUARD_TARGETS>();
#else
constexpr target_list target_numbers = list_targets<>();
#endif

/// The compute capability that this pass of the compiler generates code for; 0 in the host pass.
#if defined(__CUDA_ARCH__)
constexpr int device_pass = __CUDA_ARCH__ / 10;
#else
constexpr int device_pass = 0;
#endif

template <std::size_t... Index>
constexpr auto make_targets(std::index_sequence<Index...>) {
  static_assert((architecture_guard<target_numbers.compute_capability[Index]>::holds() && ...));
  return boost::hana::tuple<sm<target_numbers.compute_capability[Index]>...>{};
}

}  // namespace detail

/// The architectures of this build, ascending, as a Hana tuple of `sm<...>`: what the compiler lists in
/// `__CUDA_ARCH_LIST__` (nvcc 11.5, clang 22 and later) together with `WARPGUARD_TARGETS`, a comma-separated list such
/// as
/// `-DWARPGUARD_TARGETS=750,900`. Empty where neither is defined. The same in the host pass and in every device pass.
constexpr auto targets = detail::make_targets(std::make_index_sequence<detail::target_numbers.count>{});

}  // namespace warpguard
