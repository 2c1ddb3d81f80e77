// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The code of docs/launch.md.

#include <cstdio>
#include <warpguard/launch.cuh>

namespace wg = warpguard;

struct scale_contract : wg::contract<wg::threads_per_block<256>, wg::max_registers<40>, wg::min_blocks_per_sm<4>,
                                     wg::also_runs_on<wg::sm<87>>> {};

__global__ void WARPGUARD_LAUNCH_BOUNDS(scale_contract) scale(int n, float factor, float* values) {
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < static_cast<unsigned>(n); i += gridDim.x * 256) {
    values[i] *= factor;
  }
}

cudaError_t scale_all(int n, float* values, cudaStream_t stream) {
  dim3 grid;
  if (cudaError_t const status = wg::resident_grid<scale_contract>(scale, grid); status != cudaSuccess) return status;
  return wg::launch<scale_contract>(scale, grid, stream, n, 2.0f, values);
}

cudaError_t scale_together(int n, float* values, dim3 grid, cudaStream_t stream) {
  wg::launch_options options{grid, stream};
  options.cooperative = true;
  options.programmatic_dependent_launch = true;
  cudaError_t const status = wg::launch<scale_contract>(scale, options, n, 2.0f, values);
  if (status != cudaSuccess) std::fprintf(stderr, "scale: %s\n", wg::describe(wg::why_refused()));
  return status;
}

cudaError_t scale_in_graph(int n, float* values, cudaStream_t stream, cudaGraph_t* graph) {
  if (cudaError_t const status = wg::prepare<scale_contract>(scale); status != cudaSuccess) return status;
  cudaError_t const begun = cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  if (begun != cudaSuccess) return begun;
  cudaError_t const launched = wg::launch<scale_contract>(scale, dim3(64), stream, n, 2.0f, values);
  cudaError_t const ended = cudaStreamEndCapture(stream, graph);
  return launched != cudaSuccess ? launched : ended;
}

bool is_as_modelled() {
  wg::verify_report const report = wg::verify<scale_contract>(scale);
  for (int i = 0; i < report.line_count; ++i) {
    wg::verify_line const& line = report.lines[i];
    std::printf("%s: expected %lld, found %lld\n", line.what, line.expected, line.found);
  }
  return report.holds();
}

#ifdef WITHOUT_STREAM  // must not compile: "launch takes a stream after the grid"
cudaError_t scale_without_stream(int n, float* values, dim3 grid) {
  return wg::launch<scale_contract>(scale, grid, n, 2.0f, values);
}
#endif
