// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The input of clang-tidy: the headers that files with kernels include, and the answers.

#include <warpguard/answers.hpp>
#include <warpguard/contract.hpp>
#include <warpguard/core.hpp>
#include <warpguard/products.hpp>
