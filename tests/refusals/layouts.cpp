// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Layouts of shared memory that contradict themselves or do not fit.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

struct a;
struct b;
struct c;

// error: warpguard: an array of a shared-memory layout has at least one element [array_size]

// facts: array_size_guard<Name=a, Count=0>
static_assert(wg::shared_layout<wg::shared_array<a, float, REFUSED(0) ACCEPTED(1)>>::bytes > 0);

// facts: array_size_guard<Name=a, Count=-4>
static_assert(wg::shared_layout<wg::shared_array<a, float, REFUSED(-4) ACCEPTED(4)>>::bytes > 0);

// error: warpguard: the alignment of an array is a power of two, and at least that of its elements [array_alignment]

// facts: array_alignment_guard<Name=b, Alignment=24, AlignmentNeeded=4>
static_assert(
    wg::shared_layout<wg::shared_array<a, float, 1>, wg::shared_array<b, float, 1, REFUSED(24) ACCEPTED(32)>>::bytes >
    0);

// facts: array_alignment_guard<Name=a, Alignment=4, AlignmentNeeded=8>
static_assert(wg::shared_layout<wg::shared_array<a, double, 1, REFUSED(4) ACCEPTED(8)>>::bytes > 0);

// error: warpguard: a shared-memory layout has at least one array [empty_layout]

// facts: empty_layout_guard<Layout=shared_layout<>>
static_assert(wg::shared_layout<ACCEPTED(wg::shared_array<a, float, 1>)>::bytes > 0);

// error: warpguard: a shared-memory layout has two arrays of one name [duplicate_array]

// facts: duplicate_array_guard<Layout=shared_layout<shared_array<a, float, 4, 16>, overlay<shared_array<b, int, 4, 16>,
//    shared_array<a, char, 8, 32>>>, Name=a>
static_assert(wg::shared_layout<wg::shared_array<a, float, 4, 16>,
                                wg::overlay<wg::shared_array<b, int, 4, 16>,
                                            wg::shared_array<REFUSED(a) ACCEPTED(c), char, 8, 32>>>::bytes > 0);

// error: warpguard: the shared-memory layout has no array of this name [unknown_array]

// facts: unknown_array_guard<Layout=shared_layout<shared_array<a, float, 4, 32>>, Name=b>
WARPGUARD_HOST_DEVICE float* of_unknown_name(void* base) {
  return wg::shared_layout<wg::shared_array<a, float, 4, 32>>::get<REFUSED(b) ACCEPTED(a)>(base);
}

// error: warpguard: a shared-memory layout consists of shared_array, staged, overlay and group [layout_part]

// facts: layout_part_guard<Part=int>
static_assert(wg::shared_layout<wg::shared_array<a, float, 1> REFUSED(, int)>::bytes > 0);

// error: warpguard: staged<> takes one stage or more [stages]

// facts: stages_guard<Stages=0>
static_assert(wg::shared_layout<wg::staged<REFUSED(0) ACCEPTED(1), wg::shared_array<a, float, 1>>>::bytes > 0);

// error: warpguard: there is no staged<> inside a staged<> [nested_stages]

// facts: nested_stages_guard<Part=staged<2, shared_array<b, char, 1, 32>, staged<2, shared_array<a, char, 1, 32>>>>
static_assert(wg::shared_layout<REFUSED(
                  wg::staged<2, wg::shared_array<b, char, 1, 32>, wg::staged<2, wg::shared_array<a, char, 1, 32>>>)
                                    ACCEPTED(wg::staged<2, wg::shared_array<b, char, 1, 32>>,
                                             wg::staged<2, wg::shared_array<a, char, 1, 32>>)>::bytes > 0);

// error: warpguard: no architecture has blocks of so much shared memory [layout_size]

// facts: layout_size_guard<Layout=shared_layout<staged<2147483647, shared_array<a, char, 4096, 32>>>,
//    BytesWanted=8796093018112, BytesAllowed=232448>
static_assert(
    wg::shared_layout<wg::staged<REFUSED(2147483647) ACCEPTED(56), wg::shared_array<a, char, 4096, 32>>>::bytes > 0);

// error: warpguard: not even the smallest tile leaves room for these blocks [tile]

template <int Tile>
using tiles_of = wg::shared_layout<wg::shared_array<a, float[Tile], Tile>, wg::shared_array<b, float[Tile], Tile>>;

// facts: tile_guard<Architecture=sm<75>, BlocksWanted=3, SmallestBytes=32768, BytesAllowed=21760>
static_assert(wg::max_tile<wg::sm<75>, tiles_of, REFUSED(3) ACCEPTED(2), 64, 80, 96> > 0);

// error: warpguard: max_tile needs tiles to choose from [no_tiles]

// facts: no_tiles_guard<Architecture=sm<75>>
static_assert(wg::max_tile<wg::sm<75>, tiles_of, 2 ACCEPTED(, 16)> > 0);

// error: warpguard: max_tile takes one block per SM or more [tile_blocks]

// facts: tile_blocks_guard<BlocksWanted=0>
static_assert(wg::max_tile<wg::sm<75>, tiles_of, REFUSED(0) ACCEPTED(1), 16> > 0);

// error: warpguard: unknown compute capability (9.0 is sm<90>, and 900 in WARPGUARD_TARGETS) [architecture]

// facts: architecture_guard<ComputeCapability=96>
static_assert(wg::max_tile<REFUSED(wg::sm<96>) ACCEPTED(wg::sm<90>), tiles_of, 1, 16> > 0);

// error: warpguard: this type is not a shared_layout: for a struct use static_shared_memory<sizeof(T)> [layout]

using block = wg::threads_per_block<256>;

