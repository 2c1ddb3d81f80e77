// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900
// error: warpguard: the contract's minimum residency is out of reach
// facts: residency_guard<Contract=app_contract, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>

#include <warpguard/launch.cuh>

namespace wg = warpguard;

#ifdef WARPGUARD_TWIN
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<32 * 1024>, wg::min_blocks_per_sm<2>> {};
#else
struct app_contract
    : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<40 * 1024>, wg::min_blocks_per_sm<2>> {};
#endif

__global__ void app(float* out) { out[threadIdx.x] = 1.0f; }

cudaError_t run(float* out) { return wg::launch<app_contract>(app, dim3(1), nullptr, out); }
