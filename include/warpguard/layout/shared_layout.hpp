// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The shared memory of a block as a type: named arrays with their alignments, stages and overlays. Offsets and the
/// size are constants, the same for the kernel and for its contract.

#pragma once

#include "../contract/options.hpp"
#include "../contract/targets.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "../model/capacity.hpp"
#include "detail/array_list.hpp"
#include "detail/layout_offsets.hpp"
#include "guards.hpp"
#include "parts.hpp"

namespace warpguard {

/// Makes a layout Searchable by array name in Hana, and its `arrays` a Sequence; see hana.hpp.
struct layout_tag;
struct layout_arrays_tag;
struct layout_array_tag;

/// The arrays of a layout, in the order in which they were written.
template <class Layout, class... Name>
struct layout_arrays {
  using hana_tag = layout_arrays_tag;
  static constexpr int count = sizeof...(Name);
};

namespace detail {

struct layout_base {};

/// The most shared memory that a block has on any architecture.
inline constexpr int max_block_bytes_anywhere = largest_in_table(&architecture::max_shared_per_block_optin);

template <class Layout, class Name, bool IsDuplicate>
constexpr bool refuse_if_duplicate() {
  if constexpr (IsDuplicate) duplicate_array_guard<Layout, Name>::holds();
  return true;
}

/// Instantiates the guards of a layout as a whole. Always returns true.
template <class Layout, long long Bytes, class... Array>
constexpr bool check_layout(array_list<Array...>) {
  layout_size_guard<Layout, Bytes, max_block_bytes_anywhere>::holds();
  (refuse_if_duplicate<Layout, typename Array::name, (count_named<typename Array::name>(array_list<Array...>{}) > 1)>(),
   ...);
  return true;
}

template <class Layout, class... Array>
layout_arrays<Layout, typename Array::name...> arrays_of(array_list<Array...>);

template <class Layout, class Name, int Index>
constexpr int known_index() {
  if constexpr (Index < 0) unknown_array_guard<Layout, Name>::holds();
  return Index < 0 ? 0 : Index;  // after a refusal any array will do
}

}  // namespace detail

/// The shared memory of a block: its parts one after the other, each at the next multiple of its alignment. A part is a
/// `shared_array`, `staged`, `overlay` or `group`. Refused: a name that occurs twice, and more bytes than a block has
/// on any architecture. What one architecture has is checked with the contract.
///
///     struct a_tile; struct b_tile;
///     using tiles = wg::shared_layout<wg::shared_array<a_tile, float[32], 32>, wg::shared_array<b_tile, float[32],
///     32>>;
template <class... Part>
struct shared_layout : detail::layout_base {
  using hana_tag = layout_tag;

 private:
  using root = detail::part_of<group<Part...>>;
  static constexpr bool is_checked =
      detail::check_layout<shared_layout, root::offsets().bytes>(typename root::arrays{});
  template <class Name>
  static constexpr int index_of =
      detail::known_index<shared_layout, Name, detail::index_of<Name>(typename root::arrays{})>();
  template <class Name>
  using array_of = detail::array_at<index_of<Name>, typename root::arrays>;
  template <class Name>
  static constexpr detail::array_offsets offsets_of = root::offsets().arrays[index_of<Name>];

 public:
  /// The size in bytes: what the launch is given, or what `storage` takes.
  static constexpr int bytes = is_checked ? detail::as_int(root::offsets().bytes) : 0;
  /// The largest alignment of an array, in bytes: what the start of the memory needs.
  static constexpr int alignment = root::offsets().alignment;
  using arrays = decltype(detail::arrays_of<shared_layout>(typename root::arrays{}));

  /// One array, as constants.
  template <class Name>
  struct array {
    using hana_tag = layout_array_tag;
    using name = Name;
    using element = typename array_of<Name>::element;
    static constexpr int count = array_of<Name>::count;           ///< elements in one stage
    static constexpr int bytes = offsets_of<Name>.bytes;          ///< in one stage
    static constexpr int alignment = offsets_of<Name>.alignment;  ///< bytes
    static constexpr int offset = offsets_of<Name>.offset;        ///< bytes from the start to the first stage
    static constexpr int stages = offsets_of<Name>.stages;
    static constexpr int bytes_to_next_stage = offsets_of<Name>.bytes_to_next_stage;
  };

