// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares co_residency.hpp with an SM that is filled block by block: warps are placed one by one in the register
/// files, and bytes, barriers and slots are counted down. This second implementation shares only the rows of the table
/// with the library.

#include "../check.hpp"
#include "../extreme_values.hpp"

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/co_residency.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace wg = warpguard;

namespace {

/// An SM of 3.0 or later. add() takes a block if enough resources are left.
class filled_sm {
 public:
  explicit filled_sm(wg::architecture const& row)
      : row_(row),
        files_(static_cast<std::size_t>(row.sub_partitions), row.registers_per_sm / row.sub_partitions),
        warps_(row.max_warps_per_sm),
        bytes_(row.shared_memory_per_sm),
        barriers_(row.block_barriers_per_sm),
        slots_(row.max_blocks_per_sm) {}

  bool add(wg::kernel_resources const& kernel) {
    int const warps = (kernel.threads_per_block + 31) / 32;
    int const bytes = (kernel.static_shared_memory + kernel.dynamic_shared_memory + row_.reserved_shared_per_block +
                       row_.shared_allocation_unit - 1) /
                      row_.shared_allocation_unit * row_.shared_allocation_unit;
    int const registers = (kernel.registers_per_thread + 7) / 8 * 256;
    if (slots_ < 1 || warps_ < warps || bytes_ < bytes) return false;
    if (row_.compute_capability >= 90 && barriers_ < kernel.barriers) return false;
    std::vector<int> files = files_;
    for (int i = 0; i < warps; ++i) {
      auto const emptiest = std::max_element(files.begin(), files.end());
      if (*emptiest < registers) return false;
      *emptiest -= registers;
    }
    files_ = files;
    --slots_;
    warps_ -= warps;
    bytes_ -= bytes;
    barriers_ -= kernel.barriers;
    return true;
  }

