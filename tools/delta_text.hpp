// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Differences as text for a terminal: which kernel, why, and what to do. The worst come first, and what does not fit
/// on a screen is counted.

#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "delta.hpp"
#include "delta_sentence.hpp"
#include "differences.hpp"
#include "text.hpp"

namespace measure {

namespace detail {

/// How many rows are shown: those that fail, and others.
constexpr std::size_t failing_rows_shown = 12;
constexpr std::size_t other_rows_shown = 8;

/// Calls `show` for the rows that are shown. Returns how many are not.
template <class Show>
std::size_t show_rows(std::vector<delta_row> const& rows, Show const& show) {
  std::size_t failing = 0;
  std::size_t others = 0;
  std::size_t left_out = 0;
  for (delta_row const& row : rows) {
    bool const is_shown = row.first.fails ? ++failing <= failing_rows_shown : ++others <= other_rows_shown;
    if (is_shown) {
      show(row);
    } else {
      ++left_out;
    }
  }
  return left_out;
}

}  // namespace detail

/// Prints how a build differs from its lock, first the compiler and the flags, and counts the differences that fail the
/// build.
inline void print_differences(measure_request const& request, lock_file const& lock, entry_map const& entries,
                              std::vector<difference> const& all, failures& failed) {
  std::string text = detail::compiler_differences(request, lock, entries);
  std::vector<delta_row> const rows = detail::rows_of(all);
  std::size_t const left_out = detail::show_rows(rows, [&](delta_row const& row) {
    std::string gpus;
    for (int gpu : row.gpus) append(gpus, ",", std::to_string(gpu));
    text += std::string("warpguard: ") + (row.first.fails ? error_word() : "") + row.first.kind + " " +
            shortened(row.first.kernel.first) + " sm_" + gpus + ": " + row.first.details + "\n";
    if (!row.fits.empty()) text += "warpguard:   what fits: " + row.fits + "\n";
  });
  if (left_out > 0) {
    text += "warpguard: and " + with_commas(left_out) + " more" +
            (request.reports.empty() ? "" : ": see " + request.reports + "/" + request.name + ".json") + "\n";
  }
  int failing = 0;
  int to_record = 0;
  std::map<int, int> unbuilt;  // by compute capability
  int uncompared = 0;
  for (difference const& d : all) {
    failing += d.fails ? 1 : 0;
    if (d.kind == "UNCOMPARED" && !d.fails) {
      ++uncompared;
    } else if (d.kind == "UNBUILT" && !d.fails) {
      ++unbuilt[d.kernel.second];
    } else if (d.kind != "ALLOWED") {
      ++to_record;
    }
  }
  for (auto const& [capability, count] : unbuilt) {
    text += "warpguard: " + std::to_string(count) + " lines of the lock are for sm_" + std::to_string(capability) +
            ", which this build does not compile for: not compared\n";
  }
  if (uncompared > 0) {
    text +=
        "warpguard: " + std::to_string(uncompared) +
        " kernels are not compared, because the compiler or the flags differ; to compare them, write `compare other "
        "compilers` or `compare other flags` into the lock\n";
  }
  if (to_record > 0) {
    text += "warpguard: " + request.lock + ": " + std::to_string(failing) + " of " + std::to_string(to_record) +
            " differences fail the build; to accept them, " + request.how_to_update() + " and commit the lock\n";
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  failed.count += failing;
}

/// Returns a delta as text: the sentence, then the rows.
inline std::string delta_text(delta const& changes) {
  std::string text;
  for (std::string const& sentence : delta_sentences(changes, [](std::string const& name) { return shortened(name); }))
    text += sentence + "\n";
  std::size_t const left_out = detail::show_rows(changes.rows, [&](delta_row const& row) {
    text += "\n" + row.first.kind + " " + shortened(row.first.kernel.first) + " on " + capability_names(row.gpus) +
            "\n    " + row.first.details + "\n";
    if (!row.fits.empty()) text += "    what fits: " + row.fits + "\n";
  });
  if (left_out > 0) text += "\nand " + with_commas(left_out) + " more: see the JSON\n";
  if (!changes.accept.empty()) text += "\nTo accept this: " + changes.accept + "\n";
  return text;
}

}  // namespace measure
