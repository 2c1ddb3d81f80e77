// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Peaks against the figures that NVIDIA publishes, as far as their last digit goes. docs/products.md names the
/// documents.

#include "../check.hpp"

#include <warpguard/hardware/find_device.hpp>
#include <warpguard/hardware/peak.hpp>

#include <doctest/doctest.h>

#include <climits>
#include <string>

namespace wg = warpguard;

namespace {

using p = wg::precision;

/// One published figure: `figure` is in units of 10^9 operations per second, and is rounded to a multiple of `last`.
struct published {
  char const* device;
  p numbers;
  bool sparse;
  long long figure;
  long long last;
  char const* source;
};

// clang-format off
constexpr published figures[] = {
    {"P100 SXM",       p::fp64,                 false,    5300,   100, "P100 press"},
    {"P100 SXM",       p::fp32,                 false,   10600,   100, "P100 press"},
    {"P100 SXM",       p::fp16,                 false,   21200,   100, "P100 press"},
    {"P100 PCIe",      p::fp64,                 false,    4700,   100, "datasheet notes"},
    {"P100 PCIe",      p::fp32,                 false,    9300,   100, "datasheet notes"},
    {"P100 PCIe",      p::fp16,                 false,   18700,   100, "datasheet notes"},
    {"V100 SXM2",      p::fp64,                 false,    7800,   100, "datasheet notes"},
    {"V100 SXM2",      p::fp32,                 false,   15700,   100, "datasheet notes"},
    {"V100 SXM2",      p::tensor_fp16,          false,  125000,  1000, "datasheet notes"},
    {"V100 PCIe",      p::fp64,                 false,    7000,  1000, "io-tech"},
    {"V100 PCIe",      p::fp32,                 false,   14000,  1000, "io-tech"},
    {"V100 PCIe",      p::tensor_fp16,          false,  112000,  1000, "io-tech"},
    {"T4",             p::fp32,                 false,    8100,   100, "gpu-specs"},
    {"T4",             p::tensor_fp16,          false,   65000,  1000, "gpu-specs"},
    {"T4",             p::tensor_int8,          false,  130000,  1000, "gpu-specs"},
    {"RTX 2080 Ti",    p::fp32,                 false,   13400,   100, "2080 Ti notes"},
    {"RTX 2080 Ti",    p::tensor_fp16,          false,   53800,   100, "2080 Ti notes"},
    {"RTX 2080 Ti",    p::tensor_fp16_sum_fp16, false,  107600,   100, "2080 Ti notes"},
    {"A100 SXM 40GB",  p::fp64,                 false,    9700,   100, "gpu-specs"},
    {"A100 SXM 40GB",  p::tensor_fp64,          false,   19500,   100, "gpu-specs"},
    {"A100 SXM 40GB",  p::fp32,                 false,   19500,   100, "gpu-specs"},
    {"A100 SXM 40GB",  p::fp16,                 false,   78000,  1000, "gpumap"},
    {"A100 SXM 40GB",  p::bf16,                 false,   39000,  1000, "gpumap"},
    {"A100 SXM 40GB",  p::tensor_tf32,          false,  156000,  1000, "gpu-specs"},
    {"A100 SXM 40GB",  p::tensor_tf32,          true,   312000,  1000, "gpu-specs"},
    {"A100 SXM 40GB",  p::tensor_fp16,          false,  312000,  1000, "gpu-specs"},
    {"A100 SXM 40GB",  p::tensor_bf16,          false,  312000,  1000, "gpu-specs"},
    {"A100 SXM 40GB",  p::tensor_bf16,          true,   624000,  1000, "gpu-specs"},
    {"A100 SXM 40GB",  p::tensor_int8,          false,  624000,  1000, "gpu-specs"},
    {"A100 PCIe 80GB", p::fp32,                 false,   19500,   100, "gpu-specs"},
    {"A100 PCIe 80GB", p::tensor_fp16,          false,  312000,  1000, "gpu-specs"},
    {"A30",            p::fp64,                 false,    5200,   100, "gpumap"},
    {"A30",            p::tensor_fp64,          false,   10300,   100, "gpumap"},
    {"A30",            p::fp32,                 false,   10300,   100, "gpumap"},
    {"A30",            p::tensor_fp16,          false,  165000,  1000, "gpumap"},
    {"A30",            p::tensor_int8,          false,  330000,  1000, "gpumap"},
    {"A10",            p::fp32,                 false,   31200,   100, "gpumap"},
    {"A10",            p::tensor_tf32,          false,   62500,   100, "gpumap"},
    {"A10",            p::tensor_tf32,          true,   125000,  1000, "gpumap"},
    {"A10",            p::tensor_bf16,          false,  125000,  1000, "gpumap"},
    {"A10",            p::tensor_int8,          false,  250000,  1000, "gpumap"},
    {"A40",            p::fp32,                 false,   37400,   100, "A40 sheet"},
    {"A40",            p::tensor_tf32,          false,   74800,   100, "A40 sheet"},
    {"A40",            p::tensor_fp16,          false,  149700,   100, "A40 sheet"},
    {"A40",            p::tensor_bf16,          false,  149700,   100, "A40 sheet"},
    {"A40",            p::tensor_int8,          false,  299300,   100, "A40 sheet"},
    {"RTX 3090",       p::fp32,                 false,   35600,   100, "3090 notes"},
    {"RTX 3090",       p::tensor_fp16,          false,   71000,  1000, "price list"},
    {"RTX 3090",       p::tensor_fp16_sum_fp16, false,  142000,  1000, "3090 notes"},
    {"Jetson AGX Orin 64GB", p::tensor_int8,    false,   85000,  1000, "Orin"},
    {"Jetson AGX Orin 64GB", p::tensor_int8,    true,   170000,  1000, "Orin"},
    {"L4",             p::bf16,                 false,   30300,   100, "gpumap"},
    {"L4",             p::fp32,                 false,   30300,   100, "gpumap"},
    {"L4",             p::tensor_fp16,          false,  121000,  1000, "gpumap"},
    {"L4",             p::tensor_fp8,           false,  242000,  1000, "gpumap"},
    {"L4",             p::tensor_fp8,           true,   485000,  1000, "gpumap"},
    {"L40S",           p::fp32,                 false,   91600,   100, "gpu-specs"},
    {"L40S",           p::tensor_tf32,          false,  183000,  1000, "gpumap"},
    {"L40S",           p::tensor_fp16,          true,   733000,  1000, "gpumap"},
    {"L40S",           p::tensor_fp8,           false,  733000,  1000, "gpumap"},
    {"L40S",           p::tensor_int8,          true,  1466000,  1000, "gpumap"},
    {"RTX 4090",       p::fp32,                 false,   82600,   100, "Ada press"},
    {"RTX 4090",       p::tensor_tf32,          false,   83000,  1000, "gpumap"},
    {"RTX 4090",       p::tensor_fp16,          false,  165000,  1000, "gpumap"},
    {"RTX 4090",       p::tensor_fp16_sum_fp16, false,  330000,  1000, "gpumap"},
    {"RTX 4090",       p::tensor_fp8,           false,  661000,  1000, "gpumap"},
    {"H100 SXM",       p::fp64,                 false,   33500,   100, "gpumap"},
    {"H100 SXM",       p::tensor_fp64,          false,   67000,  1000, "gpumap"},
    {"H100 SXM",       p::fp32,                 false,   67000,  1000, "gpumap"},
    {"H100 SXM",       p::fp16,                 false,  134000,  1000, "gpumap"},
    {"H100 SXM",       p::bf16,                 false,  134000,  1000, "gpumap"},
    {"H100 SXM",       p::tensor_tf32,          false,  495000,  1000, "gpumap"},
    {"H100 SXM",       p::tensor_fp16,          false,  989000,  1000, "gpumap"},
    {"H100 SXM",       p::tensor_bf16,          true,  1979000,  1000, "gpumap"},
    {"H100 SXM",       p::tensor_fp8,           false, 1979000,  1000, "gpumap"},
    {"H100 SXM",       p::tensor_int8,          true,  3958000,  1000, "gpumap"},
    {"H100 PCIe",      p::fp64,                 false,   25600,   100, "gpumap"},
    {"H100 PCIe",      p::fp32,                 false,   51000,  1000, "gpumap"},
    {"H100 PCIe",      p::tensor_tf32,          false,  378000,  1000, "gpumap"},
    {"H100 PCIe",      p::tensor_fp16,          false,  756000,  1000, "gpumap"},
    {"H100 PCIe",      p::tensor_fp8,           true,  3026000,  1000, "gpumap"},
    {"H100 NVL",       p::fp32,                 false,   60000,  1000, "IGUANE"},
    {"H100 NVL",       p::fp64,                 false,   30000,  1000, "IGUANE"},
    {"H200",           p::fp32,                 false,   67000,  1000, "gpumap"},
    {"H200",           p::tensor_bf16,          true,  1979000,  1000, "gpumap"},
    {"H200",           p::tensor_fp8,           true,  3958000,  1000, "gpumap"},
    {"RTX 5090",       p::fp32,                 false,  105000,  1000, "gpumap"},
    {"RTX 5090",       p::tensor_bf16,          false,  209500,   100, "5090 notes"},
    {"RTX 5090",       p::tensor_fp16_sum_fp16, false,  419000,  1000, "gpumap"},
    {"RTX 5090",       p::tensor_int8,          false,  838000,  1000, "gpumap"},
    {"RTX PRO 6000",   p::tensor_fp16,          false,  503800,   100, "price list"},
};
// clang-format on

constexpr bool agrees(published const& line, long long peak) {
  long long const difference = peak - line.figure * 1000000000;
  return 2 * (difference < 0 ? -difference : difference) <= line.last * 1000000000;
}

constexpr long long peak_of(published const& line) {
  return wg::peak(*wg::find_device(line.device), line.numbers, {wg::clock_choice::nvidia, line.sparse});
}

// ---- the figures by hand --------------------------------------------------------------------------------------------

constexpr wg::product a100 = *wg::find_device("A100 SXM 40GB");
constexpr wg::product h100 = *wg::find_device("H100 SXM");
static_assert(wg::peak(a100, p::fp32) == 6912LL * 1410 * 1000000 * 2);
static_assert(wg::peak(a100, p::tensor_tf32) == 8 * wg::peak(a100, p::fp32));
static_assert(wg::peak(h100, p::fp32) == 132LL * 128 * 1980 * 1000000 * 2);
static_assert(wg::peak(h100, p::tensor_fp16) == 132LL * 4 * 512 * 1830 * 1000000 * 2);
static_assert(wg::peak(h100, p::tensor_fp16, {wg::clock_choice::boost}) == 132LL * 4 * 512 * 1980 * 1000000 * 2);
static_assert(wg::peak(h100, p::fp32, {wg::clock_choice::base}) == 132LL * 128 * 1590 * 1000000 * 2);

}  // namespace

