// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: an option of the contract is out of range [option_range]

// Every option at the first number below or above its range; its twin has the last number inside.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// ---- resources ------------------------------------------------------------------------------------------------------

// facts: option_range_guard<Contract=registers_negative, Option=max_registers<-1>, Least=1, Most=255>
struct registers_negative : wg::contract<block, REFUSED(wg::max_registers<-1>) ACCEPTED(wg::max_registers<1>)> {};
static_assert(wg::guarantee<registers_negative>);

// facts: option_range_guard<Contract=registers_zero, Option=max_registers<0>, Least=1, Most=255>
struct registers_zero : wg::contract<block, REFUSED(wg::max_registers<0>) ACCEPTED(wg::max_registers<1>)> {};
static_assert(wg::guarantee<registers_zero>);

// facts: option_range_guard<Contract=registers_too_many, Option=max_registers<256>, Least=1, Most=255>
struct registers_too_many : wg::contract<block, REFUSED(wg::max_registers<256>) ACCEPTED(wg::max_registers<255>)> {};
static_assert(wg::guarantee<registers_too_many>);

// facts: option_range_guard<Contract=static_bytes_negative, Option=static_shared_memory<-1>, Least=0, Most=49152>
struct static_bytes_negative
    : wg::contract<block, REFUSED(wg::static_shared_memory<-1>) ACCEPTED(wg::static_shared_memory<0>)> {};
static_assert(wg::guarantee<static_bytes_negative>);

// facts: option_range_guard<Contract=static_bytes_over_48_kib, Option=static_shared_memory<49153>, Least=0, Most=49152>
struct static_bytes_over_48_kib
    : wg::contract<block, REFUSED(wg::static_shared_memory<49153>) ACCEPTED(wg::static_shared_memory<49152>)> {};
static_assert(wg::guarantee<static_bytes_over_48_kib>);

// facts: option_range_guard<Contract=dynamic_bytes_negative, Option=dynamic_shared_memory<-1>, Least=0,
//    Most=2147483647>
struct dynamic_bytes_negative
    : wg::contract<block, REFUSED(wg::dynamic_shared_memory<-1>) ACCEPTED(wg::dynamic_shared_memory<0>)> {};
static_assert(wg::guarantee<dynamic_bytes_negative>);

// facts: option_range_guard<Contract=barriers_negative, Option=barriers<-1>, Least=0, Most=16>
struct barriers_negative : wg::contract<block, REFUSED(wg::barriers<-1>) ACCEPTED(wg::barriers<0>)> {};
static_assert(wg::guarantee<barriers_negative>);

// facts: option_range_guard<Contract=barriers_too_many, Option=barriers<17>, Least=0, Most=16>
struct barriers_too_many : wg::contract<block, REFUSED(wg::barriers<17>) ACCEPTED(wg::barriers<16>)> {};
static_assert(wg::guarantee<barriers_too_many>);

// facts: option_range_guard<Contract=spills_negative, Option=spill_budget<-1>, Least=0, Most=2147483647>
struct spills_negative : wg::contract<block, REFUSED(wg::spill_budget<-1>) ACCEPTED(wg::spill_budget<0>)> {};
static_assert(wg::guarantee<spills_negative>);

// ---- what launches choose -------------------------------------------------------------------------------------------

// facts: option_range_guard<Contract=least_threads_zero, Option=min_threads_per_block<0>, Least=1, Most=1024>
struct least_threads_zero : wg::contract<wg::max_threads_per_block<256>, REFUSED(wg::min_threads_per_block<0>)
                                                                             ACCEPTED(wg::min_threads_per_block<1>)> {};
static_assert(wg::guarantee<least_threads_zero>);

// facts: option_range_guard<Contract=least_threads_too_many, Option=min_threads_per_block<1025>, Least=1, Most=1024>
struct least_threads_too_many
    : wg::contract<wg::max_threads_per_block<256>,
                   REFUSED(wg::min_threads_per_block<1025>) ACCEPTED(wg::min_threads_per_block<256>)> {};
