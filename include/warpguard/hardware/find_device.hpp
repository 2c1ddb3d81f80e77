// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds products and architectures by name: "H100 SXM", "sm_86". For host code, as a constant or at run time.

#pragma once

#include "architecture.hpp"
#include "arithmetic.hpp"
#include "host_device.hpp"
#include "products.hpp"
#include "table.hpp"

namespace warpguard {

/// How many products there are.
inline constexpr int product_count = sizeof(products) / sizeof(products[0]);

/// Products that a name may mean: the first `count` elements of `devices`.
struct device_matches {
  int count = 0;                               ///< how many
  product const* devices[product_count] = {};  ///< rows of `products`
};

namespace detail {

WARPGUARD_DETAIL_HOST constexpr bool is_digit(char sign) { return sign >= '0' && sign <= '9'; }

/// Returns a digit or a lower-case letter; '\0' for all else.
WARPGUARD_DETAIL_HOST constexpr char lower_case(char sign) {
  if (is_digit(sign) || (sign >= 'a' && sign <= 'z')) return sign;
  return sign >= 'A' && sign <= 'Z' ? static_cast<char>(sign - 'A' + 'a') : '\0';
}

WARPGUARD_DETAIL_HOST constexpr bool is_separator(char sign) {
  return sign == ' ' || sign == '\t' || sign == '-' || sign == '_';
}

/// Whether a name in a list of names ends here.
WARPGUARD_DETAIL_HOST constexpr bool is_end(char sign) { return sign == '\0' || sign == ','; }

WARPGUARD_DETAIL_HOST constexpr char const* skip_separators(char const* text) {
  while (is_separator(*text)) ++text;
  return text;
}

/// Returns `text` after `word`, or `text` if it does not begin with it. `word` has lower-case letters and digits.
WARPGUARD_DETAIL_HOST constexpr char const* skip_word(char const* text, char const* word) {
  char const* rest = skip_separators(text);
  for (; *word != '\0'; ++word, ++rest) {
    if (lower_case(*rest) != *word) return text;
  }
  return rest;
}

enum class name_match { none, first_words, whole };

/// Compares a text with a name, which ends at '\0' or at a comma.
WARPGUARD_DETAIL_HOST constexpr name_match match_name(char const* text, char const* name) {
  text = skip_separators(text);
  if (*text == '\0') return name_match::none;
  for (;;) {
    bool const is_between_words = is_separator(*name) || is_end(*name);
    text = skip_separators(text);
    name = skip_separators(name);
    if (*text == '\0') {
      if (is_end(*name)) return name_match::whole;
      return is_between_words ? name_match::first_words : name_match::none;
    }
    if (is_end(*name) || lower_case(*text) == '\0' || lower_case(*text) != lower_case(*name)) return name_match::none;
    ++text;
    ++name;
  }
}

/// Returns the name after the next comma, or nullptr.
WARPGUARD_DETAIL_HOST constexpr char const* next_name(char const* names) {
  while (!is_end(*names)) ++names;
  return *names == ',' ? names + 1 : nullptr;
}

/// Returns the best match of all names of a product.
WARPGUARD_DETAIL_HOST constexpr name_match match_product(char const* text, product const& device) {
  name_match best = match_name(text, device.name);
  for (char const* name = device.other_names; name != nullptr; name = next_name(name)) {
    name_match const match = match_name(text, name);
    if (match > best) best = match;
  }
  return best;
}

inline constexpr int longest_name = 48;

/// A name without separators, in lower case.
struct plain_name {
  int length = 0;
  char signs[longest_name] = {};
};

/// Signs that are neither letters nor digits become '?'. What is too long is cut.
WARPGUARD_DETAIL_HOST constexpr plain_name plain_name_of(char const* text) {
  plain_name result;
  for (; !is_end(*text) && result.length < longest_name; ++text) {
    if (is_separator(*text)) continue;
    char const sign = lower_case(*text);
    result.signs[result.length++] = sign == '\0' ? '?' : sign;
  }
  return result;
}

/// Returns how many signs must be inserted, removed or replaced to make one name of the other (Levenshtein's distance).
WARPGUARD_DETAIL_HOST constexpr int distance_between(plain_name const& first, plain_name const& other) {
  int row[longest_name + 1] = {};
  for (int column = 0; column <= other.length; ++column) row[column] = column;
  for (int line = 1; line <= first.length; ++line) {
    int diagonal = row[0];
    row[0] = line;
    for (int column = 1; column <= other.length; ++column) {
      int const above = row[column];
      int const replaced = diagonal + (first.signs[line - 1] == other.signs[column - 1] ? 0 : 1);
      int const moved = (above < row[column - 1] ? above : row[column - 1]) + 1;
      row[column] = replaced < moved ? replaced : moved;
      diagonal = above;
    }
  }
  return row[other.length];
}

/// Returns the distance to the nearest name of a product.
WARPGUARD_DETAIL_HOST constexpr int distance_to(plain_name const& wanted, product const& device) {
  int nearest = distance_between(wanted, plain_name_of(device.name));
  for (char const* name = device.other_names; name != nullptr && *name != '\0'; name = next_name(name)) {
    plain_name const other = plain_name_of(name);
    // Names that differ more in length than the nearest so far cannot be nearer.
    int const longer = other.length > wanted.length ? other.length - wanted.length : wanted.length - other.length;
    if (longer < nearest) nearest = min_of(nearest, distance_between(wanted, other));
  }
  return nearest;
}

}  // namespace detail

/// Returns the products that a name may mean. Case, spaces, hyphens and underscores do not matter, nor does NVIDIA in
/// front. If the text is one of the names of a product, the result is this product. Otherwise it is all products of
/// which a name begins with the text and continues with another word: "H100" may mean three products, and "H10" none.
WARPGUARD_DETAIL_HOST constexpr device_matches find_devices(char const* text) {
  text = detail::skip_word(text, "nvidia");
  device_matches whole;
  device_matches first_words;
  for (product const& device : products) {
    detail::name_match const match = detail::match_product(text, device);
    if (match == detail::name_match::whole) whole.devices[whole.count++] = &device;
    if (match == detail::name_match::first_words) first_words.devices[first_words.count++] = &device;
  }
  return whole.count > 0 ? whole : first_words;
}

/// Returns the product of which `text` is one of the names, or else nullptr. A name that is only the beginning of
/// another finds nothing, because it may be that of another GPU: an RTX 2080 is no RTX 2080 Ti.
WARPGUARD_DETAIL_HOST constexpr product const* find_device(char const* text) {
  text = detail::skip_word(text, "nvidia");
  for (product const& device : products) {
    if (detail::match_product(text, device) == detail::name_match::whole) return &device;
  }
  return nullptr;
}

/// Returns up to three products with names similar to an unknown one, nearest first, to show them in an error. Names
/// are left out if more than a third of the text would have to change.
WARPGUARD_DETAIL_HOST constexpr device_matches similar_devices(char const* text) {
  detail::plain_name const wanted = detail::plain_name_of(detail::skip_word(text, "nvidia"));
  constexpr int most = 3;
  device_matches result;
  int distances[most + 1] = {};
  for (product const& device : products) {
    int const distance = detail::distance_to(wanted, device);
    if (3 * distance > wanted.length) continue;
    int place = result.count;
    for (; place > 0 && distance < distances[place - 1]; --place) {
      distances[place] = distances[place - 1];
      result.devices[place] = result.devices[place - 1];
    }
    distances[place] = distance;
    result.devices[place] = &device;
    if (result.count < most) ++result.count;
  }
  for (int place = result.count; place <= most; ++place) result.devices[place] = nullptr;
  return result;
}

/// Returns the architecture that a text names: "sm_86", "compute_86", "8.6" or "86", also with the suffix of
/// architecture-specific code ("sm_90a", "sm_100f"). nullptr for all else, names of products included.
WARPGUARD_DETAIL_HOST constexpr architecture const* architecture_named(char const* text) {
  char const* rest = detail::skip_word(text, "compute");
  if (rest == text) rest = detail::skip_word(text, "sm");
  bool const has_prefix = rest != text;
  if (has_prefix && *rest == '_') ++rest;
  int number = 0;
  int digits = 0;
  for (; detail::is_digit(*rest) && digits < 3; ++rest, ++digits) number = 10 * number + (*rest - '0');
  if (!has_prefix && digits > 0 && rest[0] == '.' && detail::is_digit(rest[1])) {
    number = 10 * number + (rest[1] - '0');
    ++digits;
    rest += 2;
  }
  if (has_prefix && (*rest == 'a' || *rest == 'f')) ++rest;
  return digits >= 2 && *rest == '\0' ? find_architecture(number) : nullptr;
}

}  // namespace warpguard
