// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// A kernel as a measured header has it, for the refusals of measured_guarantee.

#pragma once

#include <warpguard/warpguard.hpp>

template <class Kernel, int ComputeCapability, int Registers, int StaticBytes, int SpillStores, int SpillLoads,
          int Barriers, bool BoundsIgnored>
struct one_kernel {
  static constexpr warpguard::measurement measurements[] = {
      {ComputeCapability, Registers, StaticBytes, SpillStores, SpillLoads, SpillStores, Barriers, 0, BoundsIgnored}};
  static constexpr int architectures[] = {ComputeCapability};
  static constexpr warpguard::measured_kernel_ref values[] = {{"app::sum(float*)", measurements, 1, architectures, 1}};
  template <int Index>
  using at = Kernel;
};

template <class Kernel, int ComputeCapability, int Registers, int StaticBytes = 0, int SpillStores = 0,
          int SpillLoads = 0, int Barriers = 1, bool BoundsIgnored = false>
struct measured_as : warpguard::measured_kernel_of<one_kernel<Kernel, ComputeCapability, Registers, StaticBytes,
                                                              SpillStores, SpillLoads, Barriers, BoundsIgnored>,
                                                   0> {};
