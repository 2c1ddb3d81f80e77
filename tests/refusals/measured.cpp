// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900

// Kernels that differ from their contract as ptxas compiled them.

#include <warpguard/warpguard.hpp>

#include "cases.hpp"
#include "measured_as.hpp"

namespace wg = warpguard;

using block = wg::threads_per_block<256>;

struct forty_registers : wg::contract<block, wg::max_registers<40>> {};

// error: warpguard: ptxas used more registers than the contract allows [measured_registers]

// facts: measured_registers_guard<Contract=forty_registers, Kernel=more_registers, Architecture=sm<90>,
//    RegistersMeasured=48, RegistersAllowed=40>
struct more_registers : measured_as<more_registers, 90, REFUSED(48) ACCEPTED(40)> {};
static_assert(wg::measured_guarantee<forty_registers, more_registers>);

// error: warpguard: ptxas used fewer registers than the contract's min_registers [measured_few_registers]

// facts: measured_few_registers_guard<Contract=at_least_129, Kernel=fewer_registers, Architecture=sm<90>,
//    RegistersMeasured=128, RegistersRequired=129>
struct at_least_129
    : wg::contract<block, wg::max_registers<200>, wg::min_registers<129>, wg::exactly_blocks_per_sm<1>> {};
struct fewer_registers : measured_as<fewer_registers, 90, REFUSED(128) ACCEPTED(129)> {};
static_assert(wg::measured_guarantee<at_least_129, fewer_registers>);

// error: warpguard: ptxas spilled registers, and the contract's spill_budget is smaller [spill]

// 16 bytes are stored and 24 loaded again.
// facts: spill_guard<Contract=sixteen_bytes_spilled, Kernel=more_spills, Architecture=sm<90>, BytesSpilled=24,
//    BytesAllowed=16>
struct sixteen_bytes_spilled : wg::contract<block, wg::max_registers<40>, wg::spill_budget<16>> {};
struct more_spills : measured_as<more_spills, 90, 40, 0, 16, REFUSED(24) ACCEPTED(8)> {};
static_assert(wg::measured_guarantee<sixteen_bytes_spilled, more_spills>);

// error: warpguard: the kernel has more static shared memory than the contract states [measured_shared_memory]

// facts: measured_shared_memory_guard<Contract=one_kib, Kernel=two_kib, Architecture=sm<90>, BytesMeasured=2048,
//    BytesStated=1024>
struct one_kib : wg::contract<block, wg::max_registers<40>, wg::static_shared_memory<1024>> {};
struct two_kib : measured_as<two_kib, 90, 40, REFUSED(2048) ACCEPTED(1024)> {};
static_assert(wg::measured_guarantee<one_kib, two_kib>);

// error: warpguard: the kernel uses more barriers than the contract states [measured_barriers]

// facts: measured_barriers_guard<Contract=forty_registers, Kernel=two_barriers, Architecture=sm<90>,
//    BarriersMeasured=2, BarriersStated=1>
struct two_barriers : measured_as<two_barriers, 90, 40, 0, 0, 0, REFUSED(2) ACCEPTED(1)> {};
static_assert(wg::measured_guarantee<forty_registers, two_barriers>);

// error: warpguard: ptxas ignored the kernel's launch bounds [ignored_bounds]

// facts: ignored_bounds_guard<Contract=forty_registers, Kernel=ignored_bounds, Architecture=sm<90>>
struct ignored_bounds : measured_as<ignored_bounds, 90, 40, 0, 0, 0, 1, REFUSED(true) ACCEPTED(false)> {};
static_assert(wg::measured_guarantee<forty_registers, ignored_bounds>);

// error: warpguard: as measured, the kernel misses the contract's minimum residency [measured_residency]

// facts: measured_residency_guard<Contract=six_blocks, Kernel=four_resident, Architecture=sm<90>, RegistersMeasured=64,
//    BlocksReached=4, BlocksRequired=6, LimitedBy=limited_by::registers, Fits=registers_at_most<40>>
struct six_blocks : wg::contract<block, wg::max_registers<64>, wg::min_blocks_per_sm<6>> {};
struct four_resident : measured_as<four_resident, 90, REFUSED(64) ACCEPTED(40)> {};
static_assert(wg::measured_guarantee<six_blocks, four_resident>);

