// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What changed between two sets of kernels, for people: one sentence, and a row for each kernel that changed, the
/// worst first. Text, markdown, JSON and HTML are written from it.

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>
#include <warpguard/model/advice.hpp>

#include "differences.hpp"
#include "kernel_set.hpp"
#include "percent.hpp"

namespace measure {

/// A number or a word of a kernel before and after the change. Either is empty if the kernel was not there.
struct delta_cell {
  std::string before;
  std::string after;

  std::string text() const {
    if (before.empty() || after.empty() || before == after) return before.empty() ? after : before;
    return before + " -> " + after;
  }
};

constexpr char const* delta_headings[] = {"blocks per SM",        "threads",    "occupancy",    "registers", "spills",
                                          "static shared memory", "limited by", "launch bounds"};

/// A kernel that changed in the same way on these GPUs.
struct delta_row {
  difference first;  // on the first of these GPUs
  std::vector<int> gpus;
  std::vector<delta_cell> cells;  // as in delta_headings
  std::string fits;               // what would undo the loss: "40 registers or fewer for 6 blocks of 256 threads"
};

/// What changed between two sets of kernels.
struct delta {
  std::string then_origin;
  std::string now_origin;
  std::string then_compiler;
  std::string now_compiler;
  std::set<int> gpus;
  int kernels = 0;                      // of the new set, each counted once
  std::vector<difference> differences;  // one for each kernel and GPU
  std::vector<delta_row> rows;          // the worst first
  std::string accept;                   // how to accept the change; empty: there is nothing to accept
};

// ---- words ----------------------------------------------------------------------------------------------------------

/// 90 is "9.0".
inline std::string capability_name(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

template <class Capabilities>
std::string capability_names(Capabilities const& capabilities, std::string const& separator = ", ") {
  std::string text;
  for (int capability : capabilities) append(text, separator, capability_name(capability));
  return text;
}

/// 1234567 is "1,234,567".
inline std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

inline std::string count_of(std::size_t count, char const* one, char const* several) {
  return with_commas(count) + " " + (count == 1 ? one : several);
}

namespace detail {

// ---- cells ----------------------------------------------------------------------------------------------------------

/// A block size, how many such blocks are resident, and what limits them.
struct shown_residency {
  int threads = 0;
  int blocks = 0;
  std::string occupancy;
  std::string limiter;
};

inline shown_residency residency_of(int capability, entry const& e, block_shape const& block) {
  warpguard::architecture const* const arch = warpguard::find_architecture(capability);
  if (arch == nullptr || block.threads <= 0) return {e.threads, e.blocks, "", ""};
  warpguard::occupancy const result = occupancy_with(*arch, e, block);
  // Blocks of the contract's size were counted with all that the contract says.
  int const blocks = block.threads == e.threads && !e.any_threads ? e.blocks : result.blocks_per_sm;
  return {block.threads, blocks, percent_of(blocks * result.warps_per_block, result.max_warps_per_sm) + " %",
          names_of(result.limited_by)};
}

inline std::string spills_of(entry const& e) {
  return std::to_string(e.spill_stores) + "/" + std::to_string(e.spill_loads);
}

inline std::vector<delta_cell> cells_of(difference const& d) {
  std::vector<delta_cell> cells(sizeof delta_headings / sizeof delta_headings[0]);
  bool const is_changed = d.then != nullptr && d.now != nullptr;
  block_counts const blocks = is_changed ? count_blocks(d.kernel.second, *d.then, *d.now) : block_counts{};
  int const threads = blocks.then != blocks.now ? blocks.threads : 0;
  auto const fill = [&](entry const* e, entry const* other, std::string delta_cell::*text) {
    if (e == nullptr) return;
    bool const has_other = other != nullptr;
    shown_residency const residency =
        residency_of(d.kernel.second, *e, has_other ? block_of(*e, *other, threads) : block_of(*e, *e, e->threads));
    std::string const values[] = {std::to_string(residency.blocks),
                                  std::to_string(residency.threads),
                                  residency.occupancy,
                                  std::to_string(e->registers),
                                  spills_of(*e),
                                  std::to_string(e->static_shared_memory),
                                  residency.limiter,
                                  e->bounds_ignored != 0 ? "ignored" : ""};
    for (std::size_t at = 0; at < cells.size(); ++at) cells[at].*text = values[at];
  };
  fill(d.then, d.now, &delta_cell::before);
  fill(d.now, d.then, &delta_cell::after);
  delta_cell& bounds = cells.back();
  if (is_changed && bounds.before != bounds.after) (bounds.before.empty() ? bounds.before : bounds.after) = "kept";
  return cells;
}

// ---- what would fit -------------------------------------------------------------------------------------------------

/// Returns what would bring back the blocks that the kernel lost, or an empty string.
inline std::string what_would_fit(difference const& d) {
  warpguard::architecture const* const arch = warpguard::find_architecture(d.kernel.second);
  bool const is_worse = d.kind == "WORSE" || d.kind == "ALLOWED";
  if (!is_worse || arch == nullptr || d.then == nullptr || d.now == nullptr) return "";
  std::string text;
  bool const is_other_size = !d.then->any_threads && !d.now->any_threads && d.then->threads != d.now->threads;
  block_counts const blocks = count_blocks(d.kernel.second, *d.then, *d.now);
  if (!is_other_size && blocks.now < blocks.then) {
    block_shape const block = block_of(*d.now, *d.then, blocks.threads);
    warpguard::advice advice = warpguard::what_fits(*arch,
                                                    {block.threads, d.now->registers, d.now->static_shared_memory,
                                                     block.dynamic_shared_memory, std::max(d.now->barriers, 0)},
                                                    {blocks.then, 0});
    if (blocks.now == 0) {  // a kernel that cannot run: what_fits() does not say why
      int const most = warpguard::max_registers_per_thread(*arch, block.threads, blocks.then);
      if (d.now->registers > most) advice.registers_at_most = most;
    }
    std::string changes;
    if (advice.registers_at_most > 0) {
      append(changes, " and ", std::to_string(advice.registers_at_most) + " registers or fewer");
    }
    if (advice.shared_memory_at_most >= 0) {
      append(changes, " and ", std::to_string(advice.shared_memory_at_most) + " bytes of shared memory or fewer");
    }
    if (advice.barriers_at_most >= 0) {
      append(changes, " and ", std::to_string(advice.barriers_at_most) + " barriers or fewer");
    }
    if (!changes.empty()) {
      text = changes + " for " + count_of(static_cast<std::size_t>(blocks.then), "block", "blocks") + " of " +
             std::to_string(blocks.threads) + " threads";
    }
  }
  bool const spills_more = d.now->spill_stores > d.then->spill_stores || d.now->spill_loads > d.then->spill_loads;
  if (spills_more) append(text, "; ", "more registers per thread, or fewer values alive at once, against the spills");
  if (d.now->bounds_ignored > d.then->bounds_ignored) append(text, "; ", "launch bounds that this GPU can keep");
  return text;
}

// ---- order ----------------------------------------------------------------------------------------------------------

inline int rank_of(std::string const& kind) {
  static char const* const order[] = {"WORSE", "GONE", "ALLOWED", "CHANGED", "IMPROVED", "NEW", "UNUSED"};
  for (int rank = 0; rank < 7; ++rank) {
    if (kind == order[rank]) return rank;
  }
  return 7;
}

/// What a kernel lost, for the order of rows: larger is worse.
inline std::tuple<int, int, int, int> loss_of(difference const& d) {
  if (d.then == nullptr || d.now == nullptr) return {};
  block_counts const blocks = count_blocks(d.kernel.second, *d.then, *d.now);
  int const lost_permille = blocks.then > 0 ? 1000 * (blocks.then - blocks.now) / blocks.then : 0;
  int const spills = std::max(d.now->spill_stores - d.then->spill_stores, d.now->spill_loads - d.then->spill_loads);
  return {lost_permille, spills, d.now->bounds_ignored - d.then->bounds_ignored, d.now->registers - d.then->registers};
}

/// Kernels that are not compared are counted, unless they fail.
inline bool is_row(difference const& d) { return d.fails || (d.kind != "UNBUILT" && d.kind != "UNCOMPARED"); }

/// Makes one row of the differences of a kernel that are equal but for the GPU, and sorts the rows.
inline std::vector<delta_row> rows_of(std::vector<difference> const& differences) {
  struct sorted_row {
    delta_row row;
    std::tuple<int, int, int, int> loss;
  };
  std::vector<sorted_row> rows;
  std::map<std::string, std::size_t> known;
  for (difference const& d : differences) {
    if (!is_row(d)) continue;
    delta_row row{d, {d.kernel.second}, cells_of(d), what_would_fit(d)};
    std::string key = d.kernel.first + '\n' + d.former.first + '\n' + d.kind + '\n' + d.details + '\n' + row.fits;
    for (delta_cell const& cell : row.cells) key += '\n' + cell.before + '\n' + cell.after;
    auto const [found, is_new] = known.insert({key, rows.size()});
    if (is_new) {
      rows.push_back({row, loss_of(d)});
    } else {
      rows[found->second].row.gpus.push_back(d.kernel.second);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](sorted_row const& left, sorted_row const& right) {
    difference const& l = left.row.first;
    difference const& r = right.row.first;
    if (l.fails != r.fails) return l.fails;
    if (rank_of(l.kind) != rank_of(r.kind)) return rank_of(l.kind) < rank_of(r.kind);
    if (left.loss != right.loss) return left.loss > right.loss;
    return l.kernel < r.kernel;
  });
  std::vector<delta_row> result;
  for (sorted_row& each : rows) result.push_back(std::move(each.row));
  return result;
}

}  // namespace detail

/// Returns the delta of two sets. `differences` are theirs, and must not outlive their entries.
inline delta make_delta(kernel_set const& then, kernel_set const& now, std::vector<difference> const& differences,
                        std::string const& accept = "") {
  delta result;
  result.then_origin = then.origin;
  result.now_origin = now.origin;
  result.then_compiler = then.compiler;
  result.now_compiler = now.compiler;
  result.gpus = now.built;
  std::string const* last = nullptr;
  for (auto const& [kernel, e] : now.entries) {
    if (last == nullptr || *last != kernel.first) ++result.kernels;
    last = &kernel.first;
  }
  result.differences = differences;
  result.rows = detail::rows_of(differences);
  result.accept = accept;
  return result;
}

}  // namespace measure
