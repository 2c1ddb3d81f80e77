// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compiles a kernel under a contract at run time, and prints its launch bounds, or why the contract is refused.
///
///     nvrtc_kernel INCLUDE_DIR REGISTERS

#include <cstdio>
#include <string>

#include <nvrtc.h>

char const* const text = R"cuda(
#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct saxpy_contract
    : wg::contract<wg::threads_per_block<256>, wg::max_registers<REGISTERS>, wg::min_occupancy<75>> {};

extern "C" __global__ void WARPGUARD_LAUNCH_BOUNDS(saxpy_contract)
saxpy(unsigned n, float a, float const* x, float* y) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
)cuda";

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::string const include = std::string("-I") + argv[1];
  std::string const registers = std::string("-DREGISTERS=") + argv[2];
  // NVRTC lists the architecture that it compiles for, which is then checked; these are checked too.
  char const* const options[] = {"-arch=compute_90", "-std=c++17", "-DWARPGUARD_TARGETS=750,860", include.c_str(),
                                 registers.c_str()};

  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, text, "saxpy.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS) return 2;
  nvrtcResult const result = nvrtcCompileProgram(program, 5, options);
  std::size_t size = 0;
  nvrtcGetProgramLogSize(program, &size);
  std::string log(size, '\0');
  nvrtcGetProgramLog(program, log.data());
  std::printf("%s", log.c_str());
  if (result == NVRTC_SUCCESS) {
    nvrtcGetPTXSize(program, &size);
    std::string ptx(size, '\0');
    nvrtcGetPTX(program, ptx.data());
    std::size_t const bounds = ptx.find(".maxntid");
    std::printf("%s\n", ptx.substr(bounds, ptx.find("{", bounds) - bounds).c_str());
  }
  nvrtcDestroyProgram(&program);
  return result == NVRTC_SUCCESS ? 0 : 1;
}
