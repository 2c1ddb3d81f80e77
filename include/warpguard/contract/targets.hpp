// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Architectures as types, and the list of those that this build targets.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/host_device.hpp"
#include "../hardware/table.hpp"
#include "detail/read_targets.hpp"

namespace warpguard {

/// Refused: a compute capability that the table lacks. There is no default GPU.
template <int ComputeCapability>
struct architecture_guard {
  WARPGUARD_HOST_DEVICE static constexpr bool holds() {
    static_assert(detail::row_of<ComputeCapability> >= 0,
                  "warpguard: unknown compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS) [architecture]");
    return true;
  }
};

/// Makes architectures a Hana type; see hana.hpp.
struct architecture_tag;

/// The type of an architecture: `sm<90>` is compute capability 9.0.
template <int ComputeCapability>
struct sm {
  using hana_tag = architecture_tag;
  static constexpr int compute_capability = ComputeCapability;  ///< 10 * major + minor

  /// Returns the row of the table; also for use in kernels. Refused if the table lacks it.
  WARPGUARD_HOST_DEVICE static constexpr architecture limits() {
    static_assert(architecture_guard<ComputeCapability>::holds());
    constexpr int index = detail::row_of<ComputeCapability>;
    // After a refusal any row will do; it keeps the compiler from adding errors.
    constexpr architecture row = *architectures[index >= 0 ? index : 0];
    return row;
  }
};

namespace detail {

/// 90 for sm<90>; 0 for a type that is not an architecture.
template <class Type>
inline constexpr int capability_of = 0;
template <int ComputeCapability>
inline constexpr int capability_of<sm<ComputeCapability>> = ComputeCapability;
template <int ComputeCapability>
inline constexpr int capability_of<sm<ComputeCapability> const> = ComputeCapability;

}  // namespace detail

/// Makes a list of targets a Hana Sequence; see hana.hpp.
struct target_list_tag;

/// A list of architectures as a type: `target_list<75, 90>` is 7.5 and 9.0.
template <int... ComputeCapability>
struct target_list {
  using hana_tag = target_list_tag;
  static constexpr int count = sizeof...(ComputeCapability);  ///< architectures
  /// The compute capabilities, followed by a 0.
  static constexpr int compute_capabilities[sizeof...(ComputeCapability) + 1] = {ComputeCapability..., 0};

  /// Whether the list has this compute capability: 90 is 9.0.
  WARPGUARD_DETAIL_HOST static constexpr bool contains(int compute_capability) {
    return ((compute_capability == ComputeCapability) || ...);
  }
};

/// Refused: a WARPGUARD_TARGETS that is not a list of numbers, such as `750;900` or `sm_90`.
template <bool IsListOfNumbers>
struct target_spelling_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(IsListOfNumbers,
                  "warpguard: WARPGUARD_TARGETS is a list of numbers separated by commas, such as 750,900 for 7.5 and "
                  "9.0 (with nvcc: 750\\,900) [target_spelling]");
    return true;
  }
};

/// Refused: a number in WARPGUARD_TARGETS that is no compute capability of 2.0 or later, such as 905.
template <int Given>
struct target_number_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(Given >= 200 && Given % 10 == 0,
                  "warpguard: WARPGUARD_TARGETS holds 100 times the compute capability: 750 is 7.5, 900 is 9.0, 1200 "
                  "is 12.0 [target_number]");
    return true;
  }
};

/// Refused: the same, where it is clear what was meant: 75 instead of 750.
template <int Given, int WriteInstead>
struct short_target_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(
        Given == WriteInstead,
        "warpguard: a number in WARPGUARD_TARGETS lacks a 0: 750 is 7.5, 900 is 9.0, 1200 is 12.0 [short_target]");
    return true;
  }
};

/// Refused: more targets than there are architectures.
template <int TargetsGiven, int TargetsAllowed>
struct target_count_guard {
  WARPGUARD_DETAIL_HOST static constexpr bool holds() {
    static_assert(TargetsGiven <= TargetsAllowed, "warpguard: WARPGUARD_TARGETS has too many targets [target_count]");
    return true;
  }
};

