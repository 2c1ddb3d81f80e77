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

template <class... Part>
constexpr bool laid_out = wg::shared_layout<Part...>::bytes > 0;

// error: warpguard: an array of a shared-memory layout has at least one element

// facts: array_size_guard<Name=a, Count=0>
static_assert(laid_out<wg::shared_array<a, float, REFUSED(0) ACCEPTED(1)>>);

// facts: array_size_guard<Name=a, Count=-4>
static_assert(laid_out<wg::shared_array<a, float, REFUSED(-4) ACCEPTED(4)>>);

// error: warpguard: the alignment of an array is a power of two, and at least that of its elements

// facts: array_alignment_guard<Name=b, Alignment=24, AlignmentNeeded=4>
static_assert(laid_out<wg::shared_array<a, float, 1>, wg::shared_array<b, float, 1, REFUSED(24) ACCEPTED(32)>>);

// facts: array_alignment_guard<Name=a, Alignment=4, AlignmentNeeded=8>
static_assert(laid_out<wg::shared_array<a, double, 1, REFUSED(4) ACCEPTED(8)>>);

// error: warpguard: a shared-memory layout has two arrays of one name

// facts: duplicate_array_guard<Layout=shared_layout<shared_array<a, float, 4, 16>, overlay<shared_array<b, int, 4, 16>,
//    shared_array<a, char, 8, 32>>>, Name=a>
static_assert(
    laid_out<wg::shared_array<a, float, 4, 16>,
             wg::overlay<wg::shared_array<b, int, 4, 16>, wg::shared_array<REFUSED(a) ACCEPTED(c), char, 8, 32>>>);

// error: warpguard: the shared-memory layout has no array of this name

// facts: unknown_array_guard<Layout=shared_layout<shared_array<a, float, 4, 32>>, Name=b>
float* of_unknown_name(void* base) {
  return wg::shared_layout<wg::shared_array<a, float, 4, 32>>::get<REFUSED(b) ACCEPTED(a)>(base);
}

// error: warpguard: a shared-memory layout consists of shared_array, staged, overlay and group

// facts: layout_part_guard<Part=int>
static_assert(laid_out<wg::shared_array<a, float, 1> REFUSED(, int)>);

// error: warpguard: staged<> takes one stage or more

// facts: stages_guard<Stages=0>
static_assert(laid_out<wg::staged<REFUSED(0) ACCEPTED(1), wg::shared_array<a, float, 1>>>);

// error: warpguard: there is no staged<> inside a staged<>

// facts: nested_stages_guard<Part=staged<2, shared_array<b, char, 1, 32>, staged<2, shared_array<a, char, 1, 32>>>>
static_assert(
    laid_out<REFUSED(wg::staged<2, wg::shared_array<b, char, 1, 32>, wg::staged<2, wg::shared_array<a, char, 1, 32>>>)
                 ACCEPTED(wg::staged<2, wg::shared_array<b, char, 1, 32>>,
                          wg::staged<2, wg::shared_array<a, char, 1, 32>>)>);

// error: warpguard: no architecture has blocks of so much shared memory

// facts: layout_size_guard<Layout=shared_layout<staged<2147483647, shared_array<a, char, 4096, 32>>>,
//    BytesWanted=8796093018112, BytesAllowed=232448>
static_assert(laid_out<wg::staged<REFUSED(2147483647) ACCEPTED(56), wg::shared_array<a, char, 4096, 32>>>);

// error: warpguard: not even the smallest tile leaves room for these blocks

template <int Tile>
using tiles_of = wg::shared_layout<wg::shared_array<a, float[Tile], Tile>, wg::shared_array<b, float[Tile], Tile>>;

// facts: tile_guard<Architecture=sm<75>, BlocksWanted=3, SmallestBytes=32768, BytesAllowed=21760>
static_assert(wg::max_tile<wg::sm<75>, tiles_of, REFUSED(3) ACCEPTED(2), 64, 80, 96> != 1);

// error: warpguard: max_tile needs tiles to choose from

static_assert(wg::max_tile<wg::sm<75>, tiles_of, 2 ACCEPTED(, 16)> >= 0);
