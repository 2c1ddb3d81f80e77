// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// A kernel as a measured header has it, for the refusals of measured_guarantee.

#pragma once

#include <warpguard/warpguard.hpp>

template <class Kernel, int ComputeCapability, int Registers, int StaticBytes = 0, int SpillStores = 0,
          int SpillLoads = 0, int Barriers = 1, bool BoundsIgnored = false>
struct measured_as : warpguard::measured_kernel {
  static constexpr char const* name = "app::sum(float*)";
  static constexpr int architecture_count = 1;
  static constexpr int architectures[2] = {ComputeCapability, 0};
  static constexpr int measurement_count = 1;
  static constexpr warpguard::measurement measurements[1] = {
      {ComputeCapability, Registers, StaticBytes, SpillStores, SpillLoads, SpillStores, Barriers, 0, BoundsIgnored}};
  using instances = boost::hana::tuple<Kernel>;
};
