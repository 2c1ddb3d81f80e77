// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The record of the examples on a device. The command `run` and launches.cpp write it, and replay_launches() compares
/// it with the model on any machine. Its lines:
///
///     warpguard-launches 1
///     device <name>
///     compute_capability 90
///     driver 13000
///     sms 132
///     run <example> <plain or observed>     a run of an example. Observed kernels write when their warps run
///     launch <key>=<number> ... : <kernel>  a launch of this run
///     exit <code> <what the example printed>
///     end <number of launches>
///
/// The numbers of a launch: `threads` of the block, `grid` blocks, `registers` per thread, bytes of `static` and
/// `dynamic` shared memory, the kernel's preferred `carveout` in percent or -1, `blocks` per SM by the driver,
/// `promised` and `allowed` blocks of the contract or 0, and `microseconds` between an event before and one after it.
/// An observed launch also has its `warps`, how many of them were `observed`, how many were `resident` on an SM on
/// average while it had any, and the most blocks that were `seen` on one SM at the same time.

#pragma once

#include <algorithm>
#include <istream>
#include <map>
#include <sstream>
#include <string>
#include <vector>
#include <warpguard/hardware/table.hpp>
#include <warpguard/model/occupancy.hpp>

namespace gpu_test {

using launch_numbers = std::map<std::string, double>;

/// What the tables show of a kernel: of each run its longest launch.
struct kernel_row {
  std::string example;
  std::string kernel;
  launch_numbers plain;              ///< the first run's longest launch
  launch_numbers observed;           ///< empty if no observed run launched the kernel
  std::vector<double> microseconds;  ///< of each plain run
  int modelled = 0;                  ///< blocks per SM
};

struct launches_result {
  std::string error;  // empty if the record is complete and well-formed
  std::string device;
  int compute_capability = 0;
  int driver = 0;
  int sms = 0;
  int runs = 0;
  long long launches = 0;
  std::vector<std::string> findings;  ///< what is wrong on the device, a sentence each; empty if all is well
  std::vector<std::string> not_run;   ///< what examples printed that do not run on this device
  std::vector<kernel_row> rows;
};

namespace detail {

class launches_reader {
 public:
  launches_result read(std::istream& record) {
    std::string text;
    if (!std::getline(record, text) || text != "warpguard-launches 1") {
      result_.error = "not a record of launches of version 1";
      return result_;
    }
    while (result_.error.empty() && std::getline(record, text)) read_line(text);
    if (result_.error.empty() && (!has_ended_ || is_running_)) result_.error = "the record is not complete";
    return result_;
  }

 private:
  void read_line(std::string const& text) {
    std::istringstream line(text);
    std::string key;
    line >> key;
    if (has_ended_) {
      result_.error = "lines after the end";
    } else if (key == "device") {
      std::getline(line >> std::ws, result_.device);
    } else if (key == "compute_capability") {
      line >> result_.compute_capability;
      arch_ = warpguard::find_architecture(result_.compute_capability);
      if (arch_ == nullptr) result_.error = "unknown compute capability";
    } else if (key == "driver") {
      line >> result_.driver;
    } else if (key == "sms") {
      line >> result_.sms;
    } else if (key == "run") {
      begin_run(line);
    } else if (key == "launch") {
      read_launch(line);
    } else if (key == "exit") {
      end_run(line);
    } else if (key == "end") {
      long long count = -1;
      line >> count;
      has_ended_ = true;
      if (count != result_.launches) result_.error = "the record is not complete";
    } else {
      result_.error = "an unknown line: " + text;
    }
  }

  void begin_run(std::istringstream& line) {
    std::string kind;
    if (is_running_ || arch_ == nullptr || result_.device.empty() || !(line >> example_ >> kind) ||
        (kind != "plain" && kind != "observed")) {
      result_.error = "a run begins where none can";
      return;
    }
    is_running_ = true;
    is_observed_ = kind == "observed";
    longest_.clear();
    ++result_.runs;
  }

