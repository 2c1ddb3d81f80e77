// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The shared memory of a block as a type: named arrays with their alignments, stages and overlays. Offsets and the
/// size are constants, the same for the kernel and for its contract.

#pragma once

#include "../contract/guard_list.hpp"
#include "../contract/options.hpp"
#include "../contract/targets.hpp"
#include "../hardware/arithmetic.hpp"
#include "../hardware/host_device.hpp"
#include "../model/capacity.hpp"
#include "detail/array_list.hpp"
#include "detail/dynamic_memory.hpp"
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
  static constexpr int count = sizeof...(Name);  ///< arrays
};

template <class... Part>
struct shared_layout;

namespace detail {

struct layout_base {};

/// What is wrong with a layout as a whole, if nothing is wrong with its parts.
template <class Layout, class PartFaults, long long Bytes, class... Array>
WARPGUARD_DETAIL_HOST constexpr auto find_layout_faults(array_list<Array...>) {
  if constexpr (PartFaults::count > 0) {
    return PartFaults{};
  } else if constexpr (sizeof...(Array) == 0) {
    return guard_list<empty_layout_guard<Layout>>{};
  } else {
    return decltype((
        guard_if<(Bytes > max_block_bytes_anywhere), layout_size_guard<Layout, Bytes, max_block_bytes_anywhere>>{} +
        ... +
        guard_if<(count_named<typename Array::name>(array_list<Array...>{}) > 1),
                 duplicate_array_guard<Layout, typename Array::name>>{})){};
  }
}

/// The size of a layout. Naming it instantiates the guards of all faults; after a refusal any size will do.
template <class Faults, int Bytes>
struct checked_size;
template <class... Guard, int Bytes>
struct checked_size<guard_list<Guard...>, Bytes> {
  static constexpr int bytes = (... && Guard::holds()) ? Bytes : Bytes;
};

/// A layout's parts together, and its faults.
template <class... Part>
struct root_of : part_of<group<Part...>> {
  static constexpr long long exact_bytes = part_of<group<Part...>>::offsets().bytes;
  static constexpr int bytes = exact_bytes > 0 ? as_int(exact_bytes) : 1;
  using faults =
      decltype(find_layout_faults<shared_layout<Part...>, typename part_of<group<Part...>>::faults, exact_bytes>(
          typename part_of<group<Part...>>::arrays{}));
};

template <class Layout, class... Array>
WARPGUARD_DETAIL_HOST layout_arrays<Layout, typename Array::name...> arrays_of(array_list<Array...>);

/// The guard of an array's name.
template <class Layout, class Name, int Index>
struct guard_of_name {
  using type = no_refusal;
};
template <class Layout, class Name>
struct guard_of_name<Layout, Name, -1> {
  using type = unknown_array_guard<Layout, Name>;
};

/// A stage that is a constant. Stage 0 always exists; if it does not, the layout itself is refused.
template <class Layout, class Name, int Stage>
struct constant_stage {
  using array = typename Layout::template array<Name>;
  static constexpr bool exists = Stage == 0 || (Stage > 0 && Stage < array::stages);
  static_assert(first_guard<guard_if<!exists, stage_guard<Layout, Name, Stage, array::stages>>>::holds());
  static constexpr int offset = array::offset + (exists ? Stage : 0) * array::bytes_to_next_stage;
};

/// A stage that is known at run time.
template <class Layout, class Name>
struct run_time_stage {
  using array = typename Layout::template array<Name>;
  static_assert(first_guard<guard_if<(Layout::template has<Name> && array::bytes_to_next_stage == 0),
                                     unstaged_array_guard<Layout, Name>>>::holds());
  WARPGUARD_HOST_DEVICE static constexpr int offset(int stage) {
    // nvcc includes <assert.h> before every file, so nothing has to be included here.
#if defined(__CUDACC__) && defined(assert)
    assert(stage >= 0 && stage < array::stages && "warpguard: the array has no stage of this number [stage]");
#endif
    return array::offset + stage * array::bytes_to_next_stage;
  }
};

}  // namespace detail

