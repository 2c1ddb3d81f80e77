// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `WARPGUARD_HOST_DEVICE` makes a function callable from kernels if the compiler has kernels (nvcc, clang, NVRTC); it
/// is empty otherwise. Define it before the first include to override it. Every header includes this one first, so it
/// also refuses compilers without C++17, compilers that are too old, and a second copy of warpguard.

#pragma once

#if defined(_MSVC_LANG) ? _MSVC_LANG < 201703L : __cplusplus < 201703L
// An #error would let the compiler go on and report hundreds of errors; a missing file ends it after this line.
#include "warpguard needs C++17 or later: compile with -std=c++17 [cxx17]"
#endif

#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1108
#include "warpguard needs g++ 11, clang 13 or CUDA 11.8 at least: this nvcc is older [old_nvcc]"
#elif defined(__clang__) && __clang_major__ < 13
#include "warpguard needs g++ 11, clang 13 or CUDA 11.8 at least: this clang is older [old_clang]"
#elif defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 11
#include "warpguard needs g++ 11, clang 13 or CUDA 11.8 at least: this g++ is older [old_gxx]"
#endif

#include "../version.hpp"

#ifndef WARPGUARD_HOST_DEVICE
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define WARPGUARD_HOST_DEVICE __host__ __device__
#else
#define WARPGUARD_HOST_DEVICE
#endif
#endif

// For functions that kernels do not call: of the host, except with NVRTC, which has no host code and refuses functions
// without __device__.
#if defined(__CUDACC_RTC__)
#define WARPGUARD_DETAIL_HOST WARPGUARD_HOST_DEVICE
#else
#define WARPGUARD_DETAIL_HOST
#endif
