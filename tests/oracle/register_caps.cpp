// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The register caps of launch bounds, as ptxas applies them: for each pair of a block size and a minimum of blocks per
/// SM, the registers that ptxas gives a kernel which wants more. register_caps.txt keeps them for every pair.
///
///     register_caps FILE                            compare max_registers_per_thread() with the kept caps
///     register_caps FILE --ptxas PTXAS [--pairs N]  ask ptxas for N pairs of each of its targets, the same pairs each
///                                                   time, and compare with the kept caps
///     register_caps FILE --ptxas PTXAS --write [--ends] [TARGET...]
///                                                   ask ptxas for all pairs, and write the lines of these targets
///                                                   anew;
///                                                   --ends: of each number of warps only the smallest and the largest
///                                                   block size, which takes a 16th of the time

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>

#include "../extreme_values.hpp"

namespace wg = warpguard;

namespace {

constexpr int max_threads = 1024;
constexpr int max_blocks = 40;    // more than any target has
constexpr int most_values = 272;  // more than a thread can have in registers
constexpr int warp = 32;

struct bound {
  int threads;
  int blocks;
  bool operator<(bound other) const {
    return std::make_pair(threads, blocks) < std::make_pair(other.threads, other.blocks);
  }
};
using caps = std::map<bound, int>;  ///< a pair whose bound ptxas drops has no entry

[[noreturn]] void fail(std::string const& text) {
  std::fprintf(stderr, "register_caps: %s\n", text.c_str());
  std::exit(2);
}

// ---- ptxas ------------------------------------------------------------------------------------------------------

std::string quoted(std::string const& text) { return "'" + text + "'"; }

std::string output_of(std::string const& command) {
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) fail("cannot run " + command);
  std::string output;
  char part[65536];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;) output.append(part, size);
  if (pclose(pipe) != 0) fail(command + " fails:\n" + output.substr(0, 4000));
  return output;
}

std::string version_of(std::string const& ptxas) {
  std::string const text = output_of(quoted(ptxas) + " --version");
  std::size_t const at = text.find(", V");
  if (at == std::string::npos) fail("no version in: " + text);
  return text.substr(at + 3, text.find_first_of(" \n", at + 3) - at - 3);
}

std::string name_of(bound b) { return "cap_" + std::to_string(b.threads) + "_" + std::to_string(b.blocks); }

std::string bounds_of(bound b) {
  return ".maxntid " + std::to_string(b.threads) + " .minnctapersm " + std::to_string(b.blocks);
}

/// A kernel that needs more registers than the whole file would give each thread of these blocks: it loads as many
/// values before it stores the first one. The fewer values, the faster is ptxas.
std::string hungry_kernel(bound b) {
  int const values = std::min(most_values, 65536 / (b.threads * b.blocks) + 24);
  std::string const name = name_of(b);
  std::string text = ".visible .entry " + name + "(.param .u64 " + name + "_0) " + bounds_of(b) + "\n{ .reg .f32 %f<" +
                     std::to_string(values) + ">; .reg .u64 %p; ld.param.u64 %p, [" + name + "_0];\n";
  for (char const* const pattern : {"load", "store"}) {
    for (int i = 0; i < values; ++i) {
      std::string const address = "[%p+" + std::to_string(4 * i) + "]";
      std::string const value = "%f" + std::to_string(i);
      text += pattern[0] == 'l' ? "ld.volatile.global.f32 " + value + "," + address + ";\n"
                                : "st.volatile.global.f32 " + address + "," + value + ";\n";
    }
  }
  return text + "ret; }\n";
}

std::string empty_kernel(bound b) { return ".visible .entry " + name_of(b) + "() " + bounds_of(b) + " { ret; }\n"; }

