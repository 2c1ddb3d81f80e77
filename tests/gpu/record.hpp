// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The record of a sweep over a device: what its driver said of many kernels, as text that sweep.cu writes and that is
/// held against the model on any machine. Lines, in this order:
///
///     warpguard-record 1
///     device <name>
///     compute_capability 90
///     driver 13000
///     sms 132
///     threads 32 64 96 ...                                    the block sizes of all rows
///     row <registers> <static> <dynamic> <carveout> : <blocks per SM for each block size>
///     clusters <registers> <threads> <size> <count>           active clusters, where the device has them
///     end <blocks in all rows>
///
/// Registers are per thread, sizes are bytes per block, the carve-out is a percentage or -1 for none. A record without
/// its last line, or with another number there, is no record.

#pragma once

#include <istream>
#include <sstream>
#include <string>
#include <vector>
#include <warpguard/architecture.hpp>
#include <warpguard/occupancy.hpp>

namespace gpu_test {

struct replay_result {
  std::string error;  // empty: the record was read to its end
  std::string device;
  int compute_capability = 0;
  long long combinations = 0;
  long long differences = 0;
  std::string first_difference;
};

/// The row of a kernel: what the model says for each block size is compared with what was recorded.
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
    if (++result.differences == 1) {
      std::ostringstream text;
      text << block << " threads, " << kernel.registers_per_thread << " registers, " << kernel.static_shared_memory
           << " + " << kernel.dynamic_shared_memory << " bytes, carve-out " << carveout << ": model " << modelled
           << ", driver " << recorded;
      result.first_difference = text.str();
    }
  }
  if (row >> colon) result.error = "a row is too long";
}

/// A cluster is resident as a whole, so all of them together are at most what the SMs hold.
inline void replay_clusters(warpguard::architecture const& arch, int sms, std::istringstream& line,
                            replay_result& result) {
  int registers = 0;
  int threads = 0;
  int size = 0;
  int count = -1;
  if (!(line >> registers >> threads >> size >> count)) {
    result.error = "a line of clusters is too short";
    return;
  }
  int const blocks = warpguard::occupancy_of(arch, {threads, registers}).blocks_per_sm;
  ++result.combinations;
  if (count < 0 || 1LL * count * size > 1LL * blocks * sms) {
    if (++result.differences == 1) result.first_difference = "more clusters than the SMs hold blocks for";
  }
}

inline replay_result replay(std::istream& record) {
  replay_result result;
  warpguard::architecture const* arch = nullptr;
  std::vector<int> threads;
  long long end = -1;
  int sms = 0;
  std::string text;
  if (!std::getline(record, text) || text != "warpguard-record 1") {
    result.error = "not a record of version 1";
    return result;
  }
  while (result.error.empty() && std::getline(record, text)) {
    std::istringstream line(text);
    std::string key;
    line >> key;
    if (end >= 0) {
      result.error = "something after the end";
    } else if (key == "device") {
      std::getline(line >> std::ws, result.device);
    } else if (key == "compute_capability") {
      line >> result.compute_capability;
      arch = warpguard::find_architecture(result.compute_capability);
      if (arch == nullptr) result.error = "nobody knows the compute capability";
    } else if (key == "sms") {
      line >> sms;
    } else if (key == "threads") {
      for (int block = 0; line >> block;) threads.push_back(block);
    } else if (key == "end") {
      line >> end;
    } else if ((key == "row" || key == "clusters") && (arch == nullptr || threads.empty() || sms < 1)) {
      result.error = "a row before the device and its block sizes";
    } else if (key == "row") {
      replay_row(*arch, threads, line, result);
    } else if (key == "clusters") {
      replay_clusters(*arch, sms, line, result);
    } else if (key != "driver") {
      result.error = "an unknown line: " + text;
    }
  }
  if (result.error.empty() && end != result.combinations) result.error = "the record is not complete";
  return result;
}

}  // namespace gpu_test
