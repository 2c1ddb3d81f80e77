// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Runs kernels on the CPU: every CUDA thread is a fiber, which runs until it waits for other threads. The headers in
/// shims/ translate CUDA to these calls. Nothing here is compiled with sanitizers, so that these see only the kernels.
///
/// A kernel's file is compiled as C++ by clang with `-femulated-tls`. `__shared__` is `thread_local` there, and clang
/// asks the function `__emutls_get_address` for the address of each such variable. The emulator's own function answers
/// with memory of the running block, which has exactly the variable's size. For `extern __shared__` it has exactly the
/// bytes of the launch.

#pragma once

#include <cstddef>
#include <utility>

namespace emulator {

/// Prints why the kernel is wrong and which thread found it, and ends the program with status 1.
[[noreturn]] void fail(char const* reason);

// ---- What threads of a kernel call ----------------------------------------------------------------------------------

/// `__syncthreads()`: waits for all threads of the block that have not ended.
void wait_for_block();
/// Waits for all threads of the cluster that have not ended.
void wait_for_cluster();
/// Waits for all threads of the grid; only in a cooperative launch.
void wait_for_grid();
/// `bar.arrive` and `bar.sync`: the barrier is complete once `threads` threads have arrived.
void arrive_at_barrier(int barrier, int threads);
void wait_at_barrier(int barrier, int threads);
/// `__syncwarp(mask)`: waits for the lanes in `mask`.
void wait_for_warp(unsigned mask);
/// Waits for the lanes in `mask` and returns the bits that the lane `source` has passed.
unsigned long long exchange_in_warp(unsigned mask, unsigned long long bits, unsigned source);
/// In shuffled orders, lets other threads run first now and then.
void before_atomic();

unsigned lane_in_warp();
unsigned rank_in_cluster();
unsigned blocks_in_cluster();
/// Returns the address of the same shared memory in another block of the cluster.
void* in_block_of_cluster(void const* shared, unsigned rank);

// ---- What the program and the runtime call --------------------------------------------------------------------------

/// The compute capability of the emulated GPU, and the one that the kernels are compiled for: 90 for 9.0. The program
/// defines them.
int compute_capability();
int compiled_for();
/// `forward`, `reversed`, or `shuffled:` and a seed: the order of blocks and of threads.
void set_order(char const* order);

struct extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  unsigned count() const { return x * y * z; }
};

struct launch {
  extent grid;
  extent block;
  extent cluster;
  std::size_t dynamic_bytes = 0;
  bool is_cooperative = false;
  void const* kernel = nullptr;
  void** arguments = nullptr;
};

/// Whether the kernel was registered.
bool knows(void const* kernel);
/// Runs all blocks of a launch.
void run(launch const& what);

/// Device memory: exactly `bytes`, filled with the pattern of unwritten memory.
void* allocate(std::size_t bytes);

// ---- Kernels --------------------------------------------------------------------------------------------------------

/// Calls a kernel with arguments as cudaLaunchKernelExC() gets them.
using caller = void (*)(void const* kernel, void** arguments);
void add_kernel(void const* kernel, caller call);

template <class... Parameter, std::size_t... Index>
void call_kernel(void (*kernel)(Parameter...), void** arguments, std::index_sequence<Index...>) {
  kernel(*static_cast<Parameter*>(arguments[Index])...);
}

template <class... Parameter>
void add_kernel(void (*kernel)(Parameter...)) {
  add_kernel(reinterpret_cast<void const*>(kernel), [](void const* function, void** arguments) {
    call_kernel(reinterpret_cast<void (*)(Parameter...)>(const_cast<void*>(function)), arguments,
                std::index_sequence_for<Parameter...>{});
  });
}

/// Registers the kernels of a file: `emulator::kernels const all{saxpy, tiled_matmul<16>};`. A launch gets a kernel's
/// arguments as pointers, and only the kernel's type says what these point to.
struct kernels {
  template <class... Kernel>
  explicit kernels(Kernel*... kernel) {
    (add_kernel(kernel), ...);
  }
};

}  // namespace emulator
