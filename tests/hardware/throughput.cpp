// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The rates of the architectures against a second table, written from the sources in other units and in another column
/// order, so that neither a wrong digit nor a number in the wrong column can be in both.

#include "../check.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/hardware/throughput.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <cstddef>
#include <string>

#include "int_members.hpp"

namespace wg = warpguard;

namespace {

/// A number without a source.
constexpr int none = -1;

/// The rates of one SM as other people write them: cores of an SM; FP64 as 1/n of FP32; half precision for each 64
/// cores; and what one tensor core does, beginning with the shortest numbers.
struct second_row {
  int version, revision;
  int cores;
  int fp64_divisor;  // 0: no FP64
  int half_per_64;
  int bfloat_per_64;
  int tensor_cores;
  int int8, fp4, fp6, fp8, bf16, fp16, tf32, fp64;  // of one tensor core
  char sparse;                                      // y: twice as fast, n: as fast, ?: no source
};

// clang-format off
constexpr second_row second_table[] = {
    { 1, 0,    8,    0,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 1, 1,    8,    0,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 1, 2,    8,    0,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 1, 3,    8,    8,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 2, 0,   32,    2,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 2, 1,   48,   12,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 3, 0,  192,   24,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 3, 2,  192,   24,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 3, 5,  192,    3,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 3, 7,  192,    3,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 5, 0,  128,   32,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 5, 2,  128,   32,    0,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 5, 3,  128,   32,  128,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 6, 0,   64,    2,  128,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 6, 1,  128,   32,    1,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 6, 2,  128,   32,  128,    0, 0,    0,    0,    0,    0,    0,    0,    0,    0, 'n'},
    { 7, 0,   64,    2,  128,    0, 8,    0,    0,    0,    0,    0,   64,    0,    0, 'n'},
    { 7, 2,   64, none,  128,    0, 8, none,    0,    0,    0,    0,   64,    0,    0, 'n'},
    { 7, 5,   64,   32,  128,    0, 8,  128,    0,    0,    0,    0,   64,    0,    0, 'n'},
    { 8, 0,   64,    2,  256,  128, 4,  512,    0,    0,    0,  256,  256,  128,   16, 'y'},
    { 8, 6,  128,   64,   64,   64, 4,  256,    0,    0,    0,  128,  128,   64, none, 'y'},
    { 8, 7,  128,   64, none, none, 4,  512,    0,    0,    0, none, none, none, none, 'y'},
    { 8, 8, none, none, none, none, 4, none,    0,    0,    0, none, none, none, none, '?'},
    { 8, 9,  128,   64,   64,   64, 4,  256,    0,    0,  256,  128,  128,   64, none, 'y'},
    { 9, 0,  128,    2,  128,  128, 4, 1024,    0,    0, 1024,  512,  512,  256,   32, 'y'},
    {10, 0,  128,    2,   64,   64, 4, 2048, 4096, 2048, 2048, 1024, 1024,  512,   16, 'y'},
    {10, 1,  128, none, none, none, 4, none, none, none, none, none, none, none, none, '?'},
    {10, 3,  128,   64, none, none, 4, none, none, none, none, none, none, none, none, '?'},
    {11, 0,  128,   64, none, none, 4, none, none, none, none, none, none, none, none, '?'},
    {12, 0,  128,   64,   64,   64, 4,  256,  512, none,  256,  128,  128,   64, none, 'y'},
    {12, 1,  128,   64, none, none, 4, none, none, none, none, none, none, none, none, '?'},
};
// clang-format on

constexpr int rows = sizeof(second_table) / sizeof(second_table[0]);
static_assert(sizeof(wg::throughputs) / sizeof(wg::throughputs[0]) == rows);
static_assert(sizeof(wg::architectures) / sizeof(wg::architectures[0]) == rows);

constexpr int times(int one, int count) { return one == none ? wg::not_known : one * count; }

/// The name of the first cell in which the two tables differ, or nullptr.
constexpr char const* difference(wg::throughput const& t, second_row const& r) {
  if (t.compute_capability / 10 != r.version || t.compute_capability % 10 != r.revision) return "compute_capability";
  if (t.fp32 != r.cores) return "fp32";
  if (t.fp64 != (r.fp64_divisor < 1 ? r.fp64_divisor : r.cores / r.fp64_divisor)) return "fp64";
  if (t.fp16 != (r.half_per_64 < 1 ? r.half_per_64 : r.half_per_64 * r.cores / 64)) return "fp16";
  if (t.bf16 != (r.bfloat_per_64 < 1 ? r.bfloat_per_64 : r.bfloat_per_64 * r.cores / 64)) return "bf16";
  if (t.tensor_int8 != times(r.int8, r.tensor_cores)) return "tensor_int8";
  if (t.tensor_fp4 != times(r.fp4, r.tensor_cores)) return "tensor_fp4";
  if (t.tensor_fp6 != times(r.fp6, r.tensor_cores)) return "tensor_fp6";
  if (t.tensor_fp8 != times(r.fp8, r.tensor_cores)) return "tensor_fp8";
  if (t.tensor_bf16 != times(r.bf16, r.tensor_cores)) return "tensor_bf16";
  if (t.tensor_fp16 != times(r.fp16, r.tensor_cores)) return "tensor_fp16";
  if (t.tensor_tf32 != times(r.tf32, r.tensor_cores)) return "tensor_tf32";
  if (t.tensor_fp64 != times(r.fp64, r.tensor_cores)) return "tensor_fp64";
  if (t.sparsity != (r.sparse == 'y' ? 2 : r.sparse == 'n' ? 1 : wg::not_known)) return "sparsity";
  return nullptr;
}

constexpr bool test_tables_agree() {
  for (int i = 0; i < rows; ++i) EXPECT(difference(wg::throughputs[i], second_table[i]) == nullptr);
  return true;
}
static_assert(test_tables_agree());

/// There is one row for each architecture, in the same order. At run time: under -fsanitize=undefined g++ rejects a
/// comparison with nullptr in a constant expression.
bool test_find() {
  for (int i = 0; i < rows; ++i) {
    EXPECT(wg::throughputs[i].compute_capability == wg::architectures[i]->compute_capability);
  }
  for (int cc = -300; cc <= 2000; ++cc) {
    wg::throughput const* const row = wg::find_throughput(cc);
    EXPECT((row != nullptr) == (wg::find_architecture(cc) != nullptr));
    EXPECT(row == nullptr || row->compute_capability == cc);
  }
  EXPECT(wg::find_throughput(INT_MIN) == nullptr);
  EXPECT(wg::find_throughput(INT_MAX) == nullptr);
  return true;
}
TEST_CASE("find_throughput() finds each row, and nothing else") { CHECK(test_find()); }

}  // namespace

TEST_CASE("the rates agree with the second table in every cell") {
  CHECK(test_tables_agree());
  for (int i = 0; i < rows; ++i) {
    char const* const differs = difference(wg::throughputs[i], second_table[i]);
    INFO("row ", i, ": ", std::string(differs != nullptr ? differs : "equal"));
    CHECK(differs == nullptr);
  }
}

TEST_CASE("no change of a rate goes unnoticed by the second table") {
  auto const members = int_members_of<wg::throughput>();
  REQUIRE(members.size() == 14);
  for (int i = 0; i < rows; ++i) {
    for (auto const& member : members) {
      for (int by : {-1, 1}) {
        wg::throughput row = wg::throughputs[i];
        row.*member.pointer += by;
        INFO("row ", i, ", ", member.name);
        REQUIRE(difference(row, second_table[i]) != nullptr);
      }
    }
  }
}

TEST_CASE("each architecture has its rates") { CHECK(test_find()); }
