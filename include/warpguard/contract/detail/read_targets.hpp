// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads the targets of the build from the text of `__CUDA_ARCH_LIST__` and `WARPGUARD_TARGETS`. They are read as text
/// because every misspelling is a text, but not every one is C++.

#pragma once

#include "../../hardware/host_device.hpp"

namespace warpguard::detail {

inline constexpr int max_targets = 64;
inline constexpr int max_wrong = 8;

/// Whether a text has numbers separated by commas and nothing else. The text 1 is that of a macro without a value.
WARPGUARD_DETAIL_HOST constexpr bool is_list_of_numbers(char const* text) {
  if (text[0] == '1' && text[1] == '\0') return false;
  bool wants_number = true;  // at the beginning and after a comma
  bool in_number = false;
  for (;; ++text) {
    char const character = *text;
    if (character >= '0' && character <= '9') {
      if (!in_number && !wants_number) return false;
      wants_number = false;
      in_number = true;
      continue;
    }
    in_number = false;
    if (character == ' ') continue;
    if (character != ',' || wants_number) return character == '\0' && !wants_number;
    wants_number = true;
  }
}

/// What a text of targets says.
struct read_targets {
  bool is_list = true;  ///< false: one text is something else, and none of its numbers counts
  int given = 0;        ///< numbers in the text
  int wrong_count = 0;  ///< numbers that are no targets; the first `max_wrong` of them are kept
  int wrong[max_wrong] = {};
  int count = 0;                             ///< targets, each once
  int compute_capability[max_targets] = {};  ///< ascending; 90 is 9.0

  WARPGUARD_DETAIL_HOST constexpr bool contains(int value) const {
    for (int index = 0; index < count; ++index) {
      if (compute_capability[index] == value) return true;
    }
    return false;
  }

  WARPGUARD_DETAIL_HOST constexpr void insert(int value) {
    int position = count;
    while (position > 0 && compute_capability[position - 1] >= value) --position;
    if (position < count && compute_capability[position] == value) return;
    for (int index = count; index > position; --index) compute_capability[index] = compute_capability[index - 1];
    compute_capability[position] = value;
    ++count;
  }

  /// Adds a number as `__CUDA_ARCH__` has it: 900 is 9.0.
  WARPGUARD_DETAIL_HOST constexpr void add(int number) {
    ++given;
    if (number < 200 || number % 10 != 0) {
      if (wrong_count < max_wrong) wrong[wrong_count++] = number;
    } else if (count < max_targets) {
      insert(number / 10);
    }
  }

  WARPGUARD_DETAIL_HOST constexpr void add_all(char const* text) {
    if (!is_list_of_numbers(text)) {
      is_list = false;
      return;
    }
    int number = -1;  // between numbers
    for (;; ++text) {
      char const character = *text;
      if (character >= '0' && character <= '9') {
        if (number < 0) number = 0;
        if (number < 100000) number = 10 * number + (character - '0');
        continue;
      }
      if (number >= 0) add(number);
      if (character == '\0') return;
      number = -1;
    }
  }

  /// Whether something is refused, other than compute capabilities that the table lacks.
  WARPGUARD_DETAIL_HOST constexpr bool is_refused() const { return !is_list || given > max_targets || wrong_count > 0; }
};

WARPGUARD_DETAIL_HOST constexpr read_targets targets_in(char const* first, char const* other = nullptr) {
  read_targets result;
  result.add_all(first);
  if (other != nullptr) result.add_all(other);
  return result;
}

// The compiler's list always counts. WARPGUARD_TARGETS adds to it, so that no GPU of the build goes unchecked.
#define WARPGUARD_DETAIL_TEXT(...) #__VA_ARGS__
#define WARPGUARD_DETAIL_TEXT_OF(...) WARPGUARD_DETAIL_TEXT(__VA_ARGS__)
#if defined(__CUDA_ARCH_LIST__) && defined(WARPGUARD_TARGETS)
constexpr read_targets build_targets =
    targets_in(WARPGUARD_DETAIL_TEXT_OF(__CUDA_ARCH_LIST__), WARPGUARD_DETAIL_TEXT_OF(WARPGUARD_TARGETS));
#elif defined(__CUDA_ARCH_LIST__)
constexpr read_targets build_targets = targets_in(WARPGUARD_DETAIL_TEXT_OF(__CUDA_ARCH_LIST__));
#elif defined(WARPGUARD_TARGETS)
constexpr read_targets build_targets = targets_in(WARPGUARD_DETAIL_TEXT_OF(WARPGUARD_TARGETS));
#else
constexpr read_targets build_targets{};
#endif
// What the compiler generates code for. Without its list, WARPGUARD_TARGETS is all that is known.
#if defined(__CUDA_ARCH_LIST__)
constexpr read_targets compiled_targets = targets_in(WARPGUARD_DETAIL_TEXT_OF(__CUDA_ARCH_LIST__));
#else
constexpr read_targets compiled_targets = build_targets;
#endif
#undef WARPGUARD_DETAIL_TEXT
#undef WARPGUARD_DETAIL_TEXT_OF

/// 0, 1, 2, … as a type; <utility>'s would cost every kernel's file more than the rest of this folder.
template <int... Position>
struct positions {};
template <int Count, int... Position>
struct count_to : count_to<Count - 1, Count - 1, Position...> {};
template <int... Position>
struct count_to<0, Position...> {
  using type = positions<Position...>;
};

}  // namespace warpguard::detail