template <class Kernel>
std::string report_of(std::string const& ptxas, int target, std::vector<bound> const& bounds, Kernel kernel) {
  // Any later target compiles PTX for 7.5; CUDA 13 reads none for an earlier one.
  std::string text = ".version 6.3\n.target sm_" + std::to_string(std::min(target, 75)) + "\n.address_size 64\n";
  for (bound b : bounds) text += kernel(b);
  std::string const file = "register_caps_" + std::to_string(target) + ".ptx";
  std::ofstream(file) << text;
  std::string const report =
      output_of(quoted(ptxas) + " -v -arch=sm_" + std::to_string(target) + " -o " + file + ".cubin " + file);
  std::remove((file + ".cubin").c_str());
  std::remove(file.c_str());
  return report;
}

/// Splits a list, because the time of ptxas grows with the square of the kernels in a file.
std::vector<std::vector<bound>> files_of(std::vector<bound> const& bounds, std::size_t kernels) {
  std::vector<std::vector<bound>> files;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (i % kernels == 0) files.emplace_back();
    files.back().push_back(bounds[i]);
  }
  return files;
}

std::vector<bound> accepted_by(std::string const& ptxas, int target, std::vector<bound> const& bounds) {
  std::set<std::string> dropped;
  for (std::vector<bound> const& some : files_of(bounds, 1024)) {
    std::istringstream lines(report_of(ptxas, target, some, empty_kernel));
    for (std::string line; std::getline(lines, line);) {
      std::size_t const at = line.find("for entry cap_");
      if (at == std::string::npos || line.find("is out of range") == std::string::npos) continue;
      std::size_t const name = at + 10;
      dropped.insert(line.substr(name, line.find(' ', name) - name));
    }
  }
  std::vector<bound> accepted;
  for (bound b : bounds) {
    if (dropped.count(name_of(b)) == 0) accepted.push_back(b);
  }
  return accepted;
}

/// Asks ptxas for the caps of these pairs.
caps ask(std::string const& ptxas, int target, std::vector<bound> const& bounds) {
  caps result;
  for (std::vector<bound> const& some : files_of(accepted_by(ptxas, target, bounds), 128)) {
    std::istringstream lines(report_of(ptxas, target, some, hungry_kernel));
    bound current{};
    for (std::string line; std::getline(lines, line);) {
      int registers = 0;
      std::size_t const kernel = line.find("entry function 'cap_");
      std::size_t const used = line.find("Used ");
      if (kernel != std::string::npos) {
        if (std::sscanf(line.c_str() + kernel, "entry function 'cap_%d_%d'", &current.threads, &current.blocks) != 2) {
          fail("unexpected line: " + line);
        }
      } else if (used != std::string::npos && std::sscanf(line.c_str() + used, "Used %d registers", &registers) == 1) {
        result[current] = registers;
      }
    }
    for (bound b : some) {
      if (result.count(b) == 0) fail("ptxas does not report " + name_of(b));
    }
  }
  return result;
}

/// The targets that this ptxas compiles and the table has, ascending.
std::vector<int> targets_of(std::string const& ptxas) {
  std::string const help = output_of(quoted(ptxas) + " --help");
  std::vector<int> targets;
  for (wg::architecture const* row : wg::architectures) {
    std::string const name = "'sm_" + std::to_string(row->compute_capability) + "'";
    if (help.find(name) != std::string::npos) targets.push_back(row->compute_capability);
  }
  if (targets.empty()) fail("ptxas --help names no target of the table");
  return targets;
}

// ---- the file ---------------------------------------------------------------------------------------------------

struct kept_target {
  std::string version;  ///< of ptxas
  std::string sizes;    ///< the block sizes that were measured: "each_size", or the "ends" of each number of warps
  caps all;
};
using kept = std::map<int, kept_target>;

