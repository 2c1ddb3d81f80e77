// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=750,900

// Blocks that some architectures have and others have not: only the others refuse.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

// error: warpguard: the block has more threads than the architecture allows [block_size]

// facts: block_size_guard<Contract=over_512_threads, Architecture=sm<13>, ThreadsWanted=513, ThreadsAllowed=512>
struct over_512_threads : wg::contract<REFUSED(wg::threads_per_block<513>) ACCEPTED(wg::threads_per_block<512>)> {};
static_assert(wg::guarantee_on<over_512_threads, wg::sm<13>, wg::sm<20>>);

// error: warpguard: max_registers is more than a thread of the architecture can have [thread_registers]

// facts: thread_registers_guard<Contract=over_124_registers, Architecture=sm<10>, RegistersWanted=125,
//    RegistersAllowed=124>
struct over_124_registers
    : wg::contract<wg::threads_per_block<32>, REFUSED(wg::max_registers<125>) ACCEPTED(wg::max_registers<124>)> {};
static_assert(wg::guarantee_on<over_124_registers, wg::sm<10>, wg::sm<35>>);

// facts: thread_registers_guard<Contract=over_63_registers, Architecture=sm<30>, RegistersWanted=64,
//    RegistersAllowed=63>
struct over_63_registers
    : wg::contract<wg::threads_per_block<32>, REFUSED(wg::max_registers<64>) ACCEPTED(wg::max_registers<63>)> {};
static_assert(wg::guarantee_on<over_63_registers, wg::sm<30>, wg::sm<35>>);

// error: warpguard: the register file is too small for one block of the contract [register_file]

// facts: register_file_guard<Contract=more_than_the_register_file, Architecture=sm<75>, ThreadsPerBlock=1024,
//    RegistersPerThread=80, Fits=registers_at_most<64>>
struct more_than_the_register_file
    : wg::contract<wg::threads_per_block<1024>, REFUSED(wg::max_registers<80>) ACCEPTED(wg::max_registers<64>)> {};
static_assert(wg::guarantee_on<more_than_the_register_file, wg::sm<75>>);

// error: warpguard: static shared memory exceeds what a block of the architecture can have [static_shared_memory]

// facts: static_shared_memory_guard<Contract=over_16_kib_static, Architecture=sm<11>, BytesWanted=16385,
//    BytesAllowed=16384>
struct over_16_kib_static
    : wg::contract<block, REFUSED(wg::static_shared_memory<16385>) ACCEPTED(wg::static_shared_memory<16384>)> {};
static_assert(wg::guarantee_on<over_16_kib_static, wg::sm<11>, wg::sm<20>>);

// error: warpguard: shared memory exceeds what a block of the architecture can have, even with opt-in [shared_memory]

// 9.0 has blocks of 100 KiB.
// facts: shared_memory_guard<Contract=dynamic_over_opt_in, Architecture=sm<75>, BytesWanted=102400, BytesAllowed=65536>
// facts: shared_memory_guard<Contract=dynamic_over_opt_in, Architecture=sm<86>, BytesWanted=102400,
//    BytesAllowed=101376>
struct dynamic_over_opt_in : wg::contract<block, REFUSED(wg::dynamic_shared_memory<100 * 1024>)
                                                     ACCEPTED(wg::dynamic_shared_memory<64 * 1024>)> {};
static_assert(wg::guarantee_on<dynamic_over_opt_in, wg::sm<75>, wg::sm<86>, wg::sm<90>>);

// facts: shared_memory_guard<Contract=sum_over_opt_in, Architecture=sm<86>, BytesWanted=101377, BytesAllowed=101376>
struct sum_over_opt_in : wg::contract<block, wg::dynamic_shared_memory<101375>,
                                      REFUSED(wg::static_shared_memory<2>) ACCEPTED(wg::static_shared_memory<1>)> {};
static_assert(wg::guarantee_on<sum_over_opt_in, wg::sm<86>, wg::sm<90>>);

// facts: shared_memory_guard<Contract=sum_beyond_int, Architecture=sm<90>, BytesWanted=2147483648, BytesAllowed=232448>
struct sum_beyond_int
    : wg::contract<block, wg::static_shared_memory<1> REFUSED(, wg::dynamic_shared_memory<2147483647>)> {};
static_assert(wg::guarantee_on<sum_beyond_int, wg::sm<90>>);

// facts: shared_memory_guard<Contract=layout_over_opt_in, Architecture=sm<75>, BytesWanted=66048, BytesAllowed=65536>
struct tile;
using layout = wg::shared_layout<wg::shared_array<tile, float[128], REFUSED(129) ACCEPTED(128)>>;
struct layout_over_opt_in : wg::contract<wg::threads_per_block<128>, wg::dynamic_shared_memory_of<layout>> {};
static_assert(wg::guarantee<layout_over_opt_in>);

// error: warpguard: the cluster is larger than the architecture allows [cluster]

// facts: cluster_guard<Contract=clusters_before_9_0, Architecture=sm<80>, BlocksWanted=2, BlocksAllowed=1>
struct clusters_before_9_0
    : wg::contract<block, REFUSED(wg::cluster_size<2>) ACCEPTED(wg::on<wg::sm<90>, wg::cluster_size<2>>)> {};
static_assert(wg::guarantee_on<clusters_before_9_0, wg::sm<80>, wg::sm<90>>);

// facts: cluster_guard<Contract=cluster_of_16_on_12_0, Architecture=sm<120>, BlocksWanted=16, BlocksAllowed=8>
struct cluster_of_16_on_12_0 : wg::contract<block, REFUSED(wg::cluster_size<16>) ACCEPTED(wg::cluster_size<8>)> {};
static_assert(wg::guarantee_on<cluster_of_16_on_12_0, wg::sm<90>, wg::sm<120>>);

// facts: cluster_guard<Contract=cluster_of_4_by_4_on_12_0, Architecture=sm<120>, BlocksWanted=16, BlocksAllowed=8>
struct cluster_of_4_by_4_on_12_0
    : wg::contract<block, wg::cluster_size<4, 4> ACCEPTED(, wg::on<wg::sm<120>, wg::cluster_size<4, 2>>)> {};
static_assert(wg::guarantee_on<cluster_of_4_by_4_on_12_0, wg::sm<90>, wg::sm<120>>);
