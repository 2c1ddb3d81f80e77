// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Pictures of the answers of `warpguard query`, as the text of an SVG file.

#pragma once

#include <string>
#include <vector>
#include <warpguard/hardware/architecture.hpp>
#include <warpguard/hardware/products.hpp>
#include <warpguard/model/kernel_resources.hpp>

namespace measure {

/// A kernel on a GPU.
struct pictured_kernel {
  std::string heading;   // the GPU, and the kernel's amounts if they may differ
  std::string sentence;  // what is resident
  warpguard::architecture const* arch = nullptr;
  warpguard::product const* product = nullptr;  // needed for waves only
  warpguard::kernel_resources kernel;
  warpguard::shared_memory_config config;
};

/// Draws the resident warps over the block size, the registers and the shared memory; a row for each GPU. Each curve
/// has the kernel's point, and the next steps from there.
std::string picture_of_curves(std::string const& title, std::vector<pictured_kernel> const& kernels);

/// Draws the waves of a grid as a bar of time with its tail; a bar for each GPU.
std::string picture_of_waves(std::string const& title, std::vector<pictured_kernel> const& kernels, long long grid);

}  // namespace measure
