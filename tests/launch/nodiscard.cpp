// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Every line of ignore() must make the compiler warn that what the function returns is ignored: nodiscard.cmake
/// counts.

#include <warpguard/launch.cuh>

namespace wg = warpguard;

struct app_contract : wg::contract<wg::threads_per_block<256>> {};
void kernel(int);
constexpr wg::kernel<app_contract, kernel> app_kernel;

void ignore(cudaKernel_t loaded, dim3 grid, wg::launch_shape shape, wg::launch_description description) {
  wg::launch<app_contract>(kernel, 1, nullptr, 2);                      // ignored
  wg::launch<app_contract>(kernel, wg::launch_options{1}, 2);           // ignored
  wg::launch(app_kernel, 1, nullptr, 2);                                // ignored
  wg::launch(app_kernel, {1, nullptr}, 2);                              // ignored
  wg::launch<app_contract>(loaded, 1, nullptr, 2);                      // ignored
  wg::launch<app_contract>(loaded, wg::launch_options{1}, 2);           // ignored
  wg::prepare(app_kernel);                                              // ignored
  wg::resident_grid(app_kernel, grid);                                  // ignored
  wg::launch_shape_of(app_kernel, shape);                               // ignored
  wg::describe_launch(app_kernel, wg::launch_options{1}, description);  // ignored
  wg::verify(app_kernel);                                               // ignored
  wg::why_refused();                                                    // ignored
  wg::last_promise();                                                   // ignored
}
