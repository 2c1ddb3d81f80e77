// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../percent.hpp"
#include "table.hpp"

namespace measure {

namespace {

namespace wg = warpguard;

std::string words_of(wg::clock_choice clock) {
  switch (clock) {
    case wg::clock_choice::nvidia: return "peak";
    case wg::clock_choice::boost: return "boost";
    case wg::clock_choice::base: return "base";
  }
  return "";
}

/// Why there is no peak, or an empty string.
std::string reason_of(wg::product const& device, wg::precision numbers, long long peak) {
  if (peak > 0) return "";
  int const rate = wg::fma_per_clock(*wg::find_throughput(device.compute_capability), numbers);
  if (rate == 0) return "no such unit";
  if (peak == 0) return "sparsity brings nothing";
  if (rate == wg::not_known) return "no source for the rate";
  return "no source for the clock";
}

table_row row_of(named_gpu const& gpu, wg::precision numbers, wg::peak_options how) {
  wg::product const& device = *gpu.product;
  long long const peak = wg::peak(device, numbers, how);
  int rate = wg::fma_per_clock(*wg::find_throughput(device.compute_capability), numbers);
  if (rate > 0 && wg::detail::sums_in_fp32(numbers)) rate /= device.fp32_sum_divisor;
  int const clock = wg::detail::clock_of(device, numbers, how.clock);
  table_row row = {{"gpu", device.name},
                   {"precision", name_of(numbers)},
                   {"sparse", how.sparse},
                   {"fma_per_clock_and_sm", rate >= 0 ? table_row(rate) : table_row(nullptr)},
                   {"sms", device.sms},
                   {"clock", words_of(how.clock)},
                   {"clock_mhz", clock > 0 ? table_row(clock) : table_row(nullptr)},
                   {"operations_per_second", peak >= 0 ? table_row(peak) : table_row(nullptr)},
                   {"reason", reason_of(device, numbers, peak)}};
  return row;
}

/// "989.43 TFLOPS", "no such unit", or why the number is not known.
std::string words_of(table_row const& row) {
  table_row const& peak = row["operations_per_second"];
  std::string const reason = row["reason"];
  if (!reason.empty()) return peak.is_null() ? "?  " + reason : "-  " + reason;
  std::string const unit = has(row["precision"].get<std::string>(), "int") ? " TOPS" : " TFLOPS";
  return decimal_of(hundredths_of(peak.get<long long>(), 1000000000000)) + unit;
}

/// Which clocks the numbers are for.
std::string clocks_of(wg::product const& device, wg::clock_choice clock) {
  auto const mhz = [](int number) { return number > 0 ? std::to_string(number) + " MHz" : "an unknown clock"; };
  if (clock == wg::clock_choice::boost) return "at the boost clock, " + mhz(device.boost_clock_mhz);
  if (clock == wg::clock_choice::base) return "at the base clock, " + mhz(device.base_clock_mhz);
  if (device.peak_clock_mhz == device.tensor_peak_clock_mhz) {
    return "at the clock of NVIDIA's figures, " + mhz(device.peak_clock_mhz);
  }
  return "at the clocks of NVIDIA's figures: " + mhz(device.tensor_peak_clock_mhz) + " for tensor cores, " +
         mhz(device.peak_clock_mhz) + " for FP64 and all else";
}

void print_text(std::vector<table_row> const& rows, peak_command_options const& options) {
  std::size_t next = 0;
  for (named_gpu const& gpu : options.gpus) {
    if (next > 0) put("\n");
    put(gpu.name + ": " + std::to_string(gpu.product->sms) + " SMs, " + clocks_of(*gpu.product, options.how.clock) +
        (options.how.sparse ? ", sparse" : "") + "\n");
    for (std::size_t i = 0; i < options.precisions.size(); ++i) {
      std::string const name = rows[next].at("precision");
      std::string const value = words_of(rows[next]);
      std::size_t const number = std::min<std::size_t>(value.find(' '), 9);
      put(fmt::format("  {:<22}{}{}\n", name, std::string(9 - number, ' '), value));
      ++next;
    }
  }
}

}  // namespace

std::string name_of(wg::precision numbers) {
  switch (numbers) {
    case wg::precision::fp64: return "fp64";
    case wg::precision::fp32: return "fp32";
    case wg::precision::fp16: return "fp16";
    case wg::precision::bf16: return "bf16";
    case wg::precision::tensor_fp64: return "tensor-fp64";
    case wg::precision::tensor_tf32: return "tensor-tf32";
    case wg::precision::tensor_fp16: return "tensor-fp16";
    case wg::precision::tensor_fp16_sum_fp16: return "tensor-fp16-sum-fp16";
    case wg::precision::tensor_bf16: return "tensor-bf16";
    case wg::precision::tensor_fp8: return "tensor-fp8";
    case wg::precision::tensor_fp6: return "tensor-fp6";
    case wg::precision::tensor_fp4: return "tensor-fp4";
    case wg::precision::tensor_int8: return "tensor-int8";
  }
  return "";
}

std::string read_precision(std::string const& text, wg::precision& numbers) {
  std::string known;
  for (wg::precision const each : wg::precisions) {
    std::string const name = name_of(each);
    append(known, ", ", name);
    bool const is_reversed = begins(name, "tensor-") && text == name.substr(7) + "-tensor";
    if (text != name && !is_reversed) continue;
    numbers = each;
    return "";
  }
  return "`" + text + "` is no known precision: write one of " + known;
}

int print_peaks(peak_command_options const& options) {
  peak_command_options chosen = options;
  if (chosen.precisions.empty()) chosen.precisions.assign(std::begin(wg::precisions), std::end(wg::precisions));
  std::vector<table_row> rows;
  for (named_gpu const& gpu : chosen.gpus) {
    for (wg::precision const numbers : chosen.precisions) rows.push_back(row_of(gpu, numbers, chosen.how));
  }
  if (chosen.format == query_format::text) {
    print_text(rows, chosen);
  } else {
    print_table("peaks", rows, chosen.format);
  }
  return end_output();
}

}  // namespace measure
