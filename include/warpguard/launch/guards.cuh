// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The words of the refusals of launches that do not fit their kernel; contract/guards.hpp says how guards work.

#pragma once

#include "../contract/guard_list.hpp"

namespace warpguard {

/// Refused: a launch, prepare, resident_grid or verify without `<Contract>`.
template <class Kernel>
struct contract_name_guard {
  static constexpr bool holds() {
    static_assert(
        detail::always_false<Kernel>,
        "warpguard: name the kernel's contract: launch<Contract>(kernel, grid, stream, arguments...) [contract_name]");
    return true;
  }
};

/// Refused: something else in the place of the kernel.
template <class Given>
struct kernel_guard {
  static constexpr bool holds() {
    static_assert(
        detail::always_false<Given>,
        "warpguard: launch takes a kernel first: a __global__ function, or one instance of a template [kernel]");
    return true;
  }
};

/// Refused: something else in the place of the grid.
template <class Kernel, class Given>
struct grid_guard {
  static constexpr bool holds() {
    static_assert(detail::always_false<Given>,
                  "warpguard: launch takes a grid, or launch_options, after the kernel [grid]");
    return true;
  }
};

/// Refused: something else in the place of the stream: the first argument of the kernel, or a block as between <<< >>>.
template <class Kernel, class Given>
struct stream_guard {
  static constexpr bool holds() {
    static_assert(detail::always_false<Given>,
                  "warpguard: launch takes a stream after the grid (a block and bytes go into {grid, block, bytes, "
                  "stream}) [stream]");
    return true;
  }
};

/// Refused: too few or too many arguments for the kernel.
template <class Kernel, int ArgumentsTaken, int ArgumentsGiven>
struct argument_count_guard {
  static constexpr bool holds() {
    static_assert(ArgumentsTaken == ArgumentsGiven,
                  "warpguard: the kernel takes another number of arguments than it is launched with [argument_count]");
    return true;
  }
};

/// Refused: an argument of another type than the kernel's parameter. The kernel's first argument has number 1.
template <class Kernel, int Number, class Given, class Parameter>
struct argument_type_guard {
  static constexpr bool holds() {
    static_assert(detail::always_false<Given>,
                  "warpguard: an argument of the launch does not convert to the kernel's parameter [argument_type]");
    return true;
  }
};

/// Refused: a grid and a stream alone, under a contract with max_threads_per_block.
template <class Contract>
struct block_choice_guard {
  static constexpr bool holds() {
    static_assert(detail::always_false<Contract>,
                  "warpguard: launches under this contract choose the block: launch<Contract>(kernel, {grid, block, "
                  "bytes, stream}, arguments...) [block_choice]");
    return true;
  }
};

/// Refused: `launch<OtherContract>` of a `kernel<Contract, function>`.
template <class Kernel, class Given, class Contract>
struct other_contract_guard {
  static constexpr bool holds() {
    static_assert(detail::always_false<Given>,
                  "warpguard: this kernel has a contract already, and it is another one [other_contract]");
    return true;
  }
};

/// Refused: a launch that does not fit the kernel in a way that only the compiler sees, such as an int 1 for a pointer.
template <class Kernel>
struct launch_guard {
  static constexpr bool holds() {
    static_assert(
        detail::always_false<Kernel>,
        "warpguard: launch takes a kernel, a grid, a stream, and what converts to the kernel's parameters [launch]");
    return true;
  }
};

}  // namespace warpguard