  void read_launch(std::istringstream& line) {
    launch_numbers numbers;
    std::string word;
    while (line >> word && word != ":") {
      std::size_t const equals = word.find('=');
      std::istringstream value(equals == std::string::npos ? "" : word.substr(equals + 1));
      double number = 0;
      if (!(value >> number) || !value.eof() || !numbers.emplace(word.substr(0, equals), number).second) {
        result_.error = "a launch has a damaged number: " + word;
        return;
      }
    }
    std::string kernel;
    std::getline(line >> std::ws, kernel);
    std::vector<std::string> keys = {"threads",  "grid",   "registers", "static",  "dynamic",
                                     "carveout", "blocks", "promised",  "allowed", "microseconds"};
    if (is_observed_) keys.insert(keys.end(), {"warps", "observed", "resident", "seen"});
    bool const is_complete =
        numbers.size() == keys.size() &&
        std::all_of(keys.begin(), keys.end(), [&](std::string const& key) { return numbers.count(key) == 1; });
    if (!is_running_ || !is_complete || kernel.empty()) {
      result_.error = "a launch is damaged, or belongs to no run";
      return;
    }
    ++result_.launches;
    judge(kernel, numbers);
    launch_numbers& longest = longest_[kernel];
    if (longest.empty() || longest.at("microseconds") < numbers.at("microseconds")) longest = numbers;
  }

  int modelled_blocks(launch_numbers const& numbers) const {
    auto const of = [&](char const* key) { return static_cast<int>(numbers.at(key)); };
    return warpguard::occupancy_of(*arch_, {of("threads"), of("registers"), of("static"), of("dynamic")},
                                   {of("carveout")})
        .blocks_per_sm;
  }

  /// Adds a finding for each rule that a launch breaks, once for each kernel and rule.
  void judge(std::string const& kernel, launch_numbers const& numbers) {
    int const blocks = static_cast<int>(numbers.at("blocks"));
    int const promised = static_cast<int>(numbers.at("promised"));
    int const allowed = static_cast<int>(numbers.at("allowed"));
    int const modelled = modelled_blocks(numbers);
    auto const find = [&](std::string const& what, int number) {
      std::string const text = example_ + (is_observed_ ? " (observed): " : ": ") + kernel + ": the driver has " +
                               std::to_string(blocks) + " blocks per SM, " + what + " " + std::to_string(number);
      auto& findings = result_.findings;
      if (std::find(findings.begin(), findings.end(), text) == findings.end()) findings.push_back(text);
    };
    if (blocks != modelled) find("the model", modelled);
    if (blocks < promised) find("the contract promises at least", promised);
    if (allowed > 0 && blocks > allowed) find("the contract promises at most", allowed);
    if (is_observed_ && numbers.at("seen") > blocks) {
      find("but so many were seen at the same time:", static_cast<int>(numbers.at("seen")));
    }
  }

  void end_run(std::istringstream& line) {
    int code = -1;
    std::string text;
    if (!is_running_ || !(line >> code)) {
      result_.error = "a run ends that did not begin";
      return;
    }
    std::getline(line >> std::ws, text);
    is_running_ = false;
    if (code != 0) {
      result_.findings.push_back(example_ + (is_observed_ ? " (observed)" : "") + ": exit code " +
                                 std::to_string(code) + ": " + text);
    } else if (text.find("not run") != std::string::npos) {
      if (std::find(result_.not_run.begin(), result_.not_run.end(), text) == result_.not_run.end()) {
        result_.not_run.push_back(text);
      }
    } else if (longest_.empty()) {
      result_.findings.push_back(example_ + ": it launched nothing");
    }
    for (auto const& [kernel, numbers] : longest_) add_to_row(kernel, numbers);
  }

  void add_to_row(std::string const& kernel, launch_numbers const& numbers) {
    auto& rows = result_.rows;
    auto row = std::find_if(rows.begin(), rows.end(),
                            [&](kernel_row const& each) { return each.example == example_ && each.kernel == kernel; });
    if (row == rows.end()) row = rows.insert(rows.end(), {example_, kernel, {}, {}, {}, 0});
    if (is_observed_) {
      row->observed = numbers;
      return;
    }
    if (row->plain.empty()) row->plain = numbers;
    row->modelled = modelled_blocks(row->plain);
    row->microseconds.push_back(numbers.at("microseconds"));
  }

  launches_result result_;
  warpguard::architecture const* arch_ = nullptr;
  std::string example_;
  bool is_running_ = false;
  bool is_observed_ = false;
  bool has_ended_ = false;
  std::map<std::string, launch_numbers> longest_;  // of each kernel, in this run
};

}  // namespace detail

inline launches_result replay_launches(std::istream& record) { return detail::launches_reader().read(record); }

}  // namespace gpu_test
