// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "wanted.hpp"

#include <string>
#include <vector>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/reaching_changes.hpp>

#include "../percent.hpp"
#include "../text.hpp"

namespace measure {

namespace {

namespace wg = warpguard;

wg::residency_goal goal_of(wg::architecture const& arch, query_options const& options) {
  int const warps = (arch.max_warps_per_sm * options.want_hundredths + 9999) / 10000;
  return {options.want_blocks, warps};
}

bool reaches(wg::architecture const& arch, wg::occupancy const& residency, wg::kernel_resources const& kernel,
             wg::residency_goal goal) {
  int const warps = (kernel.threads_per_block + arch.warp_size - 1) / arch.warp_size;
  return residency.blocks_per_sm >= goal.blocks_of(warps) && residency.blocks_per_sm > 0;
}

/// The kernel after a change.
reaching_change change_of(wg::kernel_resources kernel, wg::advice const& advice) {
  reaching_change change{};
  if (advice.threads_per_block > 0) {
    kernel.threads_per_block = advice.threads_per_block;
    append(change.words, ", ", std::to_string(advice.threads_per_block) + " threads per block");
  }
  if (advice.registers_at_most > 0) {
    kernel.registers_per_thread = advice.registers_at_most;
    append(change.words, ", ", std::to_string(advice.registers_at_most) + " registers or fewer");
  }
  if (advice.shared_memory_at_most >= 0) {
    kernel.static_shared_memory = 0;
    kernel.dynamic_shared_memory = advice.shared_memory_at_most;
    append(change.words, ", ", std::to_string(advice.shared_memory_at_most) + " bytes of shared memory or fewer");
  }
  if (advice.barriers_at_most >= 0) {
    kernel.barriers = advice.barriers_at_most;
    append(change.words, ", ", std::to_string(advice.barriers_at_most) + " barriers or fewer");
  }
  change.kernel = kernel;
  return change;
}

int count_changes(wg::advice const& advice) {
  return (advice.threads_per_block > 0 ? 1 : 0) + (advice.registers_at_most > 0 ? 1 : 0) +
         (advice.shared_memory_at_most >= 0 ? 1 : 0) + (advice.barriers_at_most >= 0 ? 1 : 0);
}

}  // namespace

wanted_answer changes_for(wg::architecture const& arch, wg::kernel_resources const& kernel,
                          wg::shared_memory_config const& config, query_options const& options) {
  wg::residency_goal const goal = goal_of(arch, options);
  wg::occupancy const now = wg::occupancy_of(arch, kernel, config);
  wanted_answer answer;
  answer.blocks = goal.blocks_of((kernel.threads_per_block + arch.warp_size - 1) / arch.warp_size);
  answer.is_reached = reaches(arch, now, kernel, goal);
  if (answer.is_reached) return answer;
  auto const add = [&](wg::advice const& advice, std::vector<reaching_change>& changes) {
    reaching_change change = change_of(kernel, advice);
    change.residency = wg::occupancy_of(arch, change.kernel, config);
    if (reaches(arch, change.residency, change.kernel, goal)) changes.push_back(change);
  };
  wg::single_changes const alone = wg::changes_that_reach(arch, kernel, goal, config);
  wg::advice advice;
  advice.registers_at_most = alone.registers_at_most;
  if (count_changes(advice) > 0) add(advice, answer.single);
  advice = {};
  advice.shared_memory_at_most = alone.shared_memory_at_most;
  if (count_changes(advice) > 0) add(advice, answer.single);
  advice = {};
  advice.barriers_at_most = alone.barriers_at_most;
  if (count_changes(advice) > 0) add(advice, answer.single);
  advice = {};
  for (int const threads : {alone.smaller_block, alone.larger_block}) {
    advice.threads_per_block = threads;
    if (count_changes(advice) > 0) add(advice, answer.single);
  }
  wg::advice const together = wg::what_fits(arch, kernel, goal, config);
  if (count_changes(together) > 1) add(together, answer.joint);
  return answer;
}

std::string text_of(wanted_answer const& answer, wg::architecture const& arch) {
  std::string const blocks = std::to_string(answer.blocks) + (answer.blocks == 1 ? " block" : " blocks");
  if (answer.is_reached) return "  wanted, " + blocks + ": reached\n";
  if (answer.single.empty() && answer.joint.empty()) return "  wanted, " + blocks + ": no change reaches it\n";
  auto const line = [&arch](reaching_change const& change) {
    int const count = change.residency.blocks_per_sm;
    return "    " + change.words + ": " + std::to_string(count) + (count == 1 ? " block, " : " blocks, ") +
           percent_of(change.residency.warps_per_sm, arch.max_warps_per_sm) + " %\n";
  };
  std::string text =
      "  wanted, " + blocks + (answer.single.empty() ? ": no single change reaches it\n" : ", with one change:\n");
  for (reaching_change const& change : answer.single) text += line(change);
  if (!answer.joint.empty()) text += "  together:\n" + line(answer.joint.front());
  return text;
}

nlohmann::ordered_json json_of(wanted_answer const& answer) {
  auto const list = [](std::vector<reaching_change> const& changes) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (reaching_change const& change : changes) {
      wg::kernel_resources const& kernel = change.kernel;
      all.push_back({{"threads_per_block", kernel.threads_per_block},
                     {"registers_per_thread", kernel.registers_per_thread},
                     {"shared_memory", kernel.static_shared_memory + kernel.dynamic_shared_memory},
                     {"barriers", kernel.barriers},
                     {"blocks_per_sm", change.residency.blocks_per_sm},
                     {"warps_per_sm", change.residency.warps_per_sm}});
    }
    return all;
  };
  return {{"blocks_per_sm", answer.blocks},
          {"is_reached", answer.is_reached},
          {"single_changes", list(answer.single)},
          {"joint_changes", list(answer.joint)}};
}

}  // namespace measure
