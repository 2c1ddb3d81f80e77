// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Records of devices against the model, on any machine: all of tests/gpu/records/*.txt, which real devices wrote. What
/// is tested of the format itself is synthetic, and stays in this file.

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "record.hpp"

namespace {

// SYNTHETIC: written by hand from the model's numbers; no device said this.
std::string const synthetic =
    "warpguard-record 1\n"
    "device synthetic, not a device\n"
    "compute_capability 90\n"
    "driver 0\n"
    "sms 10\n"
    "threads 128 256 1024\n"
    "row 32 0 0 -1 : 16 8 2\n"
    "row 64 1024 10000 -1 : 8 4 1\n"
    "row 32 0 20000 25 : 3 3 2\n"
    "clusters 32 256 2 40\n"
    "end 10\n";

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
  CHECK(result.combinations == 10);
  CHECK(result.first_difference == "");
  CHECK(result.differences == 0);
}

TEST_CASE("a synthetic record: differences are found") {
  gpu_test::replay_result const result = replay_text(synthetic, "16 8 2", "16 7 2");
  CHECK(result.differences == 1);
  CHECK(result.first_difference == "256 threads, 32 registers, 0 + 0 bytes, carve-out -1: model 8, driver 7");
  CHECK(replay_text(synthetic, "256 2 40", "256 2 41").differences == 1);
}

TEST_CASE("a synthetic record: what is damaged is no record") {
  CHECK(replay_text("").error != "");
  CHECK(replay_text(synthetic, "record 1", "record 2").error != "");
  CHECK(replay_text(synthetic, "end 10\n", "").error != "");
  CHECK(replay_text(synthetic, "end 10", "end 9").error != "");
  CHECK(replay_text(synthetic, "end 10\n", "end 10\nrow 1 2 3 -1 : 1 1 1\n").error != "");
  CHECK(replay_text(synthetic, "16 8 2", "16 8").error != "");
  CHECK(replay_text(synthetic, "16 8 2", "16 8 2 1").error != "");
  CHECK(replay_text(synthetic, "capability 90", "capability 97").error != "");
  CHECK(replay_text(synthetic, "threads 128 256 1024\n", "").error != "");
  CHECK(replay_text(synthetic, "driver 0", "drover 0").error != "");
}

TEST_CASE("the records of devices") {
  int records = 0;
  std::filesystem::path const folder(WARPGUARD_RECORDS);
  if (std::filesystem::exists(folder)) {
    for (auto const& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".txt") continue;
      ++records;
      std::ifstream file(entry.path());
      gpu_test::replay_result const result = gpu_test::replay(file);
      CHECK_MESSAGE(result.error == "", entry.path().string());
      CHECK_MESSAGE(result.first_difference == "", entry.path().string());
      CHECK(result.differences == 0);
      CHECK(result.combinations >= 100000);
    }
  }
  if (records == 0) std::printf("SKIPPED: no record of a device yet; tests/gpu/README.md says how to make one\n");
}
