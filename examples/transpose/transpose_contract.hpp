// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The contract of transpose, out[j][i] = in[i][j], with a tile in shared memory. The kernel only moves data, so the
/// contract requires three quarters of the warps of an SM. The rows of the tile have one element more than needed, so
/// that the elements of a column are in different banks.

#pragma once

#include <warpguard/contract.hpp>

namespace wg = warpguard;

inline constexpr int transpose_tile = 32;
inline constexpr int transpose_rows_at_once = 8;
struct transpose_elements;
using transpose_layout =
    wg::shared_layout<wg::shared_array<transpose_elements, float[transpose_tile + 1], transpose_tile>>;

struct transpose_contract
    : wg::contract<wg::threads_per_block<transpose_tile, transpose_rows_at_once>, wg::max_registers<40>,
                   wg::static_shared_memory_of<transpose_layout>, wg::min_occupancy<75>> {};
