// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the order of the members, which users rely on in braced initialisers, and the defaults.

#include "../check.hpp"

#include <warpguard/model/kernel_resources.hpp>

#include <doctest/doctest.h>

namespace wg = warpguard;

namespace {

constexpr bool test_order() {
  wg::kernel_resources const k{256, 40, 1024, 2048, 3, 4, wg::partitioned_caching::strict};
  EXPECT(k.threads_per_block == 256);
  EXPECT(k.registers_per_thread == 40);
  EXPECT(k.static_shared_memory == 1024);
  EXPECT(k.dynamic_shared_memory == 2048);
  EXPECT(k.barriers == 3);
  EXPECT(k.virtual_resources == 4);
  EXPECT(k.caching == wg::partitioned_caching::strict);
  return true;
}
static_assert(test_order());

constexpr bool test_defaults() {
  wg::kernel_resources const k{128};
  EXPECT(k.threads_per_block == 128);
  EXPECT(k.registers_per_thread == 0);
  EXPECT(k.static_shared_memory == 0);
  EXPECT(k.dynamic_shared_memory == 0);
  EXPECT(k.barriers == 1);
  EXPECT(k.virtual_resources == 0);
  EXPECT(k.caching == wg::partitioned_caching::off);
  return true;
}
static_assert(test_defaults());

constexpr bool test_config() {
  wg::shared_memory_config const defaults;
  wg::shared_memory_config const given{50, wg::cache_preference::equal, false};
  EXPECT(defaults.carveout_percent == -1);
  EXPECT(defaults.preference == wg::cache_preference::none);
  EXPECT(defaults.opt_in);
  EXPECT(given.carveout_percent == 50);
  EXPECT(given.preference == wg::cache_preference::equal);
  EXPECT(!given.opt_in);
  return true;
}
static_assert(test_config());

// The same values as cudaFuncCache, because programs cast between the two.
static_assert(static_cast<int>(wg::cache_preference::none) == 0);
static_assert(static_cast<int>(wg::cache_preference::shared) == 1);
static_assert(static_cast<int>(wg::cache_preference::l1) == 2);
static_assert(static_cast<int>(wg::cache_preference::equal) == 3);

}  // namespace

TEST_CASE("the members and defaults of kernel_resources and shared_memory_config") {
  CHECK(test_order());
  CHECK(test_defaults());
  CHECK(test_config());
}
