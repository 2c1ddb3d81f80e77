// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests which promises and devices are errors, and which are reported, over fake_runtime.hpp. The targets are 8.0 and
/// 9.0.

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "fake_launches.hpp"

namespace {

using state = wg::promise_state;
using why = wg::launch_refusal;

struct two_blocks_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<2>> {};
struct elsewhere_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<2>, wg::also_runs_on<wg::sm<86>, wg::sm<120>>> {};
struct no_promise_contract : wg::contract<wg::threads_per_block<256>> {};
struct strict_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<2>, wg::refuse_missed_promise> {
};
struct half_contract : wg::contract<wg::max_threads_per_block<512>, wg::min_threads_per_block<128>,
                                    wg::max_registers<32>, wg::min_occupancy<50>> {};
struct one_block_contract
    : wg::contract<wg::threads_per_block<1024>, wg::min_registers<33>, wg::exactly_blocks_per_sm<1>> {};
struct two_in_cluster_contract
    : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<2>, wg::on<wg::sm<90>, wg::cluster_size<2>>> {};
struct large_contract : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory<120 * 1024>> {};
template <class Architecture>
using bytes_on = wg::dynamic_shared_memory<Architecture::compute_capability * 100>;
struct targets_only_contract
    : wg::contract<wg::on<wg::sm<80>, wg::threads_per_block<128>>, wg::on<wg::sm<90>, wg::threads_per_block<256>>> {};
struct each_contract : wg::contract<wg::threads_per_block<256>, wg::on_each<bytes_on>> {};

std::vector<wg::promise_report> reports;
void keep_report(wg::promise_report const& report) { reports.push_back(report); }

/// Collects what is reported.
struct collected_reports {
  collected_reports() : before(wg::set_promise_handler(keep_report)) { reports.clear(); }
  ~collected_reports() { wg::set_promise_handler(before); }
  wg::promise_handler before;
};

template <class Contract>
cudaError_t launch_one() {
  return wg::launch<Contract>(kernel, 16, no_stream, 1, 2.0f);
}
template <class Contract>
cudaError_t launch_one_with(fake_runtime const& answers) {
  start(answers);
  return launch_one<Contract>();
}

fake_runtime holding(int blocks) {
  fake_runtime answers;
  answers.resident_blocks = blocks;
  return answers;
}

/// A device that runs code for 8.0: 8.6 is number 2, 7.0 number 3, 12.0 number 4, and 9.7, which is unknown, number 5.
fake_runtime on_device(int device) {
  fake_runtime answers;
  answers.device = device;
  answers.compiled_for = 80;
  return answers;
}

}  // namespace

TEST_CASE("a missed promise is launched, and reported once for a kernel, a contract and a device") {
  collected_reports const collected;
  CHECK(launch_one_with<two_blocks_contract>(holding(1)) == cudaSuccess);
  CHECK(launch_one<two_blocks_contract>() == cudaSuccess);
  CHECK(runtime.launches == 2);
  CHECK(runtime.occupancy_queries == 1);
  REQUIRE(reports.size() == 1);
  wg::promise_report const& report = reports[0];
  CHECK(report.state == state::missed);
  CHECK(report.kernel == reinterpret_cast<void const*>(kernel));
  CHECK(std::strcmp(report.kernel_name, CUDART_VERSION >= 12030 ? "name_of_the_kernel" : "") == 0);
  CHECK(std::strstr(report.contract, "two_blocks_contract") != nullptr);
  CHECK(report.device == 0);
  CHECK(report.compute_capability == 90);
  CHECK(report.compiled_for == 90);
  CHECK(report.threads == 256);
  CHECK(report.blocks == 1);
  CHECK(report.blocks_promised == 2);
  CHECK(report.blocks_allowed == wg::unlimited);
  CHECK(report.registers == 32);
  // The last launch has its report, although it was not reported again.
  CHECK(wg::last_promise().state == state::missed);
  CHECK(wg::last_promise().blocks == 1);

  runtime.device = 1;
  runtime.compiled_for = 80;
  CHECK(launch_one<two_blocks_contract>() == cudaSuccess);
  CHECK(reports.size() == 2);
  CHECK(wg::launch<two_blocks_contract>(reinterpret_cast<cudaKernel_t>(0x1000), 1, no_stream, 1, 2.0f) == cudaSuccess);
  CHECK(reports.size() == 3);
}

