// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The registers of a warp-specialised kernel, whose warps trade them while it runs (PTX `setmaxnreg`, 9.0 and later):
/// do the roles together keep to what the block was given at launch? Whether the block is resident at all is
/// occupancy.hpp's; in which order warps release and ask for registers is the kernel's.

#pragma once

#include "../hardware/architecture.hpp"
#include "capacity.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "kernel_resources.hpp"
#include "occupancy.hpp"

namespace warpguard {

/// Warps of a block that do the same work. A role that trades nothing has the registers of the launch, rounded up to a
/// multiple of 8.
struct warp_role {
  int warps;                 ///< a multiple of 4: all warps of a warpgroup execute setmaxnreg
  int registers_per_thread;  ///< a multiple of 8, 24 to 248 (PTX also lets 256 pass, which no thread can name)
};

/// What is wrong with the roles of a block. In this order: the first that applies is reported.
enum class role_fault {
  none,
  architecture,          ///< before 9.0, or no SM at all
  kernel,                ///< not one block of the kernel is resident, or it states no registers per thread
  block_size,            ///< the block is not made of whole warpgroups of 128 threads
  no_roles,              ///< there is none, or the count is negative
  warps,                 ///< a role is not made of whole warpgroups
  registers_per_thread,  ///< a role's registers are no multiple of 8, below 24 or above 248
  warps_together,        ///< the roles have more or fewer warps than the block
  registers_together,    ///< the roles want more registers than the block was given
};

/// The registers of a block and of its roles, in 32-bit registers.
struct role_budget {
  role_fault fault = role_fault::none;
  int role = -1;   ///< the first role with the fault; -1 where it is not one role's
  int given = 0;   ///< what the block gets at launch; 0 where the fault comes before
  int wanted = 0;  ///< what the roles add up to; 0 where the fault comes before

  WARPGUARD_HOST_DEVICE constexpr bool holds() const { return fault == role_fault::none; }
};

namespace detail {

inline constexpr int warpgroup = 4;               ///< warps
inline constexpr int fewest_role_registers = 24;  ///< registers per thread that setmaxnreg accepts
inline constexpr int role_register_step = 8;

WARPGUARD_HOST_DEVICE constexpr int most_role_registers(architecture const& arch) {
  return arch.max_registers_per_thread / role_register_step * role_register_step;
}

/// What is wrong before a role is looked at.
WARPGUARD_HOST_DEVICE constexpr role_fault launch_fault(architecture const& arch, kernel_resources const& kernel) {
  if (!is_valid(arch) || arch.compute_capability < 90) return role_fault::architecture;
  if (kernel.registers_per_thread < 1 || occupancy_of(arch, kernel).blocks_per_sm < 1) return role_fault::kernel;
  return kernel.threads_per_block % (warpgroup * arch.warp_size) == 0 ? role_fault::none : role_fault::block_size;
}

/// Threads times registers, rounded up for each thread as for the allocation of a warp.
WARPGUARD_HOST_DEVICE constexpr int registers_at_launch(architecture const& arch, kernel_resources const& kernel) {
  return kernel.threads_per_block / arch.warp_size * files_of(arch, kernel.registers_per_thread).per_warp;
}

}  // namespace detail

/// Whether the roles of a block keep to its registers: over all roles, warps x 32 x registers is at most threads x
/// registers at launch, the latter rounded up to a multiple of 8. `kernel.registers_per_thread` are those of the
/// launch, as ptxas reports them; `roles` points to `count` roles.
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
  for (int i = 0; i < count; ++i) {
    int const registers = roles[i].registers_per_thread;
    bool const whole = roles[i].warps > 0 && roles[i].warps % detail::warpgroup == 0;
    bool const legal = registers % detail::role_register_step == 0 && registers >= detail::fewest_role_registers &&
                       registers <= detail::most_role_registers(arch);
    if (whole && legal) continue;
    budget.fault = whole ? role_fault::registers_per_thread : role_fault::warps;
    budget.role = i;
    return budget;
  }
  int const warps_of_block = kernel.threads_per_block / arch.warp_size;
  int warps = 0;
  int wanted = 0;
  for (int i = 0; i < count && warps <= warps_of_block; ++i) {
    if (roles[i].warps > warps_of_block - warps) {
      warps = warps_of_block + 1;  // too many, however many more
    } else {
      warps += roles[i].warps;
      wanted += roles[i].warps * arch.warp_size * roles[i].registers_per_thread;
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

template <int Count>
WARPGUARD_HOST_DEVICE constexpr role_budget check_warp_roles(architecture_ref arch, kernel_resources const& kernel,
                                                             warp_role const (&roles)[Count]) {
  return check_warp_roles(arch, kernel, roles, Count);
}

/// The most registers per thread, a multiple of 8, that the role `wanted` of `roles` may have if the others stay as
/// they are; its own `registers_per_thread` is ignored. `impossible` where the roles have another fault, or not even
/// 24 are left.
WARPGUARD_HOST_DEVICE constexpr int most_registers_for(architecture_ref arch, kernel_resources const& kernel,
                                                       warp_role const* roles, int count, int wanted) {
  if (detail::launch_fault(arch, kernel) != role_fault::none) return impossible;
  if (wanted < 0 || wanted >= count) return impossible;
  long long left = detail::registers_at_launch(arch, kernel);
  int warps_left = kernel.threads_per_block / arch.warp_size;
  for (int i = 0; i < count; ++i) {
    warp_role role = roles[i];
    if (i == wanted) role.registers_per_thread = detail::fewest_role_registers;
    if (role.warps < 1 || role.warps % detail::warpgroup != 0 || role.warps > warps_left) return impossible;
    if (role.registers_per_thread % detail::role_register_step != 0) return impossible;
    if (role.registers_per_thread < detail::fewest_role_registers) return impossible;
    if (role.registers_per_thread > detail::most_role_registers(arch)) return impossible;
    warps_left -= role.warps;
    if (i != wanted) left -= 1LL * role.warps * arch.warp_size * role.registers_per_thread;
  }
  long long const per_thread = left / (1LL * roles[wanted].warps * arch.warp_size);
  if (warps_left != 0 || per_thread < detail::fewest_role_registers) return impossible;
  int const most = detail::most_role_registers(arch);
  return per_thread >= most ? most
                            : static_cast<int>(per_thread) / detail::role_register_step * detail::role_register_step;
}

template <int Count>
WARPGUARD_HOST_DEVICE constexpr int most_registers_for(architecture_ref arch, kernel_resources const& kernel,
                                                       warp_role const (&roles)[Count], int wanted) {
  return most_registers_for(arch, kernel, roles, Count, wanted);
}

}  // namespace warpguard