// facts: layout_guard<Type=as_static_option>
struct as_static_option {
  float values[64];
};
struct static_contract : wg::contract<block, REFUSED(wg::static_shared_memory_of<as_static_option>)
                                                 ACCEPTED(wg::static_shared_memory<sizeof(as_static_option)>)> {};
static_assert(wg::guarantee<static_contract>);

// facts: layout_guard<Type=as_dynamic_option>
struct as_dynamic_option ACCEPTED( : wg::shared_layout<wg::shared_array<a, float, 64>>) {};
struct dynamic_contract : wg::contract<block, wg::dynamic_shared_memory_of<as_dynamic_option>> {};
static_assert(wg::guarantee<dynamic_contract>);

// facts: layout_guard<Type=declared_only>
struct declared_only;
ACCEPTED(struct declared_only : wg::shared_layout<wg::shared_array<a, float, 64>>{};)
struct inside_on_contract : wg::contract<block, wg::on<wg::sm<90>, wg::dynamic_shared_memory_of<declared_only>>> {};
static_assert(wg::guarantee<inside_on_contract>);

// facts: layout_guard<Type=as_size>
struct as_size ACCEPTED( : wg::shared_layout<wg::shared_array<a, float, 64>>) {};
static_assert(wg::static_shared_memory_of<as_size>::value >= 0);

// facts: layout_guard<Type=struct_of<16>>
template <int Tile>
struct struct_of ACCEPTED(
    : wg::shared_layout<wg::shared_array<a, float, Tile>>) {};
static_assert(wg::max_tile<wg::sm<90>, struct_of, 2, 16, 32> > 0);

// error: warpguard: a shared-memory layout has two arrays of one name [duplicate_array]

// A layout with a fault is refused wherever it is used, not only where its size is asked for.
// facts: duplicate_array_guard<Layout=shared_layout<shared_array<c, float, 3, 64>, shared_array<c, float, 5, 64>>,
//    Name=c>
WARPGUARD_HOST_DEVICE float* of_faulty_layout(void* base) {
  using layout =
      wg::shared_layout<wg::shared_array<REFUSED(c) ACCEPTED(a), float, 3, 64>, wg::shared_array<c, float, 5, 64>>;
  return layout::get<c>(base);
}

// facts: duplicate_array_guard<Layout=shared_layout<shared_array<c, float, 7, 64>, shared_array<c, float, 9, 64>>,
//    Name=c>
static_assert(wg::shared_layout<wg::shared_array<REFUSED(c) ACCEPTED(a), float, 7, 64>,
                                wg::shared_array<c, float, 9, 64>>::has<c>);

// facts: duplicate_array_guard<Layout=shared_layout<shared_array<c, float, 11, 64>, shared_array<c, float, 13, 64>>,
//    Name=c>
static_assert(wg::shared_layout<wg::shared_array<REFUSED(c) ACCEPTED(a), float, 11, 64>,
                                wg::shared_array<c, float, 13, 64>>::array<c>::count > 0);

// error: warpguard: a shared-memory layout has at least one array [empty_layout]

// facts: empty_layout_guard<Layout=shared_layout<overlay<>>>
static_assert(wg::shared_layout<wg::overlay<ACCEPTED(wg::shared_array<a, float, 1>)>>::alignment > 0);

// error: warpguard: no architecture has blocks of so much shared memory [layout_size]

// facts: layout_size_guard<Layout=shared_layout<shared_array<a, float, 16777216, 16>>, BytesWanted=67108864,
//    BytesAllowed=232448>
WARPGUARD_HOST_DEVICE float* of_large_layout(void* base) {
  return wg::shared_layout<wg::shared_array<a, float, REFUSED(16777216) ACCEPTED(16), 16>>::get<a>(base);
}

// error: warpguard: the array has no stage of this number [stage]

using two_stages = wg::shared_layout<wg::staged<2, wg::shared_array<a, float, 4, 16>>, wg::shared_array<b, int, 1, 16>>;

// facts: stage_guard<Layout=shared_layout<staged<2, shared_array<a, float, 4, 16>>, shared_array<b, int, 1, 16>>,
//    Name=a, Stage=2, Stages=2>
WARPGUARD_HOST_DEVICE float* of_stage_beyond(void* base) { return two_stages::get<a, REFUSED(2) ACCEPTED(1)>(base); }

// facts: stage_guard<Layout=shared_layout<staged<2, shared_array<a, float, 4, 16>>, shared_array<b, int, 1, 16>>,
//    Name=a, Stage=-1, Stages=2>
WARPGUARD_HOST_DEVICE float const* of_stage_before(void const* base) {
  return two_stages::get<a, REFUSED(-1) ACCEPTED(0)>(base);
}

// facts: stage_guard<Layout=shared_layout<staged<2, shared_array<a, float, 4, 16>>, shared_array<b, int, 1, 16>>,
//    Name=b, Stage=1, Stages=1>
WARPGUARD_HOST_DEVICE int* of_stage_of_array_without(void* base) {
  return two_stages::get<b, REFUSED(1) ACCEPTED(0)>(base);
}

// error: warpguard: the array has no stages: call get<Name>(base) [unstaged_array]

// facts: unstaged_array_guard<Layout=shared_layout<staged<2, shared_array<a, float, 4, 16>>, shared_array<b, int, 1,
//    16>>, Name=b>
WARPGUARD_HOST_DEVICE int* of_array_without_stages(void* base, int stage) {
  static_cast<void>(stage);
  return two_stages::get<b>(base REFUSED(, stage));
}

// One stage is a stage: this compiles, so that the number of stages can be a parameter.
WARPGUARD_HOST_DEVICE float* of_only_stage(void* base, int stage) {
  return wg::shared_layout<wg::staged<1, wg::shared_array<a, float, 4>>>::get<a>(base, stage);
}
