// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=860

// Blocks and bytes that each launch chooses.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: an amount is fixed, or each launch chooses it: a contract states one of the two [fixed_and_chosen]

// facts: fixed_and_chosen_guard<Contract=both_blocks, Option=threads_per_block<256>,
//    OtherOption=max_threads_per_block<512>>
struct both_blocks : wg::contract<wg::threads_per_block<256> REFUSED(, wg::max_threads_per_block<512>)> {};
static_assert(wg::guarantee<both_blocks>);

// facts: fixed_and_chosen_guard<Contract=both_bytes, Option=max_dynamic_shared_memory<1024>,
//    OtherOption=dynamic_shared_memory<512>>
struct both_bytes : wg::contract<block, wg::max_dynamic_shared_memory<1024> REFUSED(, wg::dynamic_shared_memory<512>)> {
};
static_assert(wg::guarantee<both_bytes>);

// error: warpguard: a contract states an option twice [duplicate_option]

// facts: duplicate_option_guard<Contract=two_maxima, Option=max_threads_per_block<512>,
//    OtherOption=max_threads_per_block<256>>
struct two_maxima : wg::contract<wg::max_threads_per_block<512> REFUSED(, wg::max_threads_per_block<256>)> {};
static_assert(wg::guarantee<two_maxima>);

// error: warpguard: min_threads_per_block exceeds max_threads_per_block [empty_block_range]

// facts: empty_block_range_guard<Contract=no_block_at_all, Architecture=sm<86>, MinThreads=513, MaxThreads=512>
struct no_block_at_all
    : wg::contract<wg::max_threads_per_block<512>, wg::min_threads_per_block<REFUSED(513) ACCEPTED(512)>> {};
static_assert(wg::guarantee<no_block_at_all>);

// error: warpguard: min_threads_per_block needs max_threads_per_block: this block size is fixed [fixed_block]

// facts: fixed_block_guard<Contract=minimum_of_fixed, Architecture=sm<86>, MinThreads=64, ThreadsPerBlock=256>
struct minimum_of_fixed : wg::contract<block REFUSED(, wg::min_threads_per_block<64>)> {};
static_assert(wg::guarantee<minimum_of_fixed>);

// error: warpguard: min_registers exceeds max_registers [empty_register_range]

// facts: empty_register_range_guard<Contract=no_registers_at_all, Architecture=sm<86>, MinRegisters=41,
//    MaxRegisters=40>
struct no_registers_at_all : wg::contract<block, wg::max_registers<40>, wg::min_registers<REFUSED(41) ACCEPTED(40)>> {};
static_assert(wg::guarantee<no_registers_at_all>);

// error: warpguard: a block that a launch may choose misses the contract's minimum residency [range_residency]

// 16 blocks of one warp fill a third of 48.
// facts: range_residency_guard<Contract=half_of_the_warps, Architecture=sm<86>, AtThreads=32, BlocksReached=16,
//    BlocksRequired=24, LimitedBy=limited_by::block_slots, HoldsFor=blocks_of_threads<64, 1024>,
//    Fits=blocks_of_threads<64, 1024>>
struct half_of_the_warps : wg::contract<wg::max_threads_per_block<1024>, wg::max_registers<40>,
                                        wg::min_occupancy<50> ACCEPTED(, wg::min_threads_per_block<64>)> {};
static_assert(wg::guarantee<half_of_the_warps>);

// 64 bytes for each thread: 4 blocks of 384 threads take 4 * (24 + 1) KiB, all that there is.
// facts: range_residency_guard<Contract=bytes_of_threads, Architecture=sm<86>, AtThreads=416, BlocksReached=3,
//    BlocksRequired=4, LimitedBy=limited_by::several<limited_by::warps, limited_by::shared_memory>,
//    HoldsFor=blocks_of_threads<32, 384>, Fits=blocks_of_threads<32, 384>>
struct bytes_of_threads : wg::contract<wg::max_threads_per_block<REFUSED(512) ACCEPTED(384)>, wg::max_registers<32>,
                                       wg::dynamic_shared_memory_per_thread<64>, wg::min_blocks_per_sm<4>> {};
static_assert(wg::guarantee<bytes_of_threads>);

// No block size keeps the promise.
// facts: range_residency_guard<Contract=of_no_size, Architecture=sm<86>, AtThreads=32, BlocksReached=1,
//    BlocksRequired=2, LimitedBy=limited_by::shared_memory, HoldsFor=no_block_size,
//    Fits=shared_memory_at_most<50176>>
struct of_no_size : wg::contract<wg::max_threads_per_block<256>, wg::min_blocks_per_sm<2>,
                                 wg::max_dynamic_shared_memory<REFUSED(60 * 1024) ACCEPTED(49 * 1024)>> {};
static_assert(wg::guarantee<of_no_size>);

// error: warpguard: a block that a launch may choose exceeds the contract's maximum residency [range_excess]

// facts: range_excess_guard<Contract=at_most_six, Architecture=sm<86>, AtThreads=1, BlocksReached=16, BlocksAllowed=6,
//    LimitedBy=limited_by::block_slots, HoldsFor=blocks_of_threads<193, 512>, Fits=shared_memory_at_least<13569>>
struct at_most_six : wg::contract<wg::max_threads_per_block<512>,
                                  wg::max_blocks_per_sm<6> ACCEPTED(, wg::min_threads_per_block<193>)> {};
static_assert(wg::guarantee<at_most_six>);

// error: warpguard: the contract's maximum residency is exceeded [excess]

// A launch may choose no bytes at all, so they keep no block out.
// facts: excess_guard<Contract=kept_by_no_bytes, Architecture=sm<86>, BlocksReached=6, BlocksAllowed=2,
//    LimitedBy=limited_by::warps, Fits=registers_at_least<81>>
struct kept_by_no_bytes
    : wg::contract<block, wg::max_blocks_per_sm<2>,
                   REFUSED(wg::max_dynamic_shared_memory<48 * 1024>) ACCEPTED(wg::dynamic_shared_memory<48 * 1024>)> {};
static_assert(wg::guarantee<kept_by_no_bytes>);
