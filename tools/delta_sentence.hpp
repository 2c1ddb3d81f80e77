// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The sentence that begins a delta: "2 of 312 kernels got worse on 9.0: `app::sum(float*)` lost a block (6 -> 5,
/// registers 40 -> 48), ...". It counts kernels, not lines.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "delta.hpp"

namespace measure {

namespace detail {

/// The numbers that can take blocks away, as far as they grew: ", registers 40 -> 48".
inline std::string causes_of(difference const& d) {
  std::string text;
  for (field const& each : fields) {
    bool const is_cause = each.words != nullptr && each.as != shown::flag && each.number != &entry::spill_stores &&
                          each.number != &entry::spill_loads && each.number != &entry::stack;
    if (!is_cause) continue;
    int const before = d.then->*each.number;
    int const after = d.now->*each.number;
    if (after > before && before >= 0) {
      text += std::string(", ") + each.words + " " + std::to_string(before) + " -> " + std::to_string(after);
    }
  }
  return text;
}

/// What happened to a kernel: "lost a block (6 -> 5, registers 40 -> 48)".
inline std::string what_happened(difference const& d) {
  if (d.kind == "GONE") return "is gone";
  if (d.then == nullptr || d.now == nullptr) return "is new";
  auto const arrow = [](int before, int after) { return std::to_string(before) + " -> " + std::to_string(after); };
  entry const& then = *d.then;
  entry const& now = *d.now;
  bool const is_other_size = !then.any_threads && !now.any_threads && then.threads != now.threads;
  if (is_other_size && now.blocks * now.threads < then.blocks * then.threads) {
    return "lost resident threads (" + arrow(then.blocks * then.threads, now.blocks * now.threads) + causes_of(d) + ")";
  }
  block_counts const blocks = count_blocks(d.kernel.second, then, now);
  if (!is_other_size && blocks.now < blocks.then) {
    int const lost = blocks.then - blocks.now;
    return (lost == 1 ? "lost a block (" : "lost " + std::to_string(lost) + " blocks (") +
           arrow(blocks.then, blocks.now) +
           (now.any_threads ? " of " + std::to_string(blocks.threads) + " threads" : "") + causes_of(d) + ")";
  }
  int const spilled = std::max(then.spill_stores, then.spill_loads);
  int const spills = std::max(now.spill_stores, now.spill_loads);
  if (spills > spilled) return "spills more (" + arrow(spilled, spills) + " bytes)";
  if (now.bounds_ignored > then.bounds_ignored) return "has launch bounds that ptxas ignores";
  std::string const causes = causes_of(d);
  return causes.empty() ? "changed" : "uses more (" + causes.substr(2) + ")";
}

/// The kernels of one kind, each with its GPUs.
using kernels_by_kind = std::map<std::string, std::map<std::string, std::set<int>>>;

inline kernels_by_kind kernels_of(delta const& changes) {
  kernels_by_kind kernels;
  for (difference const& d : changes.differences) {
    std::string const kind = d.kind == "ALLOWED" ? "WORSE" : d.kind;
    kernels[kind][d.kernel.first].insert(d.kernel.second);
    if (d.kind == "ALLOWED") kernels["ALLOWED"][d.kernel.first].insert(d.kernel.second);
  }
  return kernels;
}

/// " on 8.0 and 9.0", or " (2 on 8.0, 1 on 9.0)" if not all of the kernels are affected on the same GPUs.
inline std::string where(std::map<std::string, std::set<int>> const& kernels) {
  std::map<int, std::size_t> counts;
  bool is_same = true;
  for (auto const& [kernel, gpus] : kernels) {
    is_same = is_same && gpus == kernels.begin()->second;
    for (int gpu : gpus) ++counts[gpu];
  }
  if (is_same) return " on " + capability_names(kernels.begin()->second);
  std::string text;
  for (auto const& [gpu, count] : counts) append(text, ", ", with_commas(count) + " on " + capability_name(gpu));
  return " (" + text + ")";
}

/// The kernels that lost most: "`a` lost a block (6 -> 5), `b` is gone, and 3 more". `quote` writes a name.
template <class Quote>
std::string worst_kernels(delta const& changes, std::size_t count, Quote const& quote) {
  std::string text;
  std::set<std::string> seen;
  for (delta_row const& row : changes.rows) {
    difference const& d = row.first;
    if (d.kind != "WORSE" && d.kind != "ALLOWED") continue;
    if (!seen.insert(d.kernel.first).second || seen.size() > 3) continue;
    append(text, ", ", quote(d.kernel.first) + " " + what_happened(d));
  }
  return count > 3 ? text + ", and " + with_commas(count - 3) + " more" : text;
}

/// "`a`, `b`, `c`, and 3 more".
template <class Quote>
std::string first_names(std::map<std::string, std::set<int>> const& kernels, Quote const& quote) {
  std::string text;
  std::size_t count = 0;
  for (auto const& [kernel, gpus] : kernels) {
    if (++count <= 3) append(text, ", ", quote(kernel));
  }
  return count > 3 ? text + ", and " + with_commas(count - 3) + " more" : text;
}

/// "1 is gone, 2 improved, 3 are new."
inline std::string other_counts(kernels_by_kind const& kernels) {
  struct {
    char const* kind;
    char const* one;
    char const* several;
  } const known[] = {{"ALLOWED", "of them is allowed by an exception", "of them are allowed by exceptions"},
                     {"GONE", "is gone", "are gone"},
                     {"NEW", "is new", "are new"},
                     {"IMPROVED", "improved", "improved"},
                     {"CHANGED", "changed without getting worse", "changed without getting worse"}};
  std::string text;
  for (auto const& each : known) {
    auto const found = kernels.find(each.kind);
    if (found != kernels.end()) append(text, ", ", count_of(found->second.size(), each.one, each.several));
  }
  return text.empty() ? "" : text + ".";
}

/// Adds the flags that changed: "Flags before: `-`, now: `-G` (2 kernels)."
template <class Quote>
void add_flags(delta const& changes, Quote const& quote, std::vector<std::string>& sentences) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> kernels;
  for (difference const& d : changes.differences) {
    bool const is_changed = d.then != nullptr && d.now != nullptr && d.then->flags != d.now->flags;
    if (is_changed) kernels[{d.then->flags, d.now->flags}].insert(d.kernel.first);
  }
  std::size_t count = 0;
  for (auto const& [flags, names] : kernels) {
    if (++count > 3) break;
    sentences.push_back("Flags before: " + quote(flags.first) + ", now: " + quote(flags.second) + " (" +
                        count_of(names.size(), "kernel", "kernels") + ").");
  }
}

}  // namespace detail