// Where launches choose the block, the numbers are those of the first block size that breaks the promise: 48 warps get
// 40 registers, and blocks of 5 warps leave 3 of them empty.
// facts: measured_residency_guard<Contract=any_block, Kernel=five_warps_fill_45, Architecture=sm<90>,
//    RegistersMeasured=40, BlocksReached=9, BlocksRequired=10, LimitedBy=limited_by::registers,
//    Fits=blocks_of_threads<96, 128>>
struct any_block : wg::contract<wg::max_threads_per_block<256>, wg::min_threads_per_block<96>, wg::max_registers<40>,
                                wg::min_warps_per_sm<REFUSED(48) ACCEPTED(42)>> {};
struct five_warps_fill_45 : measured_as<five_warps_fill_45, 90, 40> {};
static_assert(wg::measured_guarantee<any_block, five_warps_fill_45>);

// error: warpguard: as measured, the kernel exceeds the contract's maximum residency [measured_excess]

// facts: measured_excess_guard<Contract=four_blocks, Kernel=eight_resident, Architecture=sm<90>, RegistersMeasured=32,
//    BlocksReached=8, BlocksAllowed=4, LimitedBy=limited_by::several<limited_by::warps, limited_by::registers>>
struct four_blocks : wg::contract<block, wg::max_registers<64>, wg::max_blocks_per_sm<4>> {};
struct eight_resident : measured_as<eight_resident, 90, REFUSED(32) ACCEPTED(64)> {};
static_assert(wg::measured_guarantee<four_blocks, eight_resident>);

// ---- what was not measured ------------------------------------------------------------------------------------------

struct measured : measured_as<measured, 90, 40> {};

// error: warpguard: ptxas reported nothing for this kernel on a target architecture [measurement]

// facts: measurement_guard<Contract=forty_registers, Kernel=not_on_9_0, Architecture=sm<90>>
struct not_on_9_0 : measured_as<not_on_9_0, REFUSED(80) ACCEPTED(90), 40> {};
static_assert(wg::measured_guarantee<forty_registers, not_on_9_0>);

// error: warpguard: ptxas reported no kernel at all for this target [empty_report]

// The measured header has such a type where a check names a kernel that does not exist.
// facts: empty_report_guard<Contract=forty_registers, Kernel=of_empty_report>
struct of_empty_report : wg::absent_report {};
static_assert(wg::measured_guarantee<forty_registers, REFUSED(of_empty_report) ACCEPTED(measured)>);

// error: warpguard: ptxas compiled no such kernel for this target [vanished_kernel]

// facts: vanished_kernel_guard<Contract=forty_registers, Kernel=vanished>
struct vanished : wg::absent_kernel {};
static_assert(wg::measured_guarantee<forty_registers, REFUSED(vanished) ACCEPTED(measured)>);

// error: warpguard: several kernels have this name: choose one by its name in the lock, with every_kernel::find()

// The measured header has such a type where overloads or instances want the same name.
// facts: ambiguous_kernel_guard<Contract=forty_registers, Kernel=of_float>
struct of_float : wg::ambiguous_kernel {};
static_assert(wg::measured_guarantee<forty_registers, REFUSED(of_float) ACCEPTED(measured)>);

// error: warpguard: every_kernel::find() got a text that is the name of no kernel of this target [kernel_text]

// facts: kernel_text_guard<Contract=forty_registers, Kernel=kernel_not_found>
struct kernels {
  static constexpr wg::measured_kernel_ref values[] = {{"app::sum(float*)", nullptr, 0, nullptr, 0}};
  static constexpr unsigned long long hashes[] = {wg::hash_of_name("app::sum(float*)")};
  static constexpr int find(char const* name) { return wg::find_kernel(values, hashes, 1, name); }
  template <int Index, class = void>
  struct type_at {
    using type = measured;
  };
  template <class Unused>
  struct type_at<-1, Unused> {
    using type = wg::kernel_not_found;
  };
  template <int Index>
  using at = typename type_at<Index>::type;
};
static_assert(wg::measured_guarantee<forty_registers,
                                     kernels::at<kernels::find(REFUSED("app::sum") ACCEPTED("app::sum(float*)"))>>);

// error: warpguard: this type is not a measured kernel [measured_kernel]

// facts: measured_kernel_guard<Contract=forty_registers, Kernel=not_a_kernel>
struct not_a_kernel {};
static_assert(wg::measured_guarantee<forty_registers, REFUSED(not_a_kernel) ACCEPTED(measured)>);
