// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/waves.hpp>

#include "../entries.hpp"
#include "../log.hpp"
#include "../percent.hpp"
#include "../text.hpp"
#include "input.hpp"
#include "profile_text.hpp"
#include "table.hpp"

namespace measure {

namespace {

namespace wg = warpguard;

/// A kernel that lasts less than this is called short. Launching takes a few microseconds.
constexpr double short_duration_ns = 10000;

/// The launches of one kernel that have the same numbers, and the verdict on them.
struct judged_kernel {
  profiled_kernel profiled;  // `achieved` and `duration` are averages
  double least_achieved = 0;
  double most_achieved = 0;
  wg::architecture const* arch = nullptr;
  int sms = 0;  // 0: unknown

  bool has_model = false;
  wg::occupancy model{};
  int fewest_blocks = 0;  // of the model, because the bytes of the export are rounded
  int most_blocks = 0;
  bool agrees = true;  // the model with the profiler; true if the profiler states nothing

  entry const* recorded = nullptr;
  int recorded_for = 0;  // compute capability

  bool falls_short = false;
  double expected = -1;  // percent that the grid alone would give; -1: unknown
  std::vector<std::string> facts;
  std::vector<std::string> guesses;
};

int int_of(double value) { return value >= INT_MAX ? INT_MAX : static_cast<int>(std::lround(value)); }
int int_of(profiled_number const& number) { return int_of(number.value); }
long long grid_of(profiled_kernel const& kernel) {
  return kernel.grid.value >= 9e18 ? 9000000000000000000 : static_cast<long long>(kernel.grid.value);
}

/// Percent or another number with up to two decimals: 75, 62.5, 18.75.
std::string words_of(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : decimal_of(std::llround(100 * value));
}

std::string plural(long long count, std::string const& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "9.0", or "?" if it is unknown.
std::string capability_of(int number) {
  return number == 0 ? "?" : std::to_string(number / 10) + "." + std::to_string(number % 10);
}

std::string limits_in_words(wg::limiter set) {
  std::string text = names_of(set);
  std::replace(text.begin(), text.end(), '_', ' ');
  for (std::size_t at = 0; (at = text.find('+', at)) != std::string::npos;) text.replace(at, 1, " and ");
  return text;
}

// ---- launches -------------------------------------------------------------------------------------------------------

bool are_equal(profiled_number const& one, profiled_number const& other) {
  return one.is_known == other.is_known && one.value == other.value;
}

/// Whether two launches differ only in what was measured.
bool are_alike(profiled_kernel const& one, profiled_kernel const& other) {
  return one.name == other.name && one.compute_capability == other.compute_capability &&
         one.achieved.is_known == other.achieved.is_known && are_equal(one.threads, other.threads) &&
         are_equal(one.grid, other.grid) && are_equal(one.registers, other.registers) &&
         are_equal(one.static_bytes, other.static_bytes) && are_equal(one.dynamic_bytes, other.dynamic_bytes) &&
         are_equal(one.theoretical, other.theoretical) && are_equal(one.sms, other.sms);
}

/// Takes launches that are alike together, in the order of the first of each.
std::vector<judged_kernel> group(std::vector<profiled_kernel> const& launches) {
  std::vector<judged_kernel> kernels;
  for (profiled_kernel const& launch : launches) {
    auto const found = std::find_if(kernels.begin(), kernels.end(),
                                    [&](judged_kernel const& each) { return are_alike(each.profiled, launch); });
    if (found == kernels.end()) {
      judged_kernel kernel;
      kernel.profiled = launch;
      kernel.least_achieved = launch.achieved.value;
      kernel.most_achieved = launch.achieved.value;
      kernels.push_back(kernel);
      continue;
    }
    profiled_kernel& all = found->profiled;
    double const count = all.launches;
    auto const average = [&](profiled_number& mean, profiled_number const& one) {
      mean.value = (mean.value * count + one.value * launch.launches) / (count + launch.launches);
    };
    average(all.achieved, launch.achieved);
    average(all.duration, launch.duration);
    all.launches += launch.launches;
    found->least_achieved = std::min(found->least_achieved, launch.achieved.value);
    found->most_achieved = std::max(found->most_achieved, launch.achieved.value);
  }
  return kernels;
}

// ---- the model ------------------------------------------------------------------------------------------------------

double percent_of(judged_kernel const& kernel, double blocks) {
  return 100.0 * blocks * kernel.model.warps_per_block / kernel.model.max_warps_per_sm;
}

/// Says where the profiler allows other numbers of blocks than the model.
void compare_limits(judged_kernel& kernel) {
  profiled_kernel const& profiled = kernel.profiled;
  wg::occupancy const& model = kernel.model;
  struct {
    char const* name;
    profiled_number const& theirs;
    int ours;
  } const limits[] = {{"warps", profiled.limit_by_warps, model.blocks_by_warps},
                      {"registers", profiled.limit_by_registers, model.blocks_by_registers},
                      {"shared memory", profiled.limit_by_shared_memory, model.blocks_by_shared_memory},
                      {"block slots", profiled.limit_by_block_slots, model.blocks_by_block_slots},
                      {"barriers", profiled.limit_by_barriers, model.blocks_by_barriers}};
  for (auto const& [name, theirs, ours] : limits) {
    if (!theirs.is_known || ours == wg::unlimited || int_of(theirs) == ours) continue;
    kernel.facts.push_back(
        fmt::format("{}: the profiler allows {}, the model {}", name, plural(int_of(theirs), "block"), ours));
  }
  profiled_number const& shared = profiled.limit_by_shared_memory;
  if (shared.is_known && shared.value < model.blocks_by_shared_memory) {
    kernel.guesses.push_back("the launch had a smaller carve-out of shared memory than the model takes");
  }
}

/// Asks the model, and compares it with the profiler.
void ask_model(judged_kernel& kernel) {
  profiled_kernel const& profiled = kernel.profiled;
  if (kernel.arch == nullptr || !profiled.threads.is_known || !profiled.registers.is_known) return;
  double const rounding = profiled.static_bytes.half_step + profiled.dynamic_bytes.half_step;
  auto const with_bytes = [&](double more) {
    wg::kernel_resources resources{int_of(profiled.threads), int_of(profiled.registers), int_of(profiled.static_bytes),
                                   int_of(std::max(0.0, profiled.dynamic_bytes.value + more))};
    return wg::occupancy_of(*kernel.arch, resources);
  };
  kernel.model = with_bytes(0);
  kernel.most_blocks = with_bytes(-rounding).blocks_per_sm;
  kernel.fewest_blocks = with_bytes(rounding).blocks_per_sm;
  kernel.has_model = kernel.model.blocks_per_sm > 0;
  if (!kernel.has_model) {
    kernel.facts.push_back("the model says that no block of this kernel fits: the export cannot be of this kernel on " +
                           capability_of(kernel.arch->compute_capability));
    kernel.agrees = false;
    return;
  }
  if (profiled.theoretical.is_known) {
    auto const is_theirs = [&](int blocks) {
      double const difference = percent_of(kernel, blocks) - profiled.theoretical.value;
      return std::abs(difference) <= profiled.theoretical.half_step + 1e-6;
    };
    kernel.agrees = false;
    for (int blocks = kernel.fewest_blocks; blocks <= kernel.most_blocks; ++blocks) {
      if (!is_theirs(blocks)) continue;
      kernel.agrees = true;
      kernel.fewest_blocks = kernel.most_blocks = blocks;
    }
  }
  if (kernel.fewest_blocks != kernel.most_blocks) {
    kernel.facts.push_back(fmt::format(
        "the export rounds shared memory, so the model allows {} or {} blocks: export with --print-units base",
        kernel.fewest_blocks, kernel.most_blocks));
  }
  if (kernel.agrees) return;
  kernel.facts.push_back(
      fmt::format("the profiler's theoretical occupancy is {} %, the model's {} %: they should agree",
                  words_of(profiled.theoretical.value), words_of(percent_of(kernel, kernel.model.blocks_per_sm))));
  compare_limits(kernel);
}

// ---- the lock or the build ------------------------------------------------------------------------------------------

/// The kernels of a lock or a build, by the names that can be compared.
struct recorded_kernels {
  kernel_set set;
  std::multimap<std::string, entry_map::value_type const*> by_name;

  void index() {
    for (entry_map::value_type const& each : set.entries) by_name.insert({comparable_name(each.first.first), &each});
  }
};

/// Finds the kernel in a lock or a build: its own architecture, or else the highest whose code it runs.
void find_recorded(recorded_kernels const& kernels, judged_kernel& kernel) {
  int const ran_on = kernel.arch == nullptr ? 0 : kernel.arch->compute_capability;
  int candidates = 0;
  auto const [first, last] = kernels.by_name.equal_range(comparable_name(kernel.profiled.name));
  for (auto each = first; each != last; ++each) {
    auto const& [recorded, numbers] = *each->second;
    bool const runs = recorded.second <= ran_on && recorded.second / 10 == ran_on / 10;
    if (!runs || recorded.second < kernel.recorded_for) continue;
    candidates = recorded.second == kernel.recorded_for ? candidates + 1 : 1;
    kernel.recorded = &numbers;
    kernel.recorded_for = recorded.second;
  }
  if (candidates == 1) return;
  kernel.recorded = nullptr;
  kernel.facts.push_back(kernels.set.origin + (candidates == 0
                                                   ? " has no such kernel for this architecture"
                                                   : " has several kernels of this name, which are not compared"));
}

void compare_recorded(recorded_kernels const& kernels, judged_kernel& kernel) {
  find_recorded(kernels, kernel);
  if (kernel.recorded == nullptr) return;
  entry const& recorded = *kernel.recorded;
  profiled_kernel const& profiled = kernel.profiled;
  std::string differences;
  auto const compare = [&](profiled_number const& measured, int stated, char const* what) {
    if (!measured.is_known || std::abs(measured.value - stated) <= measured.half_step) return;
    append(differences, ", ", fmt::format("{} {} and not {}", stated, what, words_of(measured.value)));
  };
  compare(profiled.registers, recorded.registers, "registers");
  compare(profiled.static_bytes, recorded.static_shared_memory, "bytes of static shared memory");
  if (!recorded.any_threads && recorded.threads > 0) {
    compare(profiled.threads, recorded.threads, "threads");
    compare(profiled.dynamic_bytes, recorded.dynamic_shared_memory, "bytes of dynamic shared memory");
  }
  std::string const where = kernels.set.origin + " (sm_" + std::to_string(kernel.recorded_for) + ")";
  if (differences.empty()) {
    kernel.facts.push_back(where + " has the same numbers");
  } else {
    kernel.facts.push_back(where + " has " + differences + ": another build, or another launch");
  }
  for (held_contract const& contract : recorded.contracts) {
    int const required = contract.limits.blocks_required;
    if (!kernel.has_model || required <= kernel.most_blocks) continue;
    kernel.facts.push_back(fmt::format("the contract {} requires {}", contract.name, plural(required, "block")));
  }
}

// ---- achieved occupancy ---------------------------------------------------------------------------------------------

/// The theoretical occupancy in percent; 0 if it is unknown.
double theoretical_of(judged_kernel const& kernel) {
  if (kernel.profiled.theoretical.is_known) return kernel.profiled.theoretical.value;
  return kernel.has_model ? percent_of(kernel, kernel.model.blocks_per_sm) : 0;
}

/// Says what the grid alone makes of the occupancy: blocks of equal length, dealt evenly to the SMs. The profiler
/// counts only the cycles in which an SM has a block, so an SM that is idle in the last wave does not count there.
void explain_grid(judged_kernel& kernel) {
  if (!kernel.has_model || !kernel.agrees || !kernel.profiled.grid.is_known) return;
  if (kernel.sms == 0) {
    kernel.facts.push_back(
        "waves are unknown: the export does not have the number of SMs; state the product with --gpu");
    return;
  }
  int const blocks = kernel.most_blocks;
  wg::grid_waves const waves = wg::waves_of(kernel.sms, blocks, grid_of(kernel.profiled));
  if (!waves.holds()) return;
  double const busy_sms = static_cast<double>(waves.full_waves) * kernel.sms +
                          static_cast<double>(std::min<long long>(waves.tail_blocks, kernel.sms));
  kernel.expected = percent_of(kernel, static_cast<double>(waves.grid) / busy_sms);
  std::string text = fmt::format("the grid of {} on {}", plural(waves.grid, "block"), plural(kernel.sms, "SM"));
  if (waves.full_waves == 0) {
    text += fmt::format(" is less than one wave of {}", waves.slots);
  } else {
    text += fmt::format(" is {} of {}", plural(waves.full_waves, "full wave"), waves.slots);
    if (waves.tail_blocks > 0) text += fmt::format(" and a last one of {}", waves.tail_blocks);
  }
  kernel.facts.push_back(text + ": with blocks of equal length it would reach " + words_of(kernel.expected) + " %");
}

void judge_achieved(judged_kernel& kernel, int margin) {
  double const theoretical = theoretical_of(kernel);
  profiled_kernel const& profiled = kernel.profiled;
  if (!profiled.achieved.is_known || theoretical <= 0) return;
  auto const is_below = [&](double percent) { return profiled.achieved.value < percent * (100 - margin) / 100; };
  kernel.falls_short = is_below(theoretical);
  if (!kernel.falls_short) return;
  explain_grid(kernel);
  bool const explains_all = kernel.expected >= 0 && !is_below(kernel.expected);
  if (explains_all) return;
  if (profiled.duration.is_known && profiled.duration.value < short_duration_ns) {
    kernel.guesses.push_back("it lasts only " + words_of(profiled.duration.value / 1000) +
                             " us: the time in which blocks start and end weighs much");
  }
  kernel.guesses.push_back("some blocks, or some warps of a block, take longer than others");
  if (kernel.has_model && kernel.most_blocks <= 2 && kernel.model.warps_per_block > 1) {
    kernel.guesses.push_back(
        fmt::format("with {} per SM, the slots of warps that have ended stay empty until their whole block ends: use "
                    "smaller blocks",
                    plural(kernel.most_blocks, "block")));
  }
}

/// Sets the architecture and the SMs. Returns an error message, or an empty string.
std::string place(named_gpu const& gpu, judged_kernel& kernel) {
  profiled_kernel const& profiled = kernel.profiled;
  if (profiled.sms.is_known) kernel.sms = int_of(profiled.sms);
  int const capability = profiled.compute_capability;
  if (capability != 0) kernel.arch = wg::find_architecture(capability);
  if (gpu.name.empty()) return "";
  if (capability != 0 && capability != gpu.arch->compute_capability) {
    return "--gpu: this kernel ran on " + capability_of(capability) + ", and not on " + gpu.name;
  }
  kernel.arch = gpu.arch;
  if (kernel.sms == 0 && gpu.product != nullptr) kernel.sms = gpu.product->sms;
  return "";
}

// ---- text -----------------------------------------------------------------------------------------------------------

std::string numbers_in_words(profiled_kernel const& kernel) {
  std::string text;
  auto const add = [&](profiled_number const& number, char const* what) {
    if (number.is_known) append(text, ", ", (number.half_step > 0 ? "about " : "") + words_of(number.value) + what);
  };
  add(kernel.threads, " threads");
  add(kernel.registers, " registers");
  if (kernel.static_bytes.value > 0) add(kernel.static_bytes, " bytes of static shared memory");
  if (kernel.dynamic_bytes.value > 0) add(kernel.dynamic_bytes, " bytes of dynamic shared memory");
  if (kernel.grid.is_known) append(text, ", ", fmt::format("a grid of {}", plural(grid_of(kernel), "block")));
  if (kernel.launches > 1) append(text, ", ", fmt::format("{} launches", kernel.launches));
  return text;
}

std::string theoretical_in_words(judged_kernel const& kernel) {
  profiled_kernel const& profiled = kernel.profiled;
  std::string text = "theoretical ?";
  if (theoretical_of(kernel) > 0) text = "theoretical " + words_of(theoretical_of(kernel)) + " %";
  if (!kernel.has_model) {
    if (!profiled.registers.is_known || !profiled.threads.is_known) {
      text += ", no model: the export lacks registers or threads: profile with ncu --section LaunchStats";
    } else if (profiled.compute_capability == 0 && kernel.arch == nullptr) {
      text += ", no model: the export does not say on which GPU: state it with --gpu";
    } else if (kernel.arch == nullptr) {
      text += ", no model: warpguard does not know compute capability " + capability_of(profiled.compute_capability);
    }
    return text;
  }
  if (profiled.theoretical.is_known && kernel.agrees) text += ", as in the model";
  if (!profiled.theoretical.is_known) text += " by the model alone";
  if (!kernel.agrees) return text;
  return text + fmt::format(": {} per SM, limited by {}", plural(kernel.most_blocks, "block"),
                            limits_in_words(kernel.model.limited_by));
}

void print_kernel(judged_kernel const& kernel) {
  profiled_kernel const& profiled = kernel.profiled;
  put(fmt::format("\n{}{} on {}: {}\n", kernel.falls_short ? "SHORT " : "", printable(profiled.name),
                  capability_of(kernel.arch != nullptr ? kernel.arch->compute_capability : profiled.compute_capability),
                  numbers_in_words(profiled)));
  put("  " + theoretical_in_words(kernel) + "\n");
  if (profiled.achieved.is_known) {
    put("  achieved " + words_of(profiled.achieved.value) + " %");
    if (kernel.least_achieved < kernel.most_achieved) {
      put(" on average, " + words_of(kernel.least_achieved) + " to " + words_of(kernel.most_achieved) + " %");
    }
    put("\n");
  }
  for (std::string const& fact : kernel.facts) put("  " + fact + "\n");
  for (std::string const& guess : kernel.guesses) put("  guess: " + guess + "\n");
}

void print_text(std::vector<judged_kernel> const& kernels, profile_options const& options) {
  auto const is_short = [](judged_kernel const& each) { return each.falls_short; };
  auto const disagrees = [](judged_kernel const& each) { return !each.agrees; };
  auto const count = std::count_if(kernels.begin(), kernels.end(), is_short);
  put(fmt::format("{} of {} below {} % of the theoretical occupancy\n", count,
                  plural(static_cast<long long>(kernels.size()), "kernel"), 100 - options.margin));
  auto const others = std::count_if(kernels.begin(), kernels.end(), disagrees);
  if (others > 0) put(fmt::format("for {} the model and the profiler disagree\n", plural(others, "kernel")));
  for (judged_kernel const& each : kernels) {
    if (each.falls_short) print_kernel(each);
  }
  for (judged_kernel const& each : kernels) {
    if (!each.falls_short) print_kernel(each);
  }
}

// ---- JSON, CSV, markdown --------------------------------------------------------------------------------------------

using json = table_row;

json json_of(profiled_number const& number, bool is_whole) {
  if (!number.is_known) return nullptr;
  if (is_whole && number.value < 9e18) return static_cast<long long>(number.value);
  return number.value;
}

/// Two decimals, which is what the profiler prints.
json rounded(double value) { return std::round(value * 100) / 100; }

json json_of(judged_kernel const& kernel) {
  profiled_kernel const& profiled = kernel.profiled;
  json one;
  one["kernel"] = profiled.name;
  one["compute_capability"] = kernel.arch != nullptr ? kernel.arch->compute_capability : profiled.compute_capability;
  one["launches"] = profiled.launches;
  one["threads_per_block"] = json_of(profiled.threads, true);
  one["grid"] = json_of(profiled.grid, true);
  one["registers_per_thread"] = json_of(profiled.registers, true);
  one["static_shared_memory"] = json_of(profiled.static_bytes, true);
  one["dynamic_shared_memory"] = json_of(profiled.dynamic_bytes, true);
  one["shared_memory_is_rounded"] = profiled.static_bytes.half_step + profiled.dynamic_bytes.half_step > 0;
  one["sms"] = kernel.sms > 0 ? json(kernel.sms) : json(nullptr);
  one["duration_ns"] = json_of(profiled.duration, false);
  one["theoretical_percent"] = json_of(profiled.theoretical, false);
  one["model_percent"] = kernel.has_model ? rounded(percent_of(kernel, kernel.most_blocks)) : json(nullptr);
  one["model_agrees"] = kernel.has_model && profiled.theoretical.is_known ? json(kernel.agrees) : json(nullptr);
  one["blocks_per_sm"] = kernel.has_model ? json(kernel.most_blocks) : json(nullptr);
  one["limited_by"] = kernel.has_model ? names_of(kernel.model.limited_by) : "-";
  one["achieved_percent"] = profiled.achieved.is_known ? rounded(profiled.achieved.value) : json(nullptr);
  one["expected_of_grid_percent"] = kernel.expected >= 0 ? rounded(kernel.expected) : json(nullptr);
  one["falls_short"] = kernel.falls_short;
  one["recorded_registers"] = kernel.recorded != nullptr ? json(kernel.recorded->registers) : json(nullptr);
  one["facts"] = kernel.facts;
  one["guesses"] = kernel.guesses;
  return one;
}

std::string joined(std::vector<std::string> const& texts) {
  std::string all;
  for (std::string const& each : texts) append(all, "; ", each);
  return all;
}

void print(std::vector<judged_kernel> const& kernels, profile_options const& options) {
  if (options.format == query_format::text) return print_text(kernels, options);
  std::vector<table_row> rows;
  for (judged_kernel const& each : kernels) {
    json row = json_of(each);
    if (options.format != query_format::json) {
      row["facts"] = joined(each.facts);
      row["guesses"] = joined(each.guesses);
    }
    rows.push_back(row);
  }
  print_table("kernels", rows, options.format);
}

/// Reads the lock or the build, if there is one.
void read_recorded(profile_options const& options, kernel_set& recorded, failures& failed) {
  if (options.source.from.empty()) return;
  std::string const& path = options.source.from.front();
  if (options.must_be_lock && kind_of_source(path, failed) != source_kind::lock && failed.count == 0) {
    failed.add("--lock: " + path + " is no lock: state a build with --from");
  }
  if (failed.count == 0) read_kernels(path, options.source, recorded, failed);
}

}  // namespace

int print_profile(profile_options const& options) {
  failures failed;
  std::string text;
  if (!read_input(options.file, text, failed)) return exit_code::unreadable;
  std::string const origin = input_name(options.file);
  std::vector<judged_kernel> kernels = group(read_profile(text, origin, failed));
  recorded_kernels recorded;
  if (failed.count == 0) read_recorded(options, recorded.set, failed);
  recorded.index();
  bool is_useful = false;
  for (judged_kernel& each : kernels) {
    std::string const error = place(options.gpu, each);
    if (!error.empty()) failed.add(origin + ":" + std::to_string(each.profiled.line) + ": " + error);
    is_useful = is_useful || each.profiled.registers.is_known || each.profiled.achieved.is_known;
  }
  if (failed.count == 0 && !is_useful) {
    failed.add(origin + ": neither registers nor occupancy of any kernel: profile with ncu --section LaunchStats " +
               "--section Occupancy");
  }
  if (failed.count != 0) return exit_code::unreadable;
  for (judged_kernel& each : kernels) {
    ask_model(each);
    if (!options.source.from.empty()) compare_recorded(recorded, each);
    judge_achieved(each, options.margin);
  }
  print(kernels, options);
  return end_output();
}

}  // namespace measure
