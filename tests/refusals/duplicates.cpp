// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// What a contract may state only once.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: a contract states an option twice [duplicate_option]

// facts: duplicate_option_guard<Contract=registers_twice, Option=max_registers<40>, OtherOption=max_registers<32>>
struct registers_twice : wg::contract<block, wg::max_registers<40> REFUSED(, wg::max_registers<32>)> {};
static_assert(wg::guarantee<registers_twice>);

// facts: duplicate_option_guard<Contract=threads_twice, Option=threads_per_block<256>,
//    OtherOption=threads_per_block<128>>
// Without the alias `block`, which nvcc would print instead.
struct threads_twice : wg::contract<wg::threads_per_block<256> REFUSED(, wg::threads_per_block<128>)> {};
static_assert(wg::guarantee<threads_twice>);

// facts: duplicate_option_guard<Contract=no_bounds_twice, Option=no_min_blocks_bound, OtherOption=no_min_blocks_bound>
struct no_bounds_twice : wg::contract<block, wg::no_min_blocks_bound REFUSED(, wg::no_min_blocks_bound)> {};
static_assert(wg::guarantee<no_bounds_twice>);

// The twin states the option once inside on<> and once outside, which is no duplicate: on<> replaces it.
// facts: duplicate_option_guard<Contract=barriers_twice_inside_on, Option=barriers<2>, OtherOption=barriers<3>>
struct barriers_twice_inside_on
    : wg::contract<block, REFUSED(wg::on<wg::sm<90>, wg::barriers<2>, wg::barriers<3>>)
                              ACCEPTED(wg::on<wg::sm<90>, wg::barriers<2>>, wg::barriers<3>)> {};
static_assert(wg::guarantee<barriers_twice_inside_on>);

// error: warpguard: a contract promises one minimum, not two [two_minimums]

// facts: two_minimums_guard<Contract=warps_twice, Option=min_warps_per_sm<8>, OtherOption=min_warps_per_sm<16>>
struct warps_twice : wg::contract<block, wg::min_warps_per_sm<8> REFUSED(, wg::min_warps_per_sm<16>)> {};
static_assert(wg::guarantee<warps_twice>);

// facts: two_minimums_guard<Contract=percent_and_blocks, Option=min_occupancy<50>, OtherOption=min_blocks_per_sm<2>>
struct percent_and_blocks : wg::contract<block, wg::min_occupancy<50> REFUSED(, wg::min_blocks_per_sm<2>)> {};
static_assert(wg::guarantee<percent_and_blocks>);

// facts: two_minimums_guard<Contract=exactly_and_percent, Option=exactly_blocks_per_sm<4>,
//    OtherOption=min_occupancy<50>>
struct exactly_and_percent : wg::contract<block, wg::exactly_blocks_per_sm<4> REFUSED(, wg::min_occupancy<50>)> {};
static_assert(wg::guarantee_on<exactly_and_percent, wg::sm<75>>);

// facts: two_minimums_guard<Contract=two_inside_on, Option=min_blocks_per_sm<4>, OtherOption=min_warps_per_sm<8>>
struct two_inside_on
    : wg::contract<block, wg::on<wg::sm<90>, wg::min_blocks_per_sm<4> REFUSED(, wg::min_warps_per_sm<8>)>> {};
static_assert(wg::guarantee<two_inside_on>);
