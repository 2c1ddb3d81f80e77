// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `WARPGUARD_HOST_DEVICE` makes a function callable from kernels where the compiler knows kernels
/// (nvcc, clang, NVRTC) and is empty everywhere else. Define it before the first include to override it.

#pragma once

#ifndef WARPGUARD_HOST_DEVICE
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define WARPGUARD_HOST_DEVICE __host__ __device__
#else
#define WARPGUARD_HOST_DEVICE
#endif
#endif
