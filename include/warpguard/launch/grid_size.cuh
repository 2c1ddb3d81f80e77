// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a launch may give: the grid, the block, the bytes of dynamic shared memory. Each is made from any integer and
/// remembers one that is out of range, so that the launch refuses it and does not cut it.

#pragma once

#include <cuda_runtime.h>

#include <type_traits>

namespace warpguard {

namespace detail {

inline constexpr long long most_number = 9223372036854775807LL;

/// For integers, and enumerations that convert to them.
template <class Type>
using if_integer =
    std::enable_if_t<(std::is_integral_v<Type> || std::is_enum_v<Type>)&&std::is_convertible_v<Type, long long>, int>;

/// For dim3, uint3 and other classes that convert to dim3.
template <class Type>
using if_shape = std::enable_if_t<std::is_class_v<Type> && std::is_convertible_v<Type const&, dim3>, int>;

/// Returns any integer as a long long: the largest if it is larger than that.
template <class Integer>
constexpr long long to_number(Integer value) {
  if constexpr (std::is_enum_v<Integer>) {
    return to_number(static_cast<std::underlying_type_t<Integer>>(value));
  } else if constexpr (std::is_same_v<Integer, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::is_signed_v<Integer>) {
    return value;
  } else {
    unsigned long long const number = value;
    return number > static_cast<unsigned long long>(most_number) ? most_number : static_cast<long long>(number);
  }
}

/// Numbers in three dimensions.
struct three_numbers {
  long long x = 0;
  long long y = 0;
  long long z = 0;

  constexpr bool has_none() const { return x < 1 || y < 1 || z < 1; }
  constexpr bool exceeds(long long most_x, long long most_y, long long most_z) const {
    return x > most_x || y > most_y || z > most_z;
  }
};

constexpr dim3 to_dim3(three_numbers const& numbers) {
  return dim3(static_cast<unsigned>(numbers.x), static_cast<unsigned>(numbers.y), static_cast<unsigned>(numbers.z));
}

/// Returns how many parts of `size` cover `items`; none if there are none.
constexpr long long parts_of(long long items, long long size) { return items < 1 ? 0 : (items - 1) / size + 1; }

struct item_grid;

}  // namespace detail

/// The grid of a launch: blocks, from a dim3 or from one to three integers; or as many as cover a number of threads,
/// from for_items(). A launch refuses a negative number, 0, and what a GPU does not take.
class grid_size {
 public:
  constexpr grid_size() = default;  ///< no blocks
  template <class Blocks, detail::if_shape<Blocks> = 0>
  constexpr grid_size(Blocks const& blocks) {
    dim3 const shape = blocks;
    numbers_ = {shape.x, shape.y, shape.z};
  }
  template <class XBlocks, detail::if_integer<XBlocks> = 0>
  constexpr grid_size(XBlocks x_blocks) : numbers_{detail::to_number(x_blocks), 1, 1} {}
  template <class XBlocks, class YBlocks, detail::if_integer<XBlocks> = 0, detail::if_integer<YBlocks> = 0>
  constexpr grid_size(XBlocks x_blocks, YBlocks y_blocks)
      : numbers_{detail::to_number(x_blocks), detail::to_number(y_blocks), 1} {}
  template <class XBlocks, class YBlocks, class ZBlocks, detail::if_integer<XBlocks> = 0,
            detail::if_integer<YBlocks> = 0, detail::if_integer<ZBlocks> = 0>
  constexpr grid_size(XBlocks x_blocks, YBlocks y_blocks, ZBlocks z_blocks)
      : numbers_{detail::to_number(x_blocks), detail::to_number(y_blocks), detail::to_number(z_blocks)} {}

  /// Returns the blocks, if each has `block` threads and `cluster` blocks are together.
  constexpr detail::three_numbers blocks(dim3 block, dim3 cluster) const {
    if (!covers_items_) return numbers_;
    return {whole_clusters(numbers_.x, block.x, cluster.x), whole_clusters(numbers_.y, block.y, cluster.y),
            whole_clusters(numbers_.z, block.z, cluster.z)};
  }

 private:
  friend struct detail::item_grid;

  static constexpr long long whole_clusters(long long items, unsigned threads, unsigned blocks) {
    return detail::parts_of(detail::parts_of(items, threads), blocks) * blocks;
  }

  detail::three_numbers numbers_;
  bool covers_items_ = false;
};

struct detail::item_grid {
  static constexpr grid_size covering(grid_size items) {
    items.covers_items_ = true;
    return items;
  }
};

/// The grid whose blocks have together at least `x_items` x `y_items` x `z_items` threads: with the block that the
/// launch really uses on its device, in whole clusters. Any integers; 0 or less is an empty grid, which is refused.
template <class XItems, class YItems = int, class ZItems = int>
constexpr grid_size for_items(XItems x_items, YItems y_items = 1, ZItems z_items = 1) {
  return detail::item_grid::covering({x_items, y_items, z_items});
}

/// The block of a launch, in threads, from a dim3 or from one to three integers. Without one it is the contract's.
class given_block {
 public:
  constexpr given_block() = default;  ///< none
  template <class Threads, detail::if_shape<Threads> = 0>
  constexpr given_block(Threads const& threads) : is_given_(true) {
    dim3 const shape = threads;
    numbers_ = {shape.x, shape.y, shape.z};
  }
  template <class XThreads, detail::if_integer<XThreads> = 0>
  constexpr given_block(XThreads x_threads) : numbers_{detail::to_number(x_threads), 1, 1}, is_given_(true) {}
  template <class XThreads, class YThreads, detail::if_integer<XThreads> = 0, detail::if_integer<YThreads> = 0>
  constexpr given_block(XThreads x_threads, YThreads y_threads)
      : numbers_{detail::to_number(x_threads), detail::to_number(y_threads), 1}, is_given_(true) {}
  template <class XThreads, class YThreads, class ZThreads, detail::if_integer<XThreads> = 0,
            detail::if_integer<YThreads> = 0, detail::if_integer<ZThreads> = 0>
  constexpr given_block(XThreads x_threads, YThreads y_threads, ZThreads z_threads)
      : numbers_{detail::to_number(x_threads), detail::to_number(y_threads), detail::to_number(z_threads)},
        is_given_(true) {}

  constexpr bool is_given() const { return is_given_; }
  constexpr detail::three_numbers threads() const { return numbers_; }

 private:
  detail::three_numbers numbers_;
  bool is_given_ = false;
};

/// The dynamic shared memory of a launch, in bytes, from any integer. Without it, it is the contract's: the most, if
/// the contract leaves it to the launch.
class given_bytes {
 public:
  constexpr given_bytes() = default;  ///< none
  template <class Bytes, detail::if_integer<Bytes> = 0>
  constexpr given_bytes(Bytes bytes) : number_(detail::to_number(bytes)), is_given_(true) {}

  constexpr bool is_given() const { return is_given_; }
  constexpr long long bytes() const { return number_; }

 private:
  long long number_ = 0;
  bool is_given_ = false;
};

}  // namespace warpguard
