// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of tuned_reduce, whose block and items per thread are tuned for each architecture and element. The
/// tuning is one class, which the contract and the kernel ask. Its numbers are examples and not measured.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

/// How tuned_reduce works on elements of a type, on an architecture.
template <class Element>
struct reduce_tuning {
  /// Threads per block: from 8.0 on more memory is in flight with larger blocks.
  template <class Architecture>
  static constexpr int threads = Architecture::compute_capability >= 80 ? 512 : 256;
  /// Elements that a thread loads before it adds them: 64 bytes, or 32 before 8.0.
  template <class Architecture>
  static constexpr int items = (Architecture::compute_capability >= 80 ? 64 : 32) / static_cast<int>(sizeof(Element));

  template <class Architecture>
  using threads_on = wg::threads_per_block<threads<Architecture>>;
  /// One partial sum for each warp.
  template <class Architecture>
  using memory_on = wg::static_shared_memory<threads<Architecture> / 32 * static_cast<int>(sizeof(Element))>;
};

template <class Element>
struct tuned_reduce_contract
    : wg::contract<wg::on_each<reduce_tuning<Element>::template threads_on>,
                   wg::on_each<reduce_tuning<Element>::template memory_on>, wg::max_registers<64>,
                   wg::min_warps_per_sm<16>, wg::on_from<wg::sm<80>, wg::min_warps_per_sm<32>>> {};