/// One line for each target says the version of ptxas; one for each number of warps has the caps for 1 block, 2 blocks
/// and so on until ptxas drops the bound. `168*3` is 168 three times.
kept read(std::string const& path) {
  std::ifstream file(path);
  kept result;
  kept_target* current = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string word;
    words >> word;
    int number = 0;
    if (std::sscanf(word.c_str(), "sm_%d", &number) == 1) {
      std::string name;
      current = &result[number];
      if (!(words >> name >> current->version >> current->sizes) || name != "ptxas") fail("unexpected: " + line);
      continue;
    }
    int const warps = std::atoi(word.c_str());
    if (current == nullptr || warps < 1 || warps > max_threads / warp || word.back() != ':')
      fail("unexpected: " + line);
    int blocks = 0;
    while (words >> word) {
      int cap = 0;
      int times = 1;
      if (std::sscanf(word.c_str(), "%d*%d", &cap, &times) < 1 || cap < 1 || times < 1) fail("unexpected: " + line);
      for (; times > 0; --times) {
        ++blocks;
        for (int threads = warp * (warps - 1) + 1; threads <= warp * warps; ++threads) {
          current->all[{threads, blocks}] = cap;
        }
      }
    }
  }
  if (result.empty()) fail("nothing in " + path);
  return result;
}

int cap_of(caps const& all, bound b) {
  auto const found = all.find(b);
  return found == all.end() ? wg::impossible : found->second;
}

std::string text_of(int target, kept_target const& data) {
  std::string text = "sm_" + std::to_string(target) + " ptxas " + data.version + " " + data.sizes + "\n";
  for (int warps = 1; warps <= max_threads / warp; ++warps) {
    std::string line = std::to_string(warps) + ":";
    bool ended = false;
    for (int blocks = 1; blocks <= max_blocks;) {
      int const cap = cap_of(data.all, {warp * warps, blocks});
      for (int threads = warp * (warps - 1) + 1; threads < warp * warps; ++threads) {
        for (int each = blocks; each <= max_blocks; ++each) {
          if (cap_of(data.all, {threads, each}) != cap_of(data.all, {warp * warps, each})) {
            fail("sm_" + std::to_string(target) + ": " + std::to_string(threads) + " and " +
                 std::to_string(warp * warps) + " threads have other caps; the file has one for each number of warps");
          }
        }
      }
      int times = 0;
      while (blocks <= max_blocks && cap_of(data.all, {warp * warps, blocks}) == cap) ++times, ++blocks;
      if (cap == wg::impossible) {
        ended = true;
      } else if (ended) {
        fail("sm_" + std::to_string(target) + ": ptxas accepts more blocks after it dropped fewer");
      } else {
        line += " " + std::to_string(cap) + (times > 1 ? "*" + std::to_string(times) : "");
      }
    }
    text += line + "\n";
  }
  return text;
}

void write(std::string const& path, kept const& all) {
  std::ofstream file(path);
  file << R"(# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
#
# The most registers that ptxas gives a thread of a kernel with launch bounds. Each line is a number of warps in a block,
# and the caps with a minimum of 1 block per SM, of 2 blocks, and so on; 168*3 is 168 three times. After the last one
# ptxas drops the bound. Measured with each minimum from 1 to 40 blocks, for each block size from 1 to 1024 threads
# (each_size), or for the smallest and the largest one of each number of warps (ends). All block sizes with the same
# number of warps had the same caps. Written by register_caps.cpp.
)";
  for (auto const& [target, data] : all) file << "\n" << text_of(target, data);
}

// ---- the three uses ---------------------------------------------------------------------------------------------

/// Each block size with each minimum. `ends`: only the smallest and the largest block size of each number of warps.
std::vector<bound> every_pair(bool ends = false) {
  std::vector<bound> pairs;
  for (int threads = 1; threads <= max_threads; ++threads) {
    if (ends && threads % warp > 1) continue;
    for (int blocks = 1; blocks <= max_blocks; ++blocks) pairs.push_back({threads, blocks});
  }
  return pairs;
}

int different = 0;

void expect(int target, bound b, char const* side, int cap, char const* other_side, int other) {
  if (cap == other || ++different > 10) return;
  std::printf("sm_%d, %d threads, %d blocks: %s %d, %s %d registers (-1: no bound)\n", target, b.threads, b.blocks,
              side, cap, other_side, other);
}

