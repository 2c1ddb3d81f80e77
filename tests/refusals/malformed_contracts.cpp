// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Types that are no contract, and contracts that lack an option or have one that does not exist.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: this type is not a contract: derive it from contract<...>

// facts: contract_guard<Type=not_a_contract>
struct not_a_contract ACCEPTED( : wg::contract<block>) {};
static_assert(wg::guarantee<not_a_contract>);

// facts: contract_guard<Type=threads_per_block<256>>
static_assert(wg::guarantee<REFUSED(wg::threads_per_block<256>) ACCEPTED(wg::contract<block>)>);

// error: warpguard: a contract needs threads_per_block

// facts: missing_threads_guard<Contract=without_options>
struct without_options : wg::contract<ACCEPTED(block)> {};
static_assert(wg::guarantee<without_options>);

// facts: missing_threads_guard<Contract=without_threads>
struct without_threads : wg::contract<ACCEPTED(block, ) wg::max_registers<40>> {};
static_assert(wg::guarantee<without_threads>);

// The options of one architecture do not apply to the others.
// facts: missing_threads_guard<Contract=threads_inside_on_alone>
struct threads_inside_on_alone : wg::contract<ACCEPTED(block, ) wg::on<wg::sm<90>, wg::threads_per_block<512>>> {};
static_assert(wg::guarantee<threads_inside_on_alone>);

// error: warpguard: a contract has no such option

// facts: unknown_option_guard<Contract=int_as_option, Option=int>
struct int_as_option : wg::contract<block REFUSED(, int)> {};
static_assert(wg::guarantee<int_as_option>);

// facts: unknown_option_guard<Contract=own_struct_as_option, Option=max_threads>
struct max_threads {};
struct own_struct_as_option : wg::contract<block REFUSED(, max_threads)> {};
static_assert(wg::guarantee<own_struct_as_option>);

// facts: unknown_option_guard<Contract=int_inside_on, Option=int>
struct int_inside_on : wg::contract<block, wg::on<wg::sm<90> REFUSED(, int)>> {};
static_assert(wg::guarantee<int_inside_on>);
