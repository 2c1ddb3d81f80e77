# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DCOMPILERS=g++;clang++ -DINCLUDES=a;b -DWORK=<folder> -P measured_kernels.cmake
# Prints how long it takes to write a measured header of 8,000 kernels on two architectures, and to compile it: included
# alone, with a loop over all kernels, and with a check of a template that has 2,000 of them as instances.

cmake_minimum_required(VERSION 3.22)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(all "")
set(part "")
foreach(kernel RANGE 1 8000)
  set(symbol _ZN3app7kernel_ILi${kernel}EEEvPf)
  if(kernel GREATER 2000)
    set(symbol _ZN3app7k_1${kernel}EPf)
  endif()
  foreach(architecture 80 90)
    string(APPEND part "ptxas info    : Compiling entry function '${symbol}' for 'sm_${architecture}'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 360 bytes cmem[0]
")
  endforeach()
  math(EXPR rest "${kernel} % 200")
  if(rest EQUAL 0)
    string(APPEND all "${part}")
    set(part "")
  endif()
endforeach()
file(WRITE ${WORK}/app.cu.o "")
file(WRITE ${WORK}/app.cu.o.ptxas "warpguard-ptxas-text 2\nobject 0 cbf29ce484222325\nargument nvcc\ntext\n${all}end\n")
file(WRITE ${WORK}/request.txt "warpguard-request 1\ntarget app\nname app\ncompiler nvcc\nheader ${WORK}/app.measured.hpp\n"
  "object ${WORK}/app.cu.o\n")

function(run_timed what)
  string(TIMESTAMP before "%s%f")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
  string(TIMESTAMP after "%s%f")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} fails:\n${output}")
  endif()
  math(EXPR milliseconds "(${after} - ${before}) / 1000")
  message("${what}: ${milliseconds} ms")
endfunction()
message("8,000 measured kernels on two architectures")
run_timed("  writing the header" ${PROGRAM} header ${WORK}/request.txt)
file(READ ${WORK}/app.measured.hpp header LIMIT 2000)
if(NOT header MATCHES "count = 8000;")
  message(FATAL_ERROR "the header does not have the 8,000 kernels:\n${header}")
endif()

set(include "#include \"app.measured.hpp\"\nnamespace wg = warpguard;\nnamespace measured = wg::measured::app;\n")
file(WRITE ${WORK}/nothing.cpp "#include <warpguard/measured/measured_guarantee.hpp>\n")
file(WRITE ${WORK}/include.cpp "${include}")
file(WRITE ${WORK}/loop.cpp "${include}constexpr bool nothing_spills() {
  for (wg::measured_kernel_ref const& kernel : measured::every_kernel{}) {
    for (wg::measurement const& found : kernel) {
      if (found.spilled() > 0) return false;
    }
  }
  return true;
}
static_assert(nothing_spills());
")
file(WRITE ${WORK}/check.cpp "${include}
struct app_contract : wg::contract<wg::threads_per_block<128>, wg::max_registers<40>, wg::min_occupancy<50>> {};
static_assert(wg::measured_guarantee<app_contract, measured::app::kernel_>);
")
list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)
foreach(compiler IN LISTS COMPILERS)
  set(command ${compiler} -std=c++17 -fsyntax-only -DWARPGUARD_TARGETS=800,900 ${include_flags} -I${WORK})
  message(${compiler})
  run_timed("  warpguard's own headers" ${command} ${WORK}/nothing.cpp)
  run_timed("  the header" ${command} ${WORK}/include.cpp)
  run_timed("  the header, and a loop over all kernels" ${command} ${WORK}/loop.cpp)
  run_timed("  the header, and a check of 2,000 instances" ${command} ${WORK}/check.cpp)
endforeach()
