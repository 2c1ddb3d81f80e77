// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Before: the threads that an SM holds, by architecture. The table was right when it was written. 8.9 and 12.0 came
/// later, and hold 1536 threads.

#pragma once

#if __CUDA_ARCH__ == 750
#define THREADS_PER_SM 1024
#elif __CUDA_ARCH__ == 860
#define THREADS_PER_SM 1536
#else
#define THREADS_PER_SM 2048
#endif

#define BLOCKS_PER_SM(threads) (THREADS_PER_SM / (threads))
