// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Promises that a target cannot keep: each case fails on one architecture and would hold with what `Fits` says.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: the contract's minimum residency is out of reach [residency]

// ---- what limits it -------------------------------------------------------------------------------------------------

// facts: residency_guard<Contract=by_warps, Architecture=sm<75>, BlocksReached=2, BlocksRequired=3,
//    LimitedBy=limited_by::warps, Fits=threads_per_block_of<320>>
struct by_warps
    : wg::contract<REFUSED(wg::threads_per_block<512>) ACCEPTED(wg::threads_per_block<320>), wg::min_blocks_per_sm<3>> {
};
static_assert(wg::guarantee<by_warps>);

// facts: residency_guard<Contract=by_block_slots, Architecture=sm<75>, BlocksReached=16, BlocksRequired=20,
//    LimitedBy=limited_by::block_slots, Fits=threads_per_block_of<64>>
struct by_block_slots
    : wg::contract<REFUSED(wg::threads_per_block<32>) ACCEPTED(wg::threads_per_block<64>), wg::min_warps_per_sm<20>> {};
static_assert(wg::guarantee<by_block_slots>);

// facts: residency_guard<Contract=by_registers, Architecture=sm<86>, BlocksReached=4, BlocksRequired=5,
//    LimitedBy=limited_by::registers, Fits=registers_at_most<48>>
struct by_registers
    : wg::contract<block, REFUSED(wg::max_registers<64>) ACCEPTED(wg::max_registers<48>), wg::min_blocks_per_sm<5>> {};
static_assert(wg::guarantee_on<by_registers, wg::sm<37>, wg::sm<86>>);

// facts: residency_guard<Contract=by_shared_memory, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>
struct by_shared_memory
    : wg::contract<block, REFUSED(wg::dynamic_shared_memory<32769>) ACCEPTED(wg::dynamic_shared_memory<32768>),
                   wg::min_blocks_per_sm<2>> {};
static_assert(wg::guarantee<by_shared_memory>);

// facts: residency_guard<Contract=by_barriers, Architecture=sm<90>, BlocksReached=8, BlocksRequired=9,
//    LimitedBy=limited_by::barriers, Fits=barriers_at_most<7>>
struct by_barriers : wg::contract<wg::threads_per_block<128>, REFUSED(wg::barriers<8>) ACCEPTED(wg::barriers<7>),
                                  wg::min_blocks_per_sm<9>> {};
static_assert(wg::guarantee_on<by_barriers, wg::sm<80>, wg::sm<90>>);

// facts: residency_guard<Contract=by_several, Architecture=sm<86>, BlocksReached=4, BlocksRequired=5,
//    LimitedBy=limited_by::several<limited_by::registers, limited_by::shared_memory>,
//    Fits=all_changes<registers_at_most<48>, shared_memory_at_most<19456>>>
struct by_several : wg::contract<block,
                                 REFUSED(wg::max_registers<64>, wg::static_shared_memory<24 * 1024>)
                                     ACCEPTED(wg::max_registers<48>, wg::static_shared_memory<19456>),
                                 wg::min_blocks_per_sm<5>> {};
static_assert(wg::guarantee_on<by_several, wg::sm<86>>);

// facts: residency_guard<Contract=reached_by_nothing, Architecture=sm<75>, BlocksReached=16, BlocksRequired=17,
//    LimitedBy=limited_by::block_slots, Fits=promise_at_most<16>>
struct reached_by_nothing
    : wg::contract<wg::threads_per_block<32>, REFUSED(wg::min_blocks_per_sm<17>) ACCEPTED(wg::min_blocks_per_sm<16>)> {
};
static_assert(wg::guarantee<reached_by_nothing>);

// At most 64 registers would reach it, but the contract states at least 65.
// facts: residency_guard<Contract=reached_by_too_few_registers, Architecture=sm<75>, BlocksReached=2, BlocksRequired=4,
//    LimitedBy=limited_by::registers, Fits=promise_at_most<2>>
struct reached_by_too_few_registers
    : wg::contract<block, wg::max_registers<128>, wg::min_registers<65>,
                   REFUSED(wg::min_blocks_per_sm<4>) ACCEPTED(wg::min_blocks_per_sm<2>)> {};
