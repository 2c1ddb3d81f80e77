// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Linked into a program with `--wrap=cudaLaunchKernelExC`, this file appends a line for each launch to the file that
/// the environment variable WARPGUARD_LAUNCHES names; launch_record.hpp describes it. Without the variable it does
/// nothing. It waits for each launch to end, which changes no result.

#include "launches.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <warpguard/launch.cuh>

gpu_test::warp_observer gpu_test::observer;

namespace {

cudaError_t first_error(cudaError_t first, cudaError_t second) { return first != cudaSuccess ? first : second; }

/// The time of a launch on the GPU, from an event before it to one after it.
class stop_watch {
 public:
  explicit stop_watch(cudaStream_t stream) : stream_(stream) {
    add(cudaEventCreate(&begin_));
    add(cudaEventCreate(&end_));
    add(cudaEventRecord(begin_, stream_));
  }
  stop_watch(stop_watch const&) = delete;
  stop_watch& operator=(stop_watch const&) = delete;
  ~stop_watch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  cudaError_t stop(float& milliseconds) {
    add(cudaEventRecord(end_, stream_));
    add(cudaEventSynchronize(end_));
    add(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return status_;
  }

 private:
  void add(cudaError_t status) { status_ = first_error(status_, status); }

  cudaStream_t stream_;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  cudaError_t status_ = cudaSuccess;
};

/// The kernel's name as in the source. Drivers before CUDA 12.3 do not know it.
std::string name_of(void const* function) {
  char const* const mangled = warpguard::detail::name_of_kernel(function);
  if (mangled[0] == '\0') return "unnamed";
  int status = 0;
  char* const name = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string result = status == 0 ? name : mangled;
  std::free(name);
  return result;
}

unsigned long long count_of(dim3 shape) { return 1ULL * shape.x * shape.y * shape.z; }

/// Returns the end of a line about an observed launch: what its warps wrote.
cudaError_t describe_warps(cudaLaunchConfig_t const& config, std::string& text) {
  auto const warps_per_block = static_cast<int>((count_of(config.blockDim) + 31) / 32);
  auto const expected = static_cast<std::size_t>(count_of(config.gridDim)) * static_cast<std::size_t>(warps_per_block);
  std::vector<gpu_test::resident_warp> warps;
  cudaError_t const status = gpu_test::observer.read(std::min(expected, gpu_test::max_observed_warps), warps);
  gpu_test::residency_seen const seen = gpu_test::find_residency(warps, warps_per_block);
  char line[128];
  std::snprintf(line, sizeof(line), " warps=%zu observed=%lld resident=%.3f seen=%d", expected, seen.warps,
                seen.mean_warps, seen.max_blocks);
  text += line;
  return status;
}

/// Appends the line of a launch that ended. Returns an error of the runtime, or cudaErrorUnknown if the file cannot be
/// written.
cudaError_t append_launch(char const* path, cudaLaunchConfig_t const& config, void const* function,
                          float milliseconds) {
  cudaFuncAttributes attributes{};
  int blocks = 0;
  cudaError_t status = cudaFuncGetAttributes(&attributes, function);
  status =
      first_error(status, cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                              &blocks, function, static_cast<int>(count_of(config.blockDim)), config.dynamicSmemBytes));
  warpguard::promise_report const promise = warpguard::last_promise();  // of this launch: launch() decides it before
  char line[256];
  std::snprintf(line, sizeof(line),
                "launch threads=%llu grid=%llu registers=%d static=%zu dynamic=%zu carveout=%d blocks=%d promised=%d "
                "allowed=%d microseconds=%.3f",
                count_of(config.blockDim), count_of(config.gridDim), attributes.numRegs, attributes.sharedSizeBytes,
                config.dynamicSmemBytes, attributes.preferredShmemCarveout, blocks, promise.blocks_promised,
                promise.blocks_allowed == warpguard::unlimited ? 0 : promise.blocks_allowed, 1000.0 * milliseconds);
  std::string text = line;
  if (gpu_test::observer.read != nullptr) status = first_error(status, describe_warps(config, text));
  text += " : " + name_of(function) + "\n";
  if (status != cudaSuccess) return status;
  std::FILE* const file = std::fopen(path, "a");
  if (file == nullptr) return cudaErrorUnknown;
  bool const is_written = std::fputs(text.c_str(), file) >= 0;
  return std::fclose(file) == 0 && is_written ? cudaSuccess : cudaErrorUnknown;
}

}  // namespace

extern "C" cudaError_t CUDARTAPI __real_cudaLaunchKernelExC(cudaLaunchConfig_t const*, void const*, void**);

/// The linker calls this function in the place of the runtime's.
extern "C" cudaError_t CUDARTAPI __wrap_cudaLaunchKernelExC(cudaLaunchConfig_t const* config, void const* function,
                                                            void** arguments) {
  char const* const path = std::getenv("WARPGUARD_LAUNCHES");
  if (path == nullptr) return __real_cudaLaunchKernelExC(config, function, arguments);
  if (gpu_test::observer.clear != nullptr) {
    if (cudaError_t const status = gpu_test::observer.clear(); status != cudaSuccess) return status;
  }
  stop_watch watch(config->stream);
  if (cudaError_t const status = __real_cudaLaunchKernelExC(config, function, arguments); status != cudaSuccess) {
    return status;
  }
  float milliseconds = 0;
  if (cudaError_t const status = watch.stop(milliseconds); status != cudaSuccess) return status;
  return append_launch(path, *config, function, milliseconds);
}
