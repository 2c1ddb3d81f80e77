// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Types that are no contract, and contracts that lack an option or have one that does not exist.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: this type is not a contract: derive it from contract<...> [contract]

// facts: contract_guard<Type=not_a_contract>
struct not_a_contract ACCEPTED( : wg::contract<block>) {};
static_assert(wg::guarantee<not_a_contract>);

// facts: contract_guard<Type=threads_per_block<256>>
static_assert(wg::guarantee<REFUSED(wg::threads_per_block<256>) ACCEPTED(wg::contract<block>)>);

// facts: contract_guard<Type=void>
static_assert(wg::guarantee<REFUSED(void) ACCEPTED(wg::contract<block>)>);

// A reference and a pointer are no contracts; a contract with const is one.
// facts: contract_guard<Type=referred_to&>
struct referred_to : wg::contract<block> {};
static_assert(wg::guarantee<referred_to REFUSED(&) ACCEPTED(const)>);

// facts: contract_guard<Type=pointed_to*>
struct pointed_to : wg::contract<block> {};
static_assert(wg::guarantee<pointed_to REFUSED(*) ACCEPTED(const volatile)>);

// error: warpguard: the contract is incomplete here: define it before it is used [incomplete_contract]

// facts: incomplete_contract_guard<Contract=declared_only>
struct declared_only;
ACCEPTED(struct declared_only : wg::contract<block>{};)
static_assert(wg::guarantee<declared_only>);

// error: warpguard: derive from contract<...> publicly [private_contract]

// facts: private_contract_guard<Contract=private_by_class>
class private_by_class : ACCEPTED(public) wg::contract<block> {};
static_assert(wg::guarantee<private_by_class>);

// facts: private_contract_guard<Contract=protected_base>
struct protected_base : REFUSED(protected) wg::contract<block> {};
static_assert(wg::guarantee<protected_base>);

// facts: private_contract_guard<Contract=private_step>
struct named_base : wg::contract<block> {};
struct private_step : REFUSED(private) named_base {};
static_assert(wg::guarantee<private_step>);

// error: warpguard: the type derives from two contracts [two_contracts]

// facts: two_contracts_guard<Contract=two_bases>
struct other_base : wg::contract<block> {};
struct two_bases : named_base REFUSED(, other_base) {};
static_assert(wg::guarantee<two_bases>);

// facts: two_contracts_guard<Contract=one_base_twice>
struct left : REFUSED(named_base) ACCEPTED(virtual named_base) {};
struct right : REFUSED(named_base) ACCEPTED(virtual named_base) {};
struct one_base_twice : left, right {};
static_assert(wg::guarantee<one_base_twice>);

// error: warpguard: guarantee<> takes a contract alone: to name architectures, use guarantee_on<> [guarantee]

// Architectures after the contract would be ignored.
// facts: guarantee_guard<Contract=on_one_architecture, Argument=sm<90>>
struct on_one_architecture : wg::contract<block> {};
static_assert(wg::guarantee<on_one_architecture REFUSED(, wg::sm<90>)>);

// error: warpguard: a contract needs threads_per_block [missing_threads]

// facts: missing_threads_guard<Contract=without_options>
struct without_options : wg::contract<ACCEPTED(block)> {};
static_assert(wg::guarantee<without_options>);

// facts: missing_threads_guard<Contract=without_threads>
struct without_threads : wg::contract<ACCEPTED(block, ) wg::max_registers<40>> {};
static_assert(wg::guarantee<without_threads>);

// In templates the rule comes first too: as a template, as a member of one, and checked inside one.
// facts: missing_threads_guard<Contract=instance_without_threads<40>>
template <int Registers>
struct instance_without_threads : wg::contract<ACCEPTED(block, ) wg::max_registers<Registers>> {};
static_assert(wg::guarantee<instance_without_threads<40>>);

// facts: missing_threads_guard<Contract=library<float>::member_without_threads>
template <class Element>
struct library {
  struct member_without_threads : wg::contract<ACCEPTED(block, ) wg::static_shared_memory<64 * sizeof(Element)>> {};
  static_assert(wg::guarantee<member_without_threads>);
};
template struct library<float>;

// facts: missing_threads_guard<Contract=given_to_function>
struct given_to_function : wg::contract<ACCEPTED(block)> {};
template <class Contract>
WARPGUARD_HOST_DEVICE void check() {
  static_assert(wg::guarantee<Contract>);
}
template WARPGUARD_HOST_DEVICE void check<given_to_function>();

// error: warpguard: this type is not a contract: derive it from contract<...> [contract]

// facts: contract_guard<Type=base_of_another>
struct base_of_another ACCEPTED( : wg::contract<block>) {};
struct from_no_contract : wg::contract_from<base_of_another, wg::max_registers<40>> {};
static_assert(wg::guarantee<from_no_contract>);

// error: warpguard: a contract has no such option [unknown_option]

// facts: unknown_option_guard<Contract=int_as_option, Option=int>
struct int_as_option : wg::contract<block REFUSED(, int)> {};
static_assert(wg::guarantee<int_as_option>);

// facts: unknown_option_guard<Contract=own_struct_as_option, Option=max_threads>
struct max_threads {};
struct own_struct_as_option : wg::contract<block REFUSED(, max_threads)> {};
static_assert(wg::guarantee<own_struct_as_option>);

// facts: unknown_option_guard<Contract=int_inside_on, Option=int>
struct int_inside_on : wg::contract<block, wg::on<wg::sm<90>, REFUSED(int) ACCEPTED(wg::barriers<2>)>> {};
static_assert(wg::guarantee<int_inside_on>);

// facts: unknown_option_guard<Contract=incomplete_option, Option=declared_option>
struct declared_option;
ACCEPTED(struct declared_option : wg::max_registers<40>{};)
struct incomplete_option : wg::contract<block, declared_option> {};
static_assert(wg::guarantee<incomplete_option>);

// facts: unknown_option_guard<Contract=void_as_option, Option=void>
struct void_as_option : wg::contract<block REFUSED(, void)> {};
static_assert(wg::guarantee<void_as_option>);

// facts: unknown_option_guard<Contract=from_with_int, Option=int>
struct whole_contract : wg::contract<block, wg::max_registers<40>> {};
struct from_with_int : wg::contract_from<whole_contract, wg::max_registers<32> REFUSED(, int)> {};
static_assert(wg::guarantee<from_with_int>);

// The numbers of a contract refuse what is no contract, too.
// facts: unknown_option_guard<Contract=contract<threads_per_block<128>, int>, Option=int>
using numbers_of_none = wg::contract<wg::threads_per_block<128> REFUSED(, int)>;
static_assert(numbers_of_none::on_sm<wg::sm<90>>::blocks_per_sm == 16);
