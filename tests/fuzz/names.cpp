// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Names of kernels: each part of a name's path can be a type, and a name is one line of a lock. The demangler of GCC
/// 12 never ends for text such as _Z1kIXsrU1a1vEEvv, which is no mangled name: text with `sr`, the scope of a member,
/// is left out.

#include "names.hpp"

#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  for (std::string const& symbol : measure::lines_of(fuzz::text_of(data, size))) {
    if (measure::has(symbol, "sr")) continue;
    measure::kernel_name const name = measure::name_of(symbol);
    for (std::string const& part : name.path) {
      fuzz::require(measure::is_identifier(part), "each part of a path can be the name of a type", part);
    }
    fuzz::require(symbol.empty() || !name.text.empty(), "a symbol has a name", symbol);
    fuzz::require(name.text.find_first_of("\n\r") == std::string::npos && !measure::begins(name.text, "#"),
                  "a name can stand at the beginning of a line of the lock", name.text);
    std::string const shown = measure::shortened(name.text);
    fuzz::require(shown.size() <= measure::longest_name, "a long name is shortened", shown);
    measure::stable_symbol(symbol);
    measure::is_known_as_internal(symbol, name);
  }
  return 0;
}
