// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The version of warpguard. CMake reads it from here; it is written nowhere else. Refuses two versions in one file and
/// in one program.

#pragma once

#ifdef WARPGUARD_VERSION
// An #error would let the compiler go on and report hundreds of errors; a missing file ends it after this line.
#include "warpguard: this file includes two copies of warpguard: leave one of them in the include path [two_copies]"
#endif

#define WARPGUARD_VERSION_MAJOR 0  ///< changes when names that users write change
#define WARPGUARD_VERSION_MINOR 1  ///< changes when something is added
#define WARPGUARD_VERSION_PATCH 0  ///< changes when something is corrected

/// 10000 * major + 100 * minor + patch, for `#if`.
#define WARPGUARD_VERSION (WARPGUARD_VERSION_MAJOR * 10000 + WARPGUARD_VERSION_MINOR * 100 + WARPGUARD_VERSION_PATCH)

// Every object file defines this symbol with the version as its value. Linkers accept equal definitions of an absolute
// symbol, and refuse different ones. The assembler text is in a function, because link-time optimization keeps one of
// several equal functions; at namespace scope, clang's would see duplicates.
#if defined(__ELF__) && !defined(__CUDA_ARCH__)
#define WARPGUARD_DETAIL_TEXT(value) #value
#define WARPGUARD_DETAIL_SYMBOL(value)                \
  ".globl warpguard_two_versions_in_one_program\n\t"  \
  ".hidden warpguard_two_versions_in_one_program\n\t" \
  ".set warpguard_two_versions_in_one_program, " WARPGUARD_DETAIL_TEXT(value)

namespace warpguard::detail {
__attribute__((used)) inline void define_version() { asm(WARPGUARD_DETAIL_SYMBOL(WARPGUARD_VERSION)); }
}  // namespace warpguard::detail

#undef WARPGUARD_DETAIL_SYMBOL
#undef WARPGUARD_DETAIL_TEXT
#endif
