// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Whether the options of a contract make a contract at all, whatever the architecture, and the guards that say why
/// not.

#pragma once

#include <boost/hana/at.hpp>
#include <boost/hana/tuple.hpp>
#include <type_traits>

#include "../hardware/architecture.hpp"
#include "contract.hpp"
#include "targets.hpp"

namespace warpguard {

/// Refused: something that is not derived from `contract<...>`.
template <class Type>
struct contract_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Type*) == 0, "warpguard: this type is not a contract");
    return true;
  }
};

/// Refused: an argument of `contract` or `on` that is no option.
template <class Contract, class Option>
struct unknown_option_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0, "warpguard: a contract has no such option");
    return true;
  }
};

/// Refused: an amount that no architecture has, or that is none.
template <class Contract, class Option, int Least, int Most>
struct option_range_guard {
  static constexpr bool holds() {
    static_assert(Least <= Option::value && Option::value <= Most,
                  "warpguard: an option of the contract is out of range");
    return true;
  }
};

/// Refused: a block of no threads, of more than 1024, or too long in one dimension.
template <class Contract, class Option>
struct block_shape_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0,
                  "warpguard: a block has 1 to 1024 threads, and at most 1024 x 1024 x 64 of them");
    return true;
  }
};

/// Refused: two options of one kind.
template <class Contract, class Option, class OtherOption>
struct duplicate_option_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0, "warpguard: a contract states an option twice");
    return true;
  }
};

/// Refused: two of min_occupancy, min_warps_per_sm, min_blocks_per_sm and exactly_blocks_per_sm.
template <class Contract, class Option, class OtherOption>
struct two_minimums_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0, "warpguard: a contract promises one minimum, not two");
    return true;
  }
};

/// Refused: two `on<...>` for one architecture.
template <class Contract, class Option, class OtherOption>
struct repeated_architecture_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0, "warpguard: a contract has one on<> for each architecture, not two");
    return true;
  }
};

/// Refused: `on<X, ...>` where X is no `sm<...>`, and `on` inside `on`.
template <class Contract, class Option>
struct on_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0,
                  "warpguard: on<> takes an architecture, such as sm<90>, and options other than on<>");
    return true;
  }
};

/// Refused: `compatible<...>` inside an `on`, or without architectures.
template <class Contract, class Option>
struct compatible_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Option*) == 0, "warpguard: compatible<> takes architectures, and stands outside of on<>");
    return true;
  }
};

/// Refused: a contract without threads_per_block.
template <class Contract>
struct missing_threads_guard {
  static constexpr bool holds() {
    static_assert(sizeof(Contract*) == 0, "warpguard: a contract needs threads_per_block");
    return true;
  }
};

