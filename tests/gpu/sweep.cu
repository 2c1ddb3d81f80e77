// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Sweeps kernels over register counts, static and dynamic shared memory, block sizes, carve-outs and cluster sizes on
/// the current device, compares the driver's blocks per SM with the model's, and writes the record that
/// sweep_record.hpp describes:
///
///     warpguard_gpu_sweep record.txt
///
/// Launches nothing. Without a GPU it prints SKIPPED.

#include <cuda_runtime.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <vector>

#include "sweep_record.hpp"

namespace {

/// Has enough live values to use all of its registers.
template <int Registers, int StaticBytes>
__global__ void __maxnreg__(Registers) kernel(int n, float* values) {
  constexpr int live = Registers > 200 ? 200 : Registers;
  float value[live];
#pragma unroll
  for (int i = 0; i < live; ++i) value[i] = values[i * n + threadIdx.x];
  if constexpr (StaticBytes > 0) {
    __shared__ float shared[StaticBytes / 4];
    shared[threadIdx.x % (StaticBytes / 4)] = value[0];
    __syncthreads();
    value[0] = shared[(threadIdx.x + 1) % (StaticBytes / 4)];
  }
  for (int step = 0; step < n; ++step) {
#pragma unroll
    for (int i = 0; i < live; ++i) value[i] = value[i] * value[(i + 1) % live] + values[step];
  }
#pragma unroll
  for (int i = 0; i < live; ++i) values[i * n + threadIdx.x] = value[i];
}

using kernel_pointer = void (*)(int, float*);

template <int StaticBytes>
std::vector<kernel_pointer> kernels_with() {
  return {kernel<24, StaticBytes>,  kernel<32, StaticBytes>,  kernel<40, StaticBytes>, kernel<48, StaticBytes>,
          kernel<56, StaticBytes>,  kernel<64, StaticBytes>,  kernel<80, StaticBytes>, kernel<96, StaticBytes>,
          kernel<128, StaticBytes>, kernel<168, StaticBytes>, kernel<255, StaticBytes>};
}

struct failure {
  char const* what;
  cudaError_t status;
};
void check(char const* what, cudaError_t status) {
  if (status != cudaSuccess) throw failure{what, status};
}

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check("device attribute", cudaDeviceGetAttribute(&value, which, device));
  return value;
}

std::vector<int> block_sizes() {
  std::vector<int> sizes;
  for (int threads = 32; threads <= 1024; threads += 32) sizes.push_back(threads);
  for (int threads : {1, 33, 65, 100, 127, 129, 200, 257, 500, 1000}) sizes.push_back(threads);
  return sizes;
}

