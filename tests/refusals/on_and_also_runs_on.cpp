// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=800,860

// What on<> and also_runs_on<> take, and where they may stand.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: on<> takes an architecture, such as sm<90>, and options other than on<> [on]

// facts: on_guard<Contract=on_without_architecture, Option=on<int, max_registers<40>>>
struct on_without_architecture : wg::contract<block, wg::on<REFUSED(int) ACCEPTED(wg::sm<90>), wg::max_registers<40>>> {
};
static_assert(wg::guarantee<on_without_architecture>);

// facts: on_guard<Contract=on_inside_on, Option=on<sm<75>, max_registers<40>>>
struct on_inside_on : wg::contract<block, wg::on<wg::sm<90>, REFUSED(wg::on<wg::sm<75>, wg::max_registers<40>>)
                                                                 ACCEPTED(wg::max_registers<40>)>> {};
static_assert(wg::guarantee<on_inside_on>);

// error: warpguard: a contract has one on<> for each architecture, not two [repeated_architecture]

// facts: repeated_architecture_guard<Contract=one_architecture_twice, Option=on<sm<90>, max_registers<40>>,
//    OtherOption=on<sm<90>, barriers<2>>>
struct one_architecture_twice : wg::contract<block, wg::on<wg::sm<90>, wg::max_registers<40>>,
                                             wg::on<REFUSED(wg::sm<90>) ACCEPTED(wg::sm<75>), wg::barriers<2>>> {};
static_assert(wg::guarantee<one_architecture_twice>);

// error: warpguard: also_runs_on<> takes architectures, and stands outside of on<> [also_runs_on]

// facts: also_runs_on_guard<Contract=compatible_inside_on, Option=also_runs_on<sm<86>>>
struct compatible_inside_on : wg::contract<block, REFUSED(wg::on<wg::sm<80>, wg::also_runs_on<wg::sm<86>>>)
                                                      ACCEPTED(wg::also_runs_on<wg::sm<86>>)> {};
static_assert(wg::guarantee<compatible_inside_on>);

// facts: also_runs_on_guard<Contract=on_no_architecture, Option=also_runs_on<int>>
struct on_no_architecture : wg::contract<block, wg::also_runs_on<REFUSED(int) ACCEPTED(wg::sm<86>)>> {};
static_assert(wg::guarantee_on<on_no_architecture, wg::sm<80>>);

// facts: also_runs_on_guard<Contract=on_nothing_else, Option=also_runs_on<>>
struct on_nothing_else : wg::contract<block, wg::also_runs_on<ACCEPTED(wg::sm<86>)>> {};
static_assert(wg::guarantee<on_nothing_else>);

// error: warpguard: on<> states no option for its architecture [empty_on]

// facts: empty_on_guard<Contract=states_nothing, Option=on<sm<80>>>
struct states_nothing : wg::contract<block, wg::on<wg::sm<80> ACCEPTED(, wg::max_registers<40>)>> {};
static_assert(wg::guarantee<states_nothing>);

// facts: empty_on_guard<Contract=states_nothing_from, Option=on_from<sm<80>>>
struct states_nothing_from : wg::contract<block, wg::on_from<wg::sm<80> ACCEPTED(, wg::max_registers<40>)>> {};
static_assert(wg::guarantee<states_nothing_from>);

// error: warpguard: on<> names an architecture that no build can target (12.0 is sm<120>) [dead_on]

// facts: dead_on_guard<Contract=on_1_2, Option=on<sm<12>, max_registers<40>>>
struct on_1_2 : wg::contract<block, wg::on<REFUSED(wg::sm<12>) ACCEPTED(wg::sm<120>), wg::max_registers<40>>> {};
static_assert(wg::guarantee<on_1_2>);
static_assert(wg::guarantee_on<on_1_2, wg::sm<12>>);

// error: warpguard: the contract states no threads per block for this architecture [missing_block]

// The options of one architecture do not apply to the others.
// facts: missing_block_guard<Contract=threads_inside_on_alone, Architecture=sm<80>>
struct threads_inside_on_alone : wg::contract<ACCEPTED(block, ) wg::on<wg::sm<86>, wg::threads_per_block<512>>> {};
static_assert(wg::guarantee<threads_inside_on_alone>);

// error: warpguard: the contract's minimum residency is out of reach [residency]

// 8.9 is no target, but runs the code of 8.6.
// facts: residency_guard<Contract=on_compatible_too, Architecture=sm<86>, BlocksReached=6, BlocksRequired=8,
//    LimitedBy=limited_by::warps, Fits=threads_per_block_of<192>>
// facts: residency_guard<Contract=on_compatible_too, Architecture=device_running<sm<89>, sm<86>>, BlocksReached=6,
//    BlocksRequired=8, LimitedBy=limited_by::warps, Fits=threads_per_block_of<192>>
struct on_compatible_too : wg::contract<block, REFUSED(wg::min_blocks_per_sm<8>) ACCEPTED(wg::min_blocks_per_sm<6>),
                                        wg::also_runs_on<wg::sm<86>, wg::sm<89>>> {};
static_assert(wg::guarantee<on_compatible_too>);
