// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A CUDA runtime that only records the calls it gets, for launch.cpp and verify.cpp. The real runtime is not linked,
/// so any other call is a linker error. Thread-safe.

#pragma once

#include <cuda_runtime.h>

#include <vector>

/// What a device reports of itself: the limits of 9.0.
struct fake_limits {
  int threads_per_block = 1024;
  int threads_per_sm = 2048;
  int blocks_per_sm = 32;
  int registers_per_sm = 65536;
  int registers_per_block = 65536;
  int shared_bytes_per_sm = 233472;
  int shared_bytes_per_block = 49152;
  int reserved_bytes = 1024;
};

struct fake_runtime {
  // what was called
  int launches = 0;
  int opt_in_calls = 0;
  int opt_in_bytes = -1;
  int cluster_opt_ins = 0;
  int carveout = -1;
  int attribute_queries = 0;
  int device_queries = 0;
  int occupancy_queries = 0;
  int occupancy_threads = 0;
  size_t occupancy_bytes = 0;
  int parameter_queries = 0;
  int launch_carveout = -1;  // of the last launch itself
  std::vector<cudaLaunchAttribute> attributes;
  cudaLaunchConfig_t config{};
  dim3 cluster = dim3(0, 0, 0);
  dim3 occupancy_cluster = dim3(0, 0, 0);
  bool cooperative = false;
  bool programmatic = false;
  void const* function = nullptr;
  int first_argument = 0;
  float second_argument = 0;

  // what the calls return
  int device = 0;
  int capability[16] = {90, 80, 86, 70, 120, 97};
  int opt_in[16] = {232448, 166912, 101376, 98304, 101376, 232448};  // shared memory of a block, bytes
  fake_limits limits;
  int sms = 132;
  int driver_version = 13000;
  int compiled_for = 90;
  int kernel_threads = 1024;
  int kernel_registers = 32;
  int kernel_static_bytes = 1024;
  int kernel_carveout = -1;  // percent; -1: not set
  dim3 kernel_cluster = dim3(0, 0, 0);
  int kernel_parameters = 2;
  int allows_nonportable = 1;  // an attribute of kernels that opted in to larger clusters
  int launches_clusters = 1;
  int resident_blocks = 4;
  int resident_clusters = 33;
  size_t available_dynamic_bytes = 0;
  cudaError_t on_device = cudaSuccess;
  cudaError_t on_query = cudaSuccess;
  cudaError_t on_opt_in = cudaSuccess;
  cudaError_t on_clusters = cudaSuccess;
  cudaError_t on_launch = cudaSuccess;
  cudaError_t on_parameters = cudaSuccess;
  cudaError_t last_error = cudaSuccess;
};

extern fake_runtime runtime;
