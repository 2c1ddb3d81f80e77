// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Prints every contract that the CHECKS files hold against a measured kernel, for the lock and the reports: CHECKS are
/// linked to it, compiled so that they list instead of refusing. A line per kernel, architecture and contract.

#include <cstdio>
#include <cstring>
#include <warpguard/measured/measured_guarantee.hpp>

int main(int count, char** arguments) {
  std::FILE* const out = count > 1 ? std::fopen(arguments[1], "w") : nullptr;
  if (out == nullptr) return 1;
  for (warpguard::detail::held_pair const* pair = warpguard::detail::held_pairs; pair != nullptr; pair = pair->next) {
    // "... [with Contract = app_contract]" and "... [Contract = app_contract]"
    char const* name = std::strstr(pair->names, "Contract = ");
    name = name != nullptr ? name + 11 : pair->names;
    int const length = static_cast<int>(std::strlen(name)) - 1;
    for (int i = 0; i < pair->architecture_count; ++i) {
      int const capability = pair->architectures[i];
      warpguard::architecture const* const arch = warpguard::find_architecture(capability);
      if (arch == nullptr) continue;
      warpguard::detail::contract_terms const terms = pair->terms_on(capability);
      int const telling =
          warpguard::detail::telling_measurement(*arch, terms, pair->measurements, pair->measurement_count);
      auto const verdict = telling < 0 ? warpguard::detail::measured_verdict::missing
                                       : warpguard::detail::judge_measured(*arch, terms, pair->measurements[telling]);
      std::fprintf(out, "%s\t%d\t%.*s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", pair->kernel, capability, length, name,
                   terms.threads(), terms.dynamic_shared_memory, terms.barriers,
                   warpguard::detail::registers_allowed(*arch, terms), terms.spill_budget, terms.blocks_required(*arch),
                   warpguard::detail::words_of(verdict));
    }
  }
  return std::fclose(out) == 0 ? 0 : 1;
}
