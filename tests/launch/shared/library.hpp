// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a shared library exports that launches kernels and hides everything else: see program.cpp. Compiled with
/// LIBRARY as the name of its namespace.

#pragma once

#include <cuda_runtime.h>

#define DECLARE_LIBRARY(name)                                    \
  namespace name {                                               \
  [[gnu::visibility("default")]] cudaError_t launch(int blocks); \
  [[gnu::visibility("default")]] void forget();                  \
  [[gnu::visibility("default")]] int last_refusal();             \
  }

DECLARE_LIBRARY(first)
DECLARE_LIBRARY(second)
