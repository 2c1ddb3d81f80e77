// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The code of docs/launch.md.

#include <cstdio>
#include <warpguard/launch.cuh>

namespace wg = warpguard;

struct scale_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_blocks_per_sm<4>,
                                     wg::also_runs_on<wg::sm<87>>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) scale(long n, float factor, float* values) {
  for (long i = blockIdx.x * 256L + threadIdx.x; i < n; i += gridDim.x * 256L) values[i] *= factor;
}

inline constexpr wg::kernel<scale_contract, scale> scale_kernel;

cudaError_t scale_all(long n, float* values, cudaStream_t stream) {
  return wg::launch(scale_kernel, wg::for_items(n), stream, n, 2.0f, values);
}

struct sum_contract
    : wg::contract<wg::max_threads_per_block<1024>, wg::dynamic_shared_memory_per_thread<sizeof(float)>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(sum_contract) sum(long n, float const* values, float* sums) {
  extern __shared__ float partial[];
  long const i = 1L * blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? values[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x != 0) return;
  float total = 0.0f;
  for (unsigned other = 0; other < blockDim.x; ++other) total += partial[other];
  sums[blockIdx.x] = total;
}

cudaError_t sum_all(long n, int block, float const* values, float* sums, cudaStream_t stream) {
  return wg::launch<sum_contract>(sum, {wg::for_items(n), block, block * sizeof(float), stream}, n, values, sums);
}

cudaError_t scale_resident(long n, float* values, cudaStream_t stream) {
  dim3 grid;
  if (cudaError_t const status = wg::resident_grid(scale_kernel, grid); status != cudaSuccess) return status;
  return wg::launch(scale_kernel, grid, stream, n, 2.0f, values);
}

cudaError_t scale_together(long n, float* values, dim3 grid, cudaStream_t stream) {
  wg::launch_options options{grid, stream};
  options.cooperative = true;
  options.programmatic_dependent_launch = true;
  options.attributes.priority(-1).access_policy_window({});
  cudaError_t const status = wg::launch(scale_kernel, options, n, 2.0f, values);
  if (status != cudaSuccess) std::fprintf(stderr, "scale: %s\n", wg::describe(wg::why_refused()));
  return status;
}

void log_promise(wg::promise_report const& report) {
  std::printf("%s: %d blocks per SM of %d\n", report.contract, report.blocks, report.blocks_promised);
}

cudaError_t scale_and_log(long n, float* values, cudaStream_t stream) {
  wg::set_promise_handler(log_promise);
  cudaError_t const status = scale_all(n, values, stream);
  if (wg::last_promise().state == wg::promise_state::missed) std::printf("scale: slower than it was built to be\n");
  return status;
}

cudaError_t scale_in_graph(long n, float* values, cudaStream_t stream, cudaGraph_t* graph) {
  if (cudaError_t const status = wg::prepare(scale_kernel); status != cudaSuccess) return status;
  cudaError_t const begun = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  if (begun != cudaSuccess) return begun;
  cudaError_t const launched = wg::launch(scale_kernel, 64, stream, n, 2.0f, values);
  cudaError_t const ended = cudaStreamEndCapture(stream, graph);
  return launched != cudaSuccess ? launched : ended;
}

cudaError_t add_scale(cudaGraph_t graph, cudaGraphNode_t* node, long n, float* values) {
  wg::launch_description description;
  cudaError_t const status = wg::describe_launch(scale_kernel, {wg::for_items(n)}, description);
  if (status != cudaSuccess) return status;
  float factor = 2.0f;
  void* arguments[] = {&n, &factor, &values};
  cudaKernelNodeParams const params = description.node_params(arguments);
  return cudaGraphAddKernelNode(node, graph, nullptr, 0, &params);
}

bool is_as_modelled() {
  wg::verify_report const report = wg::verify(scale_kernel);
  for (int i = 0; i < report.line_count; ++i) {
    wg::verify_line const& line = report.lines[i];
    std::printf("%s: expected %lld, found %lld\n", line.what, line.expected, line.found);
  }
  return report.holds();
}

#ifdef WITHOUT_STREAM  // must not compile: "launch takes a stream after the grid"
cudaError_t scale_without_stream(long n, float* values, dim3 grid) {
  return wg::launch<scale_contract>(scale, grid, n, 2.0f, values);
}
#endif
