// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What ptxas really used, held against the contract: measured_guarantee, and its refusals. Each rule is one guard
/// class template, as in guard.hpp; docs/errors.md explains them.

#pragma once

#include <boost/hana/tuple.hpp>
#include <type_traits>

#include "../model/advice.hpp"
#include "../contract/contract.hpp"
#include "../contract/contract_terms.hpp"
#include "../contract/facts.hpp"
#include "measured_verdict.hpp"
#include "../contract/guard.hpp"
#include "measurement.hpp"
#include "../model/occupancy.hpp"
#include "../contract/targets.hpp"
#if defined(WARPGUARD_DETAIL_LIST_MEASURED)
#include "held_pairs.hpp"
#endif

namespace warpguard {

// A static member function makes each assertion, for the reasons in guard.hpp.

/// Refused: something that is not from a measured header.
template <class Contract, class Kernel>
struct measured_kernel_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: this type is not a measured kernel");
    return true;
  }
};

/// Refused: a kernel that was renamed or deleted, while a contract is still held against it.
template <class Contract, class Kernel>
struct vanished_kernel_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas compiled no such kernel for this target");
    return true;
  }
};

/// Refused: a build in which ptxas reported nothing to hold contracts against.
template <class Contract, class Kernel>
struct empty_report_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas reported no kernel at all for this target");
    return true;
  }
};

/// Refused: an architecture of the build that the kernel has not been measured on.
template <class Contract, class Kernel, class Architecture>
struct measurement_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas reported nothing for this kernel on a target architecture");
    return true;
  }
};

/// Refused: launch bounds that ptxas said it ignores.
template <class Contract, class Kernel, class Architecture>
struct ignored_bounds_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Kernel*) == 0, "warpguard: ptxas ignored the kernel's launch bounds");
    return true;
  }
};

/// Refused: more registers than max_registers, or than the launch bounds leave.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int RegistersAllowed>
struct measured_registers_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<RegistersMeasured> <= detail::allowed<RegistersAllowed>,
                  "warpguard: ptxas used more registers than the contract allows");
    return true;
  }
};

/// Refused: registers spilled to memory, beyond spill_budget.
template <class Contract, class Kernel, class Architecture, int BytesSpilled, int BytesAllowed>
struct spill_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BytesSpilled> <= detail::allowed<BytesAllowed>,
                  "warpguard: ptxas spilled registers, and the contract's spill_budget is smaller");
    return true;
  }
};

/// Refused: a contract that states another amount of `__shared__` memory than the kernel has.
template <class Contract, class Kernel, class Architecture, int BytesMeasured, int BytesStated>
struct measured_shared_memory_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BytesMeasured> == detail::required<BytesStated>,
                  "warpguard: the kernel's static shared memory is not what the contract states");
    return true;
  }
};

/// Refused: more barriers than the contract states.
template <class Contract, class Kernel, class Architecture, int BarriersMeasured, int BarriersStated>
struct measured_barriers_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BarriersMeasured> <= detail::allowed<BarriersStated>,
                  "warpguard: the kernel uses more barriers than the contract states");
    return true;
  }
};

/// Refused: a promise that the measured kernel does not keep.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int BlocksReached,
          int BlocksRequired, class LimitedBy, class Fits>
struct measured_residency_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> >= detail::required<BlocksRequired>,
                  "warpguard: as measured, the kernel misses the contract's minimum residency");
    return true;
  }
};

/// Refused: more resident blocks, as measured, than the contract allows.
template <class Contract, class Kernel, class Architecture, int RegistersMeasured, int BlocksReached, int BlocksAllowed,
          class LimitedBy>
struct measured_excess_guard {
  static constexpr bool holds() {
    static_assert(detail::reached<BlocksReached> <= detail::allowed<BlocksAllowed>,
                  "warpguard: as measured, the kernel exceeds the contract's maximum residency");
    return true;
  }
};

