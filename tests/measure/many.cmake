# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -DCXX=<one compiler> -DINCLUDES=a;b -P many.cmake
# Tests a kernel template with 600 instances on two architectures, from ptxas's output to the compiler. This is more than
# compilers allow in a fold expression, or evaluate in one constant expression. Three instances use more registers than
# the others.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

set(all "")
foreach(instance RANGE 1 600)
  set(registers 32)
  if(instance EQUAL 1 OR instance EQUAL 300 OR instance EQUAL 600)
    set(registers 48)
  endif()
  foreach(architecture 80 90)
    string(APPEND all "ptxas info    : Compiling entry function '_ZN3app2tkILi${instance}EEEvPf' for 'sm_${architecture}'
ptxas info    : Function properties for _ZN3app2tkILi${instance}EEEvPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
")
  endforeach()
endforeach()
write_object("many.cu.o" "nvcc|-gencode=arch=compute_80,code=[sm_80]|-gencode=arch=compute_90,code=[sm_90]" "${all}")
run_program(header many.cu.o)
must_pass("many instances")
expect_in("many instances" "${header}" "// kernels: 1, measurements: 1200")

file(WRITE ${WORK}/use.cpp "#include \"app.measured.hpp\"
namespace wg = warpguard;
namespace measured = wg::measured::app;
struct app_contract : wg::contract<wg::threads_per_block<128>, wg::max_registers<REGISTERS>> {};
static_assert(wg::measured_guarantee<app_contract, measured::app::tk>);
static_assert(measured::every_kernel::count == 600);
constexpr int registers() {
  int sum = 0;
  for (wg::measured_kernel_ref const& kernel : measured::every_kernel{}) {
    for (wg::measurement const& found : kernel) sum += found.registers;
  }
  return sum;
}
static_assert(registers() == 2 * (597 * 32 + 3 * 48));
")
list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)
macro(compile registers)
  execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror
      -DWARPGUARD_TARGETS=800,900 -DREGISTERS=${registers} ${include_flags} -I${WORK} ${WORK}/use.cpp
    RESULT_VARIABLE status ERROR_VARIABLE output)
endmacro()
compile(48)
must_pass("a contract that all instances keep")
compile(32)
if(status EQUAL 0)
  message(SEND_ERROR "a contract that three instances break is not refused")
endif()
count_in(count "${output}" "warpguard: ptxas used more registers than the contract allows [measured_registers]")
if(NOT count EQUAL 6)
  message(SEND_ERROR "${count} refusals, not 6:\n${output}")
endif()
foreach(instance of_1 of_300 of_600)
  foreach(architecture 80 90)
    if(NOT output MATCHES "tk::${instance}[,;>][^\n]*sm<${architecture}>")
      message(SEND_ERROR "${instance} on sm_${architecture} is not refused:\n${output}")
    endif()
  endforeach()
endforeach()
