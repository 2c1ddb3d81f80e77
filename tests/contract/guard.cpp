// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What is kept, and the decision behind every refusal, as values. The refusals themselves are in refusals/. Compiled
/// with WARPGUARD_TARGETS=750,800,860,890,900,1000,1200.

#include <warpguard/contract/guarantee.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;

namespace {

using wg::resolved_contract;
using wg::detail::judge;
using wg::detail::row_index;
using wg::detail::verdict;

using block = wg::threads_per_block<256>;

// ---- contracts that are kept ----------------------------------------------------------------------------------------

struct saxpy_contract : wg::contract<block, wg::max_registers<40>, wg::min_occupancy<75>> {};
struct hopper_contract : wg::contract<wg::threads_per_block<384>, wg::max_registers<168>, wg::cluster_size<2>,
                                      wg::dynamic_shared_memory<200 * 1024>, wg::exactly_blocks_per_sm<1>> {};
struct varying_contract : wg::contract<block, wg::dynamic_shared_memory<32 * 1024>, wg::min_blocks_per_sm<2>,
                                       wg::on<wg::sm<90>, wg::dynamic_shared_memory<112 * 1024>>> {};
struct old_contract : wg::contract<wg::threads_per_block<512>, wg::max_registers<16>, wg::exactly_blocks_per_sm<1>> {};
struct bare_contract : wg::contract<wg::threads_per_block<1024>> {};

constexpr bool test_kept() {
  return wg::guarantee<bare_contract> && wg::guarantee<varying_contract> &&
         wg::guarantee<wg::contract<block, wg::max_registers<64>, wg::min_blocks_per_sm<4>>> &&
         wg::guarantee_on<saxpy_contract, wg::sm<80>> && wg::guarantee_on<hopper_contract, wg::sm<90>, wg::sm<100>> &&
         wg::guarantee_on<hopper_contract, wg::sm<90>> && wg::guarantee_on<old_contract, wg::sm<10>, wg::sm<11>>;
}
static_assert(test_kept());

/// The bounds are the contract's own numbers, and those of nothing where there are none.
constexpr bool test_bounds() {
  return wg::detail::bounds<varying_contract>::launch_threads == 256 &&
         wg::detail::bounds<varying_contract>::launch_min_blocks == 0 &&
         wg::detail::bounds<varying_contract>::launch_max_cluster == 0;
}
static_assert(test_bounds());

// ---- one verdict each -----------------------------------------------------------------------------------------------

template <class... Option>
constexpr verdict judged(wg::architecture const& row) {
  return judge(row, wg::contract<Option...>::terms_on(row.compute_capability));
}

constexpr bool test_limits_of_a_block() {
  return judged<wg::threads_per_block<512>>(wg::sm_13) == verdict::kept &&
         judged<wg::threads_per_block<513>>(wg::sm_13) == verdict::block_size &&
         judged<wg::threads_per_block<32>, wg::max_registers<63>>(wg::sm_30) == verdict::kept &&
         judged<wg::threads_per_block<32>, wg::max_registers<64>>(wg::sm_30) == verdict::registers_per_thread &&
         judged<wg::threads_per_block<32>, wg::max_registers<124>>(wg::sm_13) == verdict::kept &&
         judged<wg::threads_per_block<32>, wg::max_registers<125>>(wg::sm_13) == verdict::registers_per_thread &&
         judged<block, wg::static_shared_memory<16384>>(wg::sm_13) == verdict::kept &&
         judged<block, wg::static_shared_memory<16385>>(wg::sm_13) == verdict::static_shared_memory &&
         judged<block, wg::static_shared_memory<49152>>(wg::sm_90) == verdict::kept &&
         judged<block, wg::static_shared_memory<49153>>(wg::sm_90) == verdict::static_shared_memory;
}
static_assert(test_limits_of_a_block());

constexpr bool test_opt_in() {
  return judged<block, wg::dynamic_shared_memory<65536>>(wg::sm_75) == verdict::kept &&
         judged<block, wg::dynamic_shared_memory<65537>>(wg::sm_75) == verdict::shared_memory &&
         judged<block, wg::dynamic_shared_memory<232448>>(wg::sm_90) == verdict::kept &&
         judged<block, wg::dynamic_shared_memory<232449>>(wg::sm_90) == verdict::shared_memory &&
         judged<block, wg::dynamic_shared_memory<49153>>(wg::sm_61) == verdict::shared_memory &&
         judged<block, wg::static_shared_memory<1>, wg::dynamic_shared_memory<232447>>(wg::sm_90) == verdict::kept &&
         judged<block, wg::static_shared_memory<1>, wg::dynamic_shared_memory<232448>>(wg::sm_90) ==
             verdict::shared_memory &&
         judged<block, wg::static_shared_memory<49152>, wg::dynamic_shared_memory<2147483647>>(wg::sm_90) ==
             verdict::shared_memory;
}
static_assert(test_opt_in());

constexpr bool test_clusters() {
  return judged<block, wg::cluster_size<1>>(wg::sm_80) == verdict::kept &&
         judged<block, wg::cluster_size<2>>(wg::sm_80) == verdict::cluster &&
         judged<block, wg::cluster_size<16>>(wg::sm_90) == verdict::kept &&
         judged<block, wg::cluster_size<17>>(wg::sm_90) == verdict::cluster &&
         judged<block, wg::cluster_size<1, 4, 4>>(wg::sm_90) == verdict::kept &&
         judged<block, wg::cluster_size<1, 4, 4>>(wg::sm_120) == verdict::cluster &&
         judged<block, wg::cluster_size<1, 1, 2>>(wg::sm_80) == verdict::cluster &&
         judged<block, wg::cluster_size<8>>(wg::sm_120) == verdict::kept &&
         judged<block, wg::cluster_size<9>>(wg::sm_120) == verdict::cluster &&
         // not published: not refused
         judged<block, wg::cluster_size<16>>(wg::sm_110) == verdict::kept;
}
static_assert(test_clusters());

constexpr bool test_register_file() {
  using full = wg::threads_per_block<1024>;
  return judged<full, wg::max_registers<64>>(wg::sm_90) == verdict::kept &&
         judged<full, wg::max_registers<65>>(wg::sm_90) == verdict::register_file &&
         judged<full, wg::max_registers<32>>(wg::sm_62) == verdict::kept &&
         judged<full, wg::max_registers<33>>(wg::sm_62) == verdict::register_file;
}
static_assert(test_register_file());

constexpr bool test_percent_is_never_rounded() {
  using odd = wg::threads_per_block<320>;
  using registers = wg::max_registers<37>;
  // 4 blocks of 10 warps are 62.5 % of 64.
  return judged<odd, registers, wg::min_occupancy<62>>(wg::sm_70) == verdict::kept &&
         judged<odd, registers, wg::min_occupancy<63>>(wg::sm_70) == verdict::residency &&
         judged<wg::threads_per_block<128>, registers, wg::min_occupancy<75>>(wg::sm_70) == verdict::kept &&
         judged<wg::threads_per_block<128>, registers, wg::min_occupancy<76>>(wg::sm_70) == verdict::residency &&
         judged<block, wg::min_occupancy<100>>(wg::sm_86) == verdict::kept &&
         judged<wg::threads_per_block<1024>, wg::min_occupancy<66>>(wg::sm_86) == verdict::kept &&
         judged<wg::threads_per_block<1024>, wg::min_occupancy<67>>(wg::sm_86) == verdict::residency;
}
static_assert(test_percent_is_never_rounded());

constexpr bool test_exactly_and_at_most() {
  using bytes = wg::dynamic_shared_memory<48 * 1024>;  // 4 blocks on 9.0
  return judged<block, bytes, wg::exactly_blocks_per_sm<3>>(wg::sm_90) == verdict::excess &&
         judged<block, bytes, wg::exactly_blocks_per_sm<4>>(wg::sm_90) == verdict::kept &&
         judged<block, bytes, wg::exactly_blocks_per_sm<5>>(wg::sm_90) == verdict::residency &&
         judged<block, bytes, wg::max_blocks_per_sm<3>>(wg::sm_90) == verdict::excess &&
         judged<block, bytes, wg::max_blocks_per_sm<4>>(wg::sm_90) == verdict::kept &&
         judged<block, bytes, wg::max_blocks_per_sm<5>>(wg::sm_90) == verdict::kept &&
         judged<block, bytes, wg::max_blocks_per_sm<4>, wg::min_blocks_per_sm<4>>(wg::sm_90) == verdict::kept &&
         judged<block, bytes, wg::max_blocks_per_sm<4>, wg::min_blocks_per_sm<5>>(wg::sm_90) == verdict::residency &&
         judged<block, bytes, wg::max_blocks_per_sm<3>, wg::min_blocks_per_sm<2>>(wg::sm_90) == verdict::excess;
}
static_assert(test_exactly_and_at_most());

constexpr bool test_free_registers() {
  return judged<block, wg::min_blocks_per_sm<1>, wg::no_min_blocks_bound>(wg::sm_90) == verdict::free_registers &&
         judged<block, wg::exactly_blocks_per_sm<8>, wg::no_min_blocks_bound>(wg::sm_90) == verdict::free_registers &&
         judged<block, wg::min_blocks_per_sm<1>, wg::no_min_blocks_bound, wg::max_registers<40>>(wg::sm_90) ==
             verdict::kept &&
         judged<block, wg::min_blocks_per_sm<7>, wg::no_min_blocks_bound, wg::max_registers<40>>(wg::sm_90) ==
             verdict::residency &&
         judged<block, wg::no_min_blocks_bound>(wg::sm_90) == verdict::kept &&
         judged<block, wg::no_min_blocks_bound, wg::max_blocks_per_sm<8>>(wg::sm_90) == verdict::kept;
}
static_assert(test_free_registers());

// ---- the short cut --------------------------------------------------------------------------------------------------

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

constexpr int row_count = sizeof(wg::architectures) / sizeof(wg::architectures[0]);

contract_terms random_terms(numbers& random) {
  constexpr int threads[] = {1, 32, 33, 64, 96, 128, 192, 256, 320, 384, 512, 513, 768, 1024};
  constexpr int bytes[] = {0,     0,         0,         1,     1024,  4096,  8192,   16384,
                           16385, 24 * 1024, 32 * 1024, 49152, 49153, 65536, 100000, 200000};
  constexpr int blocks[] = {1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16, 17, 24, 32, 33};
  contract_terms terms;
  terms.x = random.below(4) != 0 ? random.one_of(threads) : random.from_to(1, 1024);
  if (random.below(3) != 0) terms.max_registers = random.below(2) != 0 ? random.from_to(1, 64) : random.from_to(1, 255);
  if (random.below(3) == 0) terms.static_shared_memory = random.from_to(0, 49152);
  terms.dynamic_shared_memory = random.below(4) != 0 ? random.one_of(bytes) : random.from_to(0, 240000);
  if (random.below(3) == 0) terms.barriers = random.from_to(0, 16);
  if (random.below(8) == 0) terms.cluster_x = random.from_to(1, 16);
  switch (random.below(6)) {
    case 0: break;
    case 1:
    case 2:
      terms.unit = wg::detail::minimum_unit::percent;
      terms.minimum = random.from_to(1, 100);
      break;
    case 3:
      terms.unit = wg::detail::minimum_unit::warps;
      terms.minimum = random.from_to(1, 65);
      break;
    case 4:
      terms.unit = wg::detail::minimum_unit::blocks;
      terms.minimum = random.one_of(blocks);
      break;
    default:
      terms.unit = random.below(4) == 0 ? wg::detail::minimum_unit::exact_blocks : wg::detail::minimum_unit::blocks;
      terms.minimum = random.one_of(blocks);
      break;
  }
  if (random.below(16) == 0) terms.max_blocks = random.one_of(blocks);
  terms.forced = random.below(8) != 0;
  return terms;
}

/// Up to eight rows; mostly of 3.0 and later, which give out registers alike.
int random_rows(numbers& random, int (&rows)[8]) {
  int const count = random.from_to(1, 8);
  int const first = random.below(8) != 0 ? 6 : 0;
  for (int i = 0; i < count; ++i) rows[i] = random.from_to(first, row_count - 1);
  return count;
}

constexpr bool test_weakest_by_hand() {
  constexpr int modern[] = {row_index(75), row_index(90)};
  wg::detail::weakest const both = wg::detail::weakest_of(modern, 2);
  // The warps and bytes of 7.5, the reserve and the barriers of 9.0.
  if (!both.exists || both.row.max_warps_per_sm != 32 || both.most_warps_per_sm != 64) return false;
  if (both.row.reserved_shared_per_block != 1024 || both.row.shared_memory_per_sm != 65536) return false;
  if (!wg::is_valid(both.row)) return false;

  constexpr int fermi_too[] = {row_index(20), row_index(90)};
  constexpr int unknown_too[] = {row_index(90), row_index(95)};
  return !wg::detail::weakest_of(fermi_too, 2).exists && !wg::detail::weakest_of(unknown_too, 2).exists &&
         !wg::detail::weakest_of(unknown_too + 1, 1).exists && !wg::detail::weakest_of(modern, 0).exists;
}
static_assert(test_weakest_by_hand());

}  // namespace

