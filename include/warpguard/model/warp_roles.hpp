// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The registers of a warp-specialised kernel, whose warps release and request them while it runs (PTX
/// `setmaxnreg`, 9.0 and later): whether the roles together need no more than the block got at launch. The order in
/// which warps release and request registers is not checked.

#pragma once

#include "../hardware/architecture.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "capacity.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// Warps of a block that do the same work. A role without setmaxnreg has the registers of the launch, rounded up to a
/// multiple of 8.
struct warp_role {
  int warps;                 ///< a multiple of 4: all warps of a warpgroup execute setmaxnreg
  int registers_per_thread;  ///< a multiple of 8, 24 to 248 (PTX also accepts 256, which no thread can use)
};

/// What is wrong with the roles of a block; the first in this order is reported.
enum class role_fault {
  none,                  ///< the roles fit
  architecture,          ///< before 9.0, or a row that cannot be an SM
  kernel,                ///< not one block of the kernel is resident, or it states no registers per thread
  block_size,            ///< the block is not made of whole warpgroups of 128 threads
  no_roles,              ///< no role, or a negative count
  warps,                 ///< a role is not made of whole warpgroups
  registers_per_thread,  ///< a role's registers are no multiple of 8, below 24 or above 248
  warps_together,        ///< the roles have more or fewer warps than the block
  registers_together,    ///< the roles want more registers than the block was given
};

/// The registers of a block and of its roles, in 32-bit registers.
struct role_budget {
  role_fault fault = role_fault::none;  ///< the first fault
  int role = -1;                        ///< the first role with the fault; -1 if it is not a single role's
  int given = 0;                        ///< what the block gets at launch; 0 if the fault was found earlier
  int wanted = 0;                       ///< the sum of the roles; 0 if the fault was found earlier

  /// Whether the roles have no fault.
  WARPGUARD_HOST_DEVICE constexpr bool holds() const { return fault == role_fault::none; }
};

namespace detail {

inline constexpr int warpgroup = 4;            ///< warps
inline constexpr int min_role_registers = 24;  ///< registers per thread that setmaxnreg accepts
inline constexpr int role_register_step = 8;

WARPGUARD_HOST_DEVICE constexpr int max_role_registers(architecture const& arch) {
  return arch.max_registers_per_thread / role_register_step * role_register_step;
}

/// Returns a fault that does not depend on the roles.
WARPGUARD_HOST_DEVICE constexpr role_fault launch_fault(architecture const& arch, kernel_resources const& kernel) {
  if (!is_valid(arch) || arch.compute_capability < 90) return role_fault::architecture;
  if (kernel.registers_per_thread < 1 || occupancy_of(arch, kernel).blocks_per_sm < 1) return role_fault::kernel;
  return kernel.threads_per_block % (warpgroup * arch.warp_size) == 0 ? role_fault::none : role_fault::block_size;
}

/// Returns threads times registers, with the registers rounded up as for the allocation of a warp.
WARPGUARD_HOST_DEVICE constexpr int registers_at_launch(architecture const& arch, kernel_resources const& kernel) {
  return kernel.threads_per_block / arch.warp_size * files_of(arch, kernel.registers_per_thread).per_warp;
}

}  // namespace detail

/// Checks that the roles of a block need no more than its registers: over all roles, warps x 32 x registers is at most
/// threads x registers at launch, the latter rounded up to a multiple of 8. `kernel.registers_per_thread` are those of
/// the launch, as ptxas reports them; `roles` points to `count` roles.
WARPGUARD_HOST_DEVICE constexpr role_budget check_warp_roles(architecture_ref arch, kernel_resources const& kernel,
                                                             warp_role const* roles, int count) {
  role_budget budget;
  budget.fault = detail::launch_fault(arch, kernel);
  if (budget.fault != role_fault::none) return budget;
  budget.given = detail::registers_at_launch(arch, kernel);
  if (count < 1) {
    budget.fault = role_fault::no_roles;
    return budget;
  }
  for (int index = 0; index < count; ++index) {
    int const registers = roles[index].registers_per_thread;
    bool const whole = roles[index].warps > 0 && roles[index].warps % detail::warpgroup == 0;
    bool const legal = registers % detail::role_register_step == 0 && registers >= detail::min_role_registers &&
                       registers <= detail::max_role_registers(arch);
    if (whole && legal) continue;
    budget.fault = whole ? role_fault::registers_per_thread : role_fault::warps;
    budget.role = index;
    return budget;
  }
  int const warps_of_block = kernel.threads_per_block / arch.warp_size;
  int warps = 0;
  int wanted = 0;
  for (int index = 0; index < count && warps <= warps_of_block; ++index) {
    if (roles[index].warps > warps_of_block - warps) {
      warps = warps_of_block + 1;  // too many, however many more
    } else {
      warps += roles[index].warps;
      wanted += roles[index].warps * arch.warp_size * roles[index].registers_per_thread;
    }
  }
  if (warps != warps_of_block) {
    budget.fault = role_fault::warps_together;
    return budget;
  }
  budget.wanted = wanted;
  if (wanted > budget.given) budget.fault = role_fault::registers_together;
  return budget;
}

/// The same for an array of roles.
template <decltype(sizeof(0)) Count>
WARPGUARD_HOST_DEVICE constexpr role_budget check_warp_roles(architecture_ref arch, kernel_resources const& kernel,
                                                             warp_role const (&roles)[Count]) {
  return check_warp_roles(arch, kernel, roles, static_cast<int>(Count));
}

/// Returns the most registers per thread, a multiple of 8, that the role `wanted` of `roles` may have if the others
/// stay as they are. Ignores its own `registers_per_thread`. `impossible` if the roles have another fault, or if fewer
/// than 24 are left.
WARPGUARD_HOST_DEVICE constexpr int max_registers_for(architecture_ref arch, kernel_resources const& kernel,
                                                      warp_role const* roles, int count, int wanted) {
  if (detail::launch_fault(arch, kernel) != role_fault::none) return impossible;
  if (wanted < 0 || wanted >= count) return impossible;
  long long left = detail::registers_at_launch(arch, kernel);
  int warps_left = kernel.threads_per_block / arch.warp_size;
  for (int index = 0; index < count; ++index) {
    warp_role role = roles[index];
    if (index == wanted) role.registers_per_thread = detail::min_role_registers;
    if (role.warps < 1 || role.warps % detail::warpgroup != 0 || role.warps > warps_left) return impossible;
    if (role.registers_per_thread % detail::role_register_step != 0) return impossible;
    if (role.registers_per_thread < detail::min_role_registers) return impossible;
    if (role.registers_per_thread > detail::max_role_registers(arch)) return impossible;
    warps_left -= role.warps;
    if (index != wanted) left -= 1LL * role.warps * arch.warp_size * role.registers_per_thread;
  }
  long long const per_thread = left / (1LL * roles[wanted].warps * arch.warp_size);
  if (warps_left != 0 || per_thread < detail::min_role_registers) return impossible;
  int const most = detail::max_role_registers(arch);
  return per_thread >= most ? most
                            : static_cast<int>(per_thread) / detail::role_register_step * detail::role_register_step;
}

/// The same for an array of roles.
template <decltype(sizeof(0)) Count>
WARPGUARD_HOST_DEVICE constexpr int max_registers_for(architecture_ref arch, kernel_resources const& kernel,
                                                      warp_role const (&roles)[Count], int wanted) {
  return max_registers_for(arch, kernel, roles, static_cast<int>(Count), wanted);
}

}  // namespace warpguard
