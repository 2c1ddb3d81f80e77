// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Contracts that are refused where a kernel meets them.

#include <warpguard/launch.cuh>
#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;
using bytes = wg::dynamic_shared_memory<REFUSED(40) ACCEPTED(32) * 1024>;

// error: warpguard: the contract's minimum residency is out of reach [residency]

// facts: residency_guard<Contract=bounds_contract, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>
struct bounds_contract : wg::contract<block, bytes, wg::min_blocks_per_sm<2>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(bounds_contract) bounds(float* out) { out[threadIdx.x] = 1.0f; }

// facts: residency_guard<Contract=inside_contract, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>
struct inside_contract : wg::contract<block, bytes, wg::min_blocks_per_sm<2>> {};
__global__ void inside(float* out) {
  static_assert(wg::guarantee<inside_contract>);
  out[threadIdx.x] = 1.0f;
}

// facts: residency_guard<Contract=launched_contract, Architecture=sm<75>, BlocksReached=1, BlocksRequired=2,
//    LimitedBy=limited_by::shared_memory, Fits=shared_memory_at_most<32768>>
struct launched_contract : wg::contract<block, bytes, wg::min_blocks_per_sm<2>> {};
__global__ void launched(float* out) { out[threadIdx.x] = 1.0f; }
cudaError_t run(float* out) { return wg::launch<launched_contract>(launched, dim3(1), nullptr, out); }

// error: warpguard: this type is not a contract: derive it from contract<...> [contract]

// facts: contract_guard<Type=not_a_contract>
struct not_a_contract ACCEPTED( : wg::contract<block>) {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(not_a_contract) without_contract(float* out) { out[threadIdx.x] = 1.0f; }

// error: warpguard: a contract needs threads_per_block [missing_threads]

// facts: missing_threads_guard<Contract=without_threads_contract>
struct without_threads_contract : wg::contract<ACCEPTED(block, ) wg::max_registers<40>> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(without_threads_contract) without_threads(float* out) {
  out[threadIdx.x] = 1.0f;
}

// error: warpguard: a block has 1 to 1024 threads, and at most 1024 x 1024 x 64 of them [block_shape]

// facts: block_shape_guard<Contract=negative_contract, Option=threads_per_block<-1>>
struct negative_contract : wg::contract<REFUSED(wg::threads_per_block<-1>) ACCEPTED(wg::threads_per_block<1>)> {};
__global__ void WARPGUARD_LAUNCH_BOUNDS(negative_contract) negative(float* out) { out[threadIdx.x] = 1.0f; }
