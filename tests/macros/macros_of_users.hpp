// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Macros that users' code may define before it includes warpguard. Their expansion is not valid C++, so a header that
/// uses one of these names does not compile. The libraries that warpguard may include come first, because they need not
/// compile with such macros.

#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

// Dimensions, counts and types of kernels.
#define A a macro of the user
#define B a macro of the user
#define C a macro of the user
#define D a macro of the user
#define E a macro of the user
#define F a macro of the user
#define G a macro of the user
#define H a macro of the user
#define I a macro of the user
#define J a macro of the user
#define K a macro of the user
#define L a macro of the user
#define M a macro of the user
#define N a macro of the user
#define O a macro of the user
#define P a macro of the user
#define Q a macro of the user
#define R a macro of the user
#define S a macro of the user
#define T a macro of the user
#define U a macro of the user
#define V a macro of the user
#define W a macro of the user
#define X a macro of the user
#define Y a macro of the user
#define Z a macro of the user

// <sys/sysmacros.h>, and macros that g++ predefines unless extensions are off.
#undef major
#define major a macro of the user
#undef minor
#define minor a macro of the user
#undef makedev
#define makedev a macro of the user
#undef linux
#define linux a macro of the user
#undef unix
#define unix a macro of the user

// <windows.h>; its min and max take arguments.
#define min a macro of the user
#define max a macro of the user
#define near a macro of the user
#define far a macro of the user
#define small a macro of the user
#define hyper a macro of the user
#define interface a macro of the user
#define IN a macro of the user
#define OUT a macro of the user
#define OPTIONAL a macro of the user
#define CONST a macro of the user
#define VOID a macro of the user
#define BOOL a macro of the user
#define TRUE a macro of the user
#define FALSE a macro of the user
#define DELETE a macro of the user
#define ERROR a macro of the user

// <X11/Xlib.h>.
#define None a macro of the user
#define Bool a macro of the user
#define Status a macro of the user
#define True a macro of the user
#define False a macro of the user
#define Success a macro of the user
#define Always a macro of the user

// Assertions, helpers and constants of many projects.
#define all a macro of the user
#define check a macro of the user
#define CHECK a macro of the user
#define ASSERT a macro of the user
#define EXPECT a macro of the user
#define LIKELY a macro of the user
#define UNUSED a macro of the user
#define BLOCK a macro of the user
#define BLOCKS a macro of the user
#define BLOCK_SIZE a macro of the user
#define GRID a macro of the user
#define THREADS a macro of the user
#define TILE a macro of the user
#define WARP a macro of the user
#define WARP_SIZE a macro of the user
#define STAGES a macro of the user
#define EPS a macro of the user
#define PI a macro of the user
