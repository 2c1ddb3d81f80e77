// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The hardware table against a second one, written from the sources in other units and in another column order, so
/// that neither a wrong digit nor a number in the wrong column can be in both.

#include "../check.hpp"

#include <warpguard/hardware/table.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <cstddef>
#include <string>
#include <utility>

#include "cells.hpp"

namespace wg = warpguard;

namespace {

/// One compute capability as other people write it: versions in two parts, threads as warps, registers in units of
/// 1024, memory in KiB, carve-outs in steps of 4 KiB, clusters as powers of two, rules as letters.
struct second_row {
  int version, revision;
  char const* rules;  // f: Fermi's unit, p: partitioned caching, g: GP100, c: carve-outs, b: barriers
  int blocks_per_sm;
  int warps_per_sm;
  int warps_per_block;     // the largest block
  int k_registers;         // of an SM
  int k_registers_block;   // of the largest block
  int unusable_registers;  // of the 128, 64 or 256 that the instruction format could name
  int registers_per_lane;  // one allocation: to each lane of a warp, or for all of a 1.x block
  char allocated_to;       // w: warp, b: block
  int warps_at_a_time;
  int partition_count;
  int kib;        // shared memory of an SM
  int kib_block;  // of a block, static
  int kib_optin;  // of a block, after opting in
  int words;      // one allocation of shared memory, in words of 4 bytes
  int reserved_kib;
  int steps[10];           // carve-outs, in steps of 4 KiB
  int barriers_per_slot;   // of all blocks, for each block slot; 0: unknown
  int cluster_log2;        // portable
  int large_cluster_log2;  // -1: unknown
  bool virtual_resources;
};

// clang-format off
constexpr second_row second_table[] = {
    { 1, 0, "",    8, 24, 16,   8,  8, 4,  8, 'b', 2, 1,  16, 16,  16, 128, 0, {4},                                  0, 0,  0, false},
    { 1, 1, "",    8, 24, 16,   8,  8, 4,  8, 'b', 2, 1,  16, 16,  16, 128, 0, {4},                                  0, 0,  0, false},
    { 1, 2, "",    8, 32, 16,  16, 16, 4, 16, 'b', 2, 1,  16, 16,  16, 128, 0, {4},                                  0, 0,  0, false},
    { 1, 3, "",    8, 32, 16,  16, 16, 4, 16, 'b', 2, 1,  16, 16,  16, 128, 0, {4},                                  0, 0,  0, false},
    { 2, 0, "f",   8, 48, 32,  32, 32, 1,  2, 'w', 2, 2,  48, 48,  48,  32, 0, {4, 12},                              0, 0,  0, false},
    { 2, 1, "f",   8, 48, 32,  32, 32, 1,  2, 'w', 2, 2,  48, 48,  48,  32, 0, {4, 12},                              0, 0,  0, false},
    { 3, 0, "",   16, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  48, 48,  48,  64, 0, {4, 8, 12},                           0, 0,  0, false},
    { 3, 2, "",   16, 64, 32,  64, 32, 1,  8, 'w', 4, 4,  48, 48,  48,  64, 0, {4, 8, 12},                           0, 0,  0, false},
    { 3, 5, "",   16, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  48, 48,  48,  64, 0, {4, 8, 12},                           0, 0,  0, false},
    { 3, 7, "",   16, 64, 32, 128, 64, 1,  8, 'w', 4, 4, 112, 48,  48,  64, 0, {20, 24, 28},                         0, 0,  0, false},
    { 5, 0, "",   32, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  64, 48,  48,  64, 0, {16},                                 2, 0,  0, false},
    { 5, 2, "p",  32, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  96, 48,  48,  64, 0, {24},                                 2, 0,  0, false},
    { 5, 3, "p",  32, 64, 32,  64, 32, 1,  8, 'w', 4, 4,  64, 48,  48,  64, 0, {16},                                 2, 0,  0, false},
    { 6, 0, "g",  32, 64, 32,  64, 64, 1,  8, 'w', 2, 2,  64, 48,  48,  64, 0, {16},                                 2, 0,  0, false},
    { 6, 1, "p",  32, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  96, 48,  48,  64, 0, {24},                                 2, 0,  0, false},
    { 6, 2, "p",  32, 64, 32,  64, 32, 1,  8, 'w', 4, 4,  64, 48,  48,  64, 0, {16},                                 2, 0,  0, false},
    { 7, 0, "c",  32, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  96, 48,  96,  64, 0, {0, 2, 4, 8, 16, 24},                 2, 0,  0, false},
    { 7, 2, "c",  32, 64, 32,  64, 64, 1,  8, 'w', 4, 4,  96, 48,  96,  64, 0, {0, 2, 4, 8, 16, 24},                 2, 0,  0, false},
    { 7, 5, "c",  16, 32, 32,  64, 64, 1,  8, 'w', 4, 4,  64, 48,  64,  64, 0, {8, 16},                              2, 0,  0, false},
    { 8, 0, "c",  32, 64, 32,  64, 64, 1,  8, 'w', 4, 4, 164, 48, 163,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41},         2, 0,  0, false},
    { 8, 6, "c",  16, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 100, 48,  99,  32, 1, {0, 2, 4, 8, 16, 25},                 1, 0,  0, false},
    { 8, 7, "c",  16, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 164, 48, 163,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41},         1, 0,  0, false},
    { 8, 8, "c",  16, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 100, 48,  99,  32, 1, {0, 2, 4, 8, 16, 25},                 1, 0,  0, false},
    { 8, 9, "c",  24, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 100, 48,  99,  32, 1, {0, 2, 4, 8, 16, 25},                 1, 0,  0, false},
    { 9, 0, "cb", 32, 64, 32,  64, 64, 1,  8, 'w', 4, 4, 228, 48, 227,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41, 49, 57}, 2, 3,  4, false},
    {10, 0, "cb", 32, 64, 32,  64, 64, 1,  8, 'w', 4, 4, 228, 48, 227,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41, 49, 57}, 2, 3,  4, true},
    {10, 1, "cb", 24, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 228, 48, 227,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41, 49, 57}, 1, 3, -1, true},
    {10, 3, "cb", 32, 64, 32,  64, 64, 1,  8, 'w', 4, 4, 228, 48, 227,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41, 49, 57}, 2, 3, -1, true},
    {11, 0, "cb", 24, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 228, 48, 227,  32, 1, {0, 2, 4, 8, 16, 25, 33, 41, 49, 57}, 1, 3, -1, true},
    {12, 0, "cb", 24, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 100, 48,  99,  32, 1, {0, 2, 4, 8, 16, 25},                 1, 3,  3, true},
    {12, 1, "cb", 24, 48, 32,  64, 64, 1,  8, 'w', 4, 4, 100, 48,  99,  32, 1, {0, 2, 4, 8, 16, 25},                 1, 3, -1, true},
};
// clang-format on

