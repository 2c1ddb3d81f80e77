// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The table of prepared kernels by itself: full, and under several threads.

#include <doctest/doctest.h>

#include <thread>
#include <vector>
#include <warpguard/launch/detail/prepared_kernels.cuh>

namespace {

using wg_place = warpguard::detail::prepared_place;
using wg_key = warpguard::detail::prepared_key;
using warpguard::detail::prepared_for;
using warpguard::detail::set_prepared;

wg_key key_of(int contract, int kernel, int device) {
  static char const contracts[8] = {};
  return {&contracts[contract], reinterpret_cast<void const*>(static_cast<std::uintptr_t>(0x400000 + 16 * kernel)),
          device};
}

}  // namespace

TEST_CASE("a key has one place, and every part of it counts") {
  static warpguard::detail::prepared_table<64> table;
  std::vector<wg_place*> places;
  for (int contract = 0; contract < 2; ++contract) {
    for (int kernel = 0; kernel < 3; ++kernel) {
      for (int device = 0; device < 4; ++device) {
        wg_place* const place = table.place_of(key_of(contract, kernel, device));
        REQUIRE(place != nullptr);
        for (wg_place const* other : places) CHECK(other != place);
        places.push_back(place);
        CHECK(table.place_of(key_of(contract, kernel, device)) == place);
      }
    }
  }
}

TEST_CASE("a full table has no place for more, and keeps what it has") {
  static warpguard::detail::prepared_table<8> table;
  for (int kernel = 0; kernel < 8; ++kernel) CHECK(table.place_of(key_of(0, kernel, 0)) != nullptr);
  CHECK(table.place_of(key_of(0, 8, 0)) == nullptr);
  for (int kernel = 0; kernel < 8; ++kernel) CHECK(table.place_of(key_of(0, kernel, 0)) != nullptr);
}

TEST_CASE("what was prepared counts in its epoch alone") {
  static wg_place place;
  CHECK(prepared_for(place, 1) == -1);
  set_prepared(place, 1, 90);
  CHECK(prepared_for(place, 1) == 90);
  CHECK(prepared_for(place, 2) == -1);
  set_prepared(place, 2, 0);  // a kernel of which nobody says what it was compiled for
  CHECK(prepared_for(place, 2) == 0);
  set_prepared(place, 2, 121);
  CHECK(prepared_for(place, 2) == 121);
  set_prepared(place, 0xffffffffu, 75);
  CHECK(prepared_for(place, 0xffffffffu) == 75);
}

TEST_CASE("threads that fill it together find what each of them put there") {
  static warpguard::detail::prepared_table<4096> table;
  constexpr int kernels = 300;
  std::vector<int> lost(4, 0);
  std::vector<std::thread> threads;
  for (int& mine : lost) {
    threads.emplace_back([&mine] {
      for (int round = 0; round < 3; ++round) {
        for (int kernel = 0; kernel < kernels; ++kernel) {
          wg_place* const place = table.place_of(key_of(0, kernel, 0));
          if (place == nullptr || !place->is_for(key_of(0, kernel, 0))) {
            ++mine;
          } else if (int const found = prepared_for(*place, 1); found != -1 && found != 1000 + kernel) {
            ++mine;
          } else {
            set_prepared(*place, 1, 1000 + kernel);
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int const mine : lost) CHECK(mine == 0);
  for (int kernel = 0; kernel < kernels; ++kernel) {
    CHECK(prepared_for(*table.place_of(key_of(0, kernel, 0)), 1) == 1000 + kernel);
  }
}