/// Returns the sentences that begin a delta, each without a line break. `quote` writes a kernel's name.
template <class Quote>
std::vector<std::string> delta_sentences(delta const& changes, Quote const& quote) {
  detail::kernels_by_kind kernels = detail::kernels_of(changes);
  std::string const all = count_of(static_cast<std::size_t>(changes.kernels), "kernel", "kernels") + " on " +
                          capability_names(changes.gpus);
  auto const worse = kernels.find("WORSE");
  auto const gone = kernels.find("GONE");
  std::vector<std::string> sentences;
  if (worse != kernels.end()) {
    std::size_t const count = worse->second.size();
    sentences.push_back(with_commas(count) + " of " +
                        count_of(static_cast<std::size_t>(changes.kernels), "kernel", "kernels") + " got worse" +
                        detail::where(worse->second) + ": " + detail::worst_kernels(changes, count, quote) + ".");
  } else if (gone != kernels.end()) {
    sentences.push_back(count_of(gone->second.size(), "kernel is", "kernels are") + " gone" +
                        detail::where(gone->second) + ": " + detail::first_names(gone->second, quote) + " (" + all +
                        " are left).");
    kernels.erase(gone);
  } else if (changes.rows.empty()) {
    bool const is_all = kernels.count("UNCOMPARED") == 0;
    sentences.push_back(std::string(is_all ? "No kernel" : "No kernel that was compared") + " changed (" + all + ").");
  } else {
    sentences.push_back("No kernel got worse (" + all + ").");
  }
  std::string const others = detail::other_counts(kernels);
  if (!others.empty()) sentences.push_back(others);
  auto const uncompared = kernels.find("UNCOMPARED");
  if (uncompared != kernels.end()) {
    sentences.push_back(count_of(uncompared->second.size(), "kernel is", "kernels are") +
                        " not compared, because the compiler or the flags differ.");
  }
  auto const unbuilt = kernels.find("UNBUILT");
  if (unbuilt != kernels.end()) {
    sentences.push_back(count_of(unbuilt->second.size(), "kernel is", "kernels are") + " not compared" +
                        detail::where(unbuilt->second) + ", because this was not built.");
  }
  if (!changes.then_compiler.empty() && !changes.now_compiler.empty() &&
      changes.then_compiler != changes.now_compiler) {
    sentences.push_back("Before: " + quote(changes.then_compiler) + ", now: " + quote(changes.now_compiler) + ".");
  }
  detail::add_flags(changes, quote, sentences);
  return sentences;
}

}  // namespace measure