TEST_CASE("peaks are NVIDIA's figures") {
  for (published const& line : figures) {
    INFO(line.device, ", figure ", line.figure, ", precision ", static_cast<int>(line.numbers), ", ", line.source);
    CHECK(agrees(line, peak_of(line)));
  }
}

TEST_CASE("2.5 % more SMs or a clock 2.5 % higher are noticed by the figures") {
  // But for figures of two digits below 50: half of their last digit is more than 1 %.
  for (published const& line : figures) {
    if (line.figure < 50 * line.last) continue;
    INFO(line.device, ", figure ", line.figure);
    wg::product const device = *wg::find_device(line.device);
    wg::peak_options const options{wg::clock_choice::nvidia, line.sparse};
    wg::product changed = device;
    changed.tensor_peak_clock_mhz += device.tensor_peak_clock_mhz / 40;
    changed.peak_clock_mhz += device.peak_clock_mhz / 40;
    CHECK_FALSE(agrees(line, wg::peak(changed, line.numbers, options)));
    changed = device;
    changed.sms += (device.sms + 39) / 40;
    CHECK_FALSE(agrees(line, wg::peak(changed, line.numbers, options)));
  }
}

TEST_CASE("peaks that have no source") {
  for (char const* name : {"B200", "GB200", "H100 NVL"}) {
    INFO(name);
    wg::product const& device = *wg::find_device(name);
    CHECK(wg::peak(device, p::fp32) > 0);
    CHECK(wg::peak(device, p::tensor_fp16) == wg::not_known);  // NVIDIA's clock is not known
    CHECK(wg::peak(device, p::tensor_fp16, {wg::clock_choice::boost}) > 0);
    CHECK(wg::peak(device, p::tensor_fp64) > 0);  // stated at the clock of the other units
  }
  for (char const* name : {"B300", "DGX Spark", "Jetson AGX Thor"}) {
    INFO(name);
    CHECK(wg::peak(*wg::find_device(name), p::fp32) == wg::not_known);
    CHECK(wg::peak(*wg::find_device(name), p::tensor_fp16, {wg::clock_choice::boost}) == wg::not_known);  // no rate
  }
  CHECK(wg::peak(*wg::find_device("V100 SXM2"), p::fp32, {wg::clock_choice::base}) == wg::not_known);
  CHECK(wg::peak(*wg::find_device("RTX 4090"), p::tensor_fp64) == wg::not_known);
}