/// Writes the rows of one kernel: every dynamic size, carve-out and block size.
void sweep_kernel(kernel_pointer function, int opt_in, std::vector<int> const& threads, std::ostream& out,
                  long long& count) {
  auto const address = reinterpret_cast<void const*>(function);
  cudaFuncAttributes attributes{};
  check("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, address));
  int const static_bytes = static_cast<int>(attributes.sharedSizeBytes);
  check("opt-in", cudaFuncSetAttribute(address, cudaFuncAttributeMaxDynamicSharedMemorySize, opt_in - static_bytes));
  for (int carveout : {-1, 0, 10, 25, 50, 75, 100}) {
    check("carve-out", cudaFuncSetAttribute(address, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
    for (int dynamic : {0, 1, 500, 1024, 3000, 7168, 8192, 15000, 20481, 32768, 48000, 65536, 80000, 100000, 150000}) {
      if (dynamic > opt_in - static_bytes) continue;
      out << "row " << attributes.numRegs << ' ' << static_bytes << ' ' << dynamic << ' ' << carveout << " :";
      for (int const block : threads) {
        int blocks = 0;
        check("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
              cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, address, block, static_cast<size_t>(dynamic)));
        out << ' ' << blocks;
        ++count;
      }
      out << '\n';
    }
  }
  check("carve-out", cudaFuncSetAttribute(address, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
}

/// Returns the active clusters of `size` blocks, or -1 if the driver refuses the size, which is no failure.
int count_clusters(void const* address, int threads, unsigned size) {
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = size;
  cluster.val.clusterDim.y = 1;
  cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(size);
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.attrs = &cluster;
  config.numAttrs = 1;
  int clusters = 0;
  cudaError_t const status = cudaOccupancyMaxActiveClusters(&clusters, address, &config);
  if (status == cudaErrorInvalidClusterSize || status == cudaErrorInvalidValue) {
    cudaGetLastError();
    return -1;
  }
  check("cudaOccupancyMaxActiveClusters", status);
  return clusters;
}

int largest_cluster(void const* address, int threads) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(static_cast<unsigned>(threads));
  int size = 0;
  check("cudaOccupancyMaxPotentialClusterSize", cudaOccupancyMaxPotentialClusterSize(&size, address, &config));
  return size;
}

/// Writes portable sizes and the driver's limit; then, after opting in, 16 and that limit again.
void sweep_clusters(kernel_pointer function, std::ostream& out, long long& count) {
  auto const address = reinterpret_cast<void const*>(function);
  cudaFuncAttributes attributes{};
  check("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, address));
  for (bool const opted_in : {false, true}) {
    check("non-portable clusters",
          cudaFuncSetAttribute(address, cudaFuncAttributeNonPortableClusterSizeAllowed, opted_in ? 1 : 0));
    for (int threads : {64, 128, 256, 384, 512}) {
      if (threads > attributes.maxThreadsPerBlock) continue;
      for (unsigned size : opted_in ? std::vector<unsigned>{16u} : std::vector<unsigned>{2u, 4u, 8u}) {
        out << "clusters " << attributes.numRegs << ' ' << threads << ' ' << size << ' '
            << count_clusters(address, threads, size) << '\n';
        ++count;
      }
      out << "cluster_limit " << attributes.numRegs << ' ' << threads << ' ' << (opted_in ? 1 : 0) << ' '
          << largest_cluster(address, threads) << '\n';
      ++count;
    }
  }
}

std::string sweep() {
  int device = 0;
  check("cudaGetDevice", cudaGetDevice(&device));
  cudaDeviceProp properties{};
  check("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
  int driver = 0;
  check("cudaDriverGetVersion", cudaDriverGetVersion(&driver));
  int const capability =
      10 * attribute(cudaDevAttrComputeCapabilityMajor, device) + attribute(cudaDevAttrComputeCapabilityMinor, device);
  std::vector<int> const threads = block_sizes();

  std::ostringstream out;
  out << "warpguard-record 2\ndevice " << properties.name << "\ncompute_capability " << capability << "\ndriver "
      << driver << "\nsms " << attribute(cudaDevAttrMultiProcessorCount, device) << "\nthreads";
  for (int const block : threads) out << ' ' << block;
  out << '\n';

  long long count = 0;
  int const opt_in = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  for (auto const& kernels : {kernels_with<0>(), kernels_with<1024>(), kernels_with<20000>(), kernels_with<49152>()}) {
    for (kernel_pointer const function : kernels) sweep_kernel(function, opt_in, threads, out, count);
  }
  if (capability >= 90) {
    for (kernel_pointer const function : kernels_with<0>()) sweep_clusters(function, out, count);
  }
  out << "end " << count << '\n';
  return out.str();
}

}  // namespace

int main(int argument_count, char** arguments) {
  int devices = 0;
  cudaError_t const status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) {
    std::printf("SKIPPED: no GPU\n");
    return 0;
  }
  try {
    check("cudaGetDeviceCount", status);
    std::string const record = sweep();
    std::istringstream text(record);
    gpu_test::replay_result const result = gpu_test::replay(text);
    std::printf("%-40s %s\n", "device", result.device.c_str());
    std::printf("%-40s %d\n", "compute capability", result.compute_capability);
    std::printf("%-40s %lld\n", "combinations", result.combinations);
    std::printf("%-40s %lld\n", "model and driver differ", result.differences);
    if (result.differences > 0) std::printf("%-40s %s\n", "first", result.first_difference.c_str());
    if (!result.error.empty()) std::printf("%-40s %s\n", "error", result.error.c_str());
    if (argument_count > 1) std::ofstream(arguments[1]) << record;
    return result.error.empty() && result.differences == 0 && result.combinations >= 100000 ? 0 : 1;
  } catch (failure const& error) {
    std::printf("%s: %s\n", error.what, cudaGetErrorString(error.status));
    return 1;
  }
}