constexpr int rows = 31;
static_assert(sizeof(second_table) / sizeof(second_table[0]) == rows);
static_assert(sizeof(wg::architectures) / sizeof(wg::architectures[0]) == rows);

constexpr unsigned rules_of(char const* letters) {
  unsigned rules = 0;
  for (; *letters != '\0'; ++letters) {
    rules += *letters == 'f' ? 1u : *letters == 'p' ? 2u : *letters == 'g' ? 4u : *letters == 'c' ? 8u : 16u;
  }
  return rules;
}

/// The largest register number of the instruction format, by generation.
constexpr int nameable_registers(second_row const& r) {
  if (r.version == 1) return 128;
  return r.version == 2 || (r.version == 3 && r.revision == 0) ? 64 : 256;
}

constexpr int power_of_two(int log2) { return log2 < 0 ? 0 : 1 << log2; }

/// The name of the first cell in which the two tables differ, or nullptr.
constexpr char const* difference(wg::architecture const& a, second_row const& r) {
  if (a.compute_capability / 10 != r.version || a.compute_capability % 10 != r.revision) return "compute_capability";
  if (a.warp_size != 32) return "warp_size";
  if (a.max_threads_per_block != r.warps_per_block * 32) return "max_threads_per_block";
  if (a.max_warps_per_sm != r.warps_per_sm) return "max_warps_per_sm";
  if (a.max_threads_per_sm != r.warps_per_sm * 32) return "max_threads_per_sm";
  if (a.max_blocks_per_sm != r.blocks_per_sm) return "max_blocks_per_sm";
  if (a.registers_per_sm != r.k_registers * 1024) return "registers_per_sm";
  if (a.max_registers_per_block != r.k_registers_block * 1024) return "max_registers_per_block";
  if (a.max_registers_per_thread != nameable_registers(r) - r.unusable_registers) return "max_registers_per_thread";
  if (a.register_allocation_unit != r.registers_per_lane * 32) return "register_allocation_unit";
  if ((a.register_allocation_granularity == wg::granularity::block) != (r.allocated_to == 'b')) {
    return "register_allocation_granularity";
  }
  if (a.warp_allocation_granularity != r.warps_at_a_time) return "warp_allocation_granularity";
  if (a.sub_partitions != r.partition_count) return "sub_partitions";
  if (a.shared_memory_per_sm != r.kib * 1024) return "shared_memory_per_sm";
  if (a.max_shared_per_block_default != r.kib_block * 1024) return "max_shared_per_block_default";
  if (a.max_shared_per_block_optin != r.kib_optin * 1024) return "max_shared_per_block_optin";
  if (a.shared_allocation_unit != r.words * 4) return "shared_allocation_unit";
  if (a.reserved_shared_per_block != r.reserved_kib * 1024) return "reserved_shared_per_block";
  for (int i = 0; i < 10; ++i) {
    if (a.carveouts_kb[i] != r.steps[i] * 4) return "carveouts_kb";
  }
  if (a.named_barriers_per_block != 16) return "named_barriers_per_block";
  if (a.block_barriers_per_sm != r.barriers_per_slot * r.blocks_per_sm) return "block_barriers_per_sm";
  if (a.max_cluster_portable != power_of_two(r.cluster_log2)) return "max_cluster_portable";
  if (a.max_cluster_nonportable != power_of_two(r.large_cluster_log2)) return "max_cluster_nonportable";
  if (a.virtual_resources_per_sm != (r.virtual_resources ? 128 : 0)) return "virtual_resources_per_sm";
  if (a.rules != rules_of(r.rules)) return "rules";
  return nullptr;
}

