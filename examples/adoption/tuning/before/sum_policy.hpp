// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Before: a policy for each architecture. The kernel takes the one of the code that the compiler makes, and the host
/// the one of the device that it finds.

#pragma once

struct policy_750 {
  static constexpr int threads = 256;
  static constexpr int loads = 4;  // in flight
};
struct policy_800 {
  static constexpr int threads = 512;
  static constexpr int loads = 8;
};
struct policy_900 {
  static constexpr int threads = 1024;
  static constexpr int loads = 8;
};

#if __CUDA_ARCH__ >= 900
using device_policy = policy_900;
#elif __CUDA_ARCH__ >= 800
using device_policy = policy_800;
#else
using device_policy = policy_750;
#endif