/// The shared memory of a block: its parts one after the other, each at the next multiple of its alignment. A part is a
/// `shared_array`, `staged`, `overlay` or `group`. Refused: a name that occurs twice, and more bytes than a block has
/// on any architecture. What one architecture has is checked with the contract.
///
///     struct a_tile; struct b_tile;
///     using tiles = wg::shared_layout<wg::shared_array<a_tile, float[32], 32>, wg::shared_array<b_tile, float[32],
///     32>>;
template <class... Part>
struct shared_layout
    : detail::layout_base,
      private detail::checked_size<typename detail::root_of<Part...>::faults, detail::root_of<Part...>::bytes> {
  using hana_tag = layout_tag;
  /// The size in bytes: what the launch is given, or what `storage` takes.
  using detail::checked_size<typename detail::root_of<Part...>::faults, detail::root_of<Part...>::bytes>::bytes;

 private:
  using root = detail::root_of<Part...>;
  static constexpr bool is_sound = bytes > 0;  // naming `bytes` refuses a layout with faults
  template <class Name>
  static constexpr int index_of = detail::index_of<Name>(typename root::arrays{});
  template <class Name>
  using array_of = detail::array_at<(index_of<Name> < 0 ? 0 : index_of<Name>), typename root::arrays>;
  template <class Name>
  static constexpr detail::array_offsets offsets_of = root::offsets().arrays[index_of<Name> < 0 ? 0 : index_of<Name>];

 public:
  /// What is wrong with the layout; empty if nothing is. Naming it refuses nothing.
  using faults = typename root::faults;
  /// The largest alignment of an array, in bytes: what the start of the memory needs.
  static constexpr int alignment = is_sound ? root::offsets().alignment : 1;
  /// The arrays, as a list.
  using arrays = decltype(detail::arrays_of<shared_layout>(typename root::arrays{}));

  /// One array, as constants.
  template <class Name>
  struct array {
    using hana_tag = layout_array_tag;
    static_assert(is_sound && detail::guard_of_name<shared_layout, Name, index_of<Name>>::type::holds());
    using name = Name;                                            ///< as in shared_array
    using element = typename array_of<Name>::element;             ///< the type of an element
    static constexpr int count = array_of<Name>::count;           ///< elements in one stage
    static constexpr int bytes = offsets_of<Name>.bytes;          ///< in one stage
    static constexpr int alignment = offsets_of<Name>.alignment;  ///< bytes
    static constexpr int offset = offsets_of<Name>.offset;        ///< bytes from the start to the first stage
    static constexpr int stages = offsets_of<Name>.stages;        ///< 1 outside of `staged`
    /// Bytes from the start of a stage to that of the next, if the array is `staged`.
    static constexpr int bytes_to_next_stage = offsets_of<Name>.bytes_to_next_stage;
  };

  /// Whether the layout has an array of that name.
  template <class Name>
  static constexpr bool has = index_of<Name> >= 0 && is_sound;

  /// Bytes from the start of the memory to the first stage of the array.
  template <class Name>
  static constexpr int offset_of = array<Name>::offset;

  /// For static shared memory: `__shared__ tiles::storage memory;`, then `tiles::get<a_tile>(&memory)`.
  struct alignas(root::offsets().alignment) storage {
    unsigned char memory[bytes];  ///< all arrays
  };

#ifdef __CUDACC__
  /// Returns the start of the dynamic shared memory of the block, declared with the alignment of this layout. For one
  /// layout per kernel: layouts of different alignments have different names for the same memory.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"  // it is defined by the launch
#endif
  static __device__ unsigned char* dynamic_memory() { return detail::dynamic_memory<alignment>->bytes; }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#endif

  /// Returns the first element of the array in the stage `Stage`, 0 to stages - 1. `base` is the start of the memory,
  /// aligned to `alignment`: `tiles::dynamic_memory()` or the address of a `storage`. Compiles to an address plus a
  /// constant. Refused: a stage that does not exist.
  template <class Name, int Stage = 0>
  WARPGUARD_HOST_DEVICE static constexpr typename array<Name>::element* get(void* base) {
    return reinterpret_cast<typename array<Name>::element*>(static_cast<unsigned char*>(base) +
                                                            detail::constant_stage<shared_layout, Name, Stage>::offset);
  }
  /// The same for memory that is only read.
  template <class Name, int Stage = 0>
  WARPGUARD_HOST_DEVICE static constexpr typename array<Name>::element const* get(void const* base) {
    return reinterpret_cast<typename array<Name>::element const*>(
        static_cast<unsigned char const*>(base) + detail::constant_stage<shared_layout, Name, Stage>::offset);
  }

  /// The same for a stage that is known at run time. Refused: an array without stages. nvcc's code asserts that the
  /// stage exists; with NDEBUG this is not checked.
  template <class Name>
  WARPGUARD_HOST_DEVICE static constexpr typename array<Name>::element* get(void* base, int stage) {
    return reinterpret_cast<typename array<Name>::element*>(static_cast<unsigned char*>(base) +
                                                            detail::run_time_stage<shared_layout, Name>::offset(stage));
  }
  /// The same for memory that is only read.
  template <class Name>
  WARPGUARD_HOST_DEVICE static constexpr typename array<Name>::element const* get(void const* base, int stage) {
    return reinterpret_cast<typename array<Name>::element const*>(
        static_cast<unsigned char const*>(base) + detail::run_time_stage<shared_layout, Name>::offset(stage));
  }
};