namespace detail {

struct range {
  int least;
  int most;
};

/// What an option's amount can be on any architecture; each architecture's own limits come later.
constexpr range range_of(stated const& option) {
  switch (option.kind) {
    case option_kind::registers: return {1, 255};
    case option_kind::static_shared_memory: return {0, 48 * 1024};
    case option_kind::dynamic_shared_memory:
    case option_kind::spills: return {0, unlimited};
    case option_kind::barriers: return {0, 16};
    case option_kind::cluster: return {1, largest_cluster};
    case option_kind::minimum: return {1, option.unit == minimum_unit::percent ? 100 : unlimited};
    default: return {1, unlimited};
  }
}

constexpr bool is_block_shape(long long x, long long y, long long z) {
  return x >= 1 && x <= 1024 && y >= 1 && y <= 1024 && z >= 1 && z <= 64 && x * y * z <= 1024;
}

/// Whether two options speak about the same, which only one of them may.
constexpr bool collide(stated const& a, stated const& b) {
  return a.kind == b.kind && a.compute_capability == b.compute_capability;
}

struct option_pair {
  int first;
  int second;
};
/// The first two options that collide; {-1, -1} where none do.
constexpr option_pair find_collision(stated const* options, int count) {
  for (int second = 1; second < count; ++second) {
    for (int first = 0; first < second; ++first) {
      if (collide(options[first], options[second])) return {first, second};
    }
  }
  return {-1, -1};
}

constexpr bool are_options(stated const* options, int count, bool inside_on);

constexpr bool is_in_order(stated const& option, bool inside_on) {
  switch (option.kind) {
    case option_kind::unknown: return false;
    case option_kind::threads: return is_block_shape(option.value, option.y, option.z);
    case option_kind::compatible: return !inside_on && option.count > 0;
    case option_kind::architecture:
      return !inside_on && row_index(option.compute_capability) >= 0 && are_options(option.options, option.count, true);
    default: {
      range const allowed = range_of(option);
      bool const has_shape = option.kind == option_kind::cluster;
      int const amount = has_shape ? blocks_of_cluster(option.value, option.y, option.z) : option.value;
      return allowed.least <= amount && amount <= allowed.most;
    }
  }
}

constexpr bool states_threads(stated const* options, int count) {
  for (int i = 0; i < count; ++i) {
    if (options[i].kind == option_kind::threads) return true;
  }
  return false;
}

constexpr bool speaks_of_architectures(stated const* options, int count) {
  for (int i = 0; i < count; ++i) {
    if (options[i].kind == option_kind::architecture) return true;
  }
  return false;
}

constexpr bool are_options(stated const* options, int count, bool inside_on) {
  unsigned kinds = 0;
  bool collision = false;
  for (int i = 0; i < count; ++i) {
    if (!is_in_order(options[i], inside_on)) return false;
    unsigned const kind = 1u << static_cast<int>(options[i].kind);
    collision = collision || (kinds & kind) != 0;
    kinds |= kind;
  }
  // Two options of one kind may still be about two architectures.
  if (collision && find_collision(options, count).first >= 0) return false;
  return inside_on || (kinds & (1u << static_cast<int>(option_kind::threads))) != 0;
}

constexpr bool is_contract(void const*) { return false; }
template <class... Option>
constexpr bool is_contract(contract<Option...> const*) {
  return true;
}

// From here on: only what is refused is ever instantiated.

template <class Contract, bool InsideOn, class... Option>
constexpr bool refuse_options();

template <class Contract, class Architecture, class... Option>
constexpr bool refuse_on(on<Architecture, Option...> const*) {
  architecture_guard<capability_of<Architecture>>::holds();
  return refuse_options<Contract, true, Option...>();
}

template <class Contract, bool InsideOn, class Option>
constexpr bool refuse_option() {
  constexpr stated option = said_by<Option>();
  if constexpr (option.kind == option_kind::unknown) {
    unknown_option_guard<Contract, Option>::holds();
  } else if constexpr (option.kind == option_kind::architecture) {
    if constexpr (InsideOn || option.compute_capability == 0) {
      on_guard<Contract, Option>::holds();
    } else {
      refuse_on<Contract>(static_cast<Option*>(nullptr));
    }
  } else if constexpr (!is_in_order(option, InsideOn)) {
    if constexpr (option.kind == option_kind::threads) {
      block_shape_guard<Contract, Option>::holds();
    } else if constexpr (option.kind == option_kind::compatible) {
      compatible_guard<Contract, Option>::holds();
    } else {
      option_range_guard<Contract, Option, range_of(option).least, range_of(option).most>::holds();
    }
  }
  return true;
}

template <class Contract, class First, class Second>
constexpr bool refuse_pair() {
  constexpr option_kind kind = First::says.kind;
  if constexpr (kind == option_kind::minimum) {
    two_minimums_guard<Contract, First, Second>::holds();
  } else if constexpr (kind == option_kind::architecture) {
    repeated_architecture_guard<Contract, First, Second>::holds();
  } else {
    duplicate_option_guard<Contract, First, Second>::holds();
  }
  return true;
}

template <int Index, class... Option>
using option_at = std::decay_t<decltype(boost::hana::at_c<Index>(boost::hana::tuple<Option...>{}))>;

template <class Contract, bool InsideOn, class... Option>
constexpr bool refuse_options() {
  constexpr int count = sizeof...(Option);
  constexpr stated said[sizeof...(Option) + 1] = {said_by<Option>()...};
  (refuse_option<Contract, InsideOn, Option>(), ...);
  if constexpr (((said_by<Option>().kind != option_kind::unknown) && ...)) {
    constexpr option_pair pair = find_collision(said, count);
    if constexpr (pair.first >= 0) {
      refuse_pair<Contract, option_at<pair.first, Option...>, option_at<pair.second, Option...>>();
    }
    if constexpr (!InsideOn && !states_threads(said, count)) missing_threads_guard<Contract>::holds();
  }
  return true;
}

template <class Contract, class... Option>
constexpr bool refuse_contract(contract<Option...> const*) {
  return refuse_options<Contract, false, Option...>();
}

}  // namespace detail

}  // namespace warpguard
