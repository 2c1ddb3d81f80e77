// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/products.hpp>

#include <cstdio>

namespace wg = warpguard;

namespace {

constexpr wg::product a100 = *wg::find_device("A100 SXM 40GB");
static_assert(wg::find_throughput(80)->fp32 == 64);
static_assert(108 * 64 == 6912);
static_assert(wg::peak(a100, wg::precision::fp32) == 6912LL * 1410 * 1000000 * 2);  // 19.49 x 10^12
static_assert(wg::peak(a100, wg::precision::tensor_tf32) == 8 * wg::peak(a100, wg::precision::fp32));
static_assert(wg::peak(a100, wg::precision::tensor_fp16) == 16 * wg::peak(a100, wg::precision::fp32));

constexpr wg::product h100 = *wg::find_device("H100 SXM");
static_assert(h100.peak_clock_mhz == 1980 && h100.tensor_peak_clock_mhz == 1830);
static_assert(wg::peak(h100, wg::precision::fp32) == 66908160000000);          // 67 in the datasheet
static_assert(wg::peak(h100, wg::precision::tensor_fp16) == 989429760000000);  // 989
static_assert(wg::peak(h100, wg::precision::tensor_fp16, {wg::clock_choice::boost}) == 1070530560000000);

static_assert(wg::peak(h100, wg::precision::tensor_fp16, {wg::clock_choice::nvidia, true}) ==
              2 * wg::peak(h100, wg::precision::tensor_fp16));

constexpr wg::product rtx_4090 = *wg::find_device("RTX 4090");
static_assert(2 * wg::peak(rtx_4090, wg::precision::tensor_fp16) ==
              wg::peak(rtx_4090, wg::precision::tensor_fp16_sum_fp16));

static_assert(wg::peak(h100, wg::precision::tensor_fp4) == 0);  // Hopper has no FP4
constexpr wg::product b200 = *wg::find_device("B200");
static_assert(wg::peak(b200, wg::precision::tensor_fp4) == wg::not_known);  // NVIDIA's clock is not known
static_assert(wg::peak(b200, wg::precision::tensor_fp4, {wg::clock_choice::boost}) == 9529589760000000);

// A V100 that runs at 1290 MHz, because its power is limited.
constexpr wg::product slower(wg::product device, int clock_mhz) {
  device.boost_clock_mhz = clock_mhz;
  return device;
}
constexpr wg::product v100 = slower(*wg::find_device("V100 SXM2"), 1290);
static_assert(wg::peak(v100, wg::precision::fp32, {wg::clock_choice::boost}) == 5120LL * 1290 * 1000000 * 2);

}  // namespace

int print_peak(char const* name) {
  wg::product const* const device = wg::find_device(name);
  if (device == nullptr) {
    wg::device_matches matches = wg::find_devices(name);  // "H100" may mean three products
    if (matches.count == 0) matches = wg::similar_devices(name);
    std::printf("unknown GPU %s\n", name);
    for (int index = 0; index < matches.count; ++index) std::printf("did you mean %s?\n", matches.devices[index]->name);
    return 1;
  }
  long long const peak = wg::peak(*device, wg::precision::fp32);
  if (peak == wg::not_known) {
    std::printf("%s: not known\n", device->name);
  } else {
    std::printf("%s: %.1f x 10^12\n", device->name, static_cast<double>(peak) / 1e12);
  }
  return 0;
}

int main() { return print_peak("A100 SXM 40GB") + print_peak("NVIDIA GeForce RTX 5090") + print_peak("H100"); }
