// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: a block has 1 to 1024 threads, and at most 1024 x 1024 x 64 of them [block_shape]

// Blocks that no architecture has.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

// facts: block_shape_guard<Contract=zero, Option=threads_per_block<0>>
struct zero : wg::contract<REFUSED(wg::threads_per_block<0>) ACCEPTED(wg::threads_per_block<1>)> {};
static_assert(wg::guarantee<zero>);

// facts: block_shape_guard<Contract=negative, Option=threads_per_block<-32>>
struct negative : wg::contract<REFUSED(wg::threads_per_block<-32>) ACCEPTED(wg::threads_per_block<32>)> {};
static_assert(wg::guarantee<negative>);

// facts: block_shape_guard<Contract=too_many, Option=threads_per_block<1025>>
struct too_many : wg::contract<REFUSED(wg::threads_per_block<1025>) ACCEPTED(wg::threads_per_block<1024>)> {};
static_assert(wg::guarantee<too_many>);

// facts: block_shape_guard<Contract=y_zero, Option=threads_per_block<32, 0>>
struct y_zero : wg::contract<REFUSED(wg::threads_per_block<32, 0>) ACCEPTED(wg::threads_per_block<32, 1>)> {};
static_assert(wg::guarantee<y_zero>);

// facts: block_shape_guard<Contract=y_too_long, Option=threads_per_block<1, 1025>>
struct y_too_long : wg::contract<REFUSED(wg::threads_per_block<1, 1025>) ACCEPTED(wg::threads_per_block<1, 1024>)> {};
static_assert(wg::guarantee<y_too_long>);

// 65 threads in all, but only 64 may stand along z.
// facts: block_shape_guard<Contract=z_too_long, Option=threads_per_block<1, 1, 65>>
struct z_too_long : wg::contract<REFUSED(wg::threads_per_block<1, 1, 65>) ACCEPTED(wg::threads_per_block<1, 1, 64>)> {};
static_assert(wg::guarantee<z_too_long>);

// facts: block_shape_guard<Contract=product_too_large, Option=threads_per_block<32, 33>>
struct product_too_large
    : wg::contract<REFUSED(wg::threads_per_block<32, 33>) ACCEPTED(wg::threads_per_block<32, 32>)> {};
static_assert(wg::guarantee<product_too_large>);

// The product alone would be 256.
// facts: block_shape_guard<Contract=two_negatives, Option=threads_per_block<-16, -16>>
struct two_negatives : wg::contract<REFUSED(wg::threads_per_block<-16, -16>) ACCEPTED(wg::threads_per_block<16, 16>)> {
};
static_assert(wg::guarantee<two_negatives>);

// The product does not fit an int; it would wrap around to 65536.
// facts: block_shape_guard<Contract=beyond_int, Option=threads_per_block<65536, 65537>>
struct beyond_int : wg::contract<REFUSED(wg::threads_per_block<65536, 65537>) ACCEPTED(wg::threads_per_block<256, 4>)> {
};
static_assert(wg::guarantee<beyond_int>);

// facts: block_shape_guard<Contract=most_threads_zero, Option=max_threads_per_block<0>>
struct most_threads_zero : wg::contract<wg::max_threads_per_block<REFUSED(0) ACCEPTED(1)>> {};
static_assert(wg::guarantee<most_threads_zero>);

// facts: block_shape_guard<Contract=most_threads_too_many, Option=max_threads_per_block<1025>>
struct most_threads_too_many : wg::contract<wg::max_threads_per_block<REFUSED(1025) ACCEPTED(1024)>> {};
static_assert(wg::guarantee<most_threads_too_many>);
