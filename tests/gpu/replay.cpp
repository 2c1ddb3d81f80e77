// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares the sweeps of devices in tests/gpu/records/ with the model, on any machine. The tests of the format
/// use a synthetic record, which exists only in this file.

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sweep_record.hpp"

namespace {

// SYNTHETIC: written by hand from the numbers of the model, not by a device.
std::string const synthetic =
    "warpguard-record 2\n"
    "device synthetic, not a device\n"
    "compute_capability 90\n"
    "driver 0\n"
    "sms 10\n"
    "threads 128 256 1024\n"
    "row 32 0 0 -1 : 16 8 2\n"
    "row 64 1024 10000 -1 : 8 4 1\n"
    "row 32 0 20000 25 : 3 3 2\n"
    "clusters 32 256 2 40\n"
    "clusters 32 1024 16 1\n"
    "cluster_limit 32 256 0 8\n"
    "cluster_limit 32 256 1 16\n"
    "end 13\n";

gpu_test::replay_result replay_text(std::string text, std::string const& from = "", std::string const& to = "") {
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  std::istringstream record(text);
  return gpu_test::replay(record);
}

}  // namespace

TEST_CASE("a synthetic record: the format") {
  gpu_test::replay_result const result = replay_text(synthetic);
  CHECK(result.error == "");
  CHECK(result.device == "synthetic, not a device");
  CHECK(result.compute_capability == 90);
  CHECK(result.combinations == 13);
  CHECK(result.first_difference == "");
  CHECK(result.differences == 0);
}

TEST_CASE("a synthetic record: differences are found") {
  gpu_test::replay_result const result = replay_text(synthetic, "16 8 2", "16 7 2");
  CHECK(result.differences == 1);
  CHECK(result.first_difference == "256 threads, 32 registers, 0 + 0 bytes, carve-out -1: model 8, driver 7");
}

TEST_CASE("a synthetic record: wrong numbers of clusters are found") {
  auto const first = [](char const* from, char const* to) {
    gpu_test::replay_result const result = replay_text(synthetic, from, to);
    CHECK(result.error == "");
    CHECK(result.differences == (result.first_difference.empty() ? 0 : 1));
    return result.first_difference;
  };
  // 8 blocks on each of 10 SMs
  CHECK(first("256 2 40", "256 2 41") ==
        "clusters of 2 blocks of 256 threads: 41, but the SMs hold blocks for only 40");
  CHECK(first("256 2 40", "256 2 1") == "");
  CHECK(first("256 2 40", "256 2 0") == "clusters of 2 blocks of 256 threads: 0, but the size is portable");
  CHECK(first("256 2 40", "256 2 -1") == "clusters of 2 blocks of 256 threads: -1, but the size is portable");
  // Perhaps no GPC has 16 SMs, so 0 active clusters are possible, but the driver must not refuse the size.
  CHECK(first("1024 16 1", "1024 16 0") == "");
  CHECK(first("1024 16 1", "1024 16 -1") == "clusters of 16 blocks of 1024 threads: -1, but the limit is published");
  CHECK(first("1024 16 1", "1024 17 -1") == "");
  CHECK(first("1024 16 1", "1024 17 1") == "clusters of 17 blocks of 1024 threads: 1, but the table refuses this size");

  CHECK(first("256 0 8", "256 0 16") == "the largest cluster without opting in: 16");
  CHECK(first("256 1 16", "256 1 8") == "");
  CHECK(first("256 1 16", "256 1 17") == "the largest cluster after opting in: 17");
  CHECK(first("256 1 16", "256 1 4") == "the largest cluster after opting in: 4");
}

TEST_CASE("a synthetic record: if the cluster limit is not published, only the blocks limit the clusters") {
  std::string const thor =
      "warpguard-record 2\ndevice synthetic, not a device\ncompute_capability 110\ndriver 0\nsms 20\nthreads 256\n"
      "clusters 32 256 16 -1\nclusters 32 256 16 3\ncluster_limit 32 256 1 64\nend 3\n";
  CHECK(replay_text(thor).first_difference == "");
  CHECK(replay_text(thor).error == "");
  CHECK(replay_text(thor, "16 3", "16 300").differences == 1);
}

TEST_CASE("a synthetic record: version 1 is still read") {
  CHECK(replay_text(synthetic, "record 2", "record 1").error == "");
}

TEST_CASE("a synthetic record: damaged records are errors") {
  CHECK(replay_text("").error != "");
  CHECK(replay_text(synthetic, "record 2", "record 3").error != "");
  CHECK(replay_text(synthetic, "end 13\n", "").error != "");
  CHECK(replay_text(synthetic, "end 13", "end 12").error != "");
  CHECK(replay_text(synthetic, "end 13\n", "end 13\nrow 1 2 3 -1 : 1 1 1\n").error != "");
  CHECK(replay_text(synthetic, "16 8 2", "16 8").error != "");
  CHECK(replay_text(synthetic, "16 8 2", "16 8 2 1").error != "");
  CHECK(replay_text(synthetic, "capability 90", "capability 97").error != "");
  CHECK(replay_text(synthetic, "threads 128 256 1024\n", "").error != "");
  CHECK(replay_text(synthetic, "driver 0", "drover 0").error != "");
  CHECK(replay_text(synthetic, "256 2 40", "256 2").error != "");
  CHECK(replay_text(synthetic, "256 2 40", "256 2 40 1").error != "");
  CHECK(replay_text(synthetic, "256 2 40", "256 2 -2").error != "");
  CHECK(replay_text(synthetic, "256 0 8", "256 0").error != "");
  CHECK(replay_text(synthetic, "256 0 8", "256 2 8").error != "");
  CHECK(replay_text(synthetic, "256 0 8", "256 0 8 8").error != "");
}

TEST_CASE("the records of devices") {
  int records = 0;
  std::filesystem::path const folder(WARPGUARD_RECORDS);
  if (std::filesystem::exists(folder)) {
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
      ++records;
      INFO(entry.path().string());
      std::ifstream file(entry.path() / "sweep.txt");
      gpu_test::replay_result const result = gpu_test::replay(file);
      CHECK(result.error == "");
      CHECK(result.first_difference == "");
      CHECK(result.differences == 0);
      CHECK(result.combinations >= 100000);
    }
  }
  if (records == 0) std::printf("SKIPPED: no record of a device yet; tests/gpu/README.md explains how to make one\n");
}
