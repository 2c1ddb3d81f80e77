// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests verify() with the answers of fake_runtime.hpp.

#include <doctest/doctest.h>

#include <cstring>
#include <warpguard/launch.cuh>

#include "fake_runtime.hpp"

namespace wg = warpguard;

namespace {

void kernel(int, float) {}

struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_registers<33>,
                                   wg::static_shared_memory<1024>, wg::dynamic_shared_memory<8192>,
                                   wg::min_blocks_per_sm<5>, wg::max_blocks_per_sm<6>> {};
struct cluster_contract : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory<1024>,
                                       wg::on<wg::sm<90>, wg::cluster_size<4>>> {};

struct wide_contract : wg::contract<wg::threads_per_block<256>, wg::static_shared_memory<1024>,
                                    wg::on<wg::sm<90>, wg::cluster_size<4, 4>>> {};

/// A driver that agrees with the model on 9.0.
fake_runtime agreeing() {
  fake_runtime answers;
  answers.kernel_registers = 40;
  answers.kernel_carveout = -1;
  answers.resident_blocks = 6;
  answers.available_dynamic_bytes = 231424;
  return answers;
}

template <class Contract>
wg::verify_report verify_with(fake_runtime const& answers) {
  wg::forget_prepared_kernels();
  runtime = answers;
  return wg::verify<Contract>(kernel);
}

int broken_lines(wg::verify_report const& report) {
  int broken = 0;
  for (int i = 0; i < report.line_count; ++i) broken += report.lines[i].holds() ? 0 : 1;
  return broken;
}

bool is_broken(wg::verify_report const& report, char const* what, long long expected, long long found) {
  for (int i = 0; i < report.line_count; ++i) {
    wg::verify_line const& line = report.lines[i];
    if (std::strcmp(line.what, what) == 0) return !line.holds() && line.expected == expected && line.found == found;
  }
  return false;
}

}  // namespace

TEST_CASE("model and driver agree") {
  wg::verify_report const report = verify_with<app_contract>(agreeing());
  CHECK(report.status == cudaSuccess);
  CHECK(report.holds());
  CHECK(report.line_count == 8);
  CHECK(report.compute_capability == 90);
  CHECK(report.compiled_for == 90);
}

TEST_CASE("each difference is a line with the expected and the found number") {
  fake_runtime answers = agreeing();
  answers.resident_blocks = 4;
  wg::verify_report report = verify_with<app_contract>(answers);
  CHECK_FALSE(report.holds());
  CHECK(is_broken(report, "blocks per SM", 6, 4));
  CHECK(is_broken(report, "blocks per SM, promised at least", 5, 4));
  CHECK(broken_lines(report) == 2);

  answers = agreeing();
  answers.resident_blocks = 7;
  report = verify_with<app_contract>(answers);
  CHECK(is_broken(report, "blocks per SM, promised at most", 6, 7));

  answers = agreeing();
  answers.kernel_registers = 41;  // 48 are allocated: 5 blocks
  answers.resident_blocks = 5;
  report = verify_with<app_contract>(answers);
  CHECK(is_broken(report, "registers per thread", 40, 41));
  CHECK(broken_lines(report) == 1);

  answers = agreeing();
  answers.kernel_static_bytes = 1040;
  CHECK(is_broken(verify_with<app_contract>(answers), "static shared memory, bytes", 1024, 1040));

  answers = agreeing();
  answers.available_dynamic_bytes = 8191;
  CHECK(
      is_broken(verify_with<app_contract>(answers), "dynamic shared memory that a block can have, bytes", 8192, 8191));

  // A carve-out of 8 % is 32 KiB of 228: three blocks of 10 KiB.
  answers = agreeing();
  answers.kernel_carveout = 8;
  CHECK(is_broken(verify_with<app_contract>(answers), "blocks per SM", 3, 6));
}

TEST_CASE("cluster lines are added for contracts with a cluster size") {
  fake_runtime answers = agreeing();
  answers.resident_blocks = 6;
  wg::verify_report report = verify_with<cluster_contract>(answers);
  CHECK(report.line_count == 10);
  CHECK(report.holds());
  answers.resident_clusters = 0;
  CHECK(is_broken(verify_with<cluster_contract>(answers), "clusters on the device", 1, 0));
  // 6 blocks on each of 132 SMs are 198 clusters of 4, however the SMs are grouped.
  answers.resident_clusters = 198;
  CHECK(verify_with<cluster_contract>(answers).holds());
  answers.resident_clusters = 199;
  CHECK(is_broken(verify_with<cluster_contract>(answers), "clusters on the device, by the blocks that its SMs hold",
                  198, 199));
  answers.resident_clusters = 33;
  answers.launches_clusters = 0;
  CHECK(is_broken(verify_with<cluster_contract>(answers), "the device launches clusters", 1, 0));
  answers.launches_clusters = 1;

  report = verify_with<wide_contract>(answers);
  CHECK(report.line_count == 11);
  CHECK(report.holds());
  answers.allows_nonportable = 0;
  CHECK(is_broken(verify_with<wide_contract>(answers), "clusters of a non-portable size are allowed", 1, 0));
  answers.device = 1;
  answers.compiled_for = 80;
  CHECK(verify_with<cluster_contract>(answers).line_count == 7);
}

TEST_CASE("an error of the driver about clusters stops the report and is returned") {
  fake_runtime answers = agreeing();
  answers.on_clusters = cudaErrorInvalidClusterSize;
  wg::verify_report const report = verify_with<cluster_contract>(answers);
  CHECK(report.status == cudaErrorInvalidClusterSize);
  CHECK(wg::why_refused() == wg::launch_refusal::runtime);
  CHECK_FALSE(report.holds());
}

TEST_CASE("a refusal of a launch also stops a report, with the same reason") {
  fake_runtime answers = agreeing();
  answers.kernel_threads = 128;
  wg::verify_report const report = verify_with<app_contract>(answers);
  CHECK(report.status == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == wg::launch_refusal::kernel_threads);
  CHECK_FALSE(report.holds());
  CHECK(report.line_count == 0);
}

namespace {
struct chosen_contract : wg::contract<wg::max_threads_per_block<512>, wg::static_shared_memory<1024>,
                                      wg::max_dynamic_shared_memory<8192>> {};
}  // namespace

TEST_CASE("where launches choose the block, the report is for the one given, or for the largest") {
  fake_runtime answers = agreeing();
  static_cast<void>(verify_with<chosen_contract>(answers));
  CHECK(runtime.occupancy_threads == 512);
  CHECK(runtime.occupancy_bytes == 8192);
  wg::launch_options options{1, 96, 100};
  static_cast<void>(wg::verify<chosen_contract>(kernel, options));
  CHECK(runtime.occupancy_threads == 96);
  CHECK(runtime.occupancy_bytes == 100);
  options.bytes = 8193;
  CHECK(wg::verify<chosen_contract>(kernel, options).status == cudaErrorInvalidConfiguration);
}
