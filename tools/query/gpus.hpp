// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// GPUs as people name them: `sm_86`, `8.6`, or a product such as `H100 SXM`.

#pragma once

#include <string>
#include <vector>
#include <warpguard/hardware/find_device.hpp>
#include <warpguard/hardware/products.hpp>
#include <warpguard/hardware/table.hpp>

#include "../text.hpp"

namespace measure {

struct named_gpu {
  std::string name;  // as it is shown: "sm_86", "H100 SXM (sm_90)"
  warpguard::architecture const* arch = nullptr;
  warpguard::product const* product = nullptr;  // nullptr: an architecture, or several products of one architecture
  std::string products;                         // the products that the name may mean, if there are several
};

inline std::string names_of(warpguard::device_matches const& matches) {
  std::string text;
  for (int i = 0; i < matches.count; ++i) append(text, ", ", matches.devices[i]->name);
  return text;
}

namespace detail {

inline std::string unknown_gpu(std::string const& text) {
  std::string message = "`" + text + "` is no known GPU";
  warpguard::device_matches const similar = warpguard::similar_devices(text.c_str());
  if (similar.count > 0) return message + ". Similar: " + names_of(similar);
  std::string known;
  for (warpguard::architecture const* row : warpguard::architectures) {
    append(known, " ", std::to_string(row->compute_capability));
  }
  return message + ". Write sm_ and one of " + known + ", or a product that `warpguard gpus` lists";
}

}  // namespace detail

/// Reads a GPU. A name that several products have, such as H100, is good if their architecture is the same. Returns an
/// error message, or an empty string.
inline std::string read_gpu(std::string const& text, named_gpu& gpu) {
  gpu.arch = warpguard::architecture_named(text.c_str());
  if (gpu.arch != nullptr) {
    gpu.name = "sm_" + std::to_string(gpu.arch->compute_capability);
    return "";
  }
  warpguard::device_matches const found = warpguard::find_devices(text.c_str());
  if (found.count == 0) return detail::unknown_gpu(text);
  int const capability = found.devices[0]->compute_capability;
  for (int i = 1; i < found.count; ++i) {
    if (found.devices[i]->compute_capability != capability) {
      return "`" + text + "` may be several GPUs: " + names_of(found);
    }
  }
  gpu.arch = warpguard::find_architecture(capability);
  if (found.count == 1) gpu.product = found.devices[0];
  if (found.count > 1) gpu.products = names_of(found);
  gpu.name =
      (found.count == 1 ? std::string(found.devices[0]->name) : text) + " (sm_" + std::to_string(capability) + ")";
  return "";
}

}  // namespace measure
