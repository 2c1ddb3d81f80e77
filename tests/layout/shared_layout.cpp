// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests shared_layout: offsets, sizes, alignments and addresses, and layouts in contracts. refusals/ tests what must
/// not compile.

#include <doctest/doctest.h>
#include <boost/hana/for_each.hpp>
#include <boost/hana/size.hpp>
#include <warpguard/warpguard.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace wg = warpguard;

namespace {

struct a;
struct b;
struct c;
struct barrier;

struct alignas(32) wide {
  char bytes[32];
};

using plain =
    wg::shared_layout<wg::shared_array<a, float, 3>, wg::shared_array<b, char, 5>, wg::shared_array<c, double, 2>>;
static_assert(plain::offset_of<a> == 0);
static_assert(plain::offset_of<b> == 16, "the next multiple of 16 after 12 bytes");
static_assert(plain::offset_of<c> == 32);
static_assert(plain::bytes == 48, "the end is not rounded");
static_assert(plain::alignment == 16);
static_assert(plain::arrays::count == 3);
static_assert(plain::has<b>);
static_assert(!plain::has<barrier>);
static_assert(plain::array<b>::count == 5);
static_assert(plain::array<b>::bytes == 5);
static_assert(plain::array<b>::stages == 1);
static_assert(std::is_same_v<plain::array<c>::element, double>);

// Alignments of elements, bulk copies and swizzled tiles, and an explicit alignment of less than 16.
using aligned = wg::shared_layout<wg::shared_array<barrier, long long, 1, 8>, wg::shared_array<a, wide, 1>,
                                  wg::shared_array<b, float, 1, wg::bulk_copy_alignment>,
                                  wg::shared_array<c, char, 1, wg::swizzle_alignment>>;
static_assert(aligned::offset_of<barrier> == 0);
static_assert(aligned::offset_of<a> == 32);
static_assert(aligned::offset_of<b> == 128);
static_assert(aligned::offset_of<c> == 1024);
static_assert(aligned::bytes == 1025);
static_assert(aligned::alignment == 1024);
static_assert(alignof(aligned::storage) == 1024);
static_assert(sizeof(aligned::storage) == 2048);

// The size of a stage is rounded up to its alignment, except that of the last stage.
using pipeline = wg::shared_layout<wg::staged<3, wg::shared_array<a, char, 100, 128>, wg::shared_array<b, char, 8>>,
                                   wg::shared_array<barrier, long long, 3, 8>>;
static_assert(pipeline::offset_of<a> == 0);
static_assert(pipeline::offset_of<b> == 112);
static_assert(pipeline::array<a>::stages == 3);
static_assert(pipeline::array<a>::bytes_to_next_stage == 128);
static_assert(pipeline::offset_of<barrier> == 2 * 128 + 120, "the last stage is not rounded up");
static_assert(pipeline::bytes == 2 * 128 + 120 + 24);

// An overlay: c shares its memory with a and b.
using overlaid = wg::shared_layout<wg::shared_array<barrier, long long, 1>,
                                   wg::overlay<wg::group<wg::shared_array<a, float, 8>, wg::shared_array<b, float, 8>>,
                                               wg::shared_array<c, double, 4, 32>>>;
static_assert(overlaid::offset_of<a> == 32);
static_assert(overlaid::offset_of<b> == 64);
static_assert(overlaid::offset_of<c> == 32);
static_assert(overlaid::bytes == 96);

// A tile is an array of arrays.
using tile = wg::shared_layout<wg::shared_array<a, float[32], 16>>;
static_assert(std::is_same_v<decltype(tile::get<a>(std::declval<void*>())), float (*)[32]>);
static_assert(std::is_same_v<decltype(tile::get<a>(std::declval<void const*>())), float const (*)[32]>);
static_assert(std::is_same_v<decltype(pipeline::get<b>(std::declval<void const*>(), 1)), char const*>);
static_assert(tile::bytes == 2048);

static_assert(wg::shared_layout<wg::shared_array<a, char, 227 * 1024>>::bytes == 227 * 1024,
              "the most that a block can have");

// A contract takes the bytes of a layout.
struct by_layout : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory_of<pipeline>,
                                wg::static_shared_memory_of<plain>, wg::min_blocks_per_sm<8>,
                                wg::on<wg::sm<90>, wg::dynamic_shared_memory_of<tile>>> {};
static_assert(wg::guarantee<by_layout>);
static_assert(by_layout::on_sm<wg::sm<80>>::dynamic_shared_memory == pipeline::bytes);
static_assert(by_layout::on_sm<wg::sm<80>>::static_shared_memory == plain::bytes);
static_assert(by_layout::on_sm<wg::sm<90>>::dynamic_shared_memory == tile::bytes);

// Static shared memory is the size of the storage; dynamic shared memory is the bytes of the layout.
using odd = wg::shared_layout<wg::shared_array<a, float, 33>>;
static_assert(odd::bytes == 132);
static_assert(sizeof(odd::storage) == 144);
static_assert(wg::static_shared_memory_of<odd>::value == 144);
static_assert(wg::dynamic_shared_memory_of<odd>::value == 132);

template <int Tile>
using two_tiles = wg::shared_layout<wg::shared_array<a, float[Tile], Tile>, wg::shared_array<b, float[Tile], Tile>>;

/// Whether `Blocks` blocks with this tile are resident, by occupancy_of() instead of capacity.hpp.
template <class Architecture, int Blocks, int Tile>
constexpr bool fits() {
  return wg::occupancy_of(Architecture::limits(), {32, 0, 0, two_tiles<Tile>::bytes}).blocks_per_sm >= Blocks;
}
template <class Architecture, int Blocks>
constexpr bool max_tile_is_largest() {
  constexpr int largest = wg::max_tile<Architecture, two_tiles, Blocks, 16, 32, 48, 64, 80, 96, 112, 128>;
  return fits<Architecture, Blocks, largest>() && (largest == 128 || !fits<Architecture, Blocks, largest + 16>());
}
static_assert(max_tile_is_largest<wg::sm<75>, 2>());
static_assert(max_tile_is_largest<wg::sm<80>, 2>());
static_assert(max_tile_is_largest<wg::sm<86>, 2>());
static_assert(max_tile_is_largest<wg::sm<90>, 1>());
static_assert(max_tile_is_largest<wg::sm<90>, 3>());
static_assert(max_tile_is_largest<wg::sm<120>, 5>());
static_assert(wg::max_tile<wg::sm<86>, two_tiles, 2, 32, 64, 48> == 64, "the tiles may be in any order");

}  // namespace