TEST_CASE("a kept promise is not reported, and last_promise tells it") {
  collected_reports const collected;
  for (int const blocks : {2, 3}) {
    CHECK(launch_one_with<two_blocks_contract>(holding(blocks)) == cudaSuccess);
    CHECK(wg::last_promise().state == state::kept);
    CHECK(wg::last_promise().blocks == blocks);
    CHECK(wg::last_promise().contract[0] != '\0');
  }
  CHECK(reports.empty());
  // What promises nothing is not asked about.
  CHECK(launch_one_with<no_promise_contract>(holding(1)) == cudaSuccess);
  CHECK(runtime.occupancy_queries == 0);
  CHECK(wg::last_promise().state == state::none);
  // A refused launch has no promise.
  CHECK(launch_one_with<two_blocks_contract>(holding(1)) == cudaSuccess);
  CHECK(wg::launch<two_blocks_contract>(kernel, 0, no_stream, 1, 2.0f) == cudaErrorInvalidConfiguration);
  CHECK(wg::last_promise().state == state::none);
}

TEST_CASE("the limiter is told if the model counts as the driver does") {
  collected_reports const collected;
  fake_runtime answers = holding(1);
  answers.kernel_registers = 255;
  CHECK(launch_one_with<two_blocks_contract>(answers) == cudaSuccess);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].limited_by == wg::limiter::registers);
  answers.kernel_registers = 32;
  CHECK(launch_one_with<two_blocks_contract>(answers) == cudaSuccess);
  REQUIRE(reports.size() == 2);
  CHECK(reports[1].limited_by == wg::limiter::none);
}

TEST_CASE("a file that is built for 8.0 alone launches on 9.0, and that is reported") {
  collected_reports const collected;
  start(on_device(0));
  auto const launch_80 = [] {
    return wg::launch<two_blocks_contract, wg::target_list<80>>(kernel, 16, no_stream, 1, 2.0f);
  };
  CHECK(launch_80() == cudaSuccess);
  CHECK(launch_80() == cudaSuccess);
  CHECK(runtime.launches == 2);
  CHECK(runtime.config.blockDim.x == 256);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].state == state::unchecked_device);
  CHECK(reports[0].compute_capability == 90);
  CHECK(reports[0].compiled_for == 80);
  CHECK(reports[0].blocks == 4);
  CHECK(reports[0].blocks_promised == 2);
}

TEST_CASE("a launch on a GPU that nobody checked, or that is unknown, is reported") {
  collected_reports const collected;
  CHECK(launch_one_with<two_blocks_contract>(on_device(0)) == cudaSuccess);  // 9.0 is a target here
  CHECK(launch_one_with<two_blocks_contract>(on_device(2)) == cudaSuccess);  // 8.6 runs the machine code of 8.0
  CHECK(reports.empty());
  CHECK(launch_one_with<two_blocks_contract>(on_device(4)) == cudaSuccess);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].state == state::unchecked_device);
  CHECK(reports[0].compute_capability == 120);
  CHECK(reports[0].compiled_for == 80);
  CHECK(launch_one_with<elsewhere_contract>(on_device(4)) == cudaSuccess);
  CHECK(reports.size() == 1);
  CHECK(launch_one_with<two_blocks_contract>(on_device(5)) == cudaSuccess);
  REQUIRE(reports.size() == 2);
  CHECK(reports[1].state == state::unknown_device);
  CHECK(reports[1].compute_capability == 97);
  fake_runtime answers = on_device(5);
  answers.resident_blocks = 1;
  CHECK(launch_one_with<two_blocks_contract>(answers) == cudaSuccess);
  REQUIRE(reports.size() == 3);
  CHECK(reports[2].state == state::missed);
  // Nothing is promised, so nothing is reported.
  for (int const device : {2, 3, 4, 5}) CHECK(launch_one_with<no_promise_contract>(on_device(device)) == cudaSuccess);
  CHECK(reports.size() == 3);
}

TEST_CASE("what a device does not have is an error, also on one that the table lacks") {
  check_refused<large_contract>(why::broken_on_device, cudaErrorNotSupported, on_device(2));  // 99 KiB
  fake_runtime answers = on_device(5);
  CHECK(launch_one_with<large_contract>(answers) == cudaSuccess);
  answers.opt_in[5] = 100 * 1024;
  check_refused<large_contract>(why::broken_on_device, cudaErrorNotSupported, answers);
  answers = on_device(5);
  answers.limits.threads_per_block = 128;
  check_refused<no_promise_contract>(why::broken_on_device, cudaErrorNotSupported, answers);
}

