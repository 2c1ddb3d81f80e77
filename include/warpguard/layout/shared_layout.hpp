// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The shared memory of a block as a type: named arrays, their alignment, stages and overlays. Offsets and the total
/// are constants, for the kernel and for its contract alike. The parts of a layout are in detail/layout_parts.hpp,
/// where an array goes is decided in detail/placement.hpp, and what is refused is in detail/layout_rules.hpp.

#pragma once

#include <boost/hana/tuple.hpp>

#include "../model/capacity.hpp"
#include "../contract/contract.hpp"
#include "detail/array_list.hpp"
#include "../hardware/host_device.hpp"
#include "parts.hpp"
#include "detail/layout_rules.hpp"
#include "detail/placement.hpp"
#include "../contract/targets.hpp"

namespace warpguard {

/// Refused: `get`, `offset_of` or `array` for a name that the layout lacks.
template <class Layout, class Name>
struct unknown_array_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Name*) == 0, "warpguard: the shared-memory layout has no array of this name");
    return true;
  }
};

namespace detail {

template <class Layout, class Name, int Index>
constexpr int known_index() {
  if constexpr (Index < 0) unknown_array_guard<Layout, Name>::holds();
  return Index < 0 ? 0 : Index;  // once refused, any array will do
}

template <class Layout, class... Array>
constexpr auto describe(array_list<Array...>) {
  return boost::hana::tuple<typename Layout::template array<typename Array::name>...>{};
}

}  // namespace detail

/// Refused: a list of tiles of which none leaves room for the wanted blocks.
template <class Architecture, int BlocksWanted, int SmallestBytes, int BytesAllowed>
struct tile_guard {
  static constexpr bool holds() {
    static_assert(SmallestBytes <= BytesAllowed, "warpguard: not even the smallest tile leaves room for these blocks");
    return true;
  }
};

/// The shared memory of a block: its parts one after the other, each at the next multiple of its alignment. A part is a
/// `shared_array`, `staged`, `overlay` or `together`. Refused: a name that occurs twice, and more bytes than a block
/// has on any architecture; what one architecture has is the contract's to check.
///
///     struct a; struct b;
///     using tiles = wg::shared_layout<wg::shared_array<a, float[32], 32>, wg::shared_array<b, float[32], 32>>;
template <class... Part>
struct shared_layout {
 private:
  using root = detail::part<together<Part...>>;
  static constexpr bool is_checked =
      detail::check_layout_of<shared_layout, root::place().bytes>(typename root::arrays{});
  template <class Name>
  static constexpr int index_of =
      detail::known_index<shared_layout, Name, detail::index_of<Name>(typename root::arrays{})>();
  template <class Name>
  using array_of = detail::array_at<index_of<Name>, typename root::arrays>;
  template <class Name>
  static constexpr detail::placed placed_at = root::place().arrays[index_of<Name>];

 public:
  /// What the launch is given, or what `storage` takes.
  static constexpr int bytes = is_checked ? detail::as_int(root::place().bytes) : 0;
  /// The largest alignment of an array, in bytes: what the start of the memory needs.
  static constexpr int alignment = root::place().alignment;
  static constexpr int array_count = detail::count_of(typename root::arrays{});

  /// One array, as constants: an element of `arrays()`.
  template <class Name>
  struct array {
    using name = Name;
    using element = typename array_of<Name>::element;
    static constexpr int count = array_of<Name>::count;          ///< elements in one stage
    static constexpr int bytes = placed_at<Name>.bytes;          ///< in one stage
    static constexpr int alignment = placed_at<Name>.alignment;  ///< bytes
    static constexpr int offset = placed_at<Name>.offset;        ///< bytes from the start to the first stage
    static constexpr int stages = placed_at<Name>.stages;
    static constexpr int bytes_to_next_stage = placed_at<Name>.stride;
  };

  /// All arrays as a Hana tuple, in the order in which they were written.
  static constexpr auto arrays() { return detail::describe<shared_layout>(typename root::arrays{}); }

  /// Bytes from the start of the memory to the array, in its first stage.
  template <class Name>
  static constexpr int offset_of = placed_at<Name>.offset;

  /// Static shared memory: `__shared__ tiles::storage memory;`, then `tiles::get<a>(&memory)`.
  struct alignas(alignment) storage {
    unsigned char memory[bytes];
  };

  /// The first element of the array. `base` is the start of the memory, aligned to `alignment`:
  /// `extern __shared__ __align__(tiles::alignment) unsigned char memory[];`. Compiles to an address plus a constant.
  template <class Name>
  WARPGUARD_HOST_DEVICE static constexpr typename array<Name>::element* get(void* base) {
    return reinterpret_cast<typename array<Name>::element*>(static_cast<unsigned char*>(base) + offset_of<Name>);
  }
  /// The same in a stage of a pipeline, 0 to stages - 1, which is not checked.
  template <class Name>
  WARPGUARD_HOST_DEVICE static constexpr typename array<Name>::element* get(void* base, int stage) {
    return reinterpret_cast<typename array<Name>::element*>(static_cast<unsigned char*>(base) + offset_of<Name> +
                                                            stage * array<Name>::bytes_to_next_stage);
  }
};

/// The contract's dynamic_shared_memory, from a layout. A launch refuses a kernel where it would not be aligned.
template <class Layout>
struct dynamic_shared_memory_of : detail::option {
  static constexpr int value = Layout::bytes;
  static constexpr detail::stated says{detail::option_kind::dynamic_shared_memory, value, Layout::alignment};
};

/// The contract's static_shared_memory, from a layout: as much as its storage takes.
template <class Layout>
struct static_shared_memory_of : detail::option {
  static constexpr int value = detail::round_up(Layout::bytes, Layout::alignment);
  static constexpr detail::stated says{detail::option_kind::static_shared_memory, value};
};

namespace detail {

/// The largest of `tiles` whose bytes are at most `allowed`; 0 where there is none.
constexpr int largest_that_fits(int const* tiles, int const* bytes, int count, int allowed) {
  int best = 0;
  for (int i = 0; i < count; ++i) {
    if (bytes[i] <= allowed && tiles[i] > best) best = tiles[i];
  }
  return best;
}

constexpr int smallest_of(int const* bytes, int count) {
  int smallest = bytes[0];
  for (int i = 1; i < count; ++i) smallest = min_of(smallest, bytes[i]);
  return smallest;
}

template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
constexpr int find_largest_tile() {
  static_assert(sizeof...(Tile) > 0, "warpguard: largest_tile needs tiles to choose from");
  if constexpr (sizeof...(Tile) > 0) {
    constexpr int count = sizeof...(Tile);
    constexpr int tiles[] = {Tile...};
    constexpr int bytes[] = {LayoutOf<Tile>::bytes...};
    constexpr int allowed = max_shared_memory(Architecture::limits(), {1}, Blocks);
    constexpr int best = largest_that_fits(tiles, bytes, count, allowed);
    if constexpr (best == 0) tile_guard<Architecture, Blocks, smallest_of(bytes, count), allowed>::holds();
    return best;
  } else {
    return 0;
  }
}

}  // namespace detail

/// The largest `Tile` with which the shared memory of `Blocks` blocks fits an SM: `LayoutOf<Tile>` is the layout with
/// that tile. Looks at shared memory alone; the contract looks at all. Refused where no tile fits.
///
///     wg::largest_tile<wg::sm<86>, tiles_of, 2, 16, 32, 48, 64>
template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
inline constexpr int largest_tile = detail::find_largest_tile<Architecture, LayoutOf, Blocks, Tile...>();

}  // namespace warpguard
