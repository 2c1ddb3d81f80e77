// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What became of the promised residency on the device that runs the kernel: a missed promise is reported, and the
/// kernel is launched all the same.

#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#include "../hardware/arithmetic.hpp"
#include "../model/occupancy.hpp"
#include "detail/prepared_kernels.cuh"
#include "detail/shared_state.cuh"
#include "launch_refusal.cuh"

namespace warpguard {

/// What became of a promise.
enum class promise_state {
  none,              ///< nothing was promised, or nothing was launched
  kept,              ///< on a device that the contract was checked for
  missed,            ///< the driver holds fewer or more blocks than promised, or the kernel has too few registers
  unchecked_device,  ///< kept, but the device is neither a target, nor a later minor of one, nor in also_runs_on<...>
  unknown_device,    ///< kept, but the table lacks the device's compute capability
};

/// The promise of a contract, and what the driver found for the block and the bytes of a launch.
struct promise_report {
  promise_state state = promise_state::none;  ///< what became of it
  void const* kernel = nullptr;               ///< its address
  char const* kernel_name = "";               ///< as the compiler mangled it; empty before CUDA 12.3
  char contract[128] = "";                    ///< its name, cut if it is longer; empty if the compiler does not tell it
  int device = 0;                             ///< as cudaGetDevice() numbers it
  int compute_capability = 0;                 ///< of the device: 90 is 9.0
  int compiled_for = 0;                       ///< compute capability of the kernel's code
  int threads = 0;                            ///< of the block
  int dynamic_bytes = 0;                      ///< dynamic shared memory of the block
  int blocks = 0;                             ///< per SM, by the driver
  int blocks_promised = 0;                    ///< per SM, at least; 0: no minimum is promised
  int blocks_allowed = unlimited;             ///< per SM, at most; `unlimited`: no maximum is promised
  int registers = 0;                          ///< per thread, of the kernel
  int registers_promised = 0;                 ///< per thread, at least; 0: none are promised
  limiter limited_by = limiter::none;  ///< what limits the blocks; none if the model counts others than the driver
};

namespace detail {

/// Copies the contract's name out of a function's signature: "... [with Contract = name]" or "... [Contract = name;
/// ...".
inline void copy_contract_name(char const* signature, char* name, unsigned size) {
  char const* begin = std::strstr(signature, "Contract = ");
  if (begin == nullptr) return;
  begin += std::strlen("Contract = ");
  unsigned length = static_cast<unsigned>(std::strcspn(begin, ";]"));
  length = length < size ? length : size - 1;
  std::memcpy(name, begin, length);
  name[length] = '\0';
}

inline char const* name_of_kernel(void const* kernel) {
  char const* name = "";
#if CUDART_VERSION >= 12030
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver < 12030) return "";
  if (cudaFuncGetName(&name, kernel) != cudaSuccess || name == nullptr) return "";
#else
  static_cast<void>(kernel);
#endif
  return name;
}

inline promise_report make_promise_report(prepared_kernel const& kernel, block_facts facts) {
  promise_report report;
  if (!kernel.has_promise) return report;
  resolved_contract const& terms = kernel.terms;
  report.kernel = kernel.kernel;
  report.kernel_name = name_of_kernel(kernel.kernel);
  copy_contract_name(kernel.signature_of_contract(), report.contract, sizeof(report.contract));
  report.device = kernel.device;
  report.compute_capability = kernel.arch.compute_capability;
  report.compiled_for = kernel.compiled_for;
  report.threads = facts.threads();
  report.dynamic_bytes = facts.bytes();
  report.blocks = facts.blocks();
  report.blocks_promised = terms.blocks_required(kernel.arch, facts.threads());
  report.blocks_allowed = terms.blocks_allowed();
  report.registers = kernel.registers;
  report.registers_promised = terms.min_registers;
  kernel_resources const takes{facts.threads(), kernel.registers, kernel.static_bytes, facts.bytes(), terms.barriers};
  occupancy const modelled = occupancy_of(kernel.arch, takes);
  if (modelled.blocks_per_sm == facts.blocks()) report.limited_by = modelled.limited_by;
  if (missed_promise(kernel, facts.threads(), facts.blocks()) != launch_refusal::none) {
    report.state = promise_state::missed;
  } else if (kernel.state == device_state::checked) {
    report.state = promise_state::kept;
  } else {
    report.state =
        kernel.state == device_state::unknown ? promise_state::unknown_device : promise_state::unchecked_device;
  }
  return report;
}

/// Appends text to a line, as far as there is room.
template <class... Value>
void append(char* line, std::size_t size, char const* format, Value... value) {
  std::size_t const length = std::strlen(line);
  if constexpr (sizeof...(Value) == 0) {
    std::snprintf(line + length, size - length, "%s", format);
  } else {
    std::snprintf(line + length, size - length, format, value...);
  }
}

inline void append_limiters(char* line, std::size_t size, limiter limited_by) {
  struct named_limiter {
    limiter resource;
    char const* name;
  };
  char const* separator = ", limited by ";
  for (named_limiter const& one :
       {named_limiter{limiter::warps, "warps"}, named_limiter{limiter::registers, "registers"},
        named_limiter{limiter::shared_memory, "shared memory"}, named_limiter{limiter::block_slots, "block slots"},
        named_limiter{limiter::barriers, "barriers"}, named_limiter{limiter::virtual_resources, "virtual resources"}}) {
    if (!contains(limited_by, one.resource)) continue;
    append(line, size, "%s%s", separator, one.name);
    separator = ", ";
  }
}

/// Writes a report as a line without its end.
inline void write_promise(promise_report const& report, char* line, std::size_t size) {
  auto const add = [line, size](char const* format, auto... value) { append(line, size, format, value...); };
  line[0] = '\0';
  add("warpguard");
  if (report.kernel_name[0] != '\0') {
    add(": %s", report.kernel_name);
  } else {
    add(": kernel %p", report.kernel);
  }
  if (report.contract[0] != '\0') add(" under %s", static_cast<char const*>(report.contract));
  add(" on device %d (%d.%d): ", report.device, report.compute_capability / 10, report.compute_capability % 10);
  if (report.state == promise_state::unchecked_device) add("the contract was not checked for this device; ");
  if (report.state == promise_state::unknown_device) add("this compute capability is unknown; ");
  add("%d blocks of %d threads per SM", report.blocks, report.threads);
  if (report.blocks_promised > 0) add(", promised at least %d", report.blocks_promised);
  if (report.blocks_allowed != unlimited) add(", promised at most %d", report.blocks_allowed);
  append_limiters(line, size, report.limited_by);
  if (report.registers < report.registers_promised) {
    add("; %d registers, promised at least %d", report.registers, report.registers_promised);
  }
}

}  // namespace detail