int cap_of_model(int target, bound b) {
  // ptxas assumes four sub-partitions for 6.0, as for 6.1 (docs/how-occupancy-works.md).
  wg::architecture const* const row = wg::find_architecture(target == 60 ? 61 : target);
  if (row == nullptr) fail("sm_" + std::to_string(target) + " has no row");
  return wg::max_registers_per_thread(*row, b.threads, b.blocks);
}

void compare_with_model(kept const& data) {
  long compared = 0;
  for (auto const& [target, of_target] : data) {
    for (bound b : every_pair()) {
      expect(target, b, "ptxas", cap_of(of_target.all, b), "warpguard", cap_of_model(target, b));
      ++compared;
    }
  }
  std::printf("%zu targets, %ld pairs of threads and blocks, %d differences\n", data.size(), compared, different);
}

void compare_with_ptxas(kept const& data, std::string const& ptxas, int pairs) {
  std::string const version = version_of(ptxas);
  int compared = 0;
  for (int const target : targets_of(ptxas)) {
    auto const of_target = data.find(target);
    if (of_target == data.end()) std::printf("sm_%d: no caps are kept, compared with the model\n", target);
    auto const expected = [&](bound b) {
      return of_target == data.end() ? cap_of_model(target, b) : cap_of(of_target->second.all, b);
    };
    inputs::random_source random(static_cast<std::uint64_t>(target));
    std::set<bound> sample;
    for (int i = 0; static_cast<int>(sample.size()) < pairs; ++i) {
      // ptxas drops most bounds, so most pairs of the sample are those that it keeps.
      bound const any{random.between(1, max_threads), random.between(1, max_blocks)};
      if (i % 8 == 0 || expected(any) != wg::impossible) sample.insert(any);
    }
    caps const now = ask(ptxas, target, {sample.begin(), sample.end()});
    for (bound b : sample) {
      expect(target, b, "kept", expected(b), "this ptxas", cap_of(now, b));
      ++compared;
    }
  }
  std::printf("ptxas %s: %d pairs compared, %d differences\n", version.c_str(), compared, different);
}

void measure(std::string const& path, std::string const& ptxas, bool ends, std::vector<int> targets) {
  if (targets.empty()) targets = targets_of(ptxas);
  std::string const version = version_of(ptxas);
  for (int const target : targets) {
    auto const begin = std::chrono::steady_clock::now();
    caps measured = ask(ptxas, target, every_pair(ends));
    std::size_t const number = measured.size();
    if (ends) {
      for (bound b : every_pair()) {
        bound const largest{(b.threads + warp - 1) / warp * warp, b.blocks};
        if (b.threads % warp > 1 && measured.count(largest) != 0) measured[b] = measured[largest];
      }
    }
    kept data;
    if (std::ifstream(path)) data = read(path);
    data[target] = {version, ends ? "ends" : "each_size", measured};
    write(path, data);
    std::printf("sm_%d: %zu of %zu pairs have a cap, %.0f s\n", target, number, every_pair(ends).size(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> const arguments(argv + 1, argv + argc);
  std::string ptxas;
  bool writing = false;
  bool ends = false;
  int pairs = 40;
  std::vector<int> targets;
  std::string path;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bool const has_value = i + 1 < arguments.size();
    if (arguments[i] == "--ptxas" && has_value) {
      ptxas = arguments[++i];
    } else if (arguments[i] == "--pairs" && has_value) {
      pairs = std::atoi(arguments[++i].c_str());
    } else if (arguments[i] == "--write") {
      writing = true;
    } else if (arguments[i] == "--ends") {
      ends = true;
    } else if (path.empty()) {
      path = arguments[i];
    } else {
      targets.push_back(std::atoi(arguments[i].c_str()));
    }
  }
  if (path.empty() || pairs < 1 || (writing && ptxas.empty()))
    fail("usage: FILE [--ptxas PTXAS [--pairs N | --write [--ends] [TARGET...]]]");
  if (writing) {
    measure(path, ptxas, ends, targets);
    return 0;
  }
  if (ptxas.empty()) {
    compare_with_model(read(path));
  } else {
    compare_with_ptxas(read(path), ptxas, pairs);
  }
  return different == 0 ? 0 : 1;
}
