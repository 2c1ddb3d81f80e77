// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads the records in a folder, writes tables.md beside them, and prints what is wrong:
///
///     report records/<device>-<date>
///
/// The exit code is 1 if anything is wrong. Needs no GPU.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "launch_record.hpp"
#include "sweep_record.hpp"

namespace {

std::string read_file(std::string const& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string with_digits(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, number);
  return text;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// A kernel's name without its parameters and its result, as in a table.
std::string short_name(std::string const& kernel) {
  std::string const name = kernel.substr(0, kernel.find('('));
  std::size_t const result = name.find(' ');
  return name.compare(0, 5, "void ") == 0 ? name.substr(result + 1) : name;
}

std::string table_of(gpu_test::launches_result const& launches) {
  int const max_warps = warpguard::find_architecture(launches.compute_capability)->max_warps_per_sm;
  std::ostringstream table;
  table << "| kernel | block | grid | registers | blocks promised | by the model | by the driver | occupancy | seen "
           "blocks | seen occupancy | microseconds |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
  for (gpu_test::kernel_row const& row : launches.rows) {
    if (row.plain.empty()) continue;
    auto const of = [&](char const* key) { return static_cast<long long>(row.plain.at(key)); };
    long long const warps = (of("threads") + 31) / 32 * of("blocks");
    table << "| `" << short_name(row.kernel) << "` | " << of("threads") << " | " << of("grid") << " | "
          << of("registers") << " | " << of("promised") << " | " << row.modelled << " | " << of("blocks") << " | "
          << with_digits(100.0 * static_cast<double>(warps) / max_warps, 1) << " % | ";
    if (row.observed.empty()) {
      table << "- | - | ";
    } else {
      table << static_cast<int>(row.observed.at("seen")) << " of " << static_cast<int>(row.observed.at("blocks"))
            << " | " << with_digits(100.0 * row.observed.at("resident") / max_warps, 1) << " %"
            << (row.observed.at("observed") < row.observed.at("warps") ? " of a part" : "") << " | ";
    }
    table << with_digits(median(row.microseconds), 1) << " |\n";
  }
  return table.str();
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: report <folder of a record>\n");
    return 2;
  }
  std::string const folder = std::string(arguments[1]) + "/";
  std::ifstream sweep_file(folder + "sweep.txt");
  std::ifstream launches_file(folder + "launches.txt");
  gpu_test::replay_result const sweep = gpu_test::replay(sweep_file);
  gpu_test::launches_result const launches = gpu_test::replay_launches(launches_file);

  std::vector<std::string> findings = launches.findings;
  if (!sweep.error.empty()) findings.push_back("sweep.txt: " + sweep.error);
  if (sweep.differences > 0) findings.push_back("sweep.txt: " + sweep.first_difference);
  if (!launches.error.empty()) findings.push_back("launches.txt: " + launches.error);
  for (std::string const& finding : findings) std::fprintf(stderr, "%s\n", finding.c_str());
  if (!sweep.error.empty() || !launches.error.empty()) return 1;

  std::ofstream page(folder + "tables.md");
  page << "# " << launches.device << "\n\n"
       << "Written by tests/gpu/report.cpp from the records in this folder.\n\n"
       << "Compute capability " << launches.compute_capability / 10 << '.' << launches.compute_capability % 10 << ", "
       << launches.sms << " SMs, driver for CUDA " << launches.driver / 1000 << '.' << launches.driver % 1000 / 10
       << ".\n\n## Findings\n\n";
  if (findings.empty()) page << "None.\n";
  for (std::string const& finding : findings) page << "- " << finding << '\n';
  page << "\n## The model and the driver\n\n"
       << sweep.combinations << " combinations were compared, and " << sweep.differences << " differ.\n\n"
       << "## The time of a launch\n\n```text\n"
       << read_file(folder + "overhead.txt") << "```\n\n## The examples\n\n"
       << "Each line is the longest launch of a kernel. `occupancy` is the driver's; `seen` is what a copy of the "
          "kernel "
          "saw that writes when its warps run. The time is the median of "
       << (launches.rows.empty() ? 0 : launches.rows.front().microseconds.size()) << " runs.\n\n"
       << table_of(launches);
  if (!launches.not_run.empty()) page << "\nNot run on this GPU:\n\n";
  for (std::string const& text : launches.not_run) page << "- " << text << '\n';
  page << "\n## Facts\n\n```text\n" << read_file(folder + "facts.txt") << "```\n";
  page.flush();
  if (!page) {
    std::fprintf(stderr, "%stables.md cannot be written\n", folder.c_str());
    return 1;
  }
  return findings.empty() ? 0 : 1;
}