TEST_CASE("get returns the base plus the offset, in every stage") {
  static pipeline::storage memory;
  auto const base = reinterpret_cast<std::uintptr_t>(&memory);
  CHECK(base % pipeline::alignment == 0);
  CHECK(reinterpret_cast<std::uintptr_t>(pipeline::get<a>(&memory)) == base);
  CHECK(reinterpret_cast<std::uintptr_t>(pipeline::get<barrier>(&memory)) == base + 376);
  for (int stage = 0; stage < 3; ++stage) {
    CHECK(reinterpret_cast<std::uintptr_t>(pipeline::get<b>(&memory, stage)) ==
          base + 112 + 128 * static_cast<unsigned>(stage));
  }
  CHECK(pipeline::get<b, 0>(&memory) == pipeline::get<b>(&memory, 0));
  CHECK(pipeline::get<b, 2>(&memory) == pipeline::get<b>(&memory, 2));

  void const* const read_only = &memory;
  CHECK(pipeline::get<barrier>(read_only) == pipeline::get<barrier>(&memory));
  CHECK(pipeline::get<b, 2>(read_only) == pipeline::get<b>(&memory, 2));
  CHECK(pipeline::get<b>(read_only, 1) == pipeline::get<b>(&memory, 1));
}

TEST_CASE("the arrays of a layout without overlays do not overlap and lie inside of it") {
  int end = 0;
  boost::hana::for_each(aligned::arrays{}, [&](auto array) {
    using one = decltype(array);
    CHECK(one::offset >= end);
    CHECK(one::offset % one::alignment == 0);
    end = one::offset + one::bytes;
  });
  CHECK(end == aligned::bytes);
  CHECK(decltype(boost::hana::size(aligned::arrays{}))::value == 4);
}

TEST_CASE("sizes and alignments of a layout, when the program runs") {
  int value = 0;
  CHECK_FALSE(wg::detail::is_power_of_two(value));
  value = 1;
  CHECK(wg::detail::is_power_of_two(value));
  value = 1024;
  CHECK(wg::detail::is_power_of_two(value));
  value = 1023;
  CHECK_FALSE(wg::detail::is_power_of_two(value));
  long long bytes = 2147483647;
  CHECK(wg::detail::as_int(bytes) == 2147483647);
  ++bytes;
  CHECK(wg::detail::as_int(bytes) == 2147483647);
  int const stages[] = {512, 128, 256};
  CHECK(wg::detail::smallest_of(stages, 3) == 128);
  CHECK(wg::detail::smallest_of(stages, 1) == 512);
}
