// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "library.hpp"

#include <warpguard/launch.cuh>

namespace wg = warpguard;

namespace LIBRARY {

namespace {
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::min_blocks_per_sm<2>> {};
void kernel(int, float) {}
}  // namespace

cudaError_t launch(int blocks) { return wg::launch<app_contract>(kernel, blocks, nullptr, 1, 2.0f); }
void forget() { wg::forget_prepared_kernels(); }
int last_refusal() { return static_cast<int>(wg::why_refused()); }

}  // namespace LIBRARY
