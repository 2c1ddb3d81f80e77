// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "kernel_place.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

using namespace measure;

namespace {

/// The line of a text that has this mark in a comment: `// here`.
int marked_line(std::string const& text, std::string const& mark) {
  int line = 1;
  for (std::string const& each : lines_of(text)) {
    if (has(each, "// " + mark)) return line;
    ++line;
  }
  return -1;
}

int line_of(std::string const& source, std::string const& symbol) {
  return detail::line_in(detail::definitions_in(source), detail::wanted_definition(symbol));
}

}  // namespace

TEST_CASE("a kernel's own line, whatever stands before its name") {
  std::string const source = R"source(
#define scale(x) __global__ void scale(x) {}
/* __global__ void scale(float* in_a_comment) {} */
char const* text = "__global__ void scale(float* in_a_string) {}";
char const* raw = R"x(
__global__ void scale(float*) { "
)x";
int const number = 1'000'000; char const quote = '"';
__global__ void scale(float*);
extern "C" __global__ void __launch_bounds__(256,
                                             4)
    __attribute__((used)) [[maybe_unused]]
    scale(float* p,  // scale
          int n) { *p = n; }
template <int N, class T = int>
WARPGUARD_LAUNCH_BOUNDS(some_contract<N>) void __global__ tile  // tile
    (T const* in, T* out)
    noexcept(true) {}
template __global__ void tile<4>(int const*, int*);
template <> __global__ void tile<3, float>(float const* in, float* out) {}
)source";
  CHECK(line_of(source, "scale") == marked_line(source, "scale"));
  CHECK(line_of(source, "_Z4tileILi2EiEvPKT0_PS0_") == marked_line(source, "tile"));
  CHECK(line_of(source, "absent") == 0);
  CHECK(line_of(source, "_Z6absentPf") == 0);
}

TEST_CASE("one of several kernels of the same name") {
  std::string const source = R"source(
namespace app::inner {
__global__ void sum(float* p) {}   // app float
__global__ void sum(double* p) {}  // app double
__global__ void sum(float* p, int n) {}  // app two
}
namespace other { namespace {
struct s { int member; };
__global__ void sum(float* p) {}  // other
} }
__global__ void sum(float* p) {}  // global
)source";
  CHECK(line_of(source, "_ZN3app5inner3sumEPf") == marked_line(source, "app float"));
  CHECK(line_of(source, "_ZN3app5inner3sumEPd") == marked_line(source, "app double"));
  CHECK(line_of(source, "_ZN3app5inner3sumEPfi") == marked_line(source, "app two"));
  CHECK(line_of(source, "_ZN5other12_GLOBAL__N_13sumEPf") == marked_line(source, "other"));
  CHECK(line_of(source, "_Z3sumPf") == marked_line(source, "global"));
  // No namespace and no number of parameters fits, so any line would be a guess.
  CHECK(line_of(source, "_ZN5third3sumEPfS0_S0_S0_") == 0);
}

TEST_CASE("damaged sources are read to their end") {
  for (std::string const source :
       {"__global__", "__global__ void", "__global__ void k(", "__global__ void k(int", "R\"", "__global__ void k<",
        "/*", "\"", "'", "#\\", "}}}", "__global__ ) void k() {"}) {
    CHECK(line_of(source + std::string("\n"), "absent") == 0);
    CHECK(line_of(source, "absent") == 0);
  }
}

TEST_CASE("the files of a depfile") {
  CHECK(detail::files_in_depfile("out/a.o: a.cu \\\n  /with\\ space/b.cuh \\\r\n c$$d.h e\\#f.h") ==
        std::vector<std::string>{"a.cu", "/with space/b.cuh", "c$d.h", "e#f.h"});
  CHECK(detail::files_in_depfile("").empty());
  CHECK(detail::files_in_depfile("a.o").empty());
}

TEST_CASE("the source, then what it includes; with and without a depfile") {
  std::filesystem::path const folder = std::filesystem::temp_directory_path() / "warpguard_kernel_place";
  std::filesystem::create_directories(folder / "sub");
  std::string const root = folder.string();
  write_file(root + "/a.cu", "#include \"sub/b.cuh\"\n#include <listed.cuh>\n__global__ void in_a(int* p) {}\n");
  write_file(root + "/sub/b.cuh", "#pragma once\n#  include \"../a.cu\"\n\n__global__ void in_b(int* p) {}\n");
  write_file(root + "/listed.cuh", "__global__ void in_listed(int* p) {}\n");
  measure_request request;
  request.root = root;
  measured_build build;
  build.objects.emplace_back();
  build.objects.back().path = root + "/a.o";
  build.objects.back().source = root + "/a.cu";
  for (std::string const name : {"in_a", "in_b", "in_listed"}) {
    row kernel;
    kernel.symbol = kernel.key = name;
    kernel.object = root + "/a.o";
    build.ptxas.rows.push_back(kernel);
  }

  auto places = places_of_kernels(request, build);
  CHECK(places["in_a"].file == "a.cu");
  CHECK(places["in_a"].line == 3);
  CHECK(places["in_b"].file == "sub/b.cuh");
  CHECK(places["in_b"].line == 4);
  CHECK(places["in_listed"].line == 0);
  CHECK(places["in_listed"].file.empty());

  write_file(root + "/a.o.d", "a.o: " + root + "/a.cu " + root + "/sub/../listed.cuh " + root + "/gone.cuh\n");
  places = places_of_kernels(request, build);
  CHECK(places["in_a"].line == 3);
  CHECK(places["in_listed"].file == "listed.cuh");
  CHECK(places["in_listed"].line == 1);
  std::filesystem::remove_all(folder);
}
