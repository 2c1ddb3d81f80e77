// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// What the first launch of a kernel found out, for all later ones. Threads read and add without locks.

#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <new>

#include "../../contract/resolved_contract.hpp"
#include "../../hardware/architecture.hpp"
#include "../launch_refusal.cuh"

namespace warpguard::detail {

/// What is known about a block of one size with some dynamic shared memory, in one word, so that threads can replace
/// it.
class block_facts {
 public:
  static constexpr int no_carveout = 255;
  static constexpr int most_blocks = 255;

  constexpr block_facts() = default;  ///< of no block, without a carve-out
  constexpr explicit block_facts(std::uint64_t word) : word_(word) {}
  /// `blocks`: of the kernel on an SM, from the driver; 0 if it was not asked. `carveout`: in percent, or no_carveout.
  /// `is_kept`: whether the contract promises nothing, or keeps its promise on a device that it was checked for.
  constexpr block_facts(int threads, int bytes, int blocks, int carveout, bool is_kept)
      : word_(key(threads, bytes) | static_cast<std::uint64_t>(blocks) << 8 | static_cast<std::uint64_t>(carveout) |
              (is_kept ? kept : 0)) {}

  constexpr std::uint64_t word() const { return word_; }
  constexpr bool is_of(int threads, int bytes) const { return (word_ & ~values) == key(threads, bytes); }
  constexpr int threads() const { return static_cast<int>(word_ >> 48); }
  constexpr int bytes() const { return static_cast<int>(word_ >> 20 & 0xfffffff); }
  constexpr int blocks() const { return static_cast<int>(word_ >> 8 & 0xff); }
  constexpr int carveout() const { return static_cast<int>(word_ & 0xff); }
  constexpr bool is_kept() const { return (word_ & kept) != 0; }

 private:
  // From the lowest bit: carve-out 8, blocks 8, kept 1, 3 unused, bytes 28, threads 16.
  static constexpr std::uint64_t values = 0xfffff;
  static constexpr std::uint64_t kept = 0x10000;
  static constexpr std::uint64_t key(int threads, int bytes) {
    return static_cast<std::uint64_t>(threads) << 48 | static_cast<std::uint64_t>(bytes) << 20;
  }

  std::uint64_t word_ = no_carveout;
};

/// Whether the contract was checked for a device before the program ran.
enum class device_state { checked, unchecked, unknown };

/// A kernel under a contract on a device, after its first launch. Only the atomic members change later.
struct prepared_kernel {
  // What it is found by.
  void const* kernel = nullptr;
  int device = 0;
  std::uint32_t epoch = 0;
  prepared_kernel const* next = nullptr;

  resolved_contract terms;  ///< of the code
  bool is_fixed = false;    ///< the contract fixes block and bytes
  bool has_promise = false;
  bool sets_carveout = false;     ///< each launch sets its own carve-out
  bool has_own_carveout = false;  ///< the program has set one for the kernel
  int block_threads = 0;          ///< of the contract; the most if launches choose the block
  int most_bytes = 0;             ///< dynamic, of a block of that size
  dim3 block;
  dim3 cluster;
  /// The contract's cluster, and the carve-out of a fixed block. Launches without other attributes use them as they
  /// are.
  cudaLaunchAttribute attributes[2];
  unsigned attribute_count = 0;
  bool has_cluster = false;  ///< of more than one block; it is the first attribute then

  int compiled_for = 0;  ///< compute capability of the code
  int registers = 0;     ///< per thread
  int static_bytes = 0;  ///< of shared memory
  int opt_in = 0;        ///< bytes of shared memory that a block of the device can have
  architecture arch;     ///< the limits of the device
  device_state state = device_state::checked;
  char const* (*signature_of_contract)() = nullptr;  ///< a function's signature that names the contract

  mutable std::atomic<std::uint64_t> facts{block_facts().word()};  ///< block_facts of the last block that was looked at
  mutable std::atomic<bool> is_reported{false};
  mutable std::atomic<void const*> checked_arguments{nullptr};  ///< the argument_list that fits the parameters
};

/// Returns what of a promise a block misses; none if it keeps it.
inline launch_refusal missed_promise(prepared_kernel const& kernel, int threads, int blocks) {
  resolved_contract const& terms = kernel.terms;
  if (blocks < terms.blocks_required(kernel.arch, threads)) return launch_refusal::residency;
  if (blocks > terms.blocks_allowed()) return launch_refusal::excess;
  return kernel.registers < terms.min_registers ? launch_refusal::registers : launch_refusal::none;
}

/// A list, because a contract has few kernels and a program few devices. Entries live as long as the program.
class prepared_list {
 public:
  prepared_kernel const* find(void const* kernel, int device, std::uint32_t epoch) const {
    prepared_kernel const* entry = first_.load(std::memory_order_acquire);
    while (entry != nullptr && (entry->kernel != kernel || entry->device != device || entry->epoch != epoch)) {
      entry = entry->next;
    }
    return entry;
  }

  /// Adds an entry. Two threads that add the same kernel add two entries, of which one is never found again.
  void add(prepared_kernel* entry) {
    prepared_kernel const* first = first_.load(std::memory_order_acquire);
    do {
      entry->next = first;
    } while (!first_.compare_exchange_weak(first, entry, std::memory_order_acq_rel));
  }

 private:
  std::atomic<prepared_kernel const*> first_{nullptr};
};

/// The kernels of a contract. Files of one program may be built for different targets, and each list of targets is
/// checked for itself. Constant-initialised: a launch may come before main().
template <class Contract, class Targets>
inline prepared_list prepared_kernels_of;

}  // namespace warpguard::detail
