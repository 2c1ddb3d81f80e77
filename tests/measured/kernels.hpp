// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A small header as warpguard_measure() writes it. The kernel `sum` has two measurements on 9.0, from two objects, and
/// the template `scale` has three instances.

#pragma once

#include <warpguard/measured/measured_guarantee.hpp>

namespace warpguard::measured::app {
struct every_kernel {
  using hana_tag = ::warpguard::measured_kernels_tag;
  static constexpr int count = 4;
  static constexpr ::warpguard::measurement measurements[] = {
      {80, 40, 1024, 0, 0, 0, 1, 360, false},   {90, 38, 1024, 0, 0, 0, 1, 360, false},
      {90, 42, 1024, 8, 16, 16, 1, 360, false}, {80, 24, 0, 0, 0, 0, 0, 360, false},
      {90, 24, 0, 0, 0, 0, 0, 360, false},      {80, 48, 0, 0, 0, 0, 0, 360, false},
      {90, 24, 0, 0, 0, 0, 0, 360, false},      {80, 24, 0, 0, 0, 0, -1, 360, false},
      {90, 24, 0, 0, 0, 0, -1, 360, true},
  };
  static constexpr int architectures[] = {80, 90, 0};
  static constexpr ::warpguard::measured_kernel_ref values[] = {
      {"sum(float*)", measurements + 0, 3, architectures + 0, 2},
      {"scale<1>(float*)", measurements + 3, 2, architectures + 0, 2},
      {"scale<2>(float*)", measurements + 5, 2, architectures + 0, 2},
      {"scale<3>(float*)", measurements + 7, 2, architectures + 0, 2},
  };
  static constexpr unsigned long long hashes[] = {
      ::warpguard::hash_of_name("sum(float*)"), ::warpguard::hash_of_name("scale<1>(float*)"),
      ::warpguard::hash_of_name("scale<2>(float*)"), ::warpguard::hash_of_name("scale<3>(float*)")};
  static constexpr int find(char const* name) { return ::warpguard::find_kernel(values, hashes, count, name); }
  static constexpr ::warpguard::measured_kernel_ref const* begin() { return values; }
  static constexpr ::warpguard::measured_kernel_ref const* end() { return values + count; }
  template <int Index>
  struct type_at;
  template <int Index>
  using at = typename type_at<Index>::type;
};
struct sum : ::warpguard::measured_kernel_of<every_kernel, 0> {};
struct scale : ::warpguard::measured_kernel_of<every_kernel, 1, 3> {
  struct of_1 : ::warpguard::measured_kernel_of<every_kernel, 1> {};
  struct of_2 : ::warpguard::measured_kernel_of<every_kernel, 2> {};
  struct of_3 : ::warpguard::measured_kernel_of<every_kernel, 3> {};
};
template <>
struct every_kernel::type_at<-1> {
  using type = ::warpguard::kernel_not_found;
};
template <>
struct every_kernel::type_at<0> {
  using type = sum;
};
template <>
struct every_kernel::type_at<1> {
  using type = scale::of_1;
};
template <>
struct every_kernel::type_at<2> {
  using type = scale::of_2;
};
template <>
struct every_kernel::type_at<3> {
  using type = scale::of_3;
};
}  // namespace warpguard::measured::app
