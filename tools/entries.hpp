// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The entries of a build, one for each kernel and architecture: the measured amounts, what the contracts require, and
/// the residency that the model computes. The lock and the reports are written from them.

#pragma once

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>
#include <warpguard/model/occupancy.hpp>

#include "contract_fields.hpp"
#include "fields.hpp"
#include "measured_build.hpp"
#include "percent.hpp"
#include "request.hpp"

namespace measure {

using kernel_on = std::pair<std::string, int>;  // key, compute capability
using entry_map = std::map<kernel_on, entry>;
using contract_map = std::map<kernel_on, std::vector<held_contract>>;

inline std::string gpu_of(kernel_on const& kernel) { return "sm_" + std::to_string(kernel.second); }
inline std::string shown_kernel(kernel_on const& kernel) { return kernel.first + " " + gpu_of(kernel); }
inline std::string line_of(kernel_on const& kernel, entry const& e) {
  return shown_kernel(kernel) + ": " + numbers_of(e);
}

// ---- contracts ------------------------------------------------------------------------------------------------------

/// Reads an int of any size. Returns false if the text is anything else.
inline bool read_int(std::string const& text, int& number) {
  char const* const end = text.data() + text.size();
  std::from_chars_result const result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc{} && result.ptr == end;
}

/// Reads a line of the file that the program of the CHECKS wrote.
inline bool read_contract(std::string const& line, kernel_on& kernel, held_contract& contract) {
  constexpr std::size_t count = sizeof contract_fields / sizeof contract_fields[0];
  std::vector<std::string> const parts = split(line, '\t');
  if (parts.size() != 3 + count || !read_number(parts[1], kernel.second)) return false;
  kernel.first = parts[0];
  contract.name = parts[2];
  for (std::size_t i = 0; i < count; ++i) {
    if (!read_int(parts[3 + i], contract_fields[i].in(contract.limits))) return false;
  }
  return true;
}

/// The `on` of a contract that nothing in the build was compiled for.
struct unused_on {
  std::string contract;
  int compute_capability;
};

/// What the program of the CHECKS wrote.
struct read_checks {
  contract_map contracts;
  std::vector<unused_on> unused;
};

/// Reads a line without a kernel, which names an unused `on`. Returns false if it is anything else.
inline bool read_unused(std::string const& line, unused_on& unused) {
  std::vector<std::string> const parts = split(line, '\t');
  if (parts.size() != 3 || !parts[0].empty() || !read_number(parts[1], unused.compute_capability)) return false;
  unused.contract = parts[2];
  return true;
}

/// Several CHECKS may name the same contract and kernel; each pair is read once. If CHECKS are refused, that is a
/// failure, and the contracts are the last known ones.
inline read_checks read_contracts(measure_request const& request, failures& failed) {
  read_checks checks;
  if (request.contracts.empty() || request.checks.empty()) return checks;
  std::string text;
  for (std::string const& object : request.check_objects) {
    if (read_file(refusal_of(object), text)) {
      failed.add("the compiler refuses CHECKS of " + request.name + ": the target " + request.name +
                 "_warpguard_check says why");
    }
  }
  if (!read_file(request.contracts, text)) failed.add("cannot read " + request.contracts);
  std::vector<std::string> lines = lines_of(text);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  for (std::string const& line : lines) {
    unused_on unused;
    if (read_unused(line, unused)) {
      checks.unused.push_back(unused);
      continue;
    }
    kernel_on kernel;
    held_contract contract;
    if (!read_contract(line, kernel, contract)) {
      failed.add(request.contracts + " cannot be read: " + line);
      return checks;
    }
    checks.contracts[kernel].push_back(contract);
  }
  return checks;
}

// ---- measurements ---------------------------------------------------------------------------------------------------

inline warpguard::measurement measurement_of(row const& r) {
  return {r.compute_capability, r.registers,       r.static_shared_memory, r.spill_stores, r.spill_loads, r.stack,
          r.barriers,           r.constant_memory, r.bounds_ignored != 0};
}

/// Adds the measurement of a kernel in one object. An entry has the largest amounts of all objects, and the first
/// violation.
inline void add_row(row const& found, entry& e) {
  for (field const& each : fields) {
    if (!each.is_measured) continue;
    int amounts::*const member = measured_member(each);
    e.*member = std::max(e.*member, found.*member);
  }
  e.flags = std::max(e.flags, found.flags);
  warpguard::architecture const* const arch = warpguard::find_architecture(found.compute_capability);
  for (held_contract& contract : e.contracts) {
    if (arch == nullptr || contract.violation != warpguard::measured_violation::none) continue;
    contract.violation = warpguard::first_measured_violation(*arch, contract.limits, measurement_of(found));
  }
}

// ---- residency ------------------------------------------------------------------------------------------------------

inline std::string names_of(warpguard::limiter set) {
  struct {
    warpguard::limiter limiter;
    char const* name;
  } const known[] = {{warpguard::limiter::warps, "warps"},
                     {warpguard::limiter::registers, "registers"},
                     {warpguard::limiter::shared_memory, "shared_memory"},
                     {warpguard::limiter::block_slots, "block_slots"},
                     {warpguard::limiter::barriers, "barriers"},
                     {warpguard::limiter::virtual_resources, "virtual_resources"}};
  std::string result;
  for (auto const& each : known) {
    if (contains(set, each.limiter)) append(result, "+", each.name);
  }
  return result.empty() ? "-" : result;
}

/// The block of a contract or of the lock, for which the residency is computed.
struct block_shape {
  int threads;
  int dynamic_shared_memory;
  int barriers;
};

inline warpguard::occupancy occupancy_with(warpguard::architecture const& arch, entry const& e,
                                           block_shape const& block) {
  return warpguard::occupancy_of(arch, {block.threads, e.registers, e.static_shared_memory, block.dynamic_shared_memory,
                                        e.barriers >= 0 ? e.barriers : block.barriers});
}

/// Sets the residency of the block with the lowest occupancy. Without any block, takes the block size with the highest
/// one.
inline void add_residency(int compute_capability, std::vector<block_shape> const& blocks, entry& e) {
  warpguard::architecture const* const arch = warpguard::find_architecture(compute_capability);
  if (arch == nullptr) return;
  warpguard::occupancy chosen{};
  auto const choose = [&](block_shape const& block, warpguard::occupancy const& result) {
    chosen = result;
    e.threads = block.threads;
    e.dynamic_shared_memory = block.dynamic_shared_memory;
  };
  for (block_shape const& block : blocks) {
    warpguard::occupancy const result = occupancy_with(*arch, e, block);
    if (e.threads == 0 || result.warps_per_sm < chosen.warps_per_sm) choose(block, result);
  }
  e.any_threads = blocks.empty();
  for (int threads = arch->warp_size; e.any_threads && threads <= arch->max_threads_per_block;
       threads += arch->warp_size) {
    block_shape const block{threads, 0, 1};
    warpguard::occupancy const result = occupancy_with(*arch, e, block);
    if (result.warps_per_sm > chosen.warps_per_sm) choose(block, result);
  }
  e.blocks = chosen.blocks_per_sm;
  e.occupancy = static_cast<int>(hundredths_of_percent(chosen.warps_per_sm, chosen.max_warps_per_sm));
  e.limiter = names_of(chosen.limited_by);
}

/// The threads per block in a kernel's own launch bounds. They are unknown if the kernel is in several objects with
/// different bounds.
struct own_bounds {
  int threads = 0;
  bool are_equal = true;

