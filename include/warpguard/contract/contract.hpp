// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a kernel needs and what residency it promises, as a type. This header is the vocabulary and its meaning;
/// whether an architecture can keep the contract is decided in guard.hpp.
///
/// To add an option: its type here, its kind and what it sets in detail/contract_terms.hpp, its range in
/// detail/option_rules.hpp.

#pragma once

#include <boost/hana/tuple.hpp>

#include "../hardware/architecture.hpp"
#include "contract_terms.hpp"
#include "../model/occupancy.hpp"
#include "targets.hpp"

namespace warpguard {

namespace detail {

/// 90 for sm<90>; 0 for a type that is no architecture.
template <class Architecture>
inline constexpr int capability_of = 0;
template <int ComputeCapability>
inline constexpr int capability_of<sm<ComputeCapability>> = ComputeCapability;

struct option {};

template <class Option>
constexpr stated said_by() {
  if constexpr (__is_base_of(option, Option)) {
    return Option::says;
  } else {
    return {};
  }
}

}  // namespace detail

/// The block is exactly X x Y x Z threads: at most 1024 x 1024 x 64 and 1024 together (512 on 1.x).
template <int X, int Y = 1, int Z = 1>
struct threads_per_block : detail::option {
  static constexpr detail::stated says{detail::option_kind::threads, X, Y, Z};
};

/// The kernel uses at most N 32-bit registers per thread: 1 to 255 (63 on 2.x and 3.0, 124 on 1.x).
template <int N>
struct max_registers : detail::option {
  static constexpr int value = N;
  static constexpr detail::stated says{detail::option_kind::registers, value};
};

/// The kernel declares Bytes bytes of `__shared__` memory per block: 0 to 48 KiB (16 KiB on 1.x).
template <int Bytes>
struct static_shared_memory : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::stated says{detail::option_kind::static_shared_memory, value};
};

/// The kernel is launched with Bytes bytes of dynamic shared memory per block; together with the static ones at most
/// what the architecture grants a block that opts in.
template <int Bytes>
struct dynamic_shared_memory : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::stated says{detail::option_kind::dynamic_shared_memory, value};
};

/// The kernel uses N named barriers per block, 0 to 16; `__syncthreads()` is one. 1 where it is not stated.
template <int N>
struct barriers : detail::option {
  static constexpr int value = N;
  static constexpr detail::stated says{detail::option_kind::barriers, value};
};

/// The kernel is launched in clusters of X x Y x Z blocks, together 1 to 16; more than 1 needs 9.0 or later.
template <int X, int Y = 1, int Z = 1>
struct cluster_size : detail::option {
  static constexpr int value = detail::blocks_of_cluster(X, Y, Z);
  static constexpr detail::stated says{detail::option_kind::cluster, X, Y, Z};
};

/// Promise: at least Percent percent of an SM's warp slots are taken, 1 to 100.
template <int Percent>
struct min_occupancy : detail::option {
  static constexpr int value = Percent;
  static constexpr detail::stated says{detail::option_kind::minimum, value, 1, 1, detail::minimum_unit::percent};
};

/// Promise: at least N warps are resident on an SM.
template <int N>
struct min_warps_per_sm : detail::option {
  static constexpr int value = N;
  static constexpr detail::stated says{detail::option_kind::minimum, value, 1, 1, detail::minimum_unit::warps};
};

/// Promise: at least N blocks are resident on an SM.
template <int N>
struct min_blocks_per_sm : detail::option {
  static constexpr int value = N;
  static constexpr detail::stated says{detail::option_kind::minimum, value, 1, 1, detail::minimum_unit::blocks};
};

/// Promise: N blocks are resident on an SM, neither fewer nor more.
template <int N>
struct exactly_blocks_per_sm : detail::option {
  static constexpr int value = N;
  static constexpr detail::stated says{detail::option_kind::minimum, value, 1, 1, detail::minimum_unit::exact_blocks};
};

/// Promise: at most N blocks are resident on an SM.
template <int N>
struct max_blocks_per_sm : detail::option {
  static constexpr int value = N;
  static constexpr detail::stated says{detail::option_kind::maximum, value};
};

/// The kernel may spill at most Bytes bytes per thread, stores or loads, whichever is more; 0 where it is not stated.
/// Only measured_guarantee looks at it, because only ptxas knows.
template <int Bytes>
struct spill_budget : detail::option {
  static constexpr int value = Bytes;
  static constexpr detail::stated says{detail::option_kind::spills, value};
};

/// Check the minimum, but bound only the kernel's threads: ptxas gets no minimum blocks to spill registers for. A
/// minimum then needs max_registers, because nothing else says what the compiler may take.
struct no_forced_bounds : detail::option {
  static constexpr detail::stated says{detail::option_kind::bounds, 1};
};

