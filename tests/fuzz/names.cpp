// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Names of kernels: a symbol has one name, and each part of its path can be a type. The demangler of GCC 12 never ends
/// for some text that is no mangled name, such as _Z1kIXsrU1a1vEEvv; such text is left out.

#include "names.hpp"

#include "fuzz.hpp"

int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  for (std::string const& symbol : measure::lines_of(fuzz::text_of(data, size))) {
    if (measure::has(symbol, "srU")) continue;
    measure::kernel_name const name = measure::name_of(symbol);
    for (std::string const& part : name.path) {
      fuzz::require(measure::is_identifier(part), "each part of a path can be the name of a type", part);
    }
    std::string const key = measure::key_of(symbol);
    fuzz::require(!key.empty() || symbol.empty() || measure::has(symbol, " "), "a symbol has a name", symbol);
    measure::is_known_as_internal(symbol);
  }
  return 0;
}
