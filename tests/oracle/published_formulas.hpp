// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A second model of compute capability 1.x to 3.x with its own numbers, which shares nothing with the library: blocks
/// are put on an SM one after the other until something runs out, where the library divides; and beside it the formulas
/// of NVIDIA's occupancy spreadsheet, for the capabilities of which it gets the registers right.

#pragma once

#include <climits>

namespace published {

/// The numbers of a GPU that the spreadsheet lists, by generation.
struct gpu {
  int version;  ///< 1.0 is 10
  int warps;
  int largest_block;  ///< threads
  int slots;          ///< blocks
  int registers;
  int registers_block;
  int registers_thread;
  int pools;  ///< into which the registers are divided; 0: one pool from which whole blocks are served
  int unit;
  int kib;
  int unit_bytes;
};

// version, warps, block, slots, registers of SM, of block, of thread, pools, unit, KiB, unit of shared memory
constexpr gpu gpus[] = {
    {10, 24, 512, 8, 8192, 8192, 124, 0, 256, 16, 512},     {11, 24, 512, 8, 8192, 8192, 124, 0, 256, 16, 512},
    {12, 32, 512, 8, 16384, 16384, 124, 0, 512, 16, 512},   {13, 32, 512, 8, 16384, 16384, 124, 0, 512, 16, 512},
    {20, 48, 1024, 8, 32768, 32768, 63, 2, 64, 48, 128},    {21, 48, 1024, 8, 32768, 32768, 63, 2, 64, 48, 128},
    {30, 64, 1024, 16, 65536, 65536, 63, 4, 256, 48, 256},  {32, 64, 1024, 16, 65536, 32768, 255, 4, 256, 48, 256},
    {35, 64, 1024, 16, 65536, 65536, 255, 4, 256, 48, 256}, {37, 64, 1024, 16, 131072, 65536, 255, 4, 256, 112, 256},
};

constexpr int no_limit = INT_MAX;

enum class split { none, shared, l1, equal };  // cudaFuncCache

struct block {
  int threads;
  int registers;
  int bytes;
  split preference;
};

struct answer {
  int by_warps;
  int by_registers;
  int by_shared_memory;
  int blocks;
  int registers_taken;  ///< by one block
  int bytes_taken;      ///< by one block
};

constexpr int warps_of(int threads) {
  int warps = 0;
  for (int left = threads; left > 0; left -= 32) ++warps;
  return warps;
}

constexpr int ceiling(int value, int step) { return value % step == 0 ? value : value - value % step + step; }

/// 1.x gives out warp slots by twos.
constexpr int slots_taken(gpu const& g, int warps) { return g.version < 20 && warps % 2 == 1 ? warps + 1 : warps; }

/// Fermi, whose unit is 64, takes two for what would end in the first half of a pair of units at these counts.
constexpr int registers_of_warp(gpu const& g, int registers) {
  int const wanted = registers * 32;
  if (g.version / 10 == 2) {
    int const eights = registers % 8;
    bool const doubled = (eights == 5 || eights == 6) && registers >= 21 && registers <= 46;
    return ceiling(wanted, doubled ? 128 : 64);
  }
  return ceiling(wanted, g.unit);
}

constexpr int put_by_warps(gpu const& g, block const& b) {
  if (b.threads > g.largest_block) return 0;
  int blocks = 0;
  for (int left = g.warps - slots_taken(g, warps_of(b.threads)); left >= 0; ++blocks) {
    left -= slots_taken(g, warps_of(b.threads));
  }
  return blocks;
}

constexpr int put_by_registers(gpu const& g, block const& b, int& taken) {
  taken = 0;
  if (b.registers > g.registers_thread) return 0;
  if (b.registers == 0) return no_limit;
  int const warps = warps_of(b.threads);
  int blocks = 0;
  if (g.pools == 0) {
    int const of_block = ceiling(slots_taken(g, warps) * 32 * b.registers, g.unit);
    for (int left = g.registers; left >= of_block; left -= of_block) ++blocks;
    taken = blocks > 0 ? of_block : 0;
    return blocks;
  }
  int const of_warp = registers_of_warp(g, b.registers);
  // The launch check charges a block as if each pool got equally many of its warps.
  int spread = 0;
  while (spread * g.pools < warps) ++spread;
  if (spread * g.pools * of_warp > g.registers_block) return 0;
  // Then its warps go one by one to whichever pool has room.
  int room = 0;
  for (int pool = 0; pool < g.pools; ++pool) {
    for (int left = g.registers / g.pools; left >= of_warp; left -= of_warp) ++room;
  }
  for (; room >= warps; room -= warps) ++blocks;
  taken = blocks > 0 ? of_warp * warps : 0;
  return blocks;
}

/// KiB that are shared memory and not L1, where the driver follows the preference.
constexpr int preferred_kib(gpu const& g, split preference) {
  if (g.version < 20) return g.kib;
  if (preference == split::l1) return g.kib - 32;
  if (preference == split::equal && g.version >= 30) return g.kib - 16;
  return g.kib;
}

constexpr int put_by_shared_memory(gpu const& g, block const& b, int& taken) {
  int const of_block = ceiling(b.bytes, g.unit_bytes);
  int const most = (g.version < 20 ? 16 : 48) * 1024;
  taken = 0;
  if (of_block > most) return 0;
  if (of_block == 0) return no_limit;
  int left = preferred_kib(g, b.preference) * 1024;
  if (of_block > left) left = g.kib * 1024;
  int blocks = 0;
  for (; left >= of_block; left -= of_block) ++blocks;
  taken = of_block;
  return blocks;
}

constexpr answer ask(gpu const& g, block const& b) {
  answer a{};
  a.by_warps = put_by_warps(g, b);
  a.by_registers = put_by_registers(g, b, a.registers_taken);
  a.by_shared_memory = put_by_shared_memory(g, b, a.bytes_taken);
  for (a.blocks = 0;
       a.blocks < g.slots && a.blocks < a.by_warps && a.blocks < a.by_registers && a.blocks < a.by_shared_memory;) {
    ++a.blocks;
  }
  return a;
}

/// The spreadsheet's register limit for GPUs that serve warps and give a block all registers of the SM; it puts the
/// number of block slots where registers do not limit.
constexpr int spreadsheet_by_registers(gpu const& g, block const& b) {
  if (b.registers > g.registers_thread) return 0;
  if (b.registers == 0) return g.slots;
  int const warps_in_file = g.registers_block / registers_of_warp(g, b.registers);
  return (warps_in_file - warps_in_file % g.pools) / warps_of(b.threads);
}

}  // namespace published