/// The contract is checked on these architectures too, which run code that was built for one of the targets: GPUs of
/// compute capability 8.6 and 8.9 run what was compiled for 8.0. Stands outside of `on`.
template <class... Architecture>
struct compatible : detail::option {
  static constexpr int architecture_count = sizeof...(Architecture);
  static constexpr detail::stated said[sizeof...(Architecture) + 1] = {
      {detail::option_kind::architecture, 0, 1, 1, detail::minimum_unit::none, detail::capability_of<Architecture>}...};
  static constexpr detail::stated says{detail::option_kind::compatible, 1, 1,    1,
                                       detail::minimum_unit::none,      0, said, architecture_count};
};

/// What differs on one architecture: `on<sm<90>, dynamic_shared_memory<200 * 1024>>`. There each option replaces the
/// contract's option of the same kind; the four minimums are one kind.
template <class Architecture, class... Option>
struct on : detail::option {
  static constexpr int option_count = sizeof...(Option);
  static constexpr detail::stated said[sizeof...(Option) + 1] = {detail::said_by<Option>()...};
  static constexpr detail::stated says{
      detail::option_kind::architecture,   0,    1,           1, detail::minimum_unit::none,
      detail::capability_of<Architecture>, said, option_count};
};

/// A kernel's contract: its options in any order. Derive a named type from it, so that messages name the kernel:
///
///     struct saxpy_contract : wg::contract<wg::threads_per_block<256>, wg::min_occupancy<75>> {};
///
/// Naming a contract checks nothing; `guarantee`, `WARPGUARD_LAUNCH_BOUNDS` and `launch` do.
template <class... Option>
struct contract {
  static constexpr int option_count = sizeof...(Option);
  /// The options as values, in the order in which they were written; the last entry is none.
  static constexpr detail::stated said[sizeof...(Option) + 1] = {detail::said_by<Option>()...};

  /// The options as a Hana tuple, in the order in which they were written. A function, because a member would cost
  /// every contract the tuple's instantiation.
  static constexpr boost::hana::tuple<Option...> options() { return {}; }

  /// What the contract says on an architecture, 90 being 9.0; on 0, and where it says nothing special, what holds
  /// everywhere.
  static constexpr detail::contract_terms terms_on(int compute_capability) {
    return detail::read_terms(said, option_count, compute_capability);
  }

  /// The first argument of `__launch_bounds__` in this pass of the compiler: threads per block. In the host pass what
  /// holds everywhere.
  static constexpr int launch_threads = terms_on(detail::device_pass).threads();

  /// The second argument: blocks per SM that this pass's architecture is to hold. 0, which leaves it out, in the host
  /// pass, without a minimum, and with no_forced_bounds.
  static constexpr int launch_min_blocks =
      detail::launch_min_blocks(terms_on(detail::device_pass), detail::device_pass);

  /// The third argument, from 9.0 on: blocks per cluster. 0, which leaves it out, without clusters and in the host
  /// pass.
  static constexpr int launch_max_cluster = detail::device_pass != 0 && terms_on(detail::device_pass).cluster_size() > 1
                                                ? terms_on(detail::device_pass).cluster_size()
                                                : 0;

  /// The contract on one architecture, whatever is being compiled for: constants for host code, kernels and templates.
  template <class Architecture>
  struct on_sm {
    static constexpr detail::contract_terms terms = terms_on(Architecture::compute_capability);
    /// Everything the model says, with max_registers as the registers per thread; without it registers do not limit.
    static constexpr occupancy residency = occupancy_of(Architecture::limits(), terms.resources());

    static constexpr int threads_per_block = terms.threads();
    static constexpr int static_shared_memory = terms.static_shared_memory;    ///< bytes
    static constexpr int dynamic_shared_memory = terms.dynamic_shared_memory;  ///< bytes
    static constexpr int cluster_size = terms.cluster_size();                  ///< blocks
    static constexpr int blocks_per_sm = residency.blocks_per_sm;
    static constexpr int warps_per_sm = residency.warps_per_sm;
    static constexpr int threads_per_sm = residency.threads_per_sm;
    static constexpr limiter limited_by = residency.limited_by;
    /// The second argument of `__launch_bounds__` in this architecture's pass.
    static constexpr int launch_min_blocks = terms.launch_min_blocks(Architecture::limits());
    /// The most registers per thread that the kernel may come to: ptxas's cap under these launch bounds, or what
    /// max_registers promises if that is less.
    static constexpr int max_registers = detail::register_cap(Architecture::limits(), terms);
  };
};

}  // namespace warpguard
