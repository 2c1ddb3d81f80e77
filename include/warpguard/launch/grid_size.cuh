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

/// More than any GPU takes, and rounding it up does not overflow.
inline constexpr long long most_number = 1LL << 62;
inline constexpr long long not_given = -2;

/// For integers, and enumerations that convert to them.
template <class Type>
using if_integer =
    std::enable_if_t<(std::is_integral_v<Type> || std::is_enum_v<Type>)&&std::is_convertible_v<Type, long long>, int>;

/// For dim3, uint3 and other classes that convert to dim3.
template <class Type>
using if_shape = std::enable_if_t<std::is_class_v<Type> && std::is_convertible_v<Type const&, dim3>, int>;

/// Returns any integer as a long long: -1 if it is negative, the largest if it is larger than that.
template <class Integer>
constexpr long long to_number(Integer value) {
  if constexpr (std::is_enum_v<Integer>) {
    return to_number(static_cast<std::underlying_type_t<Integer>>(value));
  } else if constexpr (std::is_same_v<Integer, bool>) {
    return value ? 1 : 0;
  } else if constexpr (std::is_signed_v<Integer>) {
    long long const number = value;
    if (number < 0) return -1;
    return number < most_number ? number : most_number;
  } else {
    unsigned long long const number = value;
    return number < static_cast<unsigned long long>(most_number) ? static_cast<long long>(number) : most_number;
  }
}

/// Numbers in three dimensions: from a dim3, or from one to three integers, of which those that are missing are 1.
class three_numbers {
 public:
  long long x = not_given;
  long long y = not_given;
  long long z = not_given;

  constexpr three_numbers() = default;  ///< none are given
  template <class Shape, if_shape<Shape> = 0>
  constexpr three_numbers(Shape const& given) {
    dim3 const shape = given;
    x = shape.x;
    y = shape.y;
    z = shape.z;
  }
  template <class First, if_integer<First> = 0>
  constexpr three_numbers(First first) : x(to_number(first)), y(1), z(1) {}
  template <class First, class Second, if_integer<First> = 0, if_integer<Second> = 0>
  constexpr three_numbers(First first, Second second) : x(to_number(first)), y(to_number(second)), z(1) {}
  template <class First, class Second, class Third, if_integer<First> = 0, if_integer<Second> = 0,
            if_integer<Third> = 0>
  constexpr three_numbers(First first, Second second, Third third)
      : x(to_number(first)), y(to_number(second)), z(to_number(third)) {}

  constexpr bool is_given() const { return x != not_given; }
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
class grid_size : private detail::three_numbers {
 public:
  using detail::three_numbers::three_numbers;

  /// Returns the blocks, if each has `block` threads and `cluster` blocks are together.
  constexpr detail::three_numbers blocks(dim3 block, dim3 cluster) const {
    if (!covers_items_) return *this;
    return {whole_clusters(x, block.x, cluster.x), whole_clusters(y, block.y, cluster.y),
            whole_clusters(z, block.z, cluster.z)};
  }

 private:
  friend struct detail::item_grid;

  static constexpr long long whole_clusters(long long items, unsigned threads, unsigned blocks) {
    return detail::parts_of(detail::parts_of(items, threads), blocks) * blocks;
  }

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
class given_block : public detail::three_numbers {
 public:
  using detail::three_numbers::three_numbers;
};

/// The dynamic shared memory of a launch, in bytes, from any integer. Without it, it is the contract's: the most, if
/// the contract leaves it to the launch.
class given_bytes {
 public:
  constexpr given_bytes() = default;  ///< none
  /// Any integer; a negative one is refused by the launch.
  template <class Bytes, detail::if_integer<Bytes> = 0>
  constexpr given_bytes(Bytes given) : bytes_(detail::to_number(given)) {}

  /// Whether the launch gives an amount.
  constexpr bool is_given() const { return bytes_ != detail::not_given; }
  /// The amount in bytes, if one is given.
  constexpr long long bytes() const { return bytes_; }

 private:
  long long bytes_ = detail::not_given;
};

}  // namespace warpguard