static_assert(wg::guarantee_on<reached_by_too_few_registers, wg::sm<75>>);

// ---- how it is promised ---------------------------------------------------------------------------------------------

// 4 blocks are 40 of 64 warps, 62.5 %, which is not rounded up.
// facts: residency_guard<Contract=percent_not_rounded, Architecture=sm<70>, BlocksReached=4, BlocksRequired=5,
//    LimitedBy=limited_by::registers, Fits=registers_at_most<32>>
struct percent_not_rounded : wg::contract<wg::threads_per_block<320>, wg::max_registers<37>,
                                          REFUSED(wg::min_occupancy<63>) ACCEPTED(wg::min_occupancy<62>)> {};
static_assert(wg::guarantee_on<percent_not_rounded, wg::sm<70>>);

// facts: residency_guard<Contract=exactly_but_fewer, Architecture=sm<86>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<50176>>
struct exactly_but_fewer
    : wg::contract<block, REFUSED(wg::dynamic_shared_memory<60 * 1024>) ACCEPTED(wg::dynamic_shared_memory<40 * 1024>),
                   wg::exactly_blocks_per_sm<2>> {};
static_assert(wg::guarantee_on<exactly_but_fewer, wg::sm<86>>);

// ---- where ----------------------------------------------------------------------------------------------------------

// facts: residency_guard<Contract=only_with_the_options_of_on, Architecture=sm<90>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<115712>>
struct only_with_the_options_of_on
    : wg::contract<block, wg::min_blocks_per_sm<2>,
                   wg::on<wg::sm<90>, wg::dynamic_shared_memory<200 * 1024> ACCEPTED(, wg::exactly_blocks_per_sm<1>)>> {
};
static_assert(wg::guarantee<only_with_the_options_of_on>);

// However often a contract is checked, an architecture is listed once.
// facts: residency_guard<Contract=checked_three_times, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>
struct checked_three_times
    : wg::contract<block, REFUSED(wg::dynamic_shared_memory<40 * 1024>) ACCEPTED(wg::dynamic_shared_memory<32 * 1024>),
                   wg::min_blocks_per_sm<2>> {};
static_assert(wg::guarantee<checked_three_times>);
static_assert(wg::guarantee<checked_three_times>);
constexpr bool third_time = wg::guarantee<checked_three_times>;
static_assert(third_time);

// error: warpguard: the contract's maximum residency is exceeded [excess]

// facts: excess_guard<Contract=more_than_max_blocks, Architecture=sm<75>, BlocksReached=8, BlocksAllowed=4,
//    LimitedBy=limited_by::warps, Fits=shared_memory_at_least<13057>>
struct more_than_max_blocks
    : wg::contract<wg::threads_per_block<128>, wg::max_blocks_per_sm<4> ACCEPTED(, wg::dynamic_shared_memory<13057>)> {
};
static_assert(wg::guarantee_on<more_than_max_blocks, wg::sm<75>>);

// facts: excess_guard<Contract=exactly_but_more, Architecture=sm<86>, BlocksReached=2, BlocksAllowed=1,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_least<50177>>
// facts: excess_guard<Contract=exactly_but_more, Architecture=sm<90>, BlocksReached=4, BlocksAllowed=1,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_least<115713>>
struct exactly_but_more : wg::contract<block, wg::dynamic_shared_memory<48 * 1024>,
                                       REFUSED(wg::exactly_blocks_per_sm<1>) ACCEPTED(wg::min_blocks_per_sm<1>)> {};
static_assert(wg::guarantee_on<exactly_but_more, wg::sm<75>, wg::sm<86>, wg::sm<90>>);

// Even a block that takes all the shared memory that it may have leaves room for a second one.
// facts: excess_guard<Contract=kept_by_nothing, Architecture=sm<52>, BlocksReached=4, BlocksAllowed=1,
//    LimitedBy=limited_by::warps, Fits=promise_at_least<4>>
struct kept_by_nothing : wg::contract<wg::threads_per_block<512>, wg::max_registers<32>,
                                      REFUSED(wg::max_blocks_per_sm<1>) ACCEPTED(wg::max_blocks_per_sm<4>)> {};
