// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct consumer_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_occupancy<75>> {};
static_assert(wg::guarantee_on<consumer_contract, wg::sm<75>, wg::sm<90>>);

int main() { return consumer_contract::on_sm<wg::sm<90>>::blocks_per_sm == 6 ? 0 : 1; }
