// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Compile with -DWARPGUARD_TARGETS=750,860,900. With -DOUTGROWN as well it must not compile for 7.5 and 8.6: "the
// contract's minimum residency is out of reach".

#include <warpguard/contract.hpp>

namespace wg = warpguard;

#ifdef OUTGROWN
constexpr int tile_rows = 64;
constexpr int tile_columns = 64;
#else
constexpr int tile_rows = 32;
constexpr int tile_columns = 32;
#endif
using tile_type = float[tile_rows][tile_columns + 1];

struct transpose_contract : wg::contract<wg::threads_per_block<32, 8>, wg::static_shared_memory<sizeof(tile_type)>,
                                         wg::max_registers<32>, wg::min_occupancy<100>> {};

static_assert(wg::guarantee<transpose_contract>);
