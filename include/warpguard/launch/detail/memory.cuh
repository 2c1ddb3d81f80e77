// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// `<memory>`, which clang cannot compile as it is: CUDA 11 makes __noinline__ a macro, and libstdc++ 12 writes it as
/// an attribute.

#pragma once

#if defined(__clang__) && defined(__CUDA__)
#pragma push_macro("__noinline__")
#undef __noinline__
#endif
#include <memory>
#if defined(__clang__) && defined(__CUDA__)
#pragma pop_macro("__noinline__")
#endif
