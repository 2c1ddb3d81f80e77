// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "page.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "delta_sentence.hpp"
#include "markup.hpp"
#include "page_parts.hpp"
#include "percent.hpp"

namespace measure {

namespace {

std::string code(std::string const& name) { return "<code>" + without_markup(name) + "</code>"; }

/// A cell of the table. It is sorted by `value` if that is not the same as its text.
std::string cell(std::string const& contents, std::string const& value = "") {
  return "<td" + (value.empty() ? "" : " data-value=\"" + without_markup(value) + "\"") + ">" + contents + "</td>";
}

// ---- the history ----------------------------------------------------------------------------------------------------

/// A number of a kernel in the versions of the lock in which the kernel is.
struct series {
  std::vector<int> values;
  std::string first_date;
  std::string last_change;  // the day of the last change; empty: none
};

series series_of(lock_history const& history, kernel_on const& kernel, int entry::*number) {
  series result;
  for (lock_version const& version : history.versions) {
    auto const found = version.entries.find(kernel);
    if (found == version.entries.end()) continue;
    int const value = found->second.*number;
    if (result.values.empty()) result.first_date = version.date;
    if (!result.values.empty() && result.values.back() != value) result.last_change = version.date;
    result.values.push_back(value);
  }
  return result;
}

/// Returns a line that shows the values, the largest at the top.
std::string drawing_of(series const& numbers, std::string const& name) {
  constexpr int width = 90;
  constexpr int height = 20;
  auto const [least, most] = std::minmax_element(numbers.values.begin(), numbers.values.end());
  int const range = std::max(*most - *least, 1);
  int const steps = std::max(static_cast<int>(numbers.values.size()) - 1, 1);
  std::string points;
  for (std::size_t at = 0; at < numbers.values.size(); ++at) {
    int const x = 2 + static_cast<int>(at) * (width - 4) / steps;
    int const y = height - 3 - (numbers.values[at] - *least) * (height - 6) / range;
    append(points, " ", std::to_string(x) + "," + std::to_string(y));
  }
  std::string const title = name + " " + std::to_string(numbers.values.front()) + " on " + numbers.first_date + ", " +
                            std::to_string(numbers.values.back()) + " since " + numbers.last_change;
  return "<svg width=\"90\" height=\"20\" role=\"img\"><title>" + without_markup(title) +
         "</title><polyline points=\"" + points + "\"/></svg>";
}

std::string history_cell(lock_history const& history, kernel_on const& kernel) {
  std::string text;
  struct {
    char const* name;
    int entry::*number;
  } const drawn[] = {{"registers", &entry::registers}, {"blocks", &entry::blocks}};
  for (auto const& each : drawn) {
    series const numbers = series_of(history, kernel, each.number);
    if (!numbers.last_change.empty()) append(text, " ", each.name + (" " + drawing_of(numbers, each.name)));
  }
  return cell(text);
}

// ---- the table ------------------------------------------------------------------------------------------------------

std::string value_cell(difference const* d, int entry::*number, entry const& e) {
  std::string const now = std::to_string(e.*number);
  bool const is_changed = d != nullptr && d->then != nullptr && d->then->*number != e.*number;
  return cell(is_changed ? std::to_string(d->then->*number) + " &rarr; <b>" + now + "</b>" : now, now);
}

std::string table_row(kernel_on const& kernel, entry const& e, difference const* d, lock_history const& history) {
  warpguard::architecture const* const arch = warpguard::find_architecture(kernel.second);
  std::string occupancy;
  if (arch != nullptr && e.threads > 0) {
    int const warps = e.blocks * ((e.threads + arch->warp_size - 1) / arch->warp_size);
    occupancy = percent_of(warps, arch->max_warps_per_sm) + " %";
  }
  std::string text = std::string("<tr") + (d != nullptr ? " data-changed" : "") + ">";
  text += cell(code(kernel.first) + (d != nullptr && !d->former.first.empty() ? " was " + code(d->former.first) : ""),
               kernel.first);
  text += cell(capability_name(kernel.second));
  for (int entry::*number : {static_cast<int entry::*>(&entry::registers), &entry::blocks}) {
    text += value_cell(d, number, e);
  }
  text += cell((e.any_threads ? "any, " : "") + std::to_string(e.threads), std::to_string(e.threads));
  text += cell(occupancy) + cell(without_markup(e.limiter));
  for (int entry::*number :
       {static_cast<int entry::*>(&entry::spill_stores), static_cast<int entry::*>(&entry::spill_loads),
        static_cast<int entry::*>(&entry::static_shared_memory)}) {
    text += value_cell(d, number, e);
  }
  std::string const kind = d == nullptr ? "" : d->fails ? "<span class=\"fails\">" + d->kind + "</span>" : d->kind;
  text += cell(kind + (d == nullptr ? "" : ": " + without_markup(d->details)), d == nullptr ? "" : d->kind);
  return text + (history.versions.empty() ? "" : history_cell(history, kernel)) + "</tr>\n";
}

/// The differences by the kernel of the build that they are shown with. Kernels that are gone are apart.
std::map<kernel_on, difference const*> shown_with(delta const& changes) {
  std::map<kernel_on, difference const*> result;
  for (difference const& d : changes.differences) {
    if (d.kind != "GONE" && d.kind != "UNUSED" && d.now != nullptr) result[d.kernel] = &d;
  }
  return result;
}

std::string table_of(kernel_set const& kernels, delta const& changes, lock_history const& history) {
  std::string text = "<table>\n<thead><tr>";
  for (char const* heading : {"kernel", "GPU", "registers", "blocks per SM", "threads", "occupancy", "limited by",
                              "spill stores", "spill loads", "static shared memory", "verdict"}) {
    text += std::string("<th scope=\"col\">") + heading + "</th>";
  }
  text += std::string(history.versions.empty() ? "" : "<th scope=\"col\">history</th>") + "</tr></thead>\n<tbody>\n";
  auto const with = shown_with(changes);
  for (auto const& [kernel, e] : kernels.entries) {
    auto const found = with.find(kernel);
    text += table_row(kernel, e, found != with.end() ? found->second : nullptr, history);
  }
  for (difference const& d : changes.differences) {
    if (d.kind == "GONE") text += table_row(d.kernel, *d.then, &d, history);
  }
  return text + "</tbody>\n</table>\n";
}

}  // namespace

std::string write_page(std::string const& title, kernel_set const& kernels, delta const& changes,
                       lock_history const& history) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src "
      "'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      without_markup(title) + "</title>\n<style>" + page_style + "</style>\n</head>\n<body>\n<h1>" +
      without_markup(title) + "</h1>\n";
  for (std::string const& sentence : delta_sentences(changes, [](std::string const& name) { return name; })) {
    text += "<p>" + without_markup(sentence) + "</p>\n";
  }
  if (!history.why_none.empty()) text += "<p>No history: " + without_markup(history.why_none) + ".</p>\n";
  text +=
      "<div class=\"tools\"><label>kernel <input id=\"text\" type=\"search\"></label>\n<label>GPU <select "
      "id=\"gpu\"><option value=\"\">all</option></select></label>\n<label><input id=\"changed\" type=\"checkbox\"> "
      "changed only</label></div>\n";
  text += table_of(kernels, changes, history);
  return text + "<script>" + page_script + "</script>\n</body>\n</html>\n";
}

}  // namespace measure