namespace detail {

/// The guard of a wrong number: 75 and 120 lack a 0.
template <int Given, bool LacksZero = (row_index(Given) >= 0)>
struct guard_of_number {
  using type = short_target_guard<Given, 10 * Given>;
};
template <int Given>
struct guard_of_number<Given, false> {
  using type = target_number_guard<Given>;
};

/// Refuses a misspelt list, numbers that are no targets, which are left out of the list, and what the table lacks.
template <int... Wrong, int... Position>
WARPGUARD_DETAIL_HOST constexpr auto make_target_list(positions<Wrong...>, positions<Position...>) {
  static_assert(target_spelling_guard<build_targets.is_list>::holds());
  static_assert(target_count_guard<build_targets.given, max_targets>::holds());
  static_assert((... && guard_of_number<build_targets.wrong[Wrong]>::type::holds()));
  static_assert((... && architecture_guard<build_targets.compute_capability[Position]>::holds()));
  return target_list<build_targets.compute_capability[Position]...>{};
}

/// The compute capability that this pass of the compiler generates code for; 0 in the host pass.
#if defined(__CUDA_ARCH__)
constexpr int device_pass = __CUDA_ARCH__ / 10;
#else
constexpr int device_pass = 0;
#endif

}  // namespace detail

/// The architectures of this build, ascending, each once: those that the compiler lists in `__CUDA_ARCH_LIST__` (nvcc
/// 11.5, clang 22 and later) and those of `WARPGUARD_TARGETS`, such as `-DWARPGUARD_TARGETS=750,900`. Empty if neither
/// is defined. The same in the host pass and in every device pass. A Hana Sequence of `sm<...>` with hana.hpp.
constexpr auto targets = detail::make_target_list(detail::count_to<detail::build_targets.wrong_count>::type{},
                                                  detail::count_to<detail::build_targets.count>::type{});

/// The type of `targets`.
using build_target_list = decltype(detail::make_target_list(detail::count_to<detail::build_targets.wrong_count>::type{},
                                                            detail::count_to<detail::build_targets.count>::type{}));

/// In messages: a GPU that runs code for another architecture.
template <class Device, class Code>
struct device_running;

/// Whether a GPU of compute capability `device` may run machine code for `target`: the same major, and the same or an
/// earlier minor. (Code for 9.0a runs on 9.0 alone; the runtime knows that.)
WARPGUARD_DETAIL_HOST constexpr bool may_run_code_of(int target, int device) {
  return target / 10 == device / 10 && target <= device;
}

/// Returns which code a device runs, of what is compiled for the compute capabilities `code`: machine code of its own
/// major version and the latest minor up to its own; or else code compiled on the device from the PTX of the latest
/// earlier target. 0 if no target is as early as the device.
WARPGUARD_DETAIL_HOST constexpr int code_for_device(int const* code, int count, int device) {
  int newest = 0;
  int newest_compiled = 0;
  for (int index = 0; index < count; ++index) {
    int const target = code[index];
    if (target > device) continue;
    if (target > newest) newest = target;
    if (may_run_code_of(target, device) && target > newest_compiled) newest_compiled = target;
  }
  return newest_compiled > 0 ? newest_compiled : newest;
}

namespace detail {

/// Returns whose code a device runs in this build; its own if the build has none for it.
WARPGUARD_DETAIL_HOST constexpr int code_in_build(int device) {
  int const target = code_for_device(compiled_targets.compute_capability, compiled_targets.count, device);
  return target > 0 ? target : device;
}

/// A device in messages: with the architecture whose code it runs in this build, unless that is its own.
template <int ComputeCapability, int Code = code_in_build(ComputeCapability)>
struct device_in_build {
  using type = device_running<sm<ComputeCapability>, sm<Code>>;
};
template <int ComputeCapability>
struct device_in_build<ComputeCapability, ComputeCapability> {
  using type = sm<ComputeCapability>;
};

/// In the host pass, which is for no architecture, the first target, so that kernels' bodies can be parsed.
template <class Targets>
inline constexpr int first_target = 0;
template <int First, int... ComputeCapability>
inline constexpr int first_target<target_list<First, ComputeCapability...>> = First;

}  // namespace detail

/// In device code: the architecture that it is compiled for. Use it in kernels only: in the host pass it is the first
/// target of the build, so that kernels' bodies can be parsed. Host code asks launch_shape_of() instead. `sm<0>`, which
/// every use refuses, if there is no target.
using this_sm = sm<(detail::device_pass > 0 ? detail::device_pass : detail::first_target<build_target_list>)>;

}  // namespace warpguard
