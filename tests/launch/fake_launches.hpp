// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Launches over fake_runtime.hpp, for the tests of one kernel.

#pragma once

#include <doctest/doctest.h>

#include <warpguard/launch.cuh>

#include "fake_runtime.hpp"

namespace {

namespace wg = warpguard;

void kernel(int, float) {}
[[maybe_unused]] constexpr cudaStream_t no_stream = nullptr;
/// Whether the toolkit has a carve-out of each launch.
[[maybe_unused]] constexpr bool has_launch_carveout = CUDART_VERSION >= 12050;
/// Without it, that of the kernel is read again before it is set.
[[maybe_unused]] constexpr int queries_of_prepare = has_launch_carveout ? 1 : 2;

/// Forgets all prepared kernels and sets the answers of the runtime.
void start(fake_runtime const& answers = {}) {
  wg::forget_prepared_kernels();
  runtime = answers;
}

template <class Contract>
cudaError_t launch_again() {
  return wg::launch<Contract>(kernel, dim3(16, 5, 3), reinterpret_cast<cudaStream_t>(0x10), 42, 0.5f);
}
template <class Contract>
cudaError_t launch_recorded(fake_runtime const& answers = {}) {
  start(answers);
  return launch_again<Contract>();
}

template <class Contract>
void check_refused(wg::launch_refusal why, cudaError_t status, fake_runtime const& answers) {
  CHECK(launch_recorded<Contract>(answers) == status);
  CHECK(wg::why_refused() == why);
  CHECK(runtime.launches == 0);
}

}  // namespace
