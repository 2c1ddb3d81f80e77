// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A launch, apart from what the contract says.

#pragma once

#include <cuda_runtime.h>

#include <type_traits>
#include <utility>

#include "grid_size.cuh"
#include "launch_attributes.cuh"

namespace warpguard {

namespace detail {

/// For classes that do not convert to a stream, but whose get() returns one, such as cuda::stream_ref.
template <class Stream>
using if_gets_stream = std::enable_if_t<!std::is_convertible_v<Stream const&, cudaStream_t> &&
                                            std::is_same_v<decltype(std::declval<Stream const&>().get()), cudaStream_t>,
                                        int>;

}  // namespace detail

/// What a launch gives: `{grid, stream}` under a contract that fixes the block; `{grid, block, bytes, stream}`, in the
/// order of `<<<grid, block, bytes, stream>>>`, under any. In `{grid, 0}` the 0 is the stream, in `{grid, 256}` the 256
/// is the block. A stream is a cudaStream_t, or a cuda::stream_ref.
struct launch_options {
  launch_options() = default;  ///< an empty grid, which is refused until it is set
  /// A grid on the default stream.
  launch_options(grid_size blocks) : grid(blocks) {}
  /// A grid on a stream.
  launch_options(grid_size blocks, cudaStream_t on_stream) : grid(blocks), stream(on_stream) {}
  /// A grid of blocks of this size on the default stream.
  launch_options(grid_size blocks, given_block threads) : grid(blocks), block(threads) {}
  /// A grid, its blocks, their dynamic shared memory in bytes, and the stream.
  launch_options(grid_size blocks, given_block threads, given_bytes shared_bytes, cudaStream_t on_stream = nullptr)
      : grid(blocks), block(threads), bytes(shared_bytes), stream(on_stream) {}
  /// A grid on a stream of a class, such as cuda::stream_ref.
  template <class Stream, detail::if_gets_stream<Stream> = 0>
  launch_options(grid_size blocks, Stream const& on_stream) : grid(blocks), stream(on_stream.get()) {}
  /// A grid, its blocks, their bytes, and a stream of a class.
  template <class Stream, detail::if_gets_stream<Stream> = 0>
  launch_options(grid_size blocks, given_block threads, given_bytes shared_bytes, Stream const& on_stream)
      : grid(blocks), block(threads), bytes(shared_bytes), stream(on_stream.get()) {}

  grid_size grid;                 ///< blocks, at least 1 in each dimension; or for_items()
  given_block block;              ///< threads; without one, the contract's
  given_bytes bytes;              ///< dynamic shared memory of a block; without them, the contract's
  cudaStream_t stream = nullptr;  ///< the default stream
  bool cooperative = false;       ///< all blocks are resident at once and may wait for each other (grid.sync())
  /// The kernel may start before the previous kernel of the stream has ended (9.0 and later), and waits for it with
  /// cudaGridDependencySynchronize().
  bool programmatic_dependent_launch = false;
  /// A missed promise is an error, as under the contract's option of this name, and is not only reported.
  bool refuse_missed_promise = false;
  launch_attributes attributes;  ///< priority, events, and others

  /// Whether the launch needs no attribute beyond the contract's.
  bool has_attributes() const { return cooperative || programmatic_dependent_launch || attributes.count() > 0; }
};

}  // namespace warpguard