constexpr bool test_tables_agree() {
  for (int i = 0; i < rows; ++i) {
    EXPECT(difference(*wg::architectures[i], second_table[i]) == nullptr);
  }
  return true;
}
static_assert(test_tables_agree());

// ---- every cell of a row --------------------------------------------------------------------------------------------

cells const every_cell = cells_of_a_row();

// ---- find_architecture ------------------------------------------------------------------------------------------

// At run time: under -fsanitize=undefined g++ rejects a comparison with nullptr in a constant expression.
bool test_find() {
  int found = 0;
  for (int cc = -300; cc <= 2000; ++cc) {
    wg::architecture const* row = wg::find_architecture(cc);
    bool known = false;
    for (second_row const& r : second_table) known = known || r.version * 10 + r.revision == cc;
    EXPECT((row != nullptr) == known);
    EXPECT(row == nullptr || row->compute_capability == cc);
    found += row != nullptr;
  }
  EXPECT(found == rows);
  EXPECT(wg::find_architecture(INT_MIN) == nullptr);
  EXPECT(wg::find_architecture(INT_MAX) == nullptr);
  return true;
}

TEST_CASE("find_architecture() finds each row, and nothing else") { CHECK(test_find()); }
static_assert(wg::find_architecture(90) == &wg::sm_90);
static_assert(wg::find_architecture(10) == &wg::sm_10);
static_assert(wg::find_architecture(121) == &wg::sm_121);
static_assert(wg::find_architecture(95) == nullptr);
static_assert(wg::find_architecture(9) == nullptr);  // 9.0 is 90
static_assert(wg::find_architecture(900) == nullptr);

constexpr bool test_ascending() {
  for (int i = 1; i < rows; ++i) {
    EXPECT(wg::architectures[i - 1]->compute_capability < wg::architectures[i]->compute_capability);
  }
  return true;
}
static_assert(test_ascending());

// ---- is_valid ---------------------------------------------------------------------------------------------------

constexpr bool test_all_rows_valid() {
  for (wg::architecture const* row : wg::architectures) {
    EXPECT(wg::is_valid(*row));
  }
  return true;
}
static_assert(test_all_rows_valid());

/// A row with one member set to `refused` is no SM; its twin with the member set to `accepted` is one.
struct refusal {
  wg::architecture const* row;
  int wg::architecture::*member;
  int refused;
  int accepted;
};

