// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the list of prepared kernels without a launch, with one thread and with several.

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <thread>
#include <vector>
#include <warpguard/launch/detail/prepared_kernels.cuh>

namespace {

using warpguard::detail::prepared_kernel;
using warpguard::detail::prepared_list;

void const* kernel_number(int number) {
  return reinterpret_cast<void const*>(static_cast<std::uintptr_t>(0x400000 + 16 * number));
}

}  // namespace

TEST_CASE("each pair of kernel and device has one entry") {
  static prepared_list list;
  std::set<prepared_kernel const*> entries;
  for (int kernel = 0; kernel < 3; ++kernel) {
    for (int device = 0; device < 4; ++device) {
      CHECK(list.find(kernel_number(kernel), device) == nullptr);
      prepared_kernel const* const entry = list.add(kernel_number(kernel), device);
      REQUIRE(entry != nullptr);
      CHECK(entries.insert(entry).second);
      CHECK(list.find(kernel_number(kernel), device) == entry);
    }
  }
  CHECK(list.find(kernel_number(3), 0) == nullptr);
  CHECK(list.find(kernel_number(0), 4) == nullptr);
}

TEST_CASE("an entry is valid only in the epoch in which it was prepared") {
  prepared_kernel const entry(kernel_number(0), 0, nullptr);
  CHECK(entry.compiled_for(1) == -1);
  entry.set_prepared(1, 90);
  CHECK(entry.compiled_for(1) == 90);
  CHECK(entry.compiled_for(2) == -1);
  entry.set_prepared(2, 0);  // the runtime does not report what the kernel was compiled for
  CHECK(entry.compiled_for(2) == 0);
  entry.set_prepared(2, 121);
  CHECK(entry.compiled_for(2) == 121);
  entry.set_prepared(0xffffffffu, 75);
  CHECK(entry.compiled_for(0xffffffffu) == 75);
}

TEST_CASE("threads that add the same kernels at once see each other's entries") {
  static prepared_list list;
  constexpr int kernels = 300;
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& mine : wrong) {
    threads.emplace_back([&mine] {
      for (int round = 0; round < 3; ++round) {
        for (int kernel = 0; kernel < kernels; ++kernel) {
          prepared_kernel const* entry = list.find(kernel_number(kernel), 0);
          if (entry == nullptr) entry = list.add(kernel_number(kernel), 0);
          if (entry == nullptr || !entry->is_for(kernel_number(kernel), 0)) {
            ++mine;
          } else if (int const found = entry->compiled_for(1); found != -1 && found != 1000 + kernel) {
            ++mine;
          } else {
            entry->set_prepared(1, 1000 + kernel);
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int const count : wrong) CHECK(count == 0);
  for (int kernel = 0; kernel < kernels; ++kernel) {
    prepared_kernel const* const entry = list.find(kernel_number(kernel), 0);
    REQUIRE(entry != nullptr);
    CHECK(entry->compiled_for(1) == 1000 + kernel);
  }
}