static_assert(wg::guarantee_on<kept_by_nothing, wg::sm<52>>);

// max_registers is the most that the kernel uses; a kernel of 10 registers would be resident 8 times. The twin states
// the least.
// facts: excess_guard<Contract=kept_by_registers, Architecture=sm<90>, BlocksReached=8, BlocksAllowed=1,
//    LimitedBy=limited_by::warps, Fits=registers_at_least<129>>
struct kept_by_registers : wg::contract<wg::threads_per_block<256>, wg::max_registers<200>,
                                        wg::exactly_blocks_per_sm<1> ACCEPTED(, wg::min_registers<129>)> {};
static_assert(wg::guarantee_on<kept_by_registers, wg::sm<90>>);

// facts: excess_guard<Contract=one_register_short, Architecture=sm<90>, BlocksReached=2, BlocksAllowed=1,
//    LimitedBy=limited_by::registers, Fits=registers_at_least<129>>
struct one_register_short : wg::contract<wg::threads_per_block<256>, wg::max_registers<200>, wg::max_blocks_per_sm<1>,
                                         wg::min_registers<REFUSED(128) ACCEPTED(129)>> {};
static_assert(wg::guarantee_on<one_register_short, wg::sm<90>>);

// error: warpguard: a minimum with no_min_blocks_bound needs max_registers [free_registers]

// facts: free_registers_guard<Contract=registers_left_open, Architecture=sm<86>, BlocksRequired=5,
//    Fits=registers_at_most<48>>
struct registers_left_open
    : wg::contract<block, wg::min_blocks_per_sm<5>, wg::no_min_blocks_bound ACCEPTED(, wg::max_registers<48>)> {};
static_assert(wg::guarantee_on<registers_left_open, wg::sm<86>>);

// error: warpguard: the contract's minimum exceeds its maximum [contradiction]

// facts: contradiction_guard<Contract=four_and_two, Architecture=sm<75>, BlocksRequired=4, BlocksAllowed=2>
// facts: contradiction_guard<Contract=four_and_two, Architecture=sm<90>, BlocksRequired=4, BlocksAllowed=2>
struct four_and_two
    : wg::contract<block, wg::min_blocks_per_sm<REFUSED(4) ACCEPTED(2)>, wg::dynamic_shared_memory<30 * 1024>,
                   wg::max_blocks_per_sm<2>, wg::on<wg::sm<90>, wg::dynamic_shared_memory<100 * 1024>>> {};
static_assert(wg::guarantee<four_and_two>);

// Exactly so many is a minimum and a maximum; it does not replace the other maximum.
// facts: contradiction_guard<Contract=exactly_above_maximum, Architecture=sm<86>, BlocksRequired=3, BlocksAllowed=2>
struct exactly_above_maximum : wg::contract<block, wg::exactly_blocks_per_sm<REFUSED(3) ACCEPTED(2)>,
                                            wg::dynamic_shared_memory<40 * 1024>, wg::max_blocks_per_sm<2>> {};
static_assert(wg::guarantee_on<exactly_above_maximum, wg::sm<86>>);

// Half of the warp slots are 4 blocks of 128 threads on 7.5, and 8 on 9.0.
// facts: contradiction_guard<Contract=percent_above_maximum, Architecture=sm<90>, BlocksRequired=8, BlocksAllowed=4>
struct percent_above_maximum : wg::contract<wg::threads_per_block<128>, wg::min_occupancy<REFUSED(50) ACCEPTED(25)>,
                                            wg::max_blocks_per_sm<4>, wg::dynamic_shared_memory<16 * 1024>,
                                            wg::on<wg::sm<90>, wg::dynamic_shared_memory<56 * 1024> REFUSED()>> {};
static_assert(wg::guarantee<percent_above_maximum>);

// facts: contradiction_guard<Contract=warps_above_maximum, Architecture=sm<86>, BlocksRequired=3, BlocksAllowed=2>
struct warps_above_maximum : wg::contract<block, wg::min_warps_per_sm<REFUSED(17) ACCEPTED(16)>,
                                          wg::dynamic_shared_memory<40 * 1024>, wg::max_blocks_per_sm<2>> {};
