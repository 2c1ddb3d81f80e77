// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests that a program and two shared libraries, which are compiled with hidden visibility, share the state of
/// launches: what was refused, what became of the promise, who is told, and that kernels are to be prepared again.

#include <doctest/doctest.h>

#include <warpguard/launch.cuh>

#include "../fake_runtime.hpp"
#include "library.hpp"

namespace wg = warpguard;

namespace {
int reports = 0;
void count_report(wg::promise_report const&) { ++reports; }
}  // namespace

TEST_CASE("the last refusal is that of the thread, in whichever library it was") {
  runtime = {};
  CHECK(first::launch(1) == cudaSuccess);
  CHECK(second::launch(0) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == wg::launch_refusal::empty_grid);
  CHECK(first::last_refusal() == static_cast<int>(wg::launch_refusal::empty_grid));
  CHECK(first::launch(1) == cudaSuccess);
  CHECK(second::last_refusal() == static_cast<int>(wg::launch_refusal::none));
  CHECK(wg::last_promise().state == wg::promise_state::kept);
}

TEST_CASE("the program's handler is told about the kernels of libraries") {
  wg::set_promise_handler(count_report);
  wg::forget_prepared_kernels();
  runtime = {};
  runtime.resident_blocks = 1;
  CHECK(first::launch(1) == cudaSuccess);
  CHECK(second::launch(1) == cudaSuccess);
  CHECK(reports == 2);
  CHECK(wg::last_promise().state == wg::promise_state::missed);
}

TEST_CASE("kernels of one library are forgotten by the program and by the other") {
  wg::forget_prepared_kernels();
  runtime = {};
  runtime.kernel_static_bytes = 0;  // then no carve-out is set
  CHECK(first::launch(1) == cudaSuccess);
  CHECK(second::launch(1) == cudaSuccess);
  CHECK(runtime.attribute_queries == 2);
  wg::forget_prepared_kernels();
  CHECK(first::launch(1) == cudaSuccess);
  CHECK(runtime.attribute_queries == 3);
  first::forget();
  CHECK(second::launch(1) == cudaSuccess);
  CHECK(runtime.attribute_queries == 4);
  CHECK(second::launch(1) == cudaSuccess);
  CHECK(runtime.attribute_queries == 4);
}
