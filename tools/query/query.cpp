// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <warpguard/model/next_steps.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/waves.hpp>

#include "../entries.hpp"
#include "../log.hpp"
#include "../percent.hpp"
#include "../text.hpp"
#include "limit_rows.hpp"
#include "pictures.hpp"
#include "table.hpp"
#include "wanted.hpp"

namespace measure {

namespace {

namespace wg = warpguard;

// ---- questions and answers ------------------------------------------------------------------------------------------

using amount_member = int wg::kernel_resources::*;

/// An amount that the user states, maybe as a range.
struct stated_amount {
  char const* name;
  amount_range range;
  amount_member member;
};

std::vector<stated_amount> amounts_of(query_options const& options) {
  return {{"threads", options.threads, &wg::kernel_resources::threads_per_block},
          {"registers", options.registers, &wg::kernel_resources::registers_per_thread},
          {"static bytes", options.static_bytes, &wg::kernel_resources::static_shared_memory},
          {"dynamic bytes", options.dynamic_bytes, &wg::kernel_resources::dynamic_shared_memory}};
}

/// A kernel on a GPU, and what the model says about it.
struct answer {
  std::string name;  // of the kernel; empty if the user stated its numbers
  named_gpu gpu;
  wg::kernel_resources kernel;
  wg::shared_memory_config config;
  wg::occupancy occupancy;
  stated_amount varying;  // this answer is for one amount of a range; otherwise its member is nullptr
};

/// The steps of a range: whole warps, single registers, KiB.
int step_of(amount_member member, wg::architecture const& arch) {
  if (member == &wg::kernel_resources::threads_per_block) return arch.warp_size;
  return member == &wg::kernel_resources::registers_per_thread ? 1 : 1024;
}

/// Answers for one kernel on one GPU; an answer for each step of the amount that varies.
void add_answers(std::string const& name, named_gpu const& gpu, wg::kernel_resources kernel,
                 query_options const& options, stated_amount const& varying, std::vector<answer>& answers) {
  wg::shared_memory_config config;
  config.carveout_percent = options.carveout;
  auto const add = [&] {
    answers.push_back({name, gpu, kernel, config, wg::occupancy_of(*gpu.arch, kernel, config), varying});
  };
  if (varying.member == nullptr) return add();
  int const step = step_of(varying.member, *gpu.arch);
  for (int value = varying.range.first; value <= varying.range.last; value = (value / step + 1) * step) {
    kernel.*varying.member = value;
    add();
  }
}

/// The amount that is a range, if there is one.
stated_amount varying_amount(query_options const& options) {
  for (stated_amount const& amount : amounts_of(options)) {
    if (!amount.range.is_single()) return amount;
  }
  return {"", {}, nullptr};
}

/// A kernel whose numbers the user states, on each GPU.
void add_stated(query_options const& options, std::vector<answer>& answers) {
  wg::kernel_resources kernel{};
  kernel.barriers = options.barriers;
  for (stated_amount const& amount : amounts_of(options)) kernel.*amount.member = amount.range.first;
  for (named_gpu const& gpu : options.gpus) {
    add_answers("", gpu, kernel, options, varying_amount(options), answers);
  }
}

/// The GPUs that a kernel is asked for: those of the user that run its code, or else its architecture.
std::vector<named_gpu> gpus_for(int compute_capability, query_options const& options) {
  std::vector<named_gpu> gpus;
  for (named_gpu const& gpu : options.gpus) {
    if (gpu.arch->compute_capability == compute_capability) gpus.push_back(gpu);
  }
  named_gpu own;
  bool const is_known = read_gpu("sm_" + std::to_string(compute_capability), own).empty();
  if (options.gpus.empty() && is_known) gpus.push_back(own);
  return gpus;
}

/// The kernels of a log, a lock or a build whose names contain a text. What the user states replaces their numbers.
void add_read(query_options const& options, std::vector<answer>& answers, failures& failed) {
  kernel_set found;
  read_kernels(options.source.from.front(), options.source, found, failed);
  if (failed.count != 0) return;
  for (auto const& [kernel, numbers] : found.entries) {
    if (!has(kernel.first, options.kernel)) continue;
    wg::kernel_resources resources{numbers.threads, numbers.registers, numbers.static_shared_memory,
                                   numbers.dynamic_shared_memory, std::max(numbers.barriers, 0)};
    for (stated_amount const& amount : amounts_of(options)) {
      if (amount.range.first > 0 && amount.range.is_single()) resources.*amount.member = amount.range.first;
    }
    stated_amount varying = varying_amount(options);
    for (named_gpu const& gpu : gpus_for(kernel.second, options)) {
      bool const is_size_unknown = numbers.any_threads && options.threads.last == 0;
      bool const needs_size = options.grid > 0 || options.wants_more() || varying_amount(options).member != nullptr;
      if (is_size_unknown && needs_size) {
        failed.add("the block size of " + printable(kernel.first) + " is not known: state it with --threads");
        return;
      }
      if (is_size_unknown && varying.member == nullptr) {
        varying = {"threads",
                   {gpu.arch->warp_size, gpu.arch->max_threads_per_block},
                   &wg::kernel_resources::threads_per_block};
      }
      add_answers(kernel.first, gpu, resources, options, varying, answers);
    }
  }
  if (!answers.empty()) return;
  failed.add(found.origin + ": no kernel" +
             (options.kernel.empty() ? "" : " has `" + options.kernel + "` in its name, compiled") + " for these GPUs");
}

// ---- words ----------------------------------------------------------------------------------------------------------

using measure::words_of;  // of an obstacle

/// The kernel in words, without the amount that varies and without registers that are not stated: "256 threads, 40
/// registers, 16384 bytes of shared memory".
std::string words_of(wg::kernel_resources const& kernel, amount_member varying = nullptr) {
  std::string text;
  if (varying != &wg::kernel_resources::threads_per_block) text = fmt::format("{} threads", kernel.threads_per_block);
  if (varying != &wg::kernel_resources::registers_per_thread && kernel.registers_per_thread > 0) {
    append(text, ", ", fmt::format("{} registers", kernel.registers_per_thread));
  }
  int bytes = 0;
  for (amount_member const member :
       {&wg::kernel_resources::static_shared_memory, &wg::kernel_resources::dynamic_shared_memory}) {
    if (varying != member) bytes += kernel.*member;
  }
  if (bytes > 0) append(text, ", ", fmt::format("{} bytes of shared memory", bytes));
  return text;
}

/// "registers and shared memory".
std::string words_of(wg::limiter set) {
  std::string text = names_of(set);
  std::replace(text.begin(), text.end(), '_', ' ');
  for (std::size_t at = 0; (at = text.find('+', at)) != std::string::npos;) text.replace(at, 1, " and ");
  return text;
}

// ---- text -----------------------------------------------------------------------------------------------------------

std::string plural(long long count, std::string const& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// A step in words: "37 registers (3 fewer): 6 blocks, 75 %".
std::string words_of(wg::residency_step const& step, int now, std::string const& unit, int max_warps) {
  int const by = step.amount - now;
  return fmt::format("{} {} ({} {}): {}, {} %", step.amount, unit, by < 0 ? -by : by, by < 0 ? "fewer" : "more",
                     plural(step.blocks_per_sm, "block"), percent_of(step.warps_per_sm, max_warps));
}

void print_steps(answer const& a) {
  wg::residency_steps const steps = wg::next_steps(*a.gpu.arch, a.kernel, a.config);
  struct {
    wg::resource_steps const& of;
    char const* unit;
    bool is_known;
  } const all[] = {{steps.registers_per_thread, "registers", a.kernel.registers_per_thread > 0},
                   {steps.shared_memory, "bytes", true},
                   {steps.barriers, "barriers", true},
                   {steps.threads_per_block, "threads", true}};
  int const max_warps = a.gpu.arch->max_warps_per_sm;
  std::string more;
  std::string fewer;
  for (auto const& [of, unit, is_known] : all) {
    if (!is_known) continue;
    if (of.more_blocks.exists()) more += "    " + words_of(of.more_blocks, of.now, unit, max_warps) + "\n";
    if (of.fewer_blocks.exists()) fewer += "    " + words_of(of.fewer_blocks, of.now, unit, max_warps) + "\n";
  }
  std::string sizes;
  for (wg::residency_step const& step : {steps.more_warps_in_smaller_blocks, steps.more_warps_in_larger_blocks}) {
    if (step.exists()) sizes += "    " + words_of(step, a.kernel.threads_per_block, "threads", max_warps) + "\n";
  }
  if (!more.empty()) put("  more blocks, with one change:\n" + more);
  if (!sizes.empty()) put("  more warps, with another block size:\n" + sizes);
  if (!fewer.empty()) put("  fewer blocks from here on:\n" + fewer);
}

void print_limits(answer const& a) {
  put(fmt::format("  {:<14} {:>7} {:>10} {:>8}\n", "limit", "blocks", "per block", "per SM"));
  for (limit_row const& row : limit_rows_of(*a.gpu.arch, a.kernel, a.occupancy).rows) {
    std::string const blocks = row.blocks == wg::unlimited ? "any" : std::to_string(row.blocks);
    bool const limits = contains(a.occupancy.limited_by, row.limiter);
    put(fmt::format("  {:<14} {:>7} {:>10} {:>8}{}\n", row.name, blocks, row.per_block,
                    row.available > 0 ? std::to_string(row.available) : "-", limits ? "  <- limits" : ""));
  }
}

/// A heading line: what is resident.
std::string sentence_of(answer const& a) {
  wg::occupancy const& o = a.occupancy;
  if (o.blocks_per_sm == 0) return std::string("cannot run: ") + words_of(o.obstructed_by);
  return fmt::format("{} per SM, {} of {} warps, {} %, limited by {}", plural(o.blocks_per_sm, "block"), o.warps_per_sm,
                     o.max_warps_per_sm, percent_of(o.warps_per_sm, o.max_warps_per_sm), words_of(o.limited_by));
}

/// "app::sum(float*) on sm_90", or only the GPU.
std::string heading_of(answer const& a) { return (a.name.empty() ? "" : printable(a.name) + " on ") + a.gpu.name; }

void print_waves(answer const& a, long long grid) {
  wg::grid_waves const waves = wg::waves_of(a.gpu.product->sms, a.occupancy.blocks_per_sm, grid);
  if (!waves.holds()) return;
  constexpr unsigned long long most = std::numeric_limits<long long>::max();
  put(fmt::format("  a grid of {} blocks on {} SMs: {}, of {} blocks each", grid, a.gpu.product->sms,
                  plural(waves.full_waves, "full wave"), waves.slots));
  if (waves.tail_blocks > 0) {
    put(fmt::format(", and a last one of {} blocks, {} % of the slots", waves.tail_blocks,
                    percent_of(waves.tail_blocks, waves.slots)));
  }
  long long const offered = static_cast<long long>(std::min<unsigned long long>(waves.offered_slots(), most));
  auto const blocks_of = [&](long long count) {  // of one wave more than a long long can hold, too
    return static_cast<unsigned long long>(count) * static_cast<unsigned long long>(waves.slots);
  };
  put(fmt::format("\n    all waves use {} % of the slots; whole waves: {} or {} blocks\n",
                  percent_of(waves.grid, offered), blocks_of(std::max(waves.full_waves, 1LL)),
                  blocks_of(waves.full_waves + 1)));
}

void print_one(answer const& a, query_options const& options) {
  put(heading_of(a) + ": " + words_of(a.kernel) + "\n  " + sentence_of(a) + "\n");
  if (a.occupancy.blocks_per_sm > 0) print_limits(a);
  print_steps(a);
  if (options.wants_more()) put(text_of(changes_for(*a.gpu.arch, a.kernel, a.config, options), *a.gpu.arch));
  if (options.grid > 0) print_waves(a, options.grid);
}

/// The answers for a range: a line for each step, with a bar of the resident warps.
void print_rows(std::vector<answer> const& answers, std::size_t begin, std::size_t end) {
  constexpr int bar_length = 32;
  answer const& first = answers[begin];
  put(fmt::format("{}: {}\n{:>13} {:>7} {:>6} {:>6}\n", heading_of(first), words_of(first.kernel, first.varying.member),
                  first.varying.name, "blocks", "warps", "%"));
  for (std::size_t i = begin; i < end; ++i) {
    answer const& a = answers[i];
    wg::occupancy const& o = a.occupancy;
    int const filled = o.max_warps_per_sm > 0 ? o.warps_per_sm * bar_length / o.max_warps_per_sm : 0;
    put(fmt::format("{:>13} {:>7} {:>6} {:>6}  {:<{}}  {}\n", a.kernel.*a.varying.member, o.blocks_per_sm,
                    o.warps_per_sm, percent_of(o.warps_per_sm, o.max_warps_per_sm),
                    std::string(static_cast<std::size_t>(filled), '#'), bar_length,
                    o.blocks_per_sm > 0 ? words_of(o.limited_by) : std::string(words_of(o.obstructed_by))));
  }
}

void print_text(std::vector<answer> const& answers, query_options const& options) {
  for (std::size_t begin = 0; begin < answers.size();) {
    answer const& first = answers[begin];
    std::size_t end = begin + 1;
    while (first.varying.member != nullptr && end < answers.size() && answers[end].name == first.name &&
           answers[end].gpu.name == first.gpu.name) {
      ++end;
    }
    if (begin > 0) put("\n");
    if (first.varying.member != nullptr) {
      print_rows(answers, begin, end);
    } else {
      print_one(first, options);
    }
    begin = end;
  }
}

// ---- JSON, CSV, markdown --------------------------------------------------------------------------------------------

/// The members of an answer, in the order in which all formats have them.
nlohmann::ordered_json json_of(answer const& a) {
  nlohmann::ordered_json one;
  if (!a.name.empty()) one["kernel"] = a.name;
  one["gpu"] = a.gpu.name;
  one["compute_capability"] = a.gpu.arch->compute_capability;
  one["threads_per_block"] = a.kernel.threads_per_block;
  one["registers_per_thread"] = a.kernel.registers_per_thread;
  one["static_shared_memory"] = a.kernel.static_shared_memory;
  one["dynamic_shared_memory"] = a.kernel.dynamic_shared_memory;
  one["barriers"] = a.kernel.barriers;
  one["blocks_per_sm"] = a.occupancy.blocks_per_sm;
  one["warps_per_sm"] = a.occupancy.warps_per_sm;
  one["max_warps_per_sm"] = a.occupancy.max_warps_per_sm;
  one["limited_by"] = a.occupancy.blocks_per_sm > 0 ? names_of(a.occupancy.limited_by) : "-";
  one["obstructed_by"] = words_of(a.occupancy.obstructed_by);
  for (limit_row const& row : limit_rows_of(*a.gpu.arch, a.kernel, a.occupancy).rows) {
    std::string name = std::string("blocks_by_") + row.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    if (row.blocks == wg::unlimited) {
      one[name] = nullptr;
    } else {
      one[name] = row.blocks;
    }
  }
  one["registers_per_block"] = a.occupancy.registers_per_block;
  one["shared_memory_per_block"] = a.occupancy.shared_memory_per_block;
  one["unused_registers"] = a.occupancy.unused_registers;
  one["unused_shared_memory"] = a.occupancy.unused_shared_memory;
  return one;
}

nlohmann::ordered_json json_of(wg::residency_step const& step) {
  if (!step.exists()) return nullptr;
  return {{"amount", step.amount}, {"blocks_per_sm", step.blocks_per_sm}, {"warps_per_sm", step.warps_per_sm}};
}
nlohmann::ordered_json json_of_steps(answer const& a) {
  wg::residency_steps const steps = wg::next_steps(*a.gpu.arch, a.kernel, a.config);
  nlohmann::ordered_json all;
  auto const add = [&](char const* name, wg::resource_steps const& of) {
    all[name] = {{"now", of.now},
                 {"headroom", of.headroom},
                 {"more_blocks", json_of(of.more_blocks)},
                 {"fewer_blocks", json_of(of.fewer_blocks)}};
  };
  add("registers_per_thread", steps.registers_per_thread);
  add("shared_memory", steps.shared_memory);
  add("barriers", steps.barriers);
  add("threads_per_block", steps.threads_per_block);
  return all;
}

void print_rows(std::vector<answer> const& answers, query_options const& options) {
  std::vector<table_row> rows;
  for (answer const& a : answers) {
    rows.push_back(json_of(a));
    if (options.format != query_format::json) continue;
    rows.back()["next_steps"] = json_of_steps(a);
    if (options.wants_more()) {
      rows.back()["wanted"] = json_of(changes_for(*a.gpu.arch, a.kernel, a.config, options));
    }
  }
  print_table("answers", rows, options.format);
}

// ---- pictures -------------------------------------------------------------------------------------------------------

/// Writes the picture of one kernel on its GPUs. Returns an error message, or an empty string.
std::string write_picture(std::vector<answer> const& answers, query_options const& options) {
  std::vector<pictured_kernel> pictured;
  answer const& first = answers.front();
  for (answer const& a : answers) {
    if (a.varying.member != nullptr)
      return "--svg: the block size of " + printable(a.name) + " varies: state --threads";
    if (a.name != first.name) {
      return "--svg: draws one kernel, but there are " + printable(first.name) + " and " + printable(a.name) +
             ": choose one with --kernel";
    }
    std::string const heading = a.gpu.name + (a.name.empty() ? "" : ": " + words_of(a.kernel));
    pictured.push_back({heading, sentence_of(a), a.gpu.arch, a.gpu.product, a.kernel, a.config});
  }
  std::string const title = first.name.empty() ? words_of(first.kernel) : printable(first.name);
  return replace_file(options.picture, options.grid > 0 ? picture_of_waves(title, pictured, options.grid)
                                                        : picture_of_curves(title, pictured));
}

}  // namespace

int print_query(query_options const& options) {
  failures failed;
  std::vector<answer> answers;
  if (options.source.from.empty()) {
    add_stated(options, answers);
  } else {
    add_read(options, answers, failed);
  }
  if (failed.count == 0 && !options.picture.empty()) {
    std::string const error = write_picture(answers, options);
    if (!error.empty()) failed.add(error);
  }
  if (failed.count != 0) return exit_code::unreadable;
  if (options.format == query_format::text) {
    print_text(answers, options);
  } else {
    print_rows(answers, options);
  }
  return end_output();
}

}  // namespace measure
