// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The record of a sweep over a device: the results of its driver for many kernels. sweep.cu writes it as text, and
/// replay() compares it with the model on any machine. Its lines, in this order:
///
///     warpguard-record 2
///     device <name>
///     compute_capability 90
///     driver 13000
///     sms 132
///     threads 32 64 96 ...                                    the block sizes of all rows
///     row <registers> <static> <dynamic> <carveout> : <blocks per SM for each block size>
///     clusters <registers> <threads> <size> <count>           active clusters, where the device has them; -1: refused
///     cluster_limit <registers> <threads> <opted in> <size>   the largest cluster, before (0) and after (1) the opt-in
///     end <blocks in all rows>
///
/// Registers are per thread, <static> and <dynamic> are bytes per block, and the carve-out is a percentage or -1 for
/// none. A record is complete only if its last line has the right number. Version 1, which is still read, has no
/// cluster limits and no refused clusters.

#pragma once

#include <istream>
#include <sstream>
#include <string>
#include <vector>
#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/clusters.hpp>
#include <warpguard/model/occupancy.hpp>

namespace gpu_test {

struct replay_result {
  std::string error;  // empty if the record is complete and well-formed
  std::string device;
  int compute_capability = 0;
  long long combinations = 0;
  long long differences = 0;
  std::string first_difference;
};

inline void add_difference(replay_result& result, std::string const& text) {
  if (++result.differences == 1) result.first_difference = text;
}

/// Compares a row with the model: the blocks per SM for each block size.
inline void replay_row(warpguard::architecture const& arch, std::vector<int> const& threads, std::istringstream& row,
                       replay_result& result) {
  warpguard::kernel_resources kernel{0};
  int carveout = 0;
  std::string colon;
  row >> kernel.registers_per_thread >> kernel.static_shared_memory >> kernel.dynamic_shared_memory >> carveout >>
      colon;
  for (int const block : threads) {
    int recorded = -1;
    if (!(row >> recorded) || colon != ":") {
      result.error = "a row is too short";
      return;
    }
    kernel.threads_per_block = block;
    int const modelled = warpguard::occupancy_of(arch, kernel, {carveout}).blocks_per_sm;
    ++result.combinations;
    if (modelled == recorded) continue;
    std::ostringstream text;
    text << block << " threads, " << kernel.registers_per_thread << " registers, " << kernel.static_shared_memory
         << " + " << kernel.dynamic_shared_memory << " bytes, carve-out " << carveout << ": model " << modelled
         << ", driver " << recorded;
    add_difference(result, text.str());
  }
  if (row >> colon) result.error = "a row is too long";
}

/// Checks what is certain about active clusters: a portable size has at least one, a size that the table refuses has
/// none, and no size has more than the SMs hold blocks for. The driver does not refuse a published non-portable size.
inline void replay_clusters(warpguard::architecture const& arch, int sms, std::istringstream& line,
                            replay_result& result) {
  using warpguard::cluster_support;
  int registers = 0;
  int threads = 0;
  int size = 0;
  int count = -2;
  std::string more;
  if (!(line >> registers >> threads >> size >> count) || count < -1 || (line >> more)) {
    result.error = "a line of clusters is damaged";
    return;
  }
  ++result.combinations;
  cluster_support const support = warpguard::support_of_cluster(arch, size);
  std::string const which = "clusters of " + std::to_string(size) + " blocks of " + std::to_string(threads) +
                            " threads: " + std::to_string(count);
  if (support == cluster_support::refused) {
    if (count > 0) add_difference(result, which + ", but the table refuses this size");
    return;
  }
  int const max = warpguard::max_active_clusters(arch, {threads, registers}, size, sms);
  if (count > max) add_difference(result, which + ", but the SMs hold blocks for only " + std::to_string(max));
  if (support == cluster_support::portable && count < 1) add_difference(result, which + ", but the size is portable");
  if (support == cluster_support::nonportable && count < 0) {
    add_difference(result, which + ", but the limit is published");
  }
}

/// Checks the driver's largest cluster: the portable size without opting in; after opting in at least that size and at
/// most the published limit.
inline void replay_cluster_limit(warpguard::architecture const& arch, std::istringstream& line, replay_result& result) {
  int registers = 0;
  int threads = 0;
  int opted_in = -1;
  int size = 0;
  std::string more;
  if (!(line >> registers >> threads >> opted_in >> size) || opted_in < 0 || opted_in > 1 || (line >> more)) {
    result.error = "a line of the cluster limit is damaged";
    return;
  }
  ++result.combinations;
  int const portable = warpguard::max_cluster_size(arch);
  int const published = warpguard::max_cluster_size(arch, true);
  bool const agrees =
      opted_in == 0 ? size == portable : size >= portable && (published == warpguard::impossible || size <= published);
  if (!agrees) {
    add_difference(result, "the largest cluster " +
                               std::string(opted_in == 1 ? "after opting in" : "without opting in") + ": " +
                               std::to_string(size));
  }
}

inline replay_result replay(std::istream& record) {
  replay_result result;
  warpguard::architecture const* arch = nullptr;
  std::vector<int> threads;
  long long end = -1;
  int sms = 0;
  std::string text;
  if (!std::getline(record, text) || (text != "warpguard-record 1" && text != "warpguard-record 2")) {
    result.error = "not a record of version 1 or 2";
    return result;
  }
  while (result.error.empty() && std::getline(record, text)) {
    std::istringstream line(text);
    std::string key;
    line >> key;
    if (end >= 0) {
      result.error = "lines after the end";
    } else if (key == "device") {
      std::getline(line >> std::ws, result.device);
    } else if (key == "compute_capability") {
      line >> result.compute_capability;
      arch = warpguard::find_architecture(result.compute_capability);
      if (arch == nullptr) result.error = "unknown compute capability";
    } else if (key == "sms") {
      line >> sms;
    } else if (key == "threads") {
      for (int block = 0; line >> block;) threads.push_back(block);
    } else if (key == "end") {
      line >> end;
    } else if ((key == "row" || key == "clusters" || key == "cluster_limit") &&
               (arch == nullptr || threads.empty() || sms < 1)) {
      result.error = "a row before the lines of the device and its block sizes";
    } else if (key == "row") {
      replay_row(*arch, threads, line, result);
    } else if (key == "clusters") {
      replay_clusters(*arch, sms, line, result);
    } else if (key == "cluster_limit") {
      replay_cluster_limit(*arch, line, result);
    } else if (key != "driver") {
      result.error = "an unknown line: " + text;
    }
  }
  if (result.error.empty() && end != result.combinations) result.error = "the record is not complete";
  return result;
}

}  // namespace gpu_test