  void add(row const& found) {
    are_equal = are_equal && (threads == 0 || threads == found.max_threads) && found.max_threads != 0;
    threads = found.max_threads;
  }
  bool are_known() const { return are_equal && threads != 0; }
};

/// Returns the entries of a build. For a kernel without known contracts, the block is that of `recorded`, the lock;
/// otherwise it is that of the kernel's own launch bounds.
inline entry_map entries_of(measure_request const& request, measured_build const& build, contract_map const& contracts,
                            entry_map const& recorded = {}) {
  entry_map entries;
  std::map<kernel_on, own_bounds> bounds;
  for (row const& each : build.ptxas.rows) {
    if (request.leaves_out(each.key)) continue;
    kernel_on const kernel{each.key, each.compute_capability};
    auto const [found, is_new] = entries.insert({kernel, {}});
    auto const held = contracts.find(kernel);
    if (is_new && held != contracts.end()) found->second.contracts = held->second;
    add_row(each, found->second);
    bounds[kernel].add(each);
  }
  for (auto& [kernel, e] : entries) {
    std::vector<block_shape> blocks;
    for (held_contract const& contract : e.contracts) {
      warpguard::kernel_resources const kernel_takes = contract.limits.terms.resources();
      blocks.push_back({kernel_takes.threads_per_block, kernel_takes.dynamic_shared_memory, kernel_takes.barriers});
    }
    auto const old = recorded.find(kernel);
    if (blocks.empty() && old != recorded.end() && !old->second.any_threads) {
      blocks.push_back({old->second.threads, old->second.dynamic_shared_memory, 1});
    }
    own_bounds const& own = bounds[kernel];
    if (blocks.empty() && own.are_known()) blocks.push_back({own.threads, 0, 1});
    add_residency(kernel.second, blocks, e);
  }
  return entries;
}

}  // namespace measure