namespace detail {

/// Whether a pointer converts to one of layout_base: not if the type is incomplete or no layout.
WARPGUARD_DETAIL_HOST void take_layout(layout_base const volatile*);
template <class Type, class = decltype(take_layout(static_cast<Type*>(nullptr)))>
WARPGUARD_DETAIL_HOST constexpr bool is_layout(int) {
  return true;
}
template <class Type>
WARPGUARD_DETAIL_HOST constexpr bool is_layout(...) {
  return false;
}

template <class Type, bool IsLayout = is_layout<Type>(0)>
struct faults_of_type {
  using faults = typename Type::faults;
};
template <class Type>
struct faults_of_type<Type, false> {
  using faults = guard_list<layout_guard<Type>>;
};

/// The size of a layout for a contract, or what is wrong with a type that is no layout, or one with faults.
template <class Layout, class Faults = typename faults_of_type<Layout>::faults>
struct layout_size {
  using faults = Faults;
  static constexpr int bytes = 0;
  static constexpr int alignment = 1;
};
template <class Layout>
struct layout_size<Layout, guard_list<>> {
  using faults = guard_list<>;
  static constexpr int bytes = Layout::bytes;
  static constexpr int alignment = Layout::alignment;
};

}  // namespace detail

/// The contract's dynamic_shared_memory, from a layout. A launch refuses a kernel in which the layout would not be
/// aligned. Refused: a type that is not a shared_layout.
template <class Layout>
struct dynamic_shared_memory_of : detail::option {
  using faults = typename detail::layout_size<Layout>::faults;
  static constexpr int value = detail::checked_size<faults, detail::layout_size<Layout>::bytes>::bytes;
  static constexpr detail::option_value as_value = detail::valid_if(
      faults::count == 0,
      detail::dynamic_value(detail::layout_size<Layout>::bytes, detail::layout_size<Layout>::alignment));
};

/// The contract's static_shared_memory, from a layout: the size of its storage. Refused: a type that is not a
/// shared_layout.
template <class Layout>
struct static_shared_memory_of : detail::option {
 private:
  static constexpr int storage_bytes =
      detail::round_up(detail::layout_size<Layout>::bytes, detail::layout_size<Layout>::alignment);

