// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What a launch really had resident, computed from the times at which its warps began and ended. observed.cuh writes
/// these times on the GPU. The clock of an SM is its own, so times of different SMs are never compared.

#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

namespace gpu_test {

/// When a warp ran, in clock cycles of its SM. `end` is 0 if the warp wrote nothing.
struct resident_warp {
  long long begin;
  long long end;
  unsigned sm;
};

struct residency_seen {
  long long warps = 0;    ///< that wrote their times
  double mean_warps = 0;  ///< resident on an SM, on average over the cycles in which the SM had any
  int max_blocks = 0;     ///< resident on one SM at the same time
};

/// A change of the number of resident warps or blocks of an SM.
struct residency_step {
  long long time;
  int change;
};

/// Sorts by time. What ends at a time ends before something else begins there, so nothing is counted twice.
inline void sort_steps(std::vector<residency_step>& steps) {
  std::sort(steps.begin(), steps.end(), [](residency_step const& a, residency_step const& b) {
    return a.time != b.time ? a.time < b.time : a.change < b.change;
  });
}

/// `warps` has the warps of the first block, then those of the second, and so on.
inline residency_seen find_residency(std::vector<resident_warp> const& warps, int warps_per_block) {
  struct steps_of_sm {
    std::vector<residency_step> warps;
    std::vector<residency_step> blocks;
  };
  std::map<unsigned, steps_of_sm> sms;
  residency_seen seen;
  auto const per_block = static_cast<std::size_t>(warps_per_block);
  for (std::size_t first = 0; first < warps.size(); first += per_block) {
    resident_warp block{0, 0, 0};
    for (std::size_t i = first; i < std::min(first + per_block, warps.size()); ++i) {
      resident_warp const& warp = warps[i];
      if (warp.end == 0) continue;
      ++seen.warps;
      sms[warp.sm].warps.push_back({warp.begin, 1});
      sms[warp.sm].warps.push_back({warp.end, -1});
      if (block.end == 0) block = warp;
      block.begin = std::min(block.begin, warp.begin);
      block.end = std::max(block.end, warp.end);
    }
    if (block.end == 0) continue;
    sms[block.sm].blocks.push_back({block.begin, 1});
    sms[block.sm].blocks.push_back({block.end, -1});
  }

  double warp_cycles = 0;
  double active_cycles = 0;
  for (auto& [sm, steps] : sms) {
    sort_steps(steps.warps);
    sort_steps(steps.blocks);
    int resident = 0;
    long long before = 0;
    for (residency_step const& step : steps.warps) {
      auto const cycles = static_cast<double>(step.time - before);
      if (resident > 0) active_cycles += cycles;
      warp_cycles += resident * cycles;
      resident += step.change;
      before = step.time;
    }
    int blocks = 0;
    for (residency_step const& step : steps.blocks) {
      blocks += step.change;
      seen.max_blocks = std::max(seen.max_blocks, blocks);
    }
  }
  if (active_cycles > 0) seen.mean_warps = warp_cycles / active_cycles;
  return seen;
}

}  // namespace gpu_test
