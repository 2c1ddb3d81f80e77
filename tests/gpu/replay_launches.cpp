// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the record of launches with a synthetic one, which exists only in this file, and replays the records of
/// devices in tests/gpu/records/.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "launch_record.hpp"

namespace {

// SYNTHETIC: written by hand from the numbers of the model, not by a device.
std::string const synthetic =
    "warpguard-launches 1\n"
    "device synthetic, not a device\n"
    "compute_capability 90\n"
    "driver 13000\n"
    "sms 10\n"
    "run sum plain\n"
    "launch threads=256 grid=1 registers=28 static=0 dynamic=0 carveout=-1 blocks=8 promised=6 allowed=0 "
    "microseconds=2.5 : sum(int, float*)\n"
    "launch threads=256 grid=40 registers=28 static=0 dynamic=0 carveout=-1 blocks=8 promised=6 allowed=0 "
    "microseconds=7.5 : sum(int, float*)\n"
    "exit 0 sum: correct on synthetic\n"
    "run sum plain\n"
    "launch threads=256 grid=40 registers=28 static=0 dynamic=0 carveout=-1 blocks=8 promised=6 allowed=0 "
    "microseconds=8.5 : sum(int, float*)\n"
    "exit 0 sum: correct on synthetic\n"
    "run sum observed\n"
    "launch threads=256 grid=40 registers=30 static=0 dynamic=0 carveout=-1 blocks=8 promised=6 allowed=0 "
    "microseconds=9.5 warps=320 observed=320 resident=30.25 seen=4 : sum(int, float*)\n"
    "exit 0 sum: correct on synthetic\n"
    "run cluster plain\n"
    "exit 0 cluster: compiled, not run: not for this GPU\n"
    "end 4\n";

gpu_test::launches_result replay(std::string text, std::string const& from = "", std::string const& to = "") {
  if (!from.empty()) {
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
  }
  std::istringstream record(text);
  return gpu_test::replay_launches(record);
}

/// The only finding of the record after a change, or "".
std::string finding(std::string const& from, std::string const& to) {
  gpu_test::launches_result const result = replay(synthetic, from, to);
  CHECK(result.error == "");
  CHECK(result.findings.size() <= 1);
  return result.findings.empty() ? "" : result.findings.front();
}

}  // namespace

TEST_CASE("a synthetic record of launches: the format") {
  gpu_test::launches_result const result = replay(synthetic);
  CHECK(result.error == "");
  CHECK(result.device == "synthetic, not a device");
  CHECK(result.driver == 13000);
  CHECK(result.sms == 10);
  CHECK(result.runs == 4);
  CHECK(result.launches == 4);
  CHECK(result.findings.empty());
  REQUIRE(result.not_run.size() == 1);
  CHECK(result.not_run[0] == "cluster: compiled, not run: not for this GPU");
  REQUIRE(result.rows.size() == 1);
  gpu_test::kernel_row const& row = result.rows[0];
  CHECK(row.example == "sum");
  CHECK(row.kernel == "sum(int, float*)");
  CHECK(row.modelled == 8);
  CHECK(row.plain.at("grid") == 40);  // the longest launch
  CHECK(row.microseconds == std::vector<double>{7.5, 8.5});
  CHECK(row.observed.at("resident") == 30.25);
}

TEST_CASE("a synthetic record of launches: what is wrong on the device is found") {
  CHECK(finding("blocks=8 promised=6", "blocks=7 promised=6") ==
        "sum: sum(int, float*): the driver has 7 blocks per SM, the model 8");
  CHECK(finding("promised=6", "promised=9") ==
        "sum: sum(int, float*): the driver has 8 blocks per SM, the contract promises at least 9");
  CHECK(finding("promised=6", "promised=8") == "");
  CHECK(finding("allowed=0", "allowed=7") ==
        "sum: sum(int, float*): the driver has 8 blocks per SM, the contract promises at most 7");
  CHECK(finding("allowed=0", "allowed=8") == "");
  CHECK(finding("seen=4", "seen=9") ==
        "sum (observed): sum(int, float*): the driver has 8 blocks per SM, but so many were seen at the same time: 9");
  CHECK(finding("seen=4", "seen=8") == "");
  CHECK(finding("exit 0 sum: correct on synthetic", "exit 1 sum: WRONG on synthetic") ==
        "sum: exit code 1: sum: WRONG on synthetic");
  CHECK(finding("compiled, not run: not for this GPU", "correct") == "cluster: it launched nothing");
}

TEST_CASE("a synthetic record of launches: damaged records are errors") {
  auto const error = [](std::string const& from, std::string const& to) { return replay(synthetic, from, to).error; };
  CHECK(replay("").error != "");
  CHECK(error("launches 1", "launches 2") != "");
  CHECK(error("end 4\n", "") != "");
  CHECK(error("end 4", "end 3") != "");
  CHECK(error("end 4\n", "end 4\nend 4\n") != "");
  CHECK(error("compute_capability 90", "compute_capability 97") != "");
  CHECK(error("device synthetic, not a device\n", "") != "");
  CHECK(error("run sum plain", "run sum") != "");
  CHECK(error("run sum plain", "run sum blank") != "");
  CHECK(error("run sum plain\n", "") != "");
  CHECK(error("exit 0 sum: correct on synthetic\n", "") != "");
  CHECK(error("exit 0 cluster: compiled, not run: not for this GPU\n", "") != "");
  CHECK(error("threads=256 ", "") != "");
  CHECK(error("threads=256", "threads=") != "");
  CHECK(error("threads=256", "threads=25x") != "");
  CHECK(error("threads=256", "threads") != "");
  CHECK(error("threads=256", "threads=256 threads=256") != "");
  CHECK(error("threads=256", "threads=256 lanes=32") != "");
  CHECK(error(" : sum(int, float*)", "") != "");
  CHECK(error("resident=30.25 ", "") != "");
  CHECK(error("sms 10", "smx 10") != "");
}

TEST_CASE("the records of launches on devices") {
  std::filesystem::path const folder(WARPGUARD_RECORDS);
  if (!std::filesystem::exists(folder)) return;  // replay.cpp says so
  for (auto const& entry : std::filesystem::directory_iterator(folder)) {
    INFO(entry.path().string());
    std::ifstream file(entry.path() / "launches.txt");
    gpu_test::launches_result const result = gpu_test::replay_launches(file);
    CHECK(result.error == "");
    CHECK(result.launches > 0);
    for (std::string const& each : result.findings) FAIL_CHECK(each);
    CHECK(std::filesystem::exists(entry.path() / "facts.txt"));
    CHECK(std::filesystem::exists(entry.path() / "tables.md"));
  }
}
