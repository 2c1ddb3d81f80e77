// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: the kernel's static shared memory is not what the contract states
// facts: measured_shared_memory_guard<Contract=app_contract, Kernel=app_sum, Architecture=sm<90>,
//    BytesMeasured=2048, BytesStated=1024>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

// compute capability, registers, static shared memory, spill stores and loads, stack, barriers, constant memory,
// ignored
#ifdef WARPGUARD_TWIN
struct app_sum : wg::measured_kernel {
  static constexpr char const* name = "app::sum(float*)";
  static constexpr int architecture_count = 1;
  static constexpr int architectures[] = {90, 0};
  static constexpr int measurement_count = 1;
  static constexpr wg::measurement measurements[] = {{90, 40, 1024, 0, 0, 0, 1, 0, false}};
  using instances = boost::hana::tuple<app_sum>;
};
#else
struct app_sum : wg::measured_kernel {
  static constexpr char const* name = "app::sum(float*)";
  static constexpr int architecture_count = 1;
  static constexpr int architectures[] = {90, 0};
  static constexpr int measurement_count = 1;
  static constexpr wg::measurement measurements[] = {{90, 40, 2048, 0, 0, 0, 1, 0, false}};
  using instances = boost::hana::tuple<app_sum>;
};
#endif
struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::static_shared_memory<1024>> {
};
static_assert(wg::measured_guarantee<app_contract, app_sum>);
