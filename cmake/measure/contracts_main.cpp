// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// main() of the program that is made of the CHECKS. It writes what their contracts require to the file given as its
/// first argument, in the format of contract_fields.hpp. The other arguments are files that exist only if the compiler
/// refused CHECKS. Then it writes nothing, so that the last known contracts remain.

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <warpguard/measured/measured_checks.hpp>

#include "contract_fields.hpp"

namespace {

void print_check(std::FILE* out, warpguard::detail::measured_check const& check, char const* contract) {
  for (int k = 0; k < check.kernel_count; ++k) {
    warpguard::measured_kernel_ref const& kernel = check.kernels[k];
    for (int i = 0; i < kernel.architecture_count; ++i) {
      int const compute_capability = kernel.architectures[i];
      warpguard::measured_limits limits;
      if (!check.limits_on(compute_capability, limits)) continue;
      std::fprintf(out, "%s\t%d\t%s", kernel.name, compute_capability, contract);
      for (measure::contract_field const& field : measure::contract_fields) {
        std::fprintf(out, "\t%d", field.in(limits));
      }
      std::fputc('\n', out);
    }
  }
}

/// Writes the `on` of a contract that no target of the build uses, as a line without a kernel.
void print_unused(std::FILE* out, warpguard::detail::measured_check const& check, char const* contract) {
  for (int i = 0; i < check.option_count; ++i) {
    warpguard::detail::option_value const& option = *check.options[i];
    if (option.kind != warpguard::option_kind::on) continue;
    bool used = warpguard::build_target_list::contains(option.compute_capability);
    for (int k = 0; k < check.kernel_count && !used; ++k) {
      warpguard::measured_kernel_ref const& kernel = check.kernels[k];
      for (int j = 0; j < kernel.architecture_count; ++j) used |= kernel.architectures[j] == option.compute_capability;
    }
    if (!used) std::fprintf(out, "\t%d\t%s\n", option.compute_capability, contract);
  }
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 2; i < count; ++i) {
    std::FILE* const refusal = std::fopen(arguments[i], "r");
    if (refusal == nullptr) continue;
    std::fclose(refusal);
    return 0;
  }
  std::FILE* const out = count > 1 ? std::fopen(arguments[1], "w") : nullptr;
  if (out == nullptr) return 1;
  for (auto const* check = warpguard::detail::measured_checks; check != nullptr; check = check->next) {
    char* name = nullptr;
    int status = 0;
    if (check->contract_name != nullptr) {
      name = abi::__cxa_demangle(check->contract_name(), nullptr, nullptr, &status);
    }
    char const* const shown = name != nullptr ? name : "a contract without a name (compiled with -fno-rtti)";
    print_check(out, *check, shown);
    print_unused(out, *check, shown);
    std::free(name);
  }
  bool const good = std::ferror(out) == 0;
  return std::fclose(out) == 0 && good ? 0 : 1;
}
