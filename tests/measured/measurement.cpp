// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the measurements of kernels as values and as types.

#include <doctest/doctest.h>

#include <type_traits>

#include "kernels.hpp"

namespace wg = warpguard;
namespace measured = warpguard::measured::app;

TEST_CASE("spilled is the larger of the bytes stored and loaded back") {
  wg::measurement found{};
  CHECK(found.spilled() == 0);
  found.spill_stores = 8;
  CHECK(found.spilled() == 8);
  found.spill_loads = 24;
  CHECK(found.spilled() == 24);
}

// The same loop in a constant expression and at run time.
constexpr int count_measurements(int compute_capability) {
  int count = 0;
  for (wg::measured_kernel_ref const& kernel : measured::every_kernel{}) {
    for (wg::measurement const& found : kernel) {
      if (found.compute_capability == compute_capability) ++count;
    }
  }
  return count;
}
static_assert(count_measurements(80) == 4);
static_assert(count_measurements(90) == 5);

TEST_CASE("every_kernel iterates over all measurements at run time") {
  CHECK(count_measurements(80) == 4);
  CHECK(count_measurements(90) == 5);
  CHECK(count_measurements(75) == 0);
}

TEST_CASE("a kernel's type has the members of its value") {
  CHECK(doctest::String(measured::sum::name) == "sum(float*)");
  CHECK(measured::sum::measurement_count == 3);
  CHECK(measured::sum::measurements[0].registers == 40);
  CHECK(measured::sum::architecture_count == 2);
  CHECK(measured::sum::architectures[1] == 90);
  CHECK(measured::scale::of_2::measurements[0].registers == 48);
}

template <class Kernel, class = void>
constexpr bool has_name = false;
template <class Kernel>
constexpr bool has_name<Kernel, decltype(static_cast<void>(Kernel::name))> = true;

TEST_CASE("a template of several instances has no value of its own") {
  CHECK(has_name<measured::sum>);
  CHECK_FALSE(has_name<measured::scale>);
}

TEST_CASE("every_kernel has the type of each value") {
  CHECK(std::is_same_v<measured::every_kernel::at<0>, measured::sum>);
  CHECK(std::is_same_v<measured::every_kernel::at<3>, measured::scale::of_3>);
  CHECK(std::is_same_v<measured::every_kernel::hana_tag, wg::measured_kernels_tag>);
}

TEST_CASE("a kernel is found by its whole name, at compile time and at run time") {
  using kernels = measured::every_kernel;
  static_assert(std::is_same_v<kernels::at<kernels::find("scale<2>(float*)")>, measured::scale::of_2>);
  static_assert(std::is_same_v<kernels::at<kernels::find("scale<2>")>, wg::kernel_not_found>);
  for (int i = 0; i < kernels::count; ++i) CHECK(kernels::find(kernels::values[i].name) == i);
  CHECK(kernels::find("") == -1);
  CHECK(kernels::find("sum(float*) ") == -1);
}

TEST_CASE("the hash of a name is FNV-1a, with the values that its authors published") {
  static_assert(wg::hash_of_name("") == 0xcbf29ce484222325u);
  static_assert(wg::hash_of_name("a") == 0xaf63dc4c8601ec8cu);
  static_assert(wg::hash_of_name("foobar") == 0x85944171f73967e8u);
}