namespace detail {

template <class Contract, class Instance, class Architecture>
constexpr bool refuse_measured_on() {
  constexpr architecture arch = Architecture::limits();
  constexpr contract_terms terms = Contract::terms_on(Architecture::compute_capability);
  constexpr int index = telling_measurement(arch, terms, Instance::measurements, Instance::measurement_count);
  if constexpr (index < 0) {
    return measurement_guard<Contract, Instance, Architecture>::holds();
  } else {
    constexpr measurement found = Instance::measurements[index];
    constexpr measured_verdict why = judge_measured(arch, terms, found);
    constexpr kernel_resources kernel = measured_resources(terms, found);
    if constexpr (why == measured_verdict::bounds_ignored) {
      ignored_bounds_guard<Contract, Instance, Architecture>::holds();
    } else if constexpr (why == measured_verdict::registers) {
      measured_registers_guard<Contract, Instance, Architecture, found.registers,
                               registers_allowed(arch, terms)>::holds();
    } else if constexpr (why == measured_verdict::spills) {
      spill_guard<Contract, Instance, Architecture, found.spilled(), terms.spill_budget>::holds();
    } else if constexpr (why == measured_verdict::static_shared_memory) {
      measured_shared_memory_guard<Contract, Instance, Architecture, found.static_shared_memory,
                                   terms.static_shared_memory>::holds();
    } else if constexpr (why == measured_verdict::barriers) {
      measured_barriers_guard<Contract, Instance, Architecture, found.barriers, terms.barriers>::holds();
    } else if constexpr (why == measured_verdict::residency) {
      constexpr occupancy now = occupancy_of(arch, kernel);
      constexpr advice fits = what_fits(arch, kernel, terms.goal(arch.max_warps_per_sm));
      measured_residency_guard<Contract, Instance, Architecture, found.registers, now.blocks_per_sm,
                               terms.blocks_required(arch), limiter_fact<now.limited_by>,
                               advice_fact<fits.registers_at_most, fits.shared_memory_at_most, fits.barriers_at_most,
                                           fits.threads_per_block, fits.blocks_at_most>>::holds();
    } else if constexpr (why == measured_verdict::excess) {
      constexpr occupancy now = occupancy_of(arch, kernel);
      measured_excess_guard<Contract, Instance, Architecture, found.registers, now.blocks_per_sm,
                            terms.blocks_allowed(), limiter_fact<now.limited_by>>::holds();
    }
    return true;
  }
}

/// Whether one instance keeps the contract on one architecture.
template <class Contract, class Instance>
constexpr bool keeps_as_measured(int compute_capability) {
  int const row = row_index(compute_capability);
  if (row < 0) return false;
  architecture const& arch = *architectures[row];
  contract_terms const terms = Contract::terms_on(compute_capability);
  int const index = telling_measurement(arch, terms, Instance::measurements, Instance::measurement_count);
  return index >= 0 && judge_measured(arch, terms, Instance::measurements[index]) == measured_verdict::kept;
}

template <class Contract, class Instance, int ComputeCapability>
constexpr bool refuse_measured() {
  if constexpr (row_index(ComputeCapability) < 0) {
    return architecture_guard<ComputeCapability>::holds();
  } else if constexpr (!keeps_as_measured<Contract, Instance>(ComputeCapability)) {
    return refuse_measured_on<Contract, Instance, sm<ComputeCapability>>();
  } else {
    return true;
  }
}

/// The architectures that the kernel's objects were compiled for, and those of WARPGUARD_TARGETS.
template <class Instance>
constexpr target_list measured_targets() {
  target_list all = target_numbers;
  for (int i = 0; i < Instance::architecture_count; ++i) all.insert(Instance::architectures[i]);
  return all;
}

template <class Contract, class Instance>
constexpr bool is_kept_as_measured() {
  constexpr target_list all = measured_targets<Instance>();
  for (int i = 0; i < all.count; ++i) {
    if (!keeps_as_measured<Contract, Instance>(all.compute_capability[i])) return false;
  }
  return true;
}

template <class Contract, class Instance, int... Index>
constexpr bool refuse_instance_on(std::integer_sequence<int, Index...>) {
  return (... && refuse_measured<Contract, Instance, measured_targets<Instance>().compute_capability[Index]>());
}

template <class Contract, class Instance>
constexpr bool refuse_instance() {
  if constexpr (!is_kept_as_measured<Contract, Instance>()) {
    constexpr int count = measured_targets<Instance>().count;
    return refuse_instance_on<Contract, Instance>(std::make_integer_sequence<int, count>{});
  } else {
    return true;
  }
}

template <class Contract, class... Instance>
constexpr bool refuse_instances(boost::hana::tuple<Instance...> const*) {
  return (... && refuse_instance<Contract, Instance>());
}

template <class Contract, class Kernel>
constexpr bool check_measured() {
  if constexpr (!check_contract<Contract>()) {
    return true;
  } else if constexpr (std::is_base_of_v<absent_report, Kernel>) {
    return empty_report_guard<Contract, Kernel>::holds();
  } else if constexpr (std::is_base_of_v<absent_kernel, Kernel>) {
    return vanished_kernel_guard<Contract, Kernel>::holds();
  } else if constexpr (!std::is_base_of_v<measured_kernel, Kernel>) {
    return measured_kernel_guard<Contract, Kernel>::holds();
  } else {
    return refuse_instances<Contract>(static_cast<typename Kernel::instances*>(nullptr));
  }
}

}  // namespace detail

/// Naming it holds the contract against what ptxas used, on every architecture that the kernel was compiled for and
/// every target, for every instance of a kernel template:
///
///     static_assert(wg::measured_guarantee<saxpy_contract, wg::measured::saxpy::saxpy>);
///
/// True where it compiles; one build lists every instance and architecture that fails.
#if defined(WARPGUARD_DETAIL_LIST_MEASURED)
template <class Contract, class Kernel>
inline constexpr bool measured_guarantee = detail::list_measured<Contract, Kernel>();
#else
template <class Contract, class Kernel>
inline constexpr bool measured_guarantee = detail::check_measured<Contract, Kernel>();
#endif

}  // namespace warpguard
