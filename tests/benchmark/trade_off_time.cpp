// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Measures how long the trade-offs of one kernel take on 12 architectures at run time, and all other answers.

#include <warpguard/answers.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace wg = warpguard;

namespace {

constexpr wg::architecture const* archs[] = {&wg::sm_70,  &wg::sm_75,  &wg::sm_80,  &wg::sm_86,
                                             &wg::sm_87,  &wg::sm_89,  &wg::sm_90,  &wg::sm_100,
                                             &wg::sm_103, &wg::sm_110, &wg::sm_120, &wg::sm_121};

/// Returns the microseconds of the fastest of several rounds. `sum` keeps the compiler from removing the work.
template <class Run>
double microseconds_of(Run run, long& sum) {
  double best = 1e9;
  for (int round = 0; round < 50; ++round) {
    auto const start = std::chrono::steady_clock::now();
    sum += run();
    std::chrono::duration<double, std::micro> const time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

}  // namespace

int main() {
  long sum = 0;
  int volatile registers = 40;  // not known to the compiler
  wg::kernel_resources const kernel{256, registers, 0, 16000};
  wg::kernel_resources const open{0, registers - 40};
  double const trade_offs = microseconds_of(
      [&] {
        long entries = 0;
        for (wg::architecture const* arch : archs) entries += wg::trade_offs(*arch, open).count;
        return entries;
      },
      sum);
  double const steps = microseconds_of(
      [&] {
        long amounts = 0;
        for (wg::architecture const* arch : archs) {
          amounts += wg::next_steps(*arch, kernel).registers_per_thread.headroom;
        }
        return amounts;
      },
      sum);
  double const common = microseconds_of(
      [&] { return static_cast<long>(wg::suggest_common_block_size(archs, kernel).threads_per_block); }, sum);
  std::printf(
      "one kernel, 12 architectures: trade-offs %.0f us (goal: 1000), next steps %.0f us, common block size %.1f us\n",
      trade_offs, steps, common);
  return sum == 0 ? 1 : 0;
}