TEST_CASE("units that an SM does not have") {
  wg::product const& p100 = *wg::find_device("P100 SXM");
  wg::product const& v100 = *wg::find_device("V100 SXM2");
  CHECK(wg::peak(p100, p::tensor_fp16) == 0);
  CHECK(wg::peak(p100, p::bf16) == 0);
  CHECK(wg::peak(v100, p::tensor_int8) == 0);
  CHECK(wg::peak(h100, p::tensor_fp4) == 0);
  // Sparsity: none before 8.0, none outside tensor cores, none in FP64.
  CHECK(wg::peak(v100, p::tensor_fp16, {wg::clock_choice::nvidia, true}) == 0);
  CHECK(wg::peak(h100, p::fp32, {wg::clock_choice::nvidia, true}) == 0);
  CHECK(wg::peak(h100, p::tensor_fp64, {wg::clock_choice::nvidia, true}) == 0);
}

TEST_CASE("sums in FP32 are half as fast on a GeForce") {
  for (char const* name : {"RTX 2080 Ti", "RTX 3090", "RTX 4090", "RTX 5090"}) {
    wg::product const& geforce = *wg::find_device(name);
    CHECK(2 * wg::peak(geforce, p::tensor_fp16) == wg::peak(geforce, p::tensor_fp16_sum_fp16));
  }
  for (char const* name : {"T4", "A40", "L40S", "RTX PRO 6000"}) {
    wg::product const& other = *wg::find_device(name);
    CHECK(wg::peak(other, p::tensor_fp16) == wg::peak(other, p::tensor_fp16_sum_fp16));
  }
}