/// Prints a report to stderr, as one line: the handler that a program has if it sets none.
inline void print_promise(promise_report const& report) {
  char line[512];
  detail::write_promise(report, line, sizeof(line));
  std::fprintf(stderr, "%s\n", line);
}

/// Sets what is told, once for each kernel, contract and device, about a missed promise, and about a promise on a
/// device that nobody checked; returns what was set before. Without a handler, print_promise() is called; nullptr sets
/// that again. The handler is called by the thread that launches, before the launch, and must throw nothing.
inline promise_handler set_promise_handler(promise_handler handler) {
  promise_handler const before = detail::current_promise_handler.exchange(handler);
  return before != nullptr ? before : print_promise;
}

/// Returns what became of the promise of this host thread's last launch(), prepare(), resident_grid() or verify(), be
/// it reported or not.
[[nodiscard]] inline promise_report last_promise() {
  detail::launch_record const& last = detail::last_launch;
  return last.kernel != nullptr ? detail::make_promise_report(*last.kernel, last.facts) : promise_report{};
}

/// Returns why this host thread's last launch(), or other function that takes a kernel, returned an error.
[[nodiscard]] inline launch_refusal why_refused() { return detail::last_launch.refusal; }

namespace detail {

inline void report_promise(prepared_kernel const& kernel, block_facts facts) {
  if (kernel.is_reported.exchange(true)) return;
  promise_handler const handler = current_promise_handler.load();
  (handler != nullptr ? handler : print_promise)(make_promise_report(kernel, facts));
}

/// Decides about a promise that was not simply kept. `must_hold`: it is an error even if the kernel can run.
[[gnu::noinline]] inline launch_refusal judge_missed_promise(prepared_kernel const& kernel, block_facts facts,
                                                             bool must_hold, bool blocks_wait) {
  launch_refusal const missed = missed_promise(kernel, facts.threads(), facts.blocks());
  if (missed != launch_refusal::none && (must_hold || blocks_wait)) return missed;
  if (must_hold) {
    return kernel.state == device_state::unknown ? launch_refusal::unknown_device : launch_refusal::unchecked_device;
  }
  report_promise(kernel, facts);
  return launch_refusal::none;
}

/// Returns why a launch is refused for its promise, and reports a missed one that is not refused. `blocks_wait`: for
/// each other, so that they need the promised residency.
inline launch_refusal judge_promise(prepared_kernel const& kernel, block_facts facts, bool must_hold,
                                    bool blocks_wait) {
  last_launch.kernel = &kernel;
  last_launch.facts = facts;
  if (facts.is_kept()) return launch_refusal::none;
  return judge_missed_promise(kernel, facts, must_hold || kernel.terms.promise_required != 0,
                              blocks_wait || kernel.has_cluster);
}

}  // namespace detail

}  // namespace warpguard
