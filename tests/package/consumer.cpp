// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <boost/hana/contains.hpp>
#include <warpguard/warpguard.hpp>

namespace hana = boost::hana;
namespace wg = warpguard;

struct consumer_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {};
static_assert(wg::guarantee<consumer_contract>);
static_assert(hana::contains(wg::targets, wg::sm<90>{}) && !hana::contains(wg::targets, wg::sm<80>{}));

int main() { return consumer_contract::on_sm<wg::sm<90>>::blocks_per_sm == 6 ? 0 : 1; }
