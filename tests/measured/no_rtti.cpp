// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A check in a file that is compiled with -fno-rtti; measured_guarantee.cpp looks for it.

#include "kernels.hpp"

namespace wg = warpguard;
namespace measured = warpguard::measured::app;

namespace {
struct unnamed_contract : wg::contract<wg::threads_per_block<96>, wg::max_registers<64>> {};
static_assert(wg::measured_guarantee<unnamed_contract, measured::every_kernel::at<2>>);
}  // namespace

wg::measured_kernel_ref const* kernel_checked_without_rtti();
wg::measured_kernel_ref const* kernel_checked_without_rtti() { return measured::every_kernel::values + 2; }