static_assert(wg::guarantee_on<warps_above_maximum, wg::sm<86>>);

// facts: contradiction_guard<Contract=inside_on_alone, Architecture=sm<90>, BlocksRequired=2, BlocksAllowed=1>
struct inside_on_alone
    : wg::contract<block, wg::min_blocks_per_sm<2>,
                   wg::on<wg::sm<90>, wg::max_blocks_per_sm<1>,
                          wg::dynamic_shared_memory<200 * 1024> ACCEPTED(, wg::min_blocks_per_sm<1>)>> {};
static_assert(wg::guarantee<inside_on_alone>);

// This rule comes before those of the minimum and of the maximum, whose advice would break the other one.
// facts: contradiction_guard<Contract=out_of_reach_too, Architecture=sm<86>, BlocksRequired=20, BlocksAllowed=1>
struct out_of_reach_too : wg::contract<block, wg::min_blocks_per_sm<REFUSED(20) ACCEPTED(1)>, wg::max_blocks_per_sm<1>,
                                       wg::dynamic_shared_memory<60 * 1024>> {};
static_assert(wg::guarantee_on<out_of_reach_too, wg::sm<86>>);

// error: warpguard: the contract's minimum residency is out of reach [residency]

// With 96 registers 10 blocks fit, one more than allowed; shared memory keeps it out.
// facts: residency_guard<Contract=exactly_nine, Architecture=sm<75>, BlocksReached=8, BlocksRequired=9,
//    LimitedBy=limited_by::registers, Fits=all_changes<registers_at_most<96>, shared_memory_at_least<6401>>>
struct exactly_nine
    : wg::contract<wg::threads_per_block<64>, wg::exactly_blocks_per_sm<9>,
                   wg::max_registers<REFUSED(128) ACCEPTED(96)> ACCEPTED(, wg::dynamic_shared_memory<6401>)> {};
static_assert(wg::guarantee_on<exactly_nine, wg::sm<75>>);

// No number of bytes gives exactly 24 blocks: 2560 bytes give 25, 2816 give 23. Registers keep out the 25th.
// facts: residency_guard<Contract=exactly_24, Architecture=sm<53>, BlocksReached=2, BlocksRequired=24,
//    LimitedBy=limited_by::shared_memory, Fits=all_changes<registers_at_least<73>, shared_memory_at_most<2560>>>
struct exactly_24
    : wg::contract<wg::threads_per_block<32>, wg::exactly_blocks_per_sm<24>,
                   wg::dynamic_shared_memory<REFUSED(32768) ACCEPTED(2560)> ACCEPTED(, wg::min_registers<73>)> {};
static_assert(wg::guarantee_on<exactly_24, wg::sm<53>>);

// With at most 64 registers nothing gives exactly 24.
// facts: residency_guard<Contract=exactly_never, Architecture=sm<53>, BlocksReached=2, BlocksRequired=24,
//    LimitedBy=limited_by::shared_memory, Fits=promise_at_most<2>>
struct exactly_never : wg::contract<wg::threads_per_block<32>, wg::dynamic_shared_memory<32768>, wg::max_registers<64>,
                                    wg::exactly_blocks_per_sm<REFUSED(24) ACCEPTED(2)>> {};
static_assert(wg::guarantee_on<exactly_never, wg::sm<53>>);

// Out of reach with any number of registers, so none is named.
// facts: residency_guard<Contract=nine_free_blocks, Architecture=sm<90>, BlocksReached=8, BlocksRequired=9,
//    LimitedBy=limited_by::warps, Fits=threads_per_block_of<224>>
struct nine_free_blocks : wg::contract<wg::threads_per_block<REFUSED(256) ACCEPTED(224)>, wg::min_blocks_per_sm<9>,
                                       wg::no_min_blocks_bound ACCEPTED(, wg::max_registers<32>)> {};
static_assert(wg::guarantee_on<nine_free_blocks, wg::sm<90>>);
