// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// flags: -DWARPGUARD_TARGETS=900
// error: warpguard: ptxas compiled no such kernel for this target
// facts: vanished_kernel_guard<Contract=app_contract, Kernel=app_other>

#include <warpguard/warpguard.hpp>

namespace wg = warpguard;

struct app_sum : wg::measured_kernel {
  static constexpr char const* name = "app::sum(float*)";
  static constexpr int architecture_count = 1;
  static constexpr int architectures[] = {90, 0};
  static constexpr int measurement_count = 1;
  static constexpr wg::measurement measurements[] = {{90, 40, 0, 0, 0, 0, 1, 0, false}};
  using instances = boost::hana::tuple<app_sum>;
};

// As the measured header has it where a check names a kernel that is not there.
struct app_other : wg::absent_kernel {};

struct app_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>> {};
#ifdef WARPGUARD_TWIN
static_assert(wg::measured_guarantee<app_contract, app_sum>);
#else
static_assert(wg::measured_guarantee<app_contract, app_other>);
#endif
