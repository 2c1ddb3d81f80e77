// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Measures the compile cost of each entry header and of files with many contracts for 12 architectures: CPU seconds
/// and peak memory beyond those of an empty file that is compiled in the same run. Prints the goals beside the ratios.
///
///     warpguard_compile_cost <C++ compiler> <nvcc or ""> <-I...>...

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct cost {
  double seconds;  ///< CPU time of the compiler and of all processes that it starts
  long kilobytes;  ///< the largest of its processes
};

/// Returns the cost of the cheapest run, because differences between runs are noise.
cost cost_of(std::vector<std::string> const& command, int runs) {
  cost best{1e9, 0};
  for (int run = 0; run < runs; ++run) {
    pid_t const child = fork();
    if (child == 0) {
      std::vector<char*> arguments;
      for (std::string const& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
      arguments.push_back(nullptr);
      execvp(arguments[0], arguments.data());
      _exit(127);
    }
    int status = 0;
    rusage used{};
    wait4(child, &status, 0, &used);
    if (status != 0) {
      std::printf("%s failed\n", command.back().c_str());
      _exit(1);
    }
    auto const seconds = [](timeval const& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    double const total = seconds(used.ru_utime) + seconds(used.ru_stime);
    if (total < best.seconds) best = {total, used.ru_maxrss};
  }
  return best;
}

std::string write(std::string const& name, std::string const& text) {
  std::ofstream(name) << text;
  return name;
}

/// `block` and `promise`: the options' names; `more`: further options.
std::string contracts(int count, std::string const& block, std::string const& promise, std::string const& more) {
  std::string text = "#include <warpguard/contract.hpp>\nnamespace wg = warpguard;\n";
  for (int i = 0; i < count; ++i) {
    std::string const n = std::to_string(i);
    text += "struct kernel_" + n + "_contract : wg::contract<wg::" + block + "<" + std::to_string(32 * (1 + i % 8)) +
            ">, wg::static_shared_memory<" + std::to_string(4 * i) + ">, " + more + "wg::" + promise + "<" +
            std::to_string(1 + i % 4) + ">> {};\nstatic_assert(wg::guarantee<kernel_" + n + "_contract>);\n";
  }
  return text;
}
std::string contracts(int count) { return contracts(count, "threads_per_block", "min_blocks_per_sm", ""); }
std::string bounded_contracts(std::string const& block, std::string const& promise) {
  return contracts(1000, block, promise, "wg::max_registers<64>, ");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 1;
  std::string const cxx = argv[1];
  std::string const nvcc = argv[2];
  std::vector<std::string> flags(argv + 3, argv + argc);
  flags.push_back("-std=c++17");
  flags.push_back("-DWARPGUARD_TARGETS=700,720,750,800,860,870,890,900,1000,1030,1100,1200");

  struct unit {
    char const* what;
    std::string file;
  };
  enum : int {
    array,
    tuple,
    core,
    contract,
    products,
    everything,
    ten,
    hundred,
    thousand,
    bounded,
    in_warps,
    range,
    range_in_warps
  };
  std::vector<unit> const units = {
      {"<array>, for comparison", write("compile_cost_array", "#include <array>\n")},
      {"<boost/hana/tuple.hpp>, for comparison", write("compile_cost_tuple", "#include <boost/hana/tuple.hpp>\n")},
      {"core.hpp", write("compile_cost_core", "#include <warpguard/core.hpp>\n")},
      {"contract.hpp", write("compile_cost_contract", "#include <warpguard/contract.hpp>\n")},
      {"products.hpp", write("compile_cost_products", "#include <warpguard/products.hpp>\n")},
      {"warpguard.hpp, with Hana", write("compile_cost_warpguard", "#include <warpguard/warpguard.hpp>\n")},
      {"contract.hpp and 10 contracts", write("compile_cost_10", contracts(10))},
      {"contract.hpp and 100 contracts", write("compile_cost_100", contracts(100))},
      {"contract.hpp and 1000 contracts", write("compile_cost_1000", contracts(1000))},
      {"the same with max_registers",
       write("compile_cost_bounded", bounded_contracts("threads_per_block", "min_blocks_per_sm"))},
      {"the same with a promise in warps",
       write("compile_cost_warps", bounded_contracts("threads_per_block", "min_warps_per_sm"))},
      {"1000 whose launches choose the block",
       write("compile_cost_range", bounded_contracts("max_threads_per_block", "min_blocks_per_sm"))},
      {"the same with a promise in warps",
       write("compile_cost_range_warps", bounded_contracts("max_threads_per_block", "min_warps_per_sm"))},
  };
  std::string const nothing = write("compile_cost_nothing", "\n");

  auto const table = [&](std::string const& name, std::vector<std::string> compiler, int runs) {
    compiler.insert(compiler.end(), flags.begin(), flags.end());
    auto const with = [&](std::string const& file) {
      std::vector<std::string> command = compiler;
      command.push_back(file);
      return command;
    };
    cost const empty = cost_of(with(nothing), runs);
    std::printf("\n%s: an empty file takes %.3f s and %ld MB; the other files take in addition\n", name.c_str(),
                empty.seconds, empty.kilobytes / 1024);
    std::vector<cost> costs;
    for (unit const& u : units) {
      cost const c = cost_of(with(u.file), runs);
      costs.push_back({c.seconds - empty.seconds, c.kilobytes - empty.kilobytes});
      std::printf("  %-42s %7.3f s  %5ld MB\n", u.what, costs.back().seconds, costs.back().kilobytes / 1024);
      std::fflush(stdout);
    }
    auto const seconds = [&](int index) { return costs[static_cast<std::size_t>(index)].seconds; };
    auto const kilobytes = [&](int index) { return costs[static_cast<std::size_t>(index)].kilobytes; };
    std::printf("  core.hpp is %.2f of <array> (goal: at most 0.20)\n", seconds(core) / seconds(array));
    std::printf("  contract.hpp is %.2f of <array> (goal: at most 0.60)\n", seconds(contract) / seconds(array));
    std::printf("  warpguard.hpp is %.2f of <array> and <boost/hana/tuple.hpp> (goal: at most 1.00)\n",
                seconds(everything) / (seconds(array) + seconds(tuple)));
    std::printf("  1000 contracts on 12 architectures: %.3f s and %ld MB (goal: at most 0.5 s and 50 MB)\n",
                seconds(thousand) - seconds(contract), (kilobytes(thousand) - kilobytes(contract)) / 1024);
    std::printf("  the cost per contract is %.2f times as high for 1000 contracts as for 100\n",
                (seconds(thousand) - seconds(contract)) / 10 / (seconds(hundred) - seconds(contract)));
    std::printf(
        "  contracts whose launches choose the block cost %.2f and, with a promise in warps, %.2f of those of a\n"
        "  fixed block (goal: at most 2.00)\n",
        (seconds(range) - seconds(contract)) / (seconds(bounded) - seconds(contract)),
        (seconds(range_in_warps) - seconds(contract)) / (seconds(in_warps) - seconds(contract)));
  };
  table(cxx, {cxx, "-x", "c++", "-fsyntax-only"}, 7);
  // nvcc splits the values of -D at commas that are not escaped.
  flags.back() = "-DWARPGUARD_TARGETS=700\\,720\\,750\\,800\\,860\\,870\\,890\\,900\\,1000\\,1030\\,1100\\,1200";
  if (!nvcc.empty()) table(nvcc, {nvcc, "-x", "cu", "-arch=sm_90", "-ptx", "-o", "compile_cost.ptx"}, 3);
}