TEST_CASE("who wants it gets a missed promise as an error, by the contract or by the launch") {
  collected_reports const collected;
  check_refused<strict_contract>(why::residency, cudaErrorLaunchOutOfResources, holding(1));
  CHECK(wg::last_promise().state == state::missed);
  CHECK(wg::prepare<strict_contract>(kernel) == cudaErrorLaunchOutOfResources);
  CHECK(launch_one<strict_contract>() == cudaErrorLaunchOutOfResources);  // not only the first time
  check_refused<strict_contract>(why::unchecked_device, cudaErrorNotSupported, on_device(4));
  check_refused<strict_contract>(why::unknown_device, cudaErrorNotSupported, on_device(5));
  CHECK(launch_one_with<strict_contract>(holding(2)) == cudaSuccess);

  wg::launch_options options{16};
  options.refuse_missed_promise = true;
  start(holding(1));
  CHECK(wg::launch<two_blocks_contract>(kernel, options, 1, 2.0f) == cudaErrorLaunchOutOfResources);
  CHECK(wg::why_refused() == why::residency);
  CHECK(wg::launch<no_promise_contract>(kernel, options, 1, 2.0f) == cudaSuccess);
  CHECK(reports.empty());
  // The same kernel and contract without it.
  CHECK(launch_one<two_blocks_contract>() == cudaSuccess);
  CHECK(reports.size() == 1);
}

TEST_CASE("where blocks wait for each other a missed promise is an error") {
  collected_reports const collected;
  wg::launch_options options{16};
  options.cooperative = true;
  start(holding(1));
  CHECK(wg::launch<two_blocks_contract>(kernel, options, 1, 2.0f) == cudaErrorLaunchOutOfResources);
  CHECK(wg::why_refused() == why::residency);
  options.cooperative = false;
  cudaLaunchAttribute cooperative{};
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  options.attributes.add(cooperative);
  CHECK(wg::launch<two_blocks_contract>(kernel, options, 1, 2.0f) == cudaErrorLaunchOutOfResources);
  check_refused<two_in_cluster_contract>(why::residency, cudaErrorLaunchOutOfResources, holding(1));
  CHECK(reports.empty());
  // On a device that nobody checked, the promise is kept.
  start(on_device(4));
  CHECK(wg::launch<two_blocks_contract>(kernel, options, 1, 2.0f) == cudaSuccess);
  CHECK(reports.size() == 1);
}

TEST_CASE("a promise is asked about again where the block or its bytes change") {
  collected_reports const collected;
  start(holding(4));
  for (int const threads : {256, 256, 512, 512, 128, 128}) {
    CHECK(wg::launch<half_contract>(kernel, {1, threads}, 1, 2.0f) == cudaSuccess);
    CHECK(runtime.occupancy_threads == threads);
    // Half of 64 warps.
    CHECK(wg::last_promise().blocks_promised == 32 * 32 / threads);
    CHECK(wg::last_promise().state == (threads < 256 ? state::missed : state::kept));
  }
  CHECK(runtime.occupancy_queries == 3);
  CHECK(reports.size() == 1);
}

TEST_CASE("more blocks than promised, and too few registers, miss a promise as well") {
  collected_reports const collected;
  fake_runtime answers = holding(2);
  answers.kernel_registers = 40;
  CHECK(launch_one_with<one_block_contract>(answers) == cudaSuccess);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].state == state::missed);
  CHECK(reports[0].blocks_allowed == 1);
  answers.resident_blocks = 1;
  CHECK(launch_one_with<one_block_contract>(answers) == cudaSuccess);
  CHECK(reports.size() == 1);
  answers.kernel_registers = 32;
  CHECK(launch_one_with<one_block_contract>(answers) == cudaSuccess);
  REQUIRE(reports.size() == 2);
  CHECK(reports[1].registers == 32);
  CHECK(reports[1].registers_promised == 33);

  wg::launch_options options{1};
  options.refuse_missed_promise = true;
  CHECK(wg::launch<one_block_contract>(kernel, options, 1, 2.0f) == cudaErrorLaunchOutOfResources);
  CHECK(wg::why_refused() == why::registers);
  dim3 grid(77);
  answers = holding(2);
  answers.kernel_registers = 40;
  start(answers);
  CHECK(wg::resident_grid<one_block_contract>(kernel, grid) == cudaErrorLaunchOutOfResources);
  CHECK(wg::why_refused() == why::excess);
  CHECK(grid.x == 77);
}

