// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A second model of compute capability 1.x to 3.x, which shares neither code nor numbers with the library. It places
/// blocks on an SM one by one until a resource runs out, whereas the library divides. Also has the register formula of
/// NVIDIA's occupancy spreadsheet, for the capabilities for which that formula is right.

#pragma once

#include <climits>

namespace published {

/// The numbers of a GPU in the spreadsheet.
struct gpu {
  int version;  ///< 1.0 is 10
  int warps;
  int largest_block;  ///< threads
  int slots;          ///< blocks
  int registers;
  int registers_block;
  int registers_thread;
  int pools;  ///< number of register files; 0: one file, from which registers are allocated per block
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

struct result {
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

/// 1.x allocates warp slots in pairs.
constexpr int slots_taken(gpu const& g, int warps) { return g.version < 20 && warps % 2 == 1 ? warps + 1 : warps; }

/// Fermi allocates units of 64 registers, but pairs of units for these register counts.
constexpr int registers_per_warp(gpu const& g, int registers) {
  int const needed = registers * 32;
  if (g.version / 10 == 2) {
    int const eights = registers % 8;
    bool const doubled = (eights == 5 || eights == 6) && registers >= 21 && registers <= 46;
    return ceiling(needed, doubled ? 128 : 64);
  }
  return ceiling(needed, g.unit);
}

constexpr int blocks_by_warps(gpu const& g, block const& b) {
  if (b.threads > g.largest_block) return 0;
  int blocks = 0;
  for (int left = g.warps - slots_taken(g, warps_of(b.threads)); left >= 0; ++blocks) {
    left -= slots_taken(g, warps_of(b.threads));
  }
  return blocks;
}

constexpr int blocks_by_registers(gpu const& g, block const& b, int& taken) {
  taken = 0;
  if (b.registers > g.registers_thread) return 0;
  if (b.registers == 0) return no_limit;
  int const warps = warps_of(b.threads);
  int blocks = 0;
  if (g.pools == 0) {
    int const per_block = ceiling(slots_taken(g, warps) * 32 * b.registers, g.unit);
    for (int left = g.registers; left >= per_block; left -= per_block) ++blocks;
    taken = blocks > 0 ? per_block : 0;
    return blocks;
  }
  int const per_warp = registers_per_warp(g, b.registers);
  // The launch check counts a block as if each pool got the same number of its warps.
  int spread = 0;
  while (spread * g.pools < warps) ++spread;
  if (spread * g.pools * per_warp > g.registers_block) return 0;
  // Then its warps are placed one by one in any pool with room.
  int room = 0;
  for (int pool = 0; pool < g.pools; ++pool) {
    for (int left = g.registers / g.pools; left >= per_warp; left -= per_warp) ++room;
  }
  for (; room >= warps; room -= warps) ++blocks;
  taken = blocks > 0 ? per_warp * warps : 0;
  return blocks;
}

/// The KiB of shared memory if the driver follows the preference; the rest is L1.
constexpr int preferred_kib(gpu const& g, split preference) {
  if (g.version < 20) return g.kib;
  if (preference == split::l1) return g.kib - 32;
  if (preference == split::equal && g.version >= 30) return g.kib - 16;
  return g.kib;
}

constexpr int blocks_by_shared_memory(gpu const& g, block const& b, int& taken) {
  int const per_block = ceiling(b.bytes, g.unit_bytes);
  int const max = (g.version < 20 ? 16 : 48) * 1024;
  taken = 0;
  if (per_block > max) return 0;
  if (per_block == 0) return no_limit;
  int left = preferred_kib(g, b.preference) * 1024;
  if (per_block > left) left = g.kib * 1024;
  int blocks = 0;
  for (; left >= per_block; left -= per_block) ++blocks;
  taken = per_block;
  return blocks;
}

constexpr result compute(gpu const& g, block const& b) {
  result a{};
  a.by_warps = blocks_by_warps(g, b);
  a.by_registers = blocks_by_registers(g, b, a.registers_taken);
  a.by_shared_memory = blocks_by_shared_memory(g, b, a.bytes_taken);
  for (a.blocks = 0;
       a.blocks < g.slots && a.blocks < a.by_warps && a.blocks < a.by_registers && a.blocks < a.by_shared_memory;) {
    ++a.blocks;
  }
  return a;
}

/// The spreadsheet's register limit for GPUs that allocate registers per warp and allow a block all registers of the
/// SM. If registers do not limit, it returns the number of block slots.
constexpr int spreadsheet_by_registers(gpu const& g, block const& b) {
  if (b.registers > g.registers_thread) return 0;
  if (b.registers == 0) return g.slots;
  int const warps_in_file = g.registers_block / registers_per_warp(g, b.registers);
  return (warps_in_file - warps_in_file % g.pools) / warps_of(b.threads);
}

}  // namespace published
