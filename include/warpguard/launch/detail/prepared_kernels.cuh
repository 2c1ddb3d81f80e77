// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which kernels of a contract have been prepared, on which device. Threads read and add without locks.

#pragma once

#include <atomic>
#include <cstdint>
#include <new>

namespace warpguard::detail {

/// Raised by forget_prepared_kernels(): what was prepared in an earlier epoch no longer counts.
inline std::atomic<std::uint32_t> current_epoch{1};

/// A kernel on a device.
class prepared_kernel {
 public:
  prepared_kernel(void const* kernel, int device, prepared_kernel const* next)
      : kernel_(kernel), device_(device), next_(next) {}

  bool is_for(void const* kernel, int device) const { return kernel_ == kernel && device_ == device; }
  prepared_kernel const* next() const { return next_; }

  /// Returns what the kernel was compiled for if it was prepared in this epoch, otherwise -1.
  int compiled_for(std::uint32_t epoch) const {
    std::uint64_t const prepared = prepared_.load(std::memory_order_acquire);
    return prepared >> 32 == epoch ? static_cast<int>(prepared & 0xffffffffu) : -1;
  }
  void set_prepared(std::uint32_t epoch, int compiled_for) const {
    std::uint64_t const upper = static_cast<std::uint64_t>(epoch) << 32;
    prepared_.store(upper | static_cast<std::uint32_t>(compiled_for), std::memory_order_release);
  }

 private:
  void const* const kernel_;
  int const device_;
  prepared_kernel const* const next_;
  /// The epoch in the upper half, what the kernel was compiled for in the lower.
  mutable std::atomic<std::uint64_t> prepared_{0};
};

/// A list, because a contract has few kernels and a program few devices. Entries live as long as the program.
class prepared_list {
 public:
  prepared_kernel const* find(void const* kernel, int device) const {
    prepared_kernel const* entry = first_.load(std::memory_order_acquire);
    while (entry != nullptr && !entry->is_for(kernel, device)) entry = entry->next();
    return entry;
  }

  /// Returns a new entry, or nullptr without memory: then the kernel is prepared again at each launch. Two threads that
  /// add the same kernel add two entries, of which one is never found again.
  prepared_kernel const* add(void const* kernel, int device) {
    prepared_kernel const* next = first_.load(std::memory_order_acquire);
    for (;;) {
      prepared_kernel const* const entry = new (std::nothrow) prepared_kernel(kernel, device, next);
      if (entry == nullptr || first_.compare_exchange_strong(next, entry, std::memory_order_acq_rel)) return entry;
      delete entry;
    }
  }

 private:
  std::atomic<prepared_kernel const*> first_{nullptr};
};

/// The kernels of a contract. Files of one program may be built for different targets, and each list of targets is
/// checked for itself. Constant-initialised: a launch may come before main().
template <class Contract, class Targets>
inline prepared_list prepared_kernels_of;

}  // namespace warpguard::detail
