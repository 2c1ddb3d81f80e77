// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The state that all files of a program share. It is visible outside of a shared library even if the library hides
/// everything else, so that a program with several libraries has it once.

#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

#include "../launch_refusal.cuh"
#include "prepared_kernels.cuh"

namespace warpguard {

struct promise_report;

/// Is told about a missed promise. Must throw nothing.
using promise_handler = void (*)(promise_report const&);

namespace detail {

/// Raised by forget_prepared_kernels(): what was prepared in an earlier epoch no longer counts.
[[gnu::visibility("default")]] inline std::atomic<std::uint32_t> current_epoch{1};

/// Null: a line on stderr.
[[gnu::visibility("default")]] inline std::atomic<promise_handler> current_promise_handler{nullptr};

/// What a thread's last launch came to. A null kernel: nothing was launched.
struct launch_record {
  launch_refusal refusal = launch_refusal::none;
  prepared_kernel const* kernel = nullptr;
  block_facts facts;
};
[[gnu::visibility("default")]] inline thread_local launch_record last_launch;

/// Records a refusal and returns its error.
inline cudaError_t refuse(launch_refusal why) {
  last_launch.refusal = why;
  return status_of(why);
}

/// Records an error of the runtime and returns it. The runtime's own record of it is not cleared.
inline cudaError_t record_runtime_error(cudaError_t status) {
  if (status != cudaSuccess) last_launch.refusal = launch_refusal::runtime;
  return status;
}

}  // namespace detail

}  // namespace warpguard
