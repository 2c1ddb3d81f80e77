// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The products against a second table, written from the sources in other units and in another column order, so that
/// neither a wrong digit nor a number in the wrong column can be in both.

#include "../check.hpp"

#include <warpguard/hardware/products.hpp>
#include <warpguard/hardware/table.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "int_members.hpp"

namespace wg = warpguard;

namespace {

/// One product as other people write it: CUDA cores, clocks from high to low, the memory's bus and transfers.
struct second_row {
  char const* name;
  int cores;         // CUDA cores of the whole GPU
  int cores_per_sm;  // by the guide
  int version, revision;
  int l2_bytes;
  int gigabytes;
  int bus_bits;        // 8: the next number is NVIDIA's figure in MB/s
  int mega_transfers;  // per second and bit
  bool is_geforce;
  int boost, scalar_peak, tensor_peak, base;  // MHz
};

// clang-format off
constexpr second_row second_table[] = {
    {"P100 SXM",              3584,  64,  6, 0,   4194304,  16, 4096,    1430, false, 1480, 1480,    0, 1328},
    {"P100 PCIe",             3584,  64,  6, 0,   4194304,  16, 4096,    1430, false, 1329, 1303,    0, 1190},
    {"V100 SXM2",             5120,  64,  7, 0,   6291456,   0, 4096,    1754, false, 1530, 1530, 1530,    0},
    {"V100 PCIe",             5120,  64,  7, 0,   6291456,   0, 4096,    1752, false, 1380, 1370, 1370,    0},
    {"T4",                    2560,  64,  7, 5,   4194304,  16,  256,   10000, false, 1590, 1590, 1590,  585},
    {"RTX 2060 SUPER",        2176,  64,  7, 5,   4194304,   8,  256,   14000, true,  1650, 1650, 1650, 1470},
    {"RTX 2080 Ti",           4352,  64,  7, 5,   5767168,  11,  352,   14000, true,  1545, 1545, 1545, 1350},
    {"A100 SXM 40GB",         6912,  64,  8, 0,  41943040,  40, 5120,    2430, false, 1410, 1410, 1410, 1095},
    {"A100 SXM 80GB",         6912,  64,  8, 0,  41943040,  80, 5120,    3186, false, 1410, 1410, 1410, 1275},
    {"A100 PCIe 40GB",        6912,  64,  8, 0,  41943040,  40, 5120,    2430, false, 1410, 1410, 1410,  765},
    {"A100 PCIe 80GB",        6912,  64,  8, 0,  41943040,  80, 5120,    3024, false, 1410, 1410, 1410, 1065},
    {"A30",                   3584,  64,  8, 0,  25165824,  24, 3072,    2430, false, 1440, 1440, 1440,  930},
    {"A10",                   9216, 128,  8, 6,   6291456,  24,  384,   12500, false, 1695, 1695, 1695,  885},
    {"A40",                  10752, 128,  8, 6,   6291456,  48,  384,   14500, false, 1740, 1740, 1740, 1305},
    {"RTX 3090",             10496, 128,  8, 6,   6291456,  24,  384,   19500, true,  1695, 1695, 1695, 1395},
    {"Jetson AGX Orin 64GB",  2048, 128,  8, 7,   4194304,  64,  256,    6400, false, 1300, 1300, 1300,    0},
    {"Jetson AGX Orin 32GB",  1792, 128,  8, 7,         0,  32,  256,    6400, false,  930,    0,    0,    0},
    {"Jetson Orin NX 16GB",   1024, 128,  8, 7,   2097152,  16,  128,    6400, false,  918,    0,    0,    0},
    {"L4",                    7424, 128,  8, 9,  50331648,  24,  192,   12500, false, 2040, 2040, 2040,  795},
    {"L40S",                 18176, 128,  8, 9, 100663296,  48,  384,   18000, false, 2520, 2520, 2520, 1110},
    {"RTX 4090",             16384, 128,  8, 9,  75497472,  24,  384,   21000, true,  2520, 2520, 2520, 2235},
    {"H100 SXM",             16896, 128,  9, 0,  52428800,  80, 5120,    5238, false, 1980, 1980, 1830, 1590},
    {"H100 PCIe",            14592, 128,  9, 0,  52428800,  80, 5120,    3186, false, 1755, 1755, 1620, 1095},
    {"H100 NVL",             16896, 128,  9, 0,         0,  94,    8, 3938000, false, 1785, 1785,    0, 1080},
    {"H200",                 16896, 128,  9, 0,         0, 141, 6144,    6250, false, 1980, 1980, 1830, 1500},
    {"GH200",                16896, 128,  9, 0,  62914560,  96, 6144,    5238, false, 1980,    0,    0,    0},
    {"B200",                 18944, 128, 10, 0, 132644864, 180, 7680,    7992, false, 1965, 1965,    0,    0},
    {"GB200",                19456, 128, 10, 0, 135528448, 186, 7936,    7992, false, 2062, 2062,    0,    0},
    {"B300",                 18944, 128, 10, 3,         0, 270,    8, 7700000, false, 2032,    0,    0,    0},
    {"Jetson AGX Thor",       2560, 128, 11, 0,  33554432, 128,    8,  273000, false,    0,    0,    0,    0},
    {"RTX 5090",             21760, 128, 12, 0, 100663296,  32,  512,   28000, true,  2407, 2407, 2407, 2017},
    {"RTX PRO 6000",         24064, 128, 12, 0, 134217728,  96,  512,   28000, false, 2617, 2617, 2617, 1590},
    {"DGX Spark",             6144, 128, 12, 1,  25165824, 128,    8,  273000, false, 2418,    0,    0,    0},
};
// clang-format on

constexpr int rows = sizeof(second_table) / sizeof(second_table[0]);
static_assert(sizeof(wg::products) / sizeof(wg::products[0]) == rows);

constexpr bool are_equal(char const* first, char const* other) {
  for (; *first == *other; ++first, ++other) {
    if (*first == '\0') return true;
  }
  return false;
}

/// The name of the first cell in which the two tables differ, or nullptr.
constexpr char const* difference(wg::product const& p, second_row const& r) {
  if (!are_equal(p.name, r.name)) return "name";
  if (p.compute_capability / 10 != r.version || p.compute_capability % 10 != r.revision) return "compute_capability";
  if (p.sms * r.cores_per_sm != r.cores) return "sms";
  if (p.base_clock_mhz != r.base) return "base_clock_mhz";
  if (p.boost_clock_mhz != r.boost) return "boost_clock_mhz";
  if (p.peak_clock_mhz != r.scalar_peak) return "peak_clock_mhz";
  if (p.tensor_peak_clock_mhz != r.tensor_peak) return "tensor_peak_clock_mhz";
  if (p.fp32_sum_divisor != (r.is_geforce ? 2 : 1)) return "fp32_sum_divisor";
  if (p.memory_bandwidth_mb * 8LL != 1LL * r.bus_bits * r.mega_transfers) return "memory_bandwidth_mb";
  if (p.memory_gb != r.gigabytes) return "memory_gb";
  if (p.l2_cache_kb * 1024 != r.l2_bytes) return "l2_cache_kb";
  return nullptr;
}

constexpr bool test_tables_agree() {
  for (int i = 0; i < rows; ++i) EXPECT(difference(wg::products[i], second_table[i]) == nullptr);
  return true;
}
static_assert(test_tables_agree());

/// Rows ascend by compute capability, and clocks by their meaning. At run time: under -fsanitize=undefined g++ rejects
/// a comparison with nullptr in a constant expression.
bool test_rows_are_plausible() {
  int before = 0;
  for (wg::product const& p : wg::products) {
    EXPECT(p.compute_capability >= before);
    before = p.compute_capability;
    EXPECT(wg::find_architecture(p.compute_capability) != nullptr);
    EXPECT(p.boost_clock_mhz == 0 || p.base_clock_mhz < p.boost_clock_mhz);
    EXPECT(p.peak_clock_mhz <= p.boost_clock_mhz);
    EXPECT(p.tensor_peak_clock_mhz <= p.peak_clock_mhz);
    EXPECT(p.peak_clock_mhz == 0 || p.base_clock_mhz <= p.peak_clock_mhz);
  }
  return true;
}
TEST_CASE("rows of products are plausible") { CHECK(test_rows_are_plausible()); }

}  // namespace

TEST_CASE("the products agree with the second table in every cell") {
  CHECK(test_tables_agree());
  for (int i = 0; i < rows; ++i) {
    char const* const differs = difference(wg::products[i], second_table[i]);
    INFO("row ", i, ": ", std::string(differs != nullptr ? differs : "equal"));
    CHECK(differs == nullptr);
  }
}

TEST_CASE("no change of a product goes unnoticed by the second table") {
  auto const members = int_members_of<wg::product>();
  REQUIRE(members.size() == 10);
  for (int i = 0; i < rows; ++i) {
    for (auto const& member : members) {
      for (int by : {-1, 1}) {
        wg::product row = wg::products[i];
        row.*member.pointer += by;
        INFO("row ", i, ", ", member.name);
        REQUIRE(difference(row, second_table[i]) != nullptr);
      }
    }
  }
}

TEST_CASE("the rows of the products are plausible") { CHECK(test_rows_are_plausible()); }