  /// Whether the layout has an array of that name.
  template <class Name>
  static constexpr bool has = detail::index_of<Name>(typename root::arrays{}) >= 0;

  /// Bytes from the start of the memory to the first stage of the array.
  template <class Name>
  static constexpr int offset_of = offsets_of<Name>.offset;

  /// For static shared memory: `__shared__ tiles::storage memory;`, then `tiles::get<a_tile>(&memory)`.
  struct alignas(alignment) storage {
    unsigned char memory[bytes];
  };

  /// Returns the first element of the array. `base` is the start of the memory, aligned to `alignment`:
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

namespace detail {

/// The bytes and the alignment of a layout; instantiates a guard for any other type.
template <class Layout, bool IsLayout = __is_base_of(layout_base, Layout)>
struct layout_size {
  static constexpr int bytes = Layout::bytes;
  static constexpr int alignment = Layout::alignment;
};
template <class Type>
struct layout_size<Type, false> {
  static constexpr int bytes = layout_guard<Type>::holds() ? 0 : 0;
  static constexpr int alignment = 1;
};

}  // namespace detail

/// The contract's dynamic_shared_memory, from a layout. A launch refuses a kernel in which the layout would not be
/// aligned. Refused: a type that is not a shared_layout.
template <class Layout>
struct dynamic_shared_memory_of : detail::option {
  static constexpr int value = detail::layout_size<Layout>::bytes;
  static constexpr detail::option_value as_value = detail::dynamic_value(value, detail::layout_size<Layout>::alignment);
};

/// The contract's static_shared_memory, from a layout: the size of its storage. Refused: a type that is not a
/// shared_layout.
template <class Layout>
struct static_shared_memory_of : detail::option {
  static constexpr int value =
      detail::round_up(detail::layout_size<Layout>::bytes, detail::layout_size<Layout>::alignment);
  static constexpr detail::option_value as_value = static_shared_memory<value>::as_value;
};

namespace detail {

/// Returns the largest of `tiles` whose bytes are at most `allowed`, or 0.
constexpr int max_fitting_tile(int const* tiles, int const* bytes, int count, int allowed) {
  int best = 0;
  for (int index = 0; index < count; ++index) {
    if (bytes[index] <= allowed && tiles[index] > best) best = tiles[index];
  }
  return best;
}

constexpr int smallest_of(int const* bytes, int count) {
  int smallest = bytes[0];
  for (int index = 1; index < count; ++index) smallest = min_of(smallest, bytes[index]);
  return smallest;
}

template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
constexpr int find_max_tile() {
  static_assert(sizeof...(Tile) > 0, "warpguard: max_tile needs tiles to choose from");
  if constexpr (sizeof...(Tile) > 0) {
    constexpr int count = sizeof...(Tile);
    constexpr int tiles[] = {Tile...};
    constexpr int bytes[] = {LayoutOf<Tile>::bytes...};
    constexpr int allowed = max_shared_memory(Architecture::limits(), {1}, Blocks);
    constexpr int best = max_fitting_tile(tiles, bytes, count, allowed);
    if constexpr (best == 0) tile_guard<Architecture, Blocks, smallest_of(bytes, count), allowed>::holds();
    return best;
  } else {
    return 0;
  }
}

}  // namespace detail

/// The largest `Tile` with which the shared memory of `Blocks` blocks fits an SM: `LayoutOf<Tile>` is the layout with
/// that tile. Checks shared memory alone; the contract checks everything. Refused if no tile fits.
///
///     wg::max_tile<wg::sm<86>, tiles_of, 2, 16, 32, 48, 64>
template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
inline constexpr int max_tile = detail::find_max_tile<Architecture, LayoutOf, Blocks, Tile...>();

}  // namespace warpguard
