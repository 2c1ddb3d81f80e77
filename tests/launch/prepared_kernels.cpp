// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the list of prepared kernels without a launch, with one thread and with several.

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>
#include <warpguard/launch/detail/prepared_kernels.cuh>

namespace {

using warpguard::detail::block_facts;
using warpguard::detail::prepared_kernel;
using warpguard::detail::prepared_list;

void const* kernel_number(int number) {
  return reinterpret_cast<void const*>(static_cast<std::uintptr_t>(0x400000 + 16 * number));
}

prepared_kernel* add(prepared_list& list, int kernel, int device, std::uint32_t epoch) {
  prepared_kernel* const entry = new prepared_kernel;
  entry->kernel = kernel_number(kernel);
  entry->device = device;
  entry->epoch = epoch;
  entry->registers = kernel;
  list.add(entry);
  return entry;
}

}  // namespace

TEST_CASE("each kernel, device and epoch has its own entry") {
  static prepared_list list;
  for (int kernel = 0; kernel < 3; ++kernel) {
    for (int device = 0; device < 4; ++device) {
      for (std::uint32_t const epoch : {1u, 2u, 0xffffffffu}) {
        CHECK(list.find(kernel_number(kernel), device, epoch) == nullptr);
        prepared_kernel const* const entry = add(list, kernel, device, epoch);
        CHECK(list.find(kernel_number(kernel), device, epoch) == entry);
      }
    }
  }
  CHECK(list.find(kernel_number(3), 0, 1) == nullptr);
  CHECK(list.find(kernel_number(0), 4, 1) == nullptr);
  CHECK(list.find(kernel_number(0), 0, 3) == nullptr);
}

TEST_CASE("the facts of a block come back out of their word") {
  CHECK(!block_facts().is_of(1, 0));
  for (int const threads : {1, 32, 1000, 1024}) {
    for (int const bytes : {0, 1, 49152, 232448, 0xfffffff}) {
      for (int const blocks : {0, 1, 255}) {
        for (int const carveout : {0, 100, 255}) {
          for (bool const is_kept : {false, true}) {
            block_facts const facts(block_facts(threads, bytes, blocks, carveout, is_kept).word());
            CHECK(facts.is_of(threads, bytes));
            CHECK(!facts.is_of(threads + 1, bytes));
            CHECK(!facts.is_of(threads, bytes - 1));
            CHECK(facts.threads() == threads);
            CHECK(facts.bytes() == bytes);
            CHECK(facts.blocks() == blocks);
            CHECK(facts.carveout() == carveout);
            CHECK(facts.is_kept() == is_kept);
          }
        }
      }
    }
  }
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
          prepared_kernel const* entry = list.find(kernel_number(kernel), 0, 1);
          if (entry == nullptr) entry = add(list, kernel, 0, 1);
          // What was written before the entry was added must be there.
          if (entry->kernel != kernel_number(kernel) || entry->registers != kernel) ++mine;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int const count : wrong) CHECK(count == 0);
  for (int kernel = 0; kernel < kernels; ++kernel) {
    prepared_kernel const* const entry = list.find(kernel_number(kernel), 0, 1);
    REQUIRE(entry != nullptr);
    CHECK(entry->registers == kernel);
  }
}