TEST_CASE("options as functions of the architecture are known for the targets only") {
  for (int const compiled_for : {80, 90}) {
    fake_runtime answers;
    answers.compiled_for = compiled_for;
    CHECK(launch_one_with<each_contract>(answers) == cudaSuccess);
    CHECK(runtime.config.dynamicSmemBytes == static_cast<size_t>(100 * compiled_for));
  }
  fake_runtime answers;
  answers.compiled_for = 75;
  check_refused<each_contract>(why::unknown_code, cudaErrorNotSupported, answers);
  check_refused<targets_only_contract>(why::unknown_code, cudaErrorNotSupported, answers);
  CHECK(launch_one_with<no_promise_contract>(answers) == cudaSuccess);
}

TEST_CASE("several threads that launch first report once") {
  for (int round = 0; round < 20; ++round) {
    collected_reports const collected;
    start(holding(1));
    CHECK(wg::prepare<two_blocks_contract>(kernel) == cudaSuccess);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] { static_cast<void>(launch_one<two_blocks_contract>()); });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(reports.size() == 1);
  }
}

TEST_CASE("a report is a line") {
  wg::promise_report report;
  report.state = state::missed;
  report.kernel_name = "scale";
  std::strcpy(report.contract, "scale_contract");
  report.device = 1;
  report.compute_capability = 121;
  report.threads = 256;
  report.blocks = 1;
  report.blocks_promised = 2;
  report.limited_by = wg::limiter::registers | wg::limiter::shared_memory;
  char line[512];
  auto const text = [&] {
    wg::detail::write_promise(report, line, sizeof(line));
    return std::string(line);
  };
  CHECK(
      text() ==
      "warpguard: scale under scale_contract on device 1 (12.1): 1 blocks of 256 threads per SM, promised at least 2, "
      "limited by registers, shared memory");
  report.state = state::unknown_device;
  report.contract[0] = '\0';
  report.blocks_promised = 0;
  report.blocks_allowed = 3;
  report.limited_by = wg::limiter::none;
  report.registers = 32;
  report.registers_promised = 33;
  CHECK(text() ==
        "warpguard: scale on device 1 (12.1): this compute capability is unknown; 1 blocks of 256 threads per SM, "
        "promised at most 3; 32 registers, promised at least 33");
  // A name that is longer than the line is cut.
  std::string const long_name(600, 'x');
  report.kernel_name = long_name.c_str();
  CHECK(text().size() == sizeof(line) - 1);
}

TEST_CASE("a contract's name is found in the signatures of g++ and clang, and cut if it is long") {
  char name[8] = "";
  wg::detail::copy_contract_name("const char* f() [with Contract = a_c; Other = int]", name, sizeof(name));
  CHECK(std::string(name) == "a_c");
  wg::detail::copy_contract_name("const char *f() [Contract = ns::long_contract]", name, sizeof(name));
  CHECK(std::string(name) == "ns::lon");
  char none[8] = "";
  wg::detail::copy_contract_name("const char *f()", none, sizeof(none));
  CHECK(std::string(none).empty());
}

TEST_CASE("without a handler a line is printed, and setting a handler returns the one before") {
  wg::promise_handler const first = wg::set_promise_handler(keep_report);
  CHECK((first == wg::print_promise));
  CHECK((wg::set_promise_handler(nullptr) == keep_report));
  CHECK((wg::set_promise_handler(first) == wg::print_promise));
}

TEST_CASE("resident_grid returns a grid of which all blocks are resident") {
  struct cluster_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::cluster_size<4>>> {};
  start(holding(4));
  dim3 grid(0);
  CHECK(wg::resident_grid<no_promise_contract>(kernel, grid) == cudaSuccess);
  CHECK(grid.x == 4 * 132);
  CHECK(grid.y == 1);
  CHECK(grid.z == 1);
  CHECK(wg::resident_grid<cluster_contract>(kernel, grid) == cudaSuccess);
  CHECK(grid.x == 33 * 4);
  runtime.resident_clusters = 0;
  CHECK(wg::resident_grid<cluster_contract>(kernel, grid) == cudaErrorLaunchOutOfResources);
  CHECK(wg::resident_grid<half_contract>(kernel, grid, {{}, 256}) == cudaSuccess);
  CHECK(grid.x == 4 * 132);
  CHECK(runtime.occupancy_threads == 256);
  CHECK(wg::resident_grid<half_contract>(kernel, grid) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::missing_block);

  grid = dim3(77);
  start(holding(1));
  CHECK(wg::resident_grid<two_blocks_contract>(kernel, grid) == cudaErrorLaunchOutOfResources);
  CHECK(wg::why_refused() == why::residency);
  start(holding(0));
  CHECK(wg::resident_grid<no_promise_contract>(kernel, grid) == cudaErrorLaunchOutOfResources);
  CHECK(grid.x == 77);
}
