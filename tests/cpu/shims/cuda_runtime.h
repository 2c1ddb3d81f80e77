// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Stands for the CUDA runtime's header where kernels run on the CPU: the part of CUDA 11.8 that the examples and
/// warpguard use. ../emulator.hpp says how it works, ../runtime.cpp has the functions.

#pragma once

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "../emulator.hpp"

#define CUDART_VERSION 11080
#define CUDARTAPI

// ---- The language ---------------------------------------------------------------------------------------------------

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ thread_local  // emulator.hpp says why

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};

/// The emulator sets these whenever it goes on with another thread.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
constexpr int warpSize = 32;

inline void __syncthreads() { emulator::wait_for_block(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { emulator::wait_for_warp(mask); }
// A fence alone orders nothing here: fibers run one after the other, and the watcher for races counts barriers only.
inline void __threadfence_block() {}
inline void __threadfence() {}

namespace emulator {

template <class Value>
Value exchange(unsigned mask, Value value, unsigned source) {
  static_assert(sizeof(Value) <= 8);
  unsigned long long bits = 0;
  memcpy(&bits, &value, sizeof(value));
  bits = exchange_in_warp(mask, bits, source);
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// The lane `by` lanes away, or the own lane at the ends of a group of `width` lanes.
inline unsigned lane_above(unsigned by, int width) {
  unsigned const lane = lane_in_warp();
  return lane % static_cast<unsigned>(width) + by < static_cast<unsigned>(width) ? lane + by : lane;
}
inline unsigned lane_below(unsigned by, int width) {
  unsigned const lane = lane_in_warp();
  return lane % static_cast<unsigned>(width) >= by ? lane - by : lane;
}

}  // namespace emulator

template <class Value>
Value __shfl_down_sync(unsigned mask, Value value, unsigned by, int width = warpSize) {
  return emulator::exchange(mask, value, emulator::lane_above(by, width));
}
template <class Value>
Value __shfl_up_sync(unsigned mask, Value value, unsigned by, int width = warpSize) {
  return emulator::exchange(mask, value, emulator::lane_below(by, width));
}
template <class Value>
Value __shfl_xor_sync(unsigned mask, Value value, int lanes) {
  return emulator::exchange(mask, value, emulator::lane_in_warp() ^ static_cast<unsigned>(lanes));
}
template <class Value>
Value __shfl_sync(unsigned mask, Value value, int lane) {
  return emulator::exchange(mask, value, static_cast<unsigned>(lane) % warpSize);
}

// Atomics of the compiler, because the watcher for races knows those. Relaxed, as on the GPU.
template <class Value>
Value atomicAdd(Value* at, Value value) {
  emulator::before_atomic();
  if constexpr (static_cast<Value>(0.5) != Value{}) {
    Value old;
    __atomic_load(at, &old, __ATOMIC_RELAXED);
    for (;;) {
      Value sum = old + value;
      if (__atomic_compare_exchange(at, &old, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return old;
    }
  } else {
    return __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
  }
}
template <class Value>
Value atomicExch(Value* at, Value value) {
  emulator::before_atomic();
  Value old;
  __atomic_exchange(at, &value, &old, __ATOMIC_RELAXED);
  return old;
}
template <class Value>
Value atomicCAS(Value* at, Value expected, Value value) {
  emulator::before_atomic();
  __atomic_compare_exchange(at, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}

// ---- The runtime ----------------------------------------------------------------------------------------------------

// The values are CUDA's.
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorNotSupported = 801,
};
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;

enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
  cudaDevAttrMaxBlocksPerMultiprocessor = 106,
  cudaDevAttrReservedSharedMemoryPerBlock = 111,
  cudaDevAttrClusterLaunch = 120,
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
};
struct cudaDeviceProp {
  char name[256];
  int major, minor, multiProcessorCount;
};

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
};
enum cudaClusterSchedulingPolicy { cudaClusterSchedulingPolicyDefault };
struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
  cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  struct {
    cudaEvent_t event;
    int flags, triggerAtBlockStart;
  } programmaticEvent;
  int priority;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};

char const* cudaGetErrorString(cudaError_t status);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaMalloc(void** data, size_t bytes);
cudaError_t cudaFree(void* data);
cudaError_t cudaMemset(void* data, int value, size_t bytes);
cudaError_t cudaMemcpy(void* to, void const* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* kernel);
cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* kernel, int threads, size_t bytes);
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, void const* kernel, cudaLaunchConfig_t const* config);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void const* kernel, int blocks, int threads);
cudaError_t cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* kernel, void** arguments);

template <class Value>
cudaError_t cudaMalloc(Value** data, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(data), bytes);
}
