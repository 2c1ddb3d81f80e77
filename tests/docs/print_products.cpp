// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints the tables of docs/products.md: products, the rates of an SM, and the peaks that follow from both.

#include <cstdio>
#include <string>
#include <warpguard/products.hpp>

namespace wg = warpguard;

namespace {

using p = wg::precision;

struct column {
  char const* heading;
  p numbers;
};
constexpr column columns[] = {
    {"FP64", p::fp64},
    {"FP32", p::fp32},
    {"FP16", p::fp16},
    {"BF16", p::bf16},
    {"tensor FP64", p::tensor_fp64},
    {"tensor TF32", p::tensor_tf32},
    {"tensor FP16", p::tensor_fp16},
    {"tensor FP16, sums in FP16", p::tensor_fp16_sum_fp16},
    {"tensor BF16", p::tensor_bf16},
    {"tensor FP8", p::tensor_fp8},
    {"tensor FP6", p::tensor_fp6},
    {"tensor FP4", p::tensor_fp4},
    {"tensor INT8", p::tensor_int8},
};
static_assert(sizeof(columns) / sizeof(columns[0]) == sizeof(wg::precisions) / sizeof(wg::precisions[0]),
              "a precision has no column");

/// A number, or nothing for 0.
std::string number(long long value) { return value == 0 ? "" : std::to_string(value); }

/// A rate: a question mark without a source, nothing without a unit.
std::string rate(int value) { return value == wg::not_known ? "?" : number(value); }

/// `value` in units of `unit`, rounded to at most `digits` digits after the point.
std::string decimal(long long value, long long unit, int digits) {
  long long scale = 1;
  for (int digit = 0; digit < digits; ++digit) scale *= 10;
  long long const rounded = (2 * value / (unit / scale) + 1) / 2;
  std::string const text = std::to_string(rounded / scale);
  std::string fraction = std::to_string(scale + rounded % scale).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return fraction.empty() ? text : text + "." + fraction;
}

/// 10^12 operations per second.
std::string tera(long long peak) {
  constexpr long long unit = 1000000000000;
  if (peak == wg::not_known) return "?";
  return peak == 0 ? "" : decimal(peak, unit, peak < 10 * unit ? 2 : 1);
}

std::string version_of(int compute_capability) {
  return std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10);
}

void print_heading(char const* first, bool with_sparsity) {
  std::string heading = std::string("| ") + first + " |";
  std::string rule = "|---|";
  for (column const& each : columns) {
    // Sums in FP16 have the rate of the architecture.
    if (with_sparsity && each.numbers == p::tensor_fp16_sum_fp16) continue;
    heading += std::string(" ") + each.heading + " |";
    rule += "--:|";
  }
  if (with_sparsity) {
    heading += " sparse |";
    rule += "--:|";
  }
  std::printf("%s\n%s\n", heading.c_str(), rule.c_str());
}

}  // namespace

int main() {
  std::printf(
      "## Products\n\n"
      "| product | compute capability | SMs | base MHz | boost MHz | NVIDIA's MHz | NVIDIA's MHz, tensor cores | FP32 "
      "sums | GB/s | GB | L2 MiB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (wg::product const& device : wg::products) {
    std::printf("| %s | %s | %d | %s | %s | %s | %s | 1/%d | %s | %s | %s |\n", device.name,
                version_of(device.compute_capability).c_str(), device.sms, number(device.base_clock_mhz).c_str(),
                number(device.boost_clock_mhz).c_str(), number(device.peak_clock_mhz).c_str(),
                number(device.tensor_peak_clock_mhz).c_str(), device.fp32_sum_divisor,
                decimal(device.memory_bandwidth_mb, 1000, 1).c_str(), number(device.memory_gb).c_str(),
                device.l2_cache_kb == 0 ? "" : decimal(10LL * device.l2_cache_kb, 10240, 1).c_str());
  }

  std::printf("\n## Rates of an SM\n\n");
  print_heading("compute capability", true);
  for (wg::throughput const& row : wg::throughputs) {
    std::printf("| %s |", version_of(row.compute_capability).c_str());
    for (column const& each : columns) {
      if (each.numbers == p::tensor_fp16_sum_fp16) continue;
      std::printf(" %s |", rate(wg::fma_per_clock(row, each.numbers)).c_str());
    }
    std::printf(" %s |\n", row.sparsity == 1 ? "" : rate(row.sparsity).c_str());
  }

  std::printf("\n## Peaks\n\n");
  print_heading("product", false);
  for (wg::product const& device : wg::products) {
    std::printf("| %s |", device.name);
    for (column const& each : columns) std::printf(" %s |", tera(wg::peak(device, each.numbers)).c_str());
    std::printf("\n");
  }
}
