// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// A delta as a comment of a pull request. Forges accept at most 65,536 characters, so it has a limit. What is in code
/// spans is neither markup nor a mention of a person.

#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "delta.hpp"
#include "delta_sentence.hpp"

namespace measure {

/// The largest comment in bytes.
constexpr std::size_t largest_comment = 60000;

namespace markdown {

enum class place_of_code { sentence, table };

/// Returns a text as a code span of one line. In a table, a bar needs a backslash.
inline std::string code(std::string const& plain, place_of_code where = place_of_code::sentence) {
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string text;
  for (char c : shortened(plain)) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|' && where == place_of_code::table) text += '\\';
    text += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
  }
  if (text.empty()) return "";
  bool const touches = text.front() == '`' || text.back() == '`' || text.back() == '\\';
  std::string const fence(longest + 1, '`');
  return fence + (touches ? " " + text + " " : text) + fence;
}

inline std::string cell(std::string const& plain) { return code(plain, place_of_code::table); }

inline std::string folded(std::string const& summary, std::string const& contents) {
  return "<details><summary>" + summary + "</summary>\n\n" + contents + "\n</details>\n";
}

/// Returns the lines, the first ones, that fit into `room` bytes, and counts those that do not: "and 1,234 more".
inline std::string lines_that_fit(std::vector<std::string> const& lines, std::size_t room, std::string const& where) {
  std::string const rest_before = "\nand ";
  std::string const rest_after = " more rows: see " + where + "\n";
  std::size_t const rest = rest_before.size() + rest_after.size() + 16;
  std::string text;
  for (std::size_t at = 0; at < lines.size(); ++at) {
    bool const is_last = at + 1 == lines.size();
    if (text.size() + lines[at].size() + (is_last ? 0 : rest) > room) {
      return text + rest_before + with_commas(lines.size() - at) + rest_after;
    }
    text += lines[at];
  }
  return text;
}

}  // namespace markdown

namespace detail {

inline std::string delta_table_head() {
  std::string text = "| kernel | GPU |";
  std::string rule = "|---|---|";
  for (char const* heading : delta_headings) {
    text += std::string(" ") + heading + " |";
    rule += "---|";
  }
  return text + " what fits | verdict |\n" + rule + "---|---|\n";
}

inline std::string delta_table_row(delta_row const& row) {
  difference const& d = row.first;
  std::string text = "| " + markdown::cell(d.kernel.first);
  if (!d.former.first.empty()) text += ", was " + markdown::cell(d.former.first);
  if (!d.successor.first.empty()) text += ", perhaps now " + markdown::cell(d.successor.first);
  text += " | " + capability_names(row.gpus) + " |";
  for (delta_cell const& cell : row.cells) {
    std::string const value = cell.text();
    bool const is_changed = !cell.before.empty() && !cell.after.empty() && cell.before != cell.after;
    if (!value.empty()) text += is_changed ? " **" + value + "**" : " " + value;
    text += " |";
  }
  text += (row.fits.empty() ? "" : " " + row.fits) + " | " + (d.fails ? "**" + d.kind + "**" : d.kind);
  if (!d.note.empty()) text += ": " + markdown::cell(d.note);
  return text + " |\n";
}

inline bool is_bad(delta_row const& row) {
  return row.first.fails || row.first.kind == "WORSE" || row.first.kind == "GONE" || row.first.kind == "ALLOWED";
}

}  // namespace detail

/// Returns a delta in at most `largest` bytes. Rows that do not fit are counted, and the worst are kept. `where` says
/// where all of them are.
inline std::string delta_markdown(delta const& changes, std::size_t largest = largest_comment,
                                  std::string const& where = "the JSON") {
  std::string text;
  for (std::string const& sentence :
       delta_sentences(changes, [](std::string const& name) { return markdown::code(name); }))
    text += sentence + "\n";
  std::vector<std::string> bad;
  std::vector<std::string> others;
  for (delta_row const& row : changes.rows) {
    (detail::is_bad(row) ? bad : others).push_back(detail::delta_table_row(row));
  }
  bool const fails =
      std::any_of(changes.differences.begin(), changes.differences.end(), [](difference const& d) { return d.fails; });
  std::string const accept = fails && !changes.accept.empty() ? "\nTo accept this: " + changes.accept + ".\n" : "";
  std::string const head = "\n" + detail::delta_table_head();
  std::size_t const frame = 200;  // of the folded part: its summary, and the count of what it leaves out
  std::size_t const used = text.size() + accept.size() + 2 * head.size() + frame;
  std::size_t const room = largest > used ? largest - used : 0;
  if (!bad.empty()) text += head + markdown::lines_that_fit(bad, room, where);
  text += accept;
  if (!others.empty() && text.size() + head.size() + frame < largest) {
    std::string const summary = count_of(others.size(), "other row that changed", "other rows that changed");
    text += "\n" +
            markdown::folded(summary, head.substr(1) + markdown::lines_that_fit(
                                                           others, largest - text.size() - head.size() - frame, where));
  }
  return text;
}

}  // namespace measure