 private:
  wg::architecture const& row_;
  std::vector<int> files_;  ///< registers left
  int warps_;
  int bytes_;
  int barriers_;
  int slots_;
};

/// Returns how many blocks of `b` fit beside `count` blocks of `a`; -1 if those do not fit.
int fill(wg::architecture const& row, wg::kernel_resources const& a, int count, wg::kernel_resources const& b) {
  filled_sm sm(row);
  for (int i = 0; i < count; ++i) {
    if (!sm.add(a)) return -1;
  }
  int blocks = 0;
  while (sm.add(b)) ++blocks;
  return blocks;
}

wg::kernel_resources any_kernel(inputs::random_source& random) {
  wg::kernel_resources kernel{random.between(1, random.between(0, 1) == 0 ? 1024 : 300)};
  if (random.between(0, 4) != 0) kernel.registers_per_thread = random.between(1, random.between(0, 2) == 0 ? 255 : 64);
  if (random.between(0, 1) == 0) kernel.dynamic_shared_memory = random.between(0, 48 * 1024);
  if (random.between(0, 1) == 0) kernel.static_shared_memory = random.between(0, 8 * 1024);
  kernel.barriers = random.between(0, 16);
  return kernel;
}

constexpr bool test_blocks_beside() {
  // This GEMM leaves 256 registers in each register file of an H100; a warp with 32 per thread takes 1024.
  EXPECT(wg::blocks_beside(wg::sm_90, {384, 168}, 1, {32, 32}) == 0);
  // With 128 per thread it leaves 4096 in each of the four files: four such warps.
  EXPECT(wg::blocks_beside(wg::sm_90, {384, 128}, 1, {128, 32}) == 4);
  // Each block has a reserve of 1 KiB: 228 = (127 + 1) + 2 * (49 + 1) KiB.
  wg::kernel_resources const half{64, 0, 0, 127 * 1024};
  EXPECT(wg::blocks_beside(wg::sm_90, half, 1, {64, 0, 0, 49 * 1024}) == 2);
  EXPECT(wg::blocks_beside(wg::sm_90, half, 1, {64, 0, 0, 49 * 1024 + 1}) == 1);
  // 9.0 has 64 barriers; 8.0 does not limit them.
  EXPECT(wg::blocks_beside(wg::sm_90, {32, 0, 0, 0, 16}, 3, {32, 0, 0, 0, 3}) == 5);
  EXPECT(wg::blocks_beside(wg::sm_80, {32, 0, 0, 0, 16}, 3, {32, 0, 0, 0, 3}) == 29);
  // An SM of 1.x runs one kernel. On 5.2 a block with partitioned caching shares the SM with no other kernel.
  EXPECT(wg::blocks_beside(wg::sm_13, {32}, 1, {32}) == 0);
  wg::kernel_resources cached{32};
  cached.caching = wg::partitioned_caching::on;
  EXPECT(wg::blocks_beside(wg::sm_52, cached, 1, {32}) == 0);
  EXPECT(wg::blocks_beside(wg::sm_53, {32}, 1, {32}) == 31);
  return true;
}
static_assert(test_blocks_beside());

constexpr bool test_impossible() {
  EXPECT(wg::blocks_beside(wg::sm_90, {32}, -1, {32}) == wg::impossible);
  EXPECT(wg::blocks_beside(wg::sm_90, {1024}, 3, {32}) == wg::impossible);
  EXPECT(wg::blocks_beside(wg::sm_90, {32}, 1, {1025}) == wg::impossible);
  EXPECT(wg::blocks_beside(wg::sm_90, {1025}, 1, {32}) == wg::impossible);
  EXPECT(wg::blocks_beside({}, {32}, 1, {32}) == wg::impossible);
  // For 0 blocks the first kernel does not matter.
  EXPECT(wg::blocks_beside(wg::sm_90, {1025}, 0, {32}) == 32);
  return true;
}
static_assert(test_impossible());

constexpr bool test_fit_together() {
  EXPECT(wg::fit_together(wg::sm_90, {1024}, {1024}));
  EXPECT(!wg::fit_together(wg::sm_86, {1024}, {1024}));
  EXPECT(!wg::fit_together(wg::sm_90, {1025}, {32}));
  return true;
}
static_assert(test_fit_together());

TEST_CASE("worked examples") {
  CHECK(test_blocks_beside());
  CHECK(test_impossible());
  CHECK(test_fit_together());
}

TEST_CASE("the result is never more than fits an SM that is filled block by block") {
  inputs::random_source random(37);
  long compared = 0;
  long exact = 0;
  long with_room = 0;
  while (compared < 200000) {
    wg::architecture const& row = *wg::architectures[random.between(6, 30)];
    if (row.compute_capability == 60) continue;  // a block of 6.0 must also fit an SM of 6.1
    wg::kernel_resources const a = any_kernel(random);
    wg::kernel_resources const b = any_kernel(random);
    int const most = wg::occupancy_of(row, a).blocks_per_sm;
    if (most < 1 || wg::occupancy_of(row, b).blocks_per_sm < 1) continue;
    int const count = random.between(1, most);
    int const expected = fill(row, a, count, b);
    // The filled SM does not even hold the blocks of `a`. That concerns one kernel, so occupancy.cpp tests it.
    if (expected < 0) continue;
    int const answer = wg::blocks_beside(row, a, count, b);
    ++compared;
    exact += answer == expected;
    with_room += expected > 0;
    if (answer > expected || answer < 0) {
      INFO("sm_", row.compute_capability, ": ", count, " x ", a.threads_per_block, " threads, ", a.registers_per_thread,
           " registers; ", b.threads_per_block, ", ", b.registers_per_thread);
      CHECK(answer == expected);
    }
  }
  CHECK(with_room > 20000);
  // The result may be too low, but rarely.
  CHECK(exact > compared * 9 / 10);
  MESSAGE(exact, " of ", compared, " results are exact, the others are too low; ", with_room, " have room");
}

TEST_CASE("beside blocks of the same kernel, the result is the residency minus those blocks") {
  inputs::random_source random(41);
  for (int i = 0; i < 100000; ++i) {
    inputs::model_input input = inputs::plausible(random);
    input.kernel.caching = wg::partitioned_caching::off;
    if (input.row->compute_capability < 20) continue;
    int const most = wg::occupancy_of(*input.row, input.kernel, input.config).blocks_per_sm;
    int const count = random.between(0, 34);
    int const answer = wg::blocks_beside(*input.row, input.kernel, count, input.kernel, input.config);
    int const expected = most > 0 && count <= most ? most - count : wg::impossible;
    if (answer != expected) {
      INFO("number ", i, ", sm_", input.row->compute_capability, ", ", count, " blocks");
      REQUIRE(answer == expected);
    }
  }
}

TEST_CASE("any int is a valid input, and more blocks of one kernel leave no more room for the other") {
  inputs::random_source random(43);
  for (int i = 0; i < 100000; ++i) {
    inputs::model_input const a = inputs::hostile(random);
    inputs::model_input const b = inputs::hostile(random);
    int const count = random.between(0, 1) == 0 ? random.extreme() : random.between(0, 33);
    int const answer = wg::blocks_beside(*a.row, a.kernel, count, b.kernel, a.config);
    REQUIRE(answer >= wg::impossible);
    REQUIRE(answer <= a.row->max_blocks_per_sm);
    if (count < 0) REQUIRE(answer == wg::impossible);
    if (count > 0 && answer > 0) {
      REQUIRE(wg::blocks_beside(*a.row, a.kernel, count - 1, b.kernel, a.config) >= answer);
    }
    bool const together = wg::fit_together(*a.row, a.kernel, b.kernel, a.config);
    REQUIRE(together == wg::fit_together(*a.row, b.kernel, a.kernel, a.config));
  }
  for (int i = 0; i < 20000; ++i) {
    wg::architecture const row = inputs::synthetic_architecture(random);
    inputs::model_input const a = inputs::plausible(random);
    inputs::model_input const b = inputs::plausible(random);
    int const answer = wg::blocks_beside(row, a.kernel, random.between(0, 3), b.kernel, a.config);
    REQUIRE(answer >= wg::impossible);
    REQUIRE(answer <= row.max_blocks_per_sm);
  }
}

}  // namespace