 public:
  using faults = typename detail::layout_size<Layout>::faults;
  static constexpr int value = detail::checked_size<faults, storage_bytes>::bytes;
  static constexpr detail::option_value as_value =
      detail::valid_if(faults::count == 0, static_shared_memory<storage_bytes>::as_value);
};

namespace detail {

WARPGUARD_DETAIL_HOST constexpr int smallest_of(int const* bytes, int count) {
  int smallest = bytes[0];
  for (int index = 1; index < count; ++index) smallest = min_of(smallest, bytes[index]);
  return smallest;
}

/// What max_tile chooses from.
template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
struct tile_choice {
  static constexpr int count = sizeof...(Tile);
  static constexpr int tiles[sizeof...(Tile)] = {Tile...};
  static constexpr int bytes[sizeof...(Tile)] = {LayoutOf<Tile>::bytes...};
  static constexpr int allowed = max_shared_bytes(Architecture::limits(), {1}, Blocks);
  static constexpr int smallest = smallest_of(bytes, count);
};

/// Returns the largest tile whose bytes are allowed. There is one.
template <class Choice>
WARPGUARD_DETAIL_HOST constexpr int find_max_tile(Choice) {
  int best = -1;
  for (int index = 0; index < Choice::count; ++index) {
    if (Choice::bytes[index] > Choice::allowed) continue;
    if (best < 0 || Choice::tiles[index] > Choice::tiles[best]) best = index;
  }
  return Choice::tiles[best];
}

template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
WARPGUARD_DETAIL_HOST constexpr auto find_tile_faults() {
  constexpr int compute_capability = capability_of<Architecture>;
  if constexpr (sizeof...(Tile) == 0) {
    return guard_list<no_tiles_guard<Architecture>>{};
  } else if constexpr (row_index(compute_capability) < 0) {
    return guard_list<architecture_guard<compute_capability>>{};
  } else if constexpr (Blocks < 1) {
    return guard_list<tile_blocks_guard<Blocks>>{};
  } else {
    using layout_faults = decltype((guard_list<>{} + ... + typename layout_size<LayoutOf<Tile>>::faults{}));
    if constexpr (layout_faults::count > 0) {
      return layout_faults{};
    } else {
      using choice = tile_choice<Architecture, LayoutOf, Blocks, Tile...>;
      return guard_if<(choice::smallest > choice::allowed),
                      tile_guard<Architecture, Blocks, choice::smallest, choice::allowed>>{};
    }
  }
}

template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
using tile_faults = decltype(find_tile_faults<Architecture, LayoutOf, Blocks, Tile...>());

/// The answer of max_tile. After a refusal any tile will do; the first one is the least likely to be refused as well.
template <class Faults, class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
inline constexpr int chosen_tile = 1;
template <class Faults, class Architecture, template <int> class LayoutOf, int Blocks, int First, int... Tile>
inline constexpr int chosen_tile<Faults, Architecture, LayoutOf, Blocks, First, Tile...> = First;
template <class Architecture, template <int> class LayoutOf, int Blocks, int First, int... Tile>
inline constexpr int chosen_tile<guard_list<>, Architecture, LayoutOf, Blocks, First, Tile...> =
    find_max_tile(tile_choice<Architecture, LayoutOf, Blocks, First, Tile...>{});

}  // namespace detail

/// The largest `Tile` with which the shared memory of `Blocks` blocks fits an SM: `LayoutOf<Tile>` is the layout with
/// that tile. Checks shared memory alone; the contract checks everything. Refused if no tile fits.
///
///     wg::max_tile<wg::sm<86>, tiles_of, 2, 16, 32, 48, 64>
template <class Architecture, template <int> class LayoutOf, int Blocks, int... Tile>
inline constexpr int max_tile =
    detail::first_guard<detail::tile_faults<Architecture, LayoutOf, Blocks, Tile...>>::holds()
        ? detail::chosen_tile<detail::tile_faults<Architecture, LayoutOf, Blocks, Tile...>, Architecture, LayoutOf,
                              Blocks, Tile...>
        : 0;

}  // namespace warpguard
