// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The words of the refusals of measured_guarantee; contract/guards.hpp says how guards work.

#pragma once

#include "../contract/guards.hpp"

namespace warpguard {

/// Refused: a type that is not from a measured header.
template <class Contract, class Kernel>
struct measured_kernel_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: this type is not a measured kernel [measured_kernel]");
    return true;
  }
};

/// Refused: a kernel that was renamed or deleted, and that a check still names.
template <class Contract, class Kernel>
struct vanished_kernel_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas compiled no such kernel for this target [vanished_kernel]");
    return true;
  }
};

/// Refused: a name such as `of_float` that several instances or overloads of a kernel want.
template <class Contract, class Kernel>
struct ambiguous_kernel_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0,
                  "warpguard: several kernels have this name: choose one by its name in the lock, with "
                  "every_kernel::find() [ambiguous_kernel]");
    return true;
  }
};

/// Refused: a text given to every_kernel::find() that is the name of no kernel.
template <class Contract, class Kernel>
struct kernel_text_guard {
  static constexpr bool holds() {
    static_assert(
        sizeof(Kernel*) == 0,
        "warpguard: every_kernel::find() got a text that is the name of no kernel of this target [kernel_text]");
    return true;
  }
};

/// Refused: a build in which ptxas reported no kernel.
template <class Contract, class Kernel>
struct empty_report_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas reported no kernel at all for this target [empty_report]");
    return true;
  }
};

/// Refused: an architecture of the build that the kernel has not been measured on.
template <class Contract, class Kernel, class Architecture>
struct measurement_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0,
                  "warpguard: ptxas reported nothing for this kernel on a target architecture [measurement]");
    return true;
  }
};

/// Refused: launch bounds that ptxas reported to ignore.
template <class Contract, class Kernel, class Architecture>
struct ignored_bounds_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas ignored the kernel's launch bounds [ignored_bounds]");
    return true;
  }
};

/// Refused: more registers than max_registers, or than the launch bounds leave.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int RegistersAllowed>
struct measured_registers_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<RegistersMeasured> <= detail::allowed<RegistersAllowed>,
                  "warpguard: ptxas used more registers than the contract allows [measured_registers]");
    return true;
  }
};

/// Refused: fewer registers than min_registers states, with which a promised maximum may not hold.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int RegistersRequired>
struct measured_few_registers_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<RegistersMeasured> >= detail::required<RegistersRequired>,
                  "warpguard: ptxas used fewer registers than the contract's min_registers [measured_few_registers]");
    return true;
  }
};

/// Refused: registers spilled to memory, beyond spill_budget.
template <class Contract, class Kernel, class Architecture, int BytesSpilled, int BytesAllowed>
struct spill_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BytesSpilled> <= detail::allowed<BytesAllowed>,
                  "warpguard: ptxas spilled registers, and the contract's spill_budget is smaller [spill]");
    return true;
  }
};

/// Refused: a kernel with more `__shared__` memory than its contract states. Less is accepted: promises are checked
/// with what was measured.
template <class Contract, class Kernel, class Architecture, int BytesMeasured, int BytesStated>
struct measured_shared_memory_guard {
  static constexpr bool holds() {
    static_assert(
        detail::reached<BytesMeasured> <= detail::allowed<BytesStated>,
        "warpguard: the kernel has more static shared memory than the contract states [measured_shared_memory]");
    return true;
  }
};

/// Refused: more barriers than the contract states.
template <class Contract, class Kernel, class Architecture, int BarriersMeasured, int BarriersStated>
struct measured_barriers_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BarriersMeasured> <= detail::allowed<BarriersStated>,
                  "warpguard: the kernel uses more barriers than the contract states [measured_barriers]");
    return true;
  }
};

/// Refused: a promise that the measured kernel does not keep.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int BlocksReached,
          int BlocksRequired, class LimitedBy, class Fits>
struct measured_residency_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> >= detail::required<BlocksRequired>,
                  "warpguard: as measured, the kernel misses the contract's minimum residency [measured_residency]");
    return true;
  }
};

/// Refused: more resident blocks, as measured, than the contract allows.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int BlocksReached, int BlocksAllowed,
          class LimitedBy>
struct measured_excess_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> <= detail::allowed<BlocksAllowed>,
                  "warpguard: as measured, the kernel exceeds the contract's maximum residency [measured_excess]");
    return true;
  }
};

}  // namespace warpguard
