// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Contracts as values, at random: what people write, and the numbers beside the steps of every rule.

#pragma once

#include <warpguard/contract/options.hpp>
#include <warpguard/hardware/table.hpp>

class numbers {
 public:
  unsigned below(unsigned bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state_ >> 33) % bound);
  }
  template <int Count>
  int one_of(int const (&values)[Count]) {
    return values[below(Count)];
  }
  int from_to(int least, int most) { return least + static_cast<int>(below(static_cast<unsigned>(most - least + 1))); }

 private:
  unsigned long long state_ = 20240607;
};

inline constexpr int row_count = sizeof(warpguard::architectures) / sizeof(warpguard::architectures[0]);

inline warpguard::resolved_contract random_terms(numbers& random) {
  constexpr int threads[] = {1, 32, 33, 64, 96, 128, 192, 256, 320, 384, 512, 513, 768, 1024};
  constexpr int bytes[] = {0,     0,         0,         1,     1024,  4096,  8192,   16384,
                           16385, 24 * 1024, 32 * 1024, 49152, 49153, 65536, 100000, 200000};
  constexpr int blocks[] = {1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16, 17, 24, 32, 33};
  warpguard::resolved_contract terms;
  terms.block_x = random.below(4) != 0 ? random.one_of(threads) : random.from_to(1, 1024);
  if (random.below(3) != 0) terms.max_registers = random.below(2) != 0 ? random.from_to(1, 64) : random.from_to(1, 255);
  if (random.below(3) == 0) terms.static_shared_memory = random.from_to(0, 49152);
  terms.dynamic_shared_memory = random.below(4) != 0 ? random.one_of(bytes) : random.from_to(0, 240000);
  if (random.below(3) == 0) terms.barriers = random.from_to(0, 16);
  if (random.below(8) == 0) terms.cluster_x = random.from_to(1, 16);
  switch (random.below(6)) {
    case 0: break;
    case 1:
    case 2:
      terms.unit = warpguard::minimum_unit::percent;
      terms.minimum = random.from_to(1, 100);
      break;
    case 3:
      terms.unit = warpguard::minimum_unit::warps;
      terms.minimum = random.from_to(1, 65);
      break;
    case 4:
      terms.unit = warpguard::minimum_unit::blocks;
      terms.minimum = random.one_of(blocks);
      break;
    default:
      terms.unit = random.below(2) == 0 ? warpguard::minimum_unit::exact_blocks : warpguard::minimum_unit::blocks;
      terms.minimum = random.one_of(blocks);
      break;
  }
  if (random.below(4) == 0) terms.max_blocks = random.one_of(blocks);
  terms.min_blocks_bound = random.below(8) != 0 ? 1 : 0;
  if (random.below(4) == 0) terms.min_registers = random.from_to(1, random.below(2) != 0 ? 64 : 255);
  if (random.below(4) == 0) terms.dynamic_per_thread = random.below(8) != 0 ? random.from_to(1, 64) : 1 << 25;
  if (random.below(4) == 0) terms.dynamic_varies = 1;
  if (random.below(3) == 0) {
    terms.block_varies = 1;
    if (random.below(2) == 0) terms.min_threads = random.one_of(threads);
  } else if (random.below(64) == 0) {
    terms.min_threads = random.one_of(threads);
  }
  if (random.below(64) == 0) terms.block_x = 0;
  return terms;
}