TEST_CASE("a contract that is kept gives true") { CHECK(test_kept()); }
TEST_CASE("the launch bounds are the contract's") { CHECK(test_bounds()); }
TEST_CASE("an architecture's limits of a block") { CHECK(test_limits_of_a_block()); }
TEST_CASE("shared memory up to the opt-in, static and dynamic together") { CHECK(test_opt_in()); }
TEST_CASE("clusters where there are any") { CHECK(test_clusters()); }
TEST_CASE("registers for one block at least") { CHECK(test_register_file()); }
TEST_CASE("62.5 % is at least 62 and less than 63 %") { CHECK(test_percent_is_never_rounded()); }
TEST_CASE("exactly and at most") { CHECK(test_exactly_and_at_most()); }
TEST_CASE("a minimum without bounds needs max_registers") { CHECK(test_free_registers()); }
TEST_CASE("the weakest architecture by hand") { CHECK(test_weakest_by_hand()); }

TEST_CASE("what the weakest architecture keeps, all of them keep") {
  numbers random;
  int accepted = 0;
  int kept_by_all = 0;
  int wrong = 0;
  constexpr int cases = 1200000;
  int rows[8] = {};
  int count = 0;
  wg::detail::weakest all;
  for (int i = 0; i < cases; ++i) {
    if (i % 8 == 0) {
      count = random_rows(random, rows);
      all = wg::detail::weakest_of(rows, count);
    }
    contract_terms const terms = random_terms(random);
    bool kept = true;
    for (int r = 0; r < count && kept; ++r) kept = judge(*wg::architectures[rows[r]], terms) == verdict::kept;
    bool const accepts = wg::detail::surely_kept(all, terms);
    accepted += accepts ? 1 : 0;
    kept_by_all += kept ? 1 : 0;
    if (accepts && !kept && ++wrong == 1) {
      CAPTURE(terms.x);
      CAPTURE(terms.max_registers);
      CAPTURE(terms.static_shared_memory);
      CAPTURE(terms.dynamic_shared_memory);
      CAPTURE(terms.barriers);
      CAPTURE(terms.cluster_size());
      CAPTURE(static_cast<int>(terms.unit));
      CAPTURE(terms.minimum);
      for (int r = 0; r < count; ++r) MESSAGE(wg::architectures[rows[r]]->compute_capability);
      FAIL_CHECK("kept by the weakest, but not by all");
    }
  }
  CHECK(wrong == 0);
  // The short cut is worth having: it recognizes most contracts that are kept.
  CAPTURE(kept_by_all);
  CAPTURE(accepted);
  CHECK(kept_by_all > cases / 10);
  CHECK(accepted * 2 > kept_by_all);
}

TEST_CASE("for the targets of a usual build the short cut misses little") {
  numbers random;
  constexpr int rows[] = {row_index(75), row_index(80),  row_index(86), row_index(89),
                          row_index(90), row_index(100), row_index(120)};
  wg::detail::weakest const all = wg::detail::weakest_of(rows, 7);
  int accepted = 0;
  int kept_by_all = 0;
  for (int i = 0; i < 100000; ++i) {
    contract_terms const terms = random_terms(random);
    if (terms.blocks_allowed() != wg::unlimited) continue;
    bool kept = true;
    for (int row : rows) kept = kept && judge(*wg::architectures[row], terms) == verdict::kept;
    accepted += wg::detail::surely_kept(all, terms) ? 1 : 0;
    kept_by_all += kept ? 1 : 0;
  }
  CAPTURE(kept_by_all);
  CAPTURE(accepted);
  CHECK(accepted * 10 > kept_by_all * 7);
}
