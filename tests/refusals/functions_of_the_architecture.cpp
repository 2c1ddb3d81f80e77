// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=800,860

// on_each: options as functions of the architecture.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

template <class Architecture>
using registers_on = wg::max_registers<Architecture::compute_capability == 86 ? REFUSED(300) ACCEPTED(40) : 32>;
template <class Architecture>
using bytes_on = wg::dynamic_shared_memory<Architecture::compute_capability * 1024>;
template <class Architecture>
using same_bytes_on = wg::dynamic_shared_memory<1024>;
template <class Architecture>
using no_option_on = int;
template <class Architecture>
using on_again = wg::on<Architecture, wg::max_registers<40>>;

// error: warpguard: an option of the contract is out of range [option_range]

// facts: option_range_guard<Contract=out_of_range_on_8_6, Option=max_registers<300>, Least=1, Most=255>
struct out_of_range_on_8_6 : wg::contract<block, wg::on_each<registers_on>> {};
static_assert(wg::guarantee<out_of_range_on_8_6>);

// error: warpguard: on_each<> takes a template that gives an option for each architecture, other than on<> [each]

// facts: each_guard<Contract=gives_int, Option=on_each<no_option_on>, Architecture=sm<80>, Given=int>
struct gives_int : wg::contract<block REFUSED(, wg::on_each<no_option_on>)> {};
static_assert(wg::guarantee_on<gives_int, wg::sm<80>>);

// facts: each_guard<Contract=gives_on, Option=on_each<on_again>, Architecture=sm<80>,
//    Given=on<sm<80>, max_registers<40>>>
struct gives_on : wg::contract<block REFUSED(, wg::on_each<on_again>)> {};
static_assert(wg::guarantee_on<gives_on, wg::sm<80>>);

// error: warpguard: two on_each<> of a contract state the same option [repeated_each]

// facts: repeated_each_guard<Contract=bytes_twice, Option=on_each<bytes_on>, OtherOption=on_each<same_bytes_on>>
struct bytes_twice : wg::contract<block, wg::on_each<bytes_on> REFUSED(, wg::on_each<same_bytes_on>)> {};
static_assert(wg::guarantee_on<bytes_twice, wg::sm<80>>);

// error: warpguard: on<> takes an architecture, such as sm<90>, and options other than on<> [on]

// facts: on_guard<Contract=each_inside_on, Option=on_each<bytes_on>>
struct each_inside_on
    : wg::contract<block, REFUSED(wg::on<wg::sm<80>, wg::on_each<bytes_on>>) ACCEPTED(wg::on_each<bytes_on>)> {};
static_assert(wg::guarantee<each_inside_on>);

// error: warpguard: the contract's minimum residency is out of reach [residency]

// facts: residency_guard<Contract=too_many_bytes, Architecture=sm<86>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<50176>>
// facts: residency_guard<Contract=too_many_bytes, Architecture=sm<80>, BlocksReached=2, BlocksRequired=3,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<54912>>
struct too_many_bytes : wg::contract<block, wg::on_each<bytes_on>,
                                     wg::min_blocks_per_sm<REFUSED(2) ACCEPTED(1)> REFUSED(
                                         , wg::on<wg::sm<80>, wg::min_blocks_per_sm<3>>)> {};
static_assert(wg::guarantee<too_many_bytes>);