using a = wg::architecture;
constexpr refusal refusals[] = {
    {&wg::sm_90, &a::warp_size, 0, 32},
    {&wg::sm_90, &a::warp_size, -32, 32},
    {&wg::sm_90, &a::warp_size, 31, 32},  // 64 warps of 31 threads are not 2048 threads
    {&wg::sm_90, &a::sub_partitions, 0, 1},
    {&wg::sm_90, &a::sub_partitions, -4, 4},
    {&wg::sm_90, &a::sub_partitions, 3, 2},  // 65536 registers do not split into three
    {&wg::sm_90, &a::register_allocation_unit, 0, 1},
    {&wg::sm_90, &a::register_allocation_unit, -256, 256},
    {&wg::sm_90, &a::shared_allocation_unit, 0, 1},
    {&wg::sm_90, &a::shared_allocation_unit, INT_MIN, 128},
    {&wg::sm_90, &a::warp_allocation_granularity, 0, 1},
    {&wg::sm_90, &a::warp_allocation_granularity, -1, 1},
    {&wg::sm_90, &a::warp_allocation_granularity, 3, 2},  // a unit is a power of two
    {&wg::sm_90, &a::max_warps_per_sm, 0, 64},
    {&wg::sm_90, &a::max_warps_per_sm, 63, 64},
    {&wg::sm_90, &a::max_threads_per_sm, 2047, 2048},
    {&wg::sm_90, &a::max_threads_per_sm, 0, 2048},
    {&wg::sm_90, &a::max_threads_per_block, 0, 1},
    {&wg::sm_90, &a::max_threads_per_block, 2049, 2048},
    {&wg::sm_90, &a::max_blocks_per_sm, 0, 1},
    {&wg::sm_90, &a::max_blocks_per_sm, 65, 64},
    {&wg::sm_90, &a::registers_per_sm, 0, 65536},
    {&wg::sm_90, &a::registers_per_sm, 65532, 65540},  // less than one block may have
    {&wg::sm_90, &a::registers_per_sm, 65538, 65540},  // not a multiple of four
    {&wg::sm_90, &a::max_registers_per_block, 0, 1},
    {&wg::sm_90, &a::max_registers_per_block, 65537, 65536},
    {&wg::sm_90, &a::max_registers_per_thread, 0, 1},
    {&wg::sm_90, &a::max_registers_per_thread, 2048, 2047},
    {&wg::sm_90, &a::shared_memory_per_sm, 233471, 233472},
    {&wg::sm_90, &a::shared_memory_per_sm, 0, 233472},
    {&wg::sm_90, &a::max_shared_per_block_default, 0, 1},
    {&wg::sm_90, &a::max_shared_per_block_default, 232449, 232448},  // more than with opting in
    {&wg::sm_90, &a::max_shared_per_block_optin, 49151, 49152},      // less than without
    {&wg::sm_90, &a::max_shared_per_block_optin, 232449, 232448},    // no room for the reserve
    {&wg::sm_90, &a::reserved_shared_per_block, 1025, 1024},
    {&wg::sm_90, &a::reserved_shared_per_block, -1, 0},
    {&wg::sm_90, &a::named_barriers_per_block, -1, 0},
    {&wg::sm_90, &a::block_barriers_per_sm, -1, 0},
    {&wg::sm_90, &a::max_cluster_portable, 0, 1},
    {&wg::sm_90, &a::max_cluster_portable, 17, 16},  // more than the non-portable limit
    {&wg::sm_90, &a::max_cluster_nonportable, 7, 8},
    {&wg::sm_90, &a::max_cluster_nonportable, -1, 0},  // 0: not known
    {&wg::sm_90, &a::virtual_resources_per_sm, -1, 0},
    {&wg::sm_90, &a::register_allocation_unit, 1 << 16, 1 << 15},
    {&wg::sm_90, &a::shared_allocation_unit, INT_MAX, 1 << 15},
    {&wg::sm_10, &a::max_threads_per_block, 800, 768},
    {&wg::sm_75, &a::max_blocks_per_sm, 33, 32},
};

constexpr bool test_refusals() {
  for (refusal const& r : refusals) {
    wg::architecture row = *r.row;
    row.*r.member = r.refused;
    EXPECT(!wg::is_valid(row));
    row.*r.member = r.accepted;
    EXPECT(wg::is_valid(row));
  }
  return true;
}
static_assert(test_refusals());

