// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Which kernels have been prepared, for which contract and on which device: one table for the whole program, that
/// threads read and write without locks. Its size is fixed, because nothing is to be allocated; a program that fills it
/// still launches everything, but prepares again at each launch what found no place.

#pragma once

#include <atomic>
#include <cstdint>

namespace warpguard::detail {

/// The same address for a contract wherever it is launched with the same targets. Not const: linkers may give constants
/// of equal value one address.
template <class Contract, class Targets>
inline char contract_mark = 0;

struct prepared_key {
  void const* contract = nullptr;
  void const* kernel = nullptr;
  int device = 0;
};

/// All zero, and constant from the start: a launch may come before main().
struct prepared_place {
  enum : int { empty, claimed, named };

  std::atomic<int> state{empty};  // the key is written once, between `claimed` and `named`
  prepared_key key;
  /// The epoch in which it was prepared, and in the lower half what the kernel was compiled for.
  std::atomic<std::uint64_t> prepared{0};

  bool is_for(prepared_key const& other) const {
    return key.kernel == other.kernel && key.contract == other.contract && key.device == other.device;
  }
};

inline std::uint64_t hash_of(prepared_key const& key) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15u;  // 2^64 divided by the golden ratio
  std::uint64_t hash = reinterpret_cast<std::uintptr_t>(key.kernel) * odd;
  hash = (hash ^ reinterpret_cast<std::uintptr_t>(key.contract)) * odd;
  hash = (hash ^ static_cast<std::uint64_t>(key.device)) * odd;
  return hash >> 32;
}

template <int Places>
struct prepared_table {
  prepared_place places[Places] = {};

  /// The place of the key, taken for it if it has none; null where all are taken.
  prepared_place* place_of(prepared_key const& key) {
    std::uint64_t const first = hash_of(key);
    for (std::uint64_t i = 0; i < Places; ++i) {
      prepared_place& place = places[(first + i) % Places];
      int state = place.state.load(std::memory_order_acquire);
      if (state == prepared_place::empty &&
          place.state.compare_exchange_strong(state, prepared_place::claimed, std::memory_order_acquire)) {
        place.key = key;
        place.state.store(prepared_place::named, std::memory_order_release);
        return &place;
      }
      if (state == prepared_place::named && place.is_for(key)) return &place;
      // One that another thread is naming may be for the same key, which then has two places: no harm.
    }
    return nullptr;
  }
};

/// More places than programs have contracts times kernels times devices; 640 KiB, of which what nobody touches takes no
/// memory.
inline prepared_table<(1 << 14)> prepared_kernels;

/// Raised by forget_prepared_kernels(): what was prepared before no longer counts.
inline std::atomic<std::uint32_t> current_epoch{1};

/// What the kernel was compiled for if it was prepared in this epoch, or else -1.
inline int prepared_for(prepared_place const& place, std::uint32_t epoch) {
  std::uint64_t const prepared = place.prepared.load(std::memory_order_acquire);
  return prepared >> 32 == epoch ? static_cast<int>(prepared & 0xffffffffu) : -1;
}

inline void set_prepared(prepared_place& place, std::uint32_t epoch, int compiled_for) {
  std::uint64_t const upper = static_cast<std::uint64_t>(epoch) << 32;
  place.prepared.store(upper | static_cast<std::uint32_t>(compiled_for), std::memory_order_release);
}

}  // namespace warpguard::detail