static_assert(wg::guarantee<least_threads_too_many>);

// facts: option_range_guard<Contract=chosen_bytes_negative, Option=max_dynamic_shared_memory<-1>, Least=0,
//    Most=2147483647>
struct chosen_bytes_negative
    : wg::contract<block, REFUSED(wg::max_dynamic_shared_memory<-1>) ACCEPTED(wg::max_dynamic_shared_memory<0>)> {};
static_assert(wg::guarantee<chosen_bytes_negative>);

// facts: option_range_guard<Contract=bytes_per_thread_negative, Option=dynamic_shared_memory_per_thread<-1>, Least=0,
//    Most=2147483647>
struct bytes_per_thread_negative : wg::contract<block, REFUSED(wg::dynamic_shared_memory_per_thread<-1>)
                                                           ACCEPTED(wg::dynamic_shared_memory_per_thread<0>)> {};
static_assert(wg::guarantee<bytes_per_thread_negative>);

// facts: option_range_guard<Contract=least_registers_zero, Option=min_registers<0>, Least=1, Most=255>
struct least_registers_zero : wg::contract<block, REFUSED(wg::min_registers<0>) ACCEPTED(wg::min_registers<1>)> {};
static_assert(wg::guarantee<least_registers_zero>);

// facts: option_range_guard<Contract=least_registers_too_many, Option=min_registers<256>, Least=1, Most=255>
struct least_registers_too_many
    : wg::contract<block, REFUSED(wg::min_registers<256>) ACCEPTED(wg::min_registers<255>)> {};
static_assert(wg::guarantee<least_registers_too_many>);

// ---- clusters, on 9.0 alone: earlier architectures have none --------------------------------------------------------

// facts: option_range_guard<Contract=cluster_zero, Option=cluster_size<0>, Least=1, Most=16>
struct cluster_zero : wg::contract<block, REFUSED(wg::cluster_size<0>) ACCEPTED(wg::cluster_size<1>)> {};
static_assert(wg::guarantee_on<cluster_zero, wg::sm<90>>);

// facts: option_range_guard<Contract=cluster_y_zero, Option=cluster_size<4, 0>, Least=1, Most=16>
struct cluster_y_zero : wg::contract<block, REFUSED(wg::cluster_size<4, 0>) ACCEPTED(wg::cluster_size<4, 1>)> {};
static_assert(wg::guarantee_on<cluster_y_zero, wg::sm<90>>);

// facts: option_range_guard<Contract=cluster_too_large, Option=cluster_size<17>, Least=1, Most=16>
struct cluster_too_large : wg::contract<block, REFUSED(wg::cluster_size<17>) ACCEPTED(wg::cluster_size<16>)> {};
static_assert(wg::guarantee_on<cluster_too_large, wg::sm<90>>);

// facts: option_range_guard<Contract=cluster_product_too_large, Option=cluster_size<4, 2, 3>, Least=1, Most=16>
struct cluster_product_too_large
    : wg::contract<block, REFUSED(wg::cluster_size<4, 2, 3>) ACCEPTED(wg::cluster_size<4, 2, 2>)> {};
static_assert(wg::guarantee_on<cluster_product_too_large, wg::sm<90>>);

// The product alone would be 4.
// facts: option_range_guard<Contract=cluster_two_negatives, Option=cluster_size<-2, -2>, Least=1, Most=16>
struct cluster_two_negatives : wg::contract<block, REFUSED(wg::cluster_size<-2, -2>) ACCEPTED(wg::cluster_size<2, 2>)> {
};
static_assert(wg::guarantee_on<cluster_two_negatives, wg::sm<90>>);