/// Carve-outs ascend from 0 or more up to the whole shared memory, and nothing follows the largest.
constexpr bool valid_with(int at, int kb, int at_too = 0, int kb_too = -1) {
  wg::architecture row = wg::sm_90;  // 0 8 16 32 64 100 132 164 196 228
  row.carveouts_kb[at] = kb;
  if (kb_too != -1) row.carveouts_kb[at_too] = kb_too;
  return wg::is_valid(row);
}
constexpr bool test_carveouts() {
  EXPECT(valid_with(0, 1));
  EXPECT(!valid_with(0, 8));
  EXPECT(valid_with(0, 0));
  EXPECT(!valid_with(0, -1));
  EXPECT(valid_with(0, 7));
  EXPECT(!valid_with(0, INT_MIN));
  EXPECT(valid_with(1, 1));
  EXPECT(!valid_with(1, 16));
  EXPECT(valid_with(4, 99));
  EXPECT(!valid_with(4, 100));
  EXPECT(valid_with(5, 65));
  EXPECT(!valid_with(5, 64));
  EXPECT(valid_with(8, 227));
  EXPECT(!valid_with(8, 228));
  EXPECT(valid_with(8, 197));
  EXPECT(!valid_with(8, 0));  // a hole
  EXPECT(valid_with(9, 228));
  EXPECT(!valid_with(9, 229));       // more than the SM has
  EXPECT(!valid_with(9, 0));         // less than the SM has
  EXPECT(valid_with(8, 228, 9, 0));  // the same, with the largest one earlier
  EXPECT(!valid_with(8, 228, 9, 228));
  return true;
}
static_assert(test_carveouts());

}  // namespace

TEST_CASE("the table agrees with the second table in every cell") {
  CHECK(test_tables_agree());
  for (int i = 0; i < rows; ++i) {
    char const* const differs = difference(*wg::architectures[i], second_table[i]);
    INFO("row ", i, ": ", std::string(differs != nullptr ? differs : "equal"));
    CHECK(differs == nullptr);
  }
}

TEST_CASE("no change of a cell goes unnoticed by the second table") {
  int changes = 0;
  for (int i = 0; i < rows; ++i) {
    for (number_cell const& cell : every_cell.numbers) {
      for (int by : {-1, 1}) {
        wg::architecture row = *wg::architectures[i];
        cell.in(row) += by;
        ++changes;
        INFO("row ", i, ", ", cell.name);
        REQUIRE(difference(row, second_table[i]) != nullptr);
      }
    }
    for (two_valued_cell const& cell : every_cell.two_valued) {
      wg::architecture row = *wg::architectures[i];
      cell.flip(row);
      ++changes;
      INFO("row ", i, ", ", cell.name);
      REQUIRE(difference(row, second_table[i]) != nullptr);
    }
  }
  CHECK(changes == rows * (2 * 32 + 1 + 5));  // numbers up and down, the granularity, the rules
}

TEST_CASE("no two cells of a row can be swapped") {
  long swaps = 0;
  long refused = 0;
  long noticed = 0;
  for (int i = 0; i < rows; ++i) {
    for (std::size_t first = 0; first < every_cell.numbers.size(); ++first) {
      for (std::size_t second = first + 1; second < every_cell.numbers.size(); ++second) {
        wg::architecture row = *wg::architectures[i];
        int& one = every_cell.numbers[first].in(row);
        int& other = every_cell.numbers[second].in(row);
        if (one == other) continue;
        std::swap(one, other);
        ++swaps;
        bool const by_validity = !wg::is_valid(row);
        bool const by_table = difference(row, second_table[i]) != nullptr;
        refused += by_validity;
        noticed += by_validity || by_table;
        INFO("row ", i, ": ", every_cell.numbers[first].name, " and ", every_cell.numbers[second].name);
        CHECK((by_validity || by_table));
      }
    }
  }
  CHECK(swaps > 10000);
  CHECK(noticed == swaps);
  MESSAGE(swaps, " swaps, of which is_valid() alone refuses ", refused);
}

TEST_CASE("a row has no rule without a name") {
  for (wg::architecture const* row : wg::architectures) {
    unsigned rules = row->rules;
    for (named_rule const& rule : every_rule) rules &= ~rule.flag;
    CHECK(rules == 0);
  }
}

TEST_CASE("no two rows can be swapped") {
  for (int i = 0; i < rows; ++i) {
    for (int other = 0; other < rows; ++other) {
      CHECK((difference(*wg::architectures[i], second_table[other]) == nullptr) == (i == other));
    }
  }
}

TEST_CASE("find_architecture finds what is known and nothing else") {
  CHECK(test_find());
  CHECK(test_ascending());
}

TEST_CASE("is_valid accepts every row and refuses contradictions") {
  CHECK(test_all_rows_valid());
  CHECK(test_refusals());
  CHECK(test_carveouts());
  CHECK(!wg::is_valid(wg::architecture{}));
  for (refusal const& r : refusals) {
    wg::architecture row = *r.row;
    row.*r.member = r.refused;
    CHECK(!wg::is_valid(row));
    row.*r.member = r.accepted;
    CHECK(wg::is_valid(row));
  }
}
