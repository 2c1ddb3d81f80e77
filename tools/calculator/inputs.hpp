// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The numbers that a user of the calculator gives: their names, which are those of the page's fields, and what they
/// may be. A contract can state each of them that is in these ranges.

#pragma once

#include <warpguard/contract/options.hpp>
#include <warpguard/hardware/table.hpp>
#include <warpguard/model/kernel_resources.hpp>

namespace calculator {

namespace wg = warpguard;

/// An input. `when_empty` is the number that an empty field stands for; a field without one may not be empty.
struct input {
  char const* name;
  long long least;
  long long most;
  bool may_be_empty = false;
  long long when_empty = 0;
};

/// The number of resident blocks that no SM exceeds.
constexpr int find_most_blocks() {
  int most = 0;
  for (wg::architecture const* row : wg::architectures) most = wg::detail::max_of(most, row->max_blocks_per_sm);
  return most;
}

/// The largest whole number up to which JavaScript has them all.
constexpr long long most_exact = (1LL << 53) - 1;

enum input_index {
  block_x,
  block_y,
  block_z,
  registers,
  static_shared,
  dynamic_shared,
  barriers,
  carve_out,
  cluster,
  grid,
  minimum,
  input_count,
};

inline constexpr input inputs[] = {
    {"block_x", 1, wg::detail::max_threads_anywhere},
    {"block_y", 1, wg::detail::max_threads_anywhere},
    {"block_z", 1, wg::detail::max_block_z},
    {"registers", 0, wg::detail::max_registers_anywhere},         // 0: not known, so they do not limit
    {"static_shared", 0, wg::detail::max_static_bytes_anywhere},  // bytes
    {"dynamic_shared", 0, wg::detail::max_block_bytes_anywhere},  // bytes
    {"barriers", 0, wg::detail::max_barriers_anywhere},           // named barriers
    {"carve_out", 0, 100, true, -1},                              // percent; empty: the whole memory
    {"cluster", 1, wg::detail::max_cluster_anywhere},             // blocks
    {"grid", 1, most_exact, true, 0},                             // blocks; empty: no question about a grid
    {"minimum", 1, find_most_blocks(), true, 0},                  // blocks per SM; empty: what is reached
};
static_assert(sizeof inputs / sizeof inputs[0] == input_count, "each input has its index");

/// The inputs as numbers.
struct input_values {
  long long numbers[input_count] = {};

  constexpr int number(input_index which) const { return static_cast<int>(numbers[which]); }
  constexpr wg::kernel_resources kernel() const {
    return {number(block_x) * number(block_y) * number(block_z), number(registers), number(static_shared),
            number(dynamic_shared), number(barriers)};
  }
  constexpr wg::shared_memory_config config() const {
    wg::shared_memory_config config;
    config.carveout_percent = number(carve_out);
    return config;
  }
};

}  // namespace calculator