// The product does not fit an int; it would wrap around to 0.
// facts: option_range_guard<Contract=cluster_beyond_int, Option=cluster_size<65536, 65536, 2>, Least=1, Most=16>
struct cluster_beyond_int
    : wg::contract<block, REFUSED(wg::cluster_size<65536, 65536, 2>) ACCEPTED(wg::cluster_size<2, 2, 2>)> {};
static_assert(wg::guarantee_on<cluster_beyond_int, wg::sm<90>>);

// ---- promises -------------------------------------------------------------------------------------------------------

// facts: option_range_guard<Contract=percent_negative, Option=min_occupancy<-1>, Least=1, Most=100>
struct percent_negative : wg::contract<block, REFUSED(wg::min_occupancy<-1>) ACCEPTED(wg::min_occupancy<1>)> {};
static_assert(wg::guarantee<percent_negative>);

// facts: option_range_guard<Contract=percent_zero, Option=min_occupancy<0>, Least=1, Most=100>
struct percent_zero : wg::contract<block, REFUSED(wg::min_occupancy<0>) ACCEPTED(wg::min_occupancy<1>)> {};
static_assert(wg::guarantee<percent_zero>);

// facts: option_range_guard<Contract=percent_over_100, Option=min_occupancy<101>, Least=1, Most=100>
struct percent_over_100 : wg::contract<block, REFUSED(wg::min_occupancy<101>) ACCEPTED(wg::min_occupancy<100>)> {};
static_assert(wg::guarantee<percent_over_100>);

// facts: option_range_guard<Contract=min_warps_zero, Option=min_warps_per_sm<0>, Least=1, Most=2147483647>
struct min_warps_zero : wg::contract<block, REFUSED(wg::min_warps_per_sm<0>) ACCEPTED(wg::min_warps_per_sm<1>)> {};
static_assert(wg::guarantee<min_warps_zero>);

// facts: option_range_guard<Contract=min_blocks_zero, Option=min_blocks_per_sm<0>, Least=1, Most=2147483647>
struct min_blocks_zero : wg::contract<block, REFUSED(wg::min_blocks_per_sm<0>) ACCEPTED(wg::min_blocks_per_sm<1>)> {};
static_assert(wg::guarantee<min_blocks_zero>);

// facts: option_range_guard<Contract=max_blocks_zero, Option=max_blocks_per_sm<0>, Least=1, Most=2147483647>
struct max_blocks_zero : wg::contract<block, REFUSED(wg::max_blocks_per_sm<0>) ACCEPTED(wg::max_blocks_per_sm<4>)> {};
static_assert(wg::guarantee_on<max_blocks_zero, wg::sm<75>>);

// facts: option_range_guard<Contract=exactly_blocks_zero, Option=exactly_blocks_per_sm<0>, Least=1, Most=2147483647>
struct exactly_blocks_zero
    : wg::contract<block, REFUSED(wg::exactly_blocks_per_sm<0>) ACCEPTED(wg::exactly_blocks_per_sm<4>)> {};
static_assert(wg::guarantee_on<exactly_blocks_zero, wg::sm<75>>);

// ---- where the option stands ----------------------------------------------------------------------------------------

// facts: option_range_guard<Contract=inside_on, Option=max_registers<256>, Least=1, Most=255>
struct inside_on
    : wg::contract<block, wg::on<wg::sm<90>, REFUSED(wg::max_registers<256>) ACCEPTED(wg::max_registers<255>)>> {};
static_assert(wg::guarantee<inside_on>);

// One build refuses every option that is out of range.
// facts: option_range_guard<Contract=two_of_one_contract, Option=max_registers<256>, Least=1, Most=255>
// facts: option_range_guard<Contract=two_of_one_contract, Option=min_occupancy<101>, Least=1, Most=100>
struct two_of_one_contract : wg::contract<block, REFUSED(wg::max_registers<256>, wg::min_occupancy<101>)
                                                     ACCEPTED(wg::max_registers<64>, wg::min_occupancy<50>)> {};
static_assert(wg::guarantee<two_of_one_contract>);