TEST_CASE("every peak is the product of its factors") {
  for (wg::product const& device : wg::products) {
    wg::throughput const& rates = *wg::find_throughput(device.compute_capability);
    for (p numbers : wg::precisions) {
      for (wg::clock_choice clock : {wg::clock_choice::nvidia, wg::clock_choice::boost, wg::clock_choice::base}) {
        long long const dense = wg::peak(device, numbers, {clock});
        long long const sparse = wg::peak(device, numbers, {clock, true});
        int const rate = wg::fma_per_clock(rates, numbers);
        if (dense > 0) CHECK(dense % (2000000LL * device.sms) == 0);
        if (rate <= 0) CHECK(dense == rate);
        if (sparse > 0) CHECK(sparse == 2 * dense);
        CHECK(dense == wg::peak(device, rates, numbers, {clock}));
      }
    }
  }
}

TEST_CASE("rows of users that cannot be calculated") {
  int wg::product::*const members[] = {&wg::product::sms, &wg::product::peak_clock_mhz, &wg::product::fp32_sum_divisor,
                                       &wg::product::tensor_peak_clock_mhz};
  for (auto member : members) {
    for (int value : {0, -1, INT_MIN, INT_MAX}) {
      wg::product device = h100;
      device.*member = value;
      // A member that the question does not use may have any value.
      bool const is_for_tensor_cores =
          member == &wg::product::tensor_peak_clock_mhz || member == &wg::product::fp32_sum_divisor;
      CHECK(wg::peak(device, is_for_tensor_cores ? p::tensor_fp16 : p::fp32) == wg::not_known);
    }
  }
  wg::product device = h100;
  device.compute_capability = 95;
  CHECK(wg::peak(device, p::fp32) == wg::not_known);
  CHECK(wg::peak(h100, static_cast<p>(99)) == wg::not_known);
  wg::throughput rates = *wg::find_throughput(90);
  for (int value : {-2, INT_MIN, INT_MAX, 1 << 16}) {
    rates.fp32 = value;
    CHECK(wg::peak(h100, rates, p::fp32) == wg::not_known);
    rates.sparsity = value;
    CHECK(wg::peak(h100, rates, p::tensor_fp16, {wg::clock_choice::nvidia, true}) == wg::not_known);
  }
  // The largest row that is in range does not overflow.
  device.sms = 4095;
  device.peak_clock_mhz = device.tensor_peak_clock_mhz = 8191;
  rates.tensor_fp4 = 65535;
  rates.sparsity = 2;
  CHECK(wg::peak(device, rates, p::tensor_fp4, {wg::clock_choice::nvidia, true}) ==
        4LL * 65535 * 4095 * 8191 * 1000000);
}
