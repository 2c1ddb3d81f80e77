# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -DCXX=... -DINCLUDES=a;b -P texts.cmake
# Tests what the program reads from recorded, changed and damaged output of ptxas and nvlink.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
set(failing 3)

set(both "nvcc|-gencode=arch=compute_80,code=[sm_80]|-gencode=arch=compute_90,code=[sm_90]")

# ---- recorded from real ptxas of CUDA 12.4, 12.9 and 13.0 ------------------------------------------------------------

set(barriers_12_4 -1)  # CUDA 12.4 does not report barriers
set(barriers_12_9 1)
set(barriers_13_0 1)
foreach(version 12_4 12_9 13_0)
  file(READ ${texts}/cuda_${version}.sm_80.txt on_80)
  file(READ ${texts}/cuda_${version}.sm_90.txt on_90)
  write_object("recorded.cu.o" "${both}" "${on_80}${on_90}")
  run_program(header recorded.cu.o)
  must_pass("CUDA ${version}")
  expect_in("CUDA ${version}" "${header}" "// kernels: 4, measurements: 8, lines of ptxas that are not understood: 0")
  expect_in("CUDA ${version}" "${header}" "{80, 12, 256, 0, 0, 0, ${barriers_${version}}, 360, false}")
  expect_in("CUDA ${version}, spills" "${header}" "{80, 32, 0, 568, 604, 496, ")
  # Launch bounds that ptxas ignores, in both of its wordings.
  string(REGEX MATCHALL ", true}" ignored "${header}")
  list(LENGTH ignored count)
  if(NOT count EQUAL 4)
    message(SEND_ERROR "CUDA ${version}: ${count} measurements with ignored bounds, not 4")
  endif()
endforeach()

list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)
file(WRITE ${WORK}/use.cpp "#include \"app.measured.hpp\"\n"
  "static_assert(warpguard::measured::app::app::sum::measurements[0].registers == 12);\n"
  "static_assert(warpguard::measured::app::spilling::measurement_count == 2);\n")
execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror ${include_flags}
  -I${WORK} ${WORK}/use.cpp RESULT_VARIABLE status ERROR_VARIABLE output)
must_pass("the header compiles")

# ---- other forms of the same output ----------------------------------------------------------------------------------

string(REPLACE "\n" "\r\n" crlf "${on_80}${on_90}")
write_object("crlf.cu.o" "${both}" "${crlf}")
run_program(header crlf.cu.o)
must_pass("CRLF")
expect_in("CRLF" "${header}" "{80, 12, 256, 0, 0, 0, 1, 360, false}")

write_object("ein Ordner/ü.cu.o" "${both}" "${on_80}${on_90}")
write_object("other/ü.cu.o" "${both}" "${on_80}${on_90}")
run_program(header "ein Ordner/ü.cu.o" "other/ü.cu.o")
must_pass("spaces, non-ASCII letters, and two objects with the same name")
expect_in("two objects" "${header}" "measurements: 16")

set(newer "ptxas info    : (C9999) Tensor memory used: 512 columns\nptxas remark  : something new\n")
write_object("newer.cu.o" "${both}" "${on_80}${newer}${on_90}")
run_program(header newer.cu.o)
must_pass("unknown lines")
expect_in("unknown lines" "${header}" "that are not understood: 2")
expect_in("unknown lines" "${header}" "// not understood: ptxas info    : (C9999) Tensor memory used: 512 columns")

# ---- damaged output: an error, never a number ------------------------------------------------------------------------

string(FIND "${on_90}" "ptxas info    : Used 32" at)
string(SUBSTRING "${on_90}" 0 ${at} cut)
write_object("cut.cu.o" "${both}" "${on_80}${cut}")
run_program(header cut.cu.o)
must_fail("truncated text" "the output of ptxas ends in the middle of spilling")

write_object("cut.cu.o" "${both}" "${cut}${on_80}")
run_program(header cut.cu.o)
must_fail("truncated in the middle" "no numbers for spilling before the next kernel: truncated or interleaved")

# The object of a text that cannot be read is removed, so that the next build compiles it.
string(ASCII 1 2 3 27 91 59 93 123 92 garbage)
foreach(damaged IN ITEMS
    "truncated file|warpguard-ptxas-text 2\n${empty_object}\nargument nvcc\ntext\n${on_80}|this file is truncated"
    "no object|warpguard-ptxas-text 2\nargument nvcc\ntext\n${on_80}end\n|this file is truncated"
    "no digest|warpguard-ptxas-text 2\nobject 0\nargument nvcc\ntext\n${on_80}end\n|this file is truncated"
    "no architecture|warpguard-ptxas-text 2\n${empty_object}\nkernel k\ntext\n${on_80}end\n|this file is truncated"
    "no threads|warpguard-ptxas-text 2\n${empty_object}\nkernel k sm_80 threads=x\ntext\n${on_80}end\n|this file is truncated"
    "an older format|warpguard-ptxas-text 1\nargument nvcc\ntext\n${on_80}end\n|written by another version of warpguard"
    "a newer format|warpguard-ptxas-text 3\n${empty_object}\nargument nvcc\ntext\n${on_80}end\n|another version"
    "another object|warpguard-ptxas-text 2\nobject 0 cbf29ce484222326\nargument nvcc\ntext\n${on_80}end\n|other device code"
    "another size|warpguard-ptxas-text 2\nobject 8 cbf29ce484222325\nargument nvcc\ntext\n${on_80}end\n|other device code"
    "empty file||this file was not written by warpguard compile"
    "garbage|${garbage}[[;]]\n${garbage}|this file was not written by warpguard compile")
  string(REGEX MATCH "^([^|]*)[|](.*)[|]([^|]*)$" matched "${damaged}")
  set(name "${CMAKE_MATCH_1}")
  set(part "${CMAKE_MATCH_3}")
  file(WRITE "${WORK}/cut.cu.o" "")
  file(WRITE "${WORK}/cut.cu.o.ptxas" "${CMAKE_MATCH_2}")
  run_program(header cut.cu.o)
  must_fail("${name}" "${part}")
  expect_in("${name}" "${output}" "removed ${WORK}/cut.cu.o: build again")
  if(EXISTS "${WORK}/cut.cu.o")
    message(SEND_ERROR "${name}: the object still exists, so it will not be compiled again")
  endif()
endforeach()
run_program(header cut.cu.o)
must_fail("a missing object" "there is no object of this name: build again, or delete this file")

write_object("cut.cu.o" "${both}" "${garbage}[[;]]\n")
run_program(header cut.cu.o)
must_fail("garbage inside" "ptxas said nothing")

foreach(all all all-major native)
  write_object("cut.cu.o" "nvcc|-arch=${all}" "")
  run_program(header cut.cu.o)
  must_fail("no output with -arch=${all}" "ptxas said nothing")
endforeach()

write_object("recorded.cu.o" "${both}" "${on_80}${on_90}")
run_program(header recorded.cu.o x.cu.d/main.cpp.o)
must_pass("an object of C++ in a folder that looks like CUDA's")
file(WRITE "${WORK}/x.cu.cpp.o" "")
run_program(header recorded.cu.o x.cu.cpp.o)
must_pass("an object of a C++ source whose name looks like CUDA's")
if(NOT EXISTS "${WORK}/x.cu.cpp.o")
  message(SEND_ERROR "an object of C++ is removed")
endif()
set(more "target virtual\n")
run_program(header recorded.cu.o)
must_pass("a target that is a keyword")
expect_in("a target that is a keyword" "${header}" "namespace warpguard::measured::virtual_::app {")
set(more "")

file(WRITE "${WORK}/nowhere.cu.o" "")
run_program(header nowhere.cu.o)
must_fail("no text" "was not compiled by warpguard compile")

set(mixed "ptxas info    : Compiling entry function 'a' for 'sm_80'\nptxas info    : Compiling entry function 'a' for 'sm_90'\n")
string(APPEND mixed "ptxas info    : Function properties for a\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n")
string(APPEND mixed "ptxas info    : Used 8 registers\nptxas info    : Used 9 registers\n")
write_object("mixed.cu.o" "${both}" "${mixed}")
run_program(header mixed.cu.o)
must_fail("interleaved" "before the next kernel: truncated or interleaved")

write_object("mixed.cu.o" "${both}" "ptxas info    : Compilptxas info    : 0 bytes gmem\nxptxas info : y\n")
run_program(header mixed.cu.o)
must_fail("interleaved in a line" "two lines are mixed")

write_object("shown.cu.o" "nvcc|--resource-usage|-arch=sm_80"
  "nvcc warning : Resource usage is not shown as the final resource allocation is not done.\n")
run_program(header shown.cu.o)
must_fail("not shown" "nvcc shows no resource usage of this object")

write_object("no_kernel.cu.o" "${both}"
  "ptxas warning : .minnctapersm is ignored when neither .maxntid nor .reqntid is specified.\n${on_80}")
run_program(header no_kernel.cu.o)
must_fail("ignored bounds without a kernel" "ptxas ignored launch bounds, but names no kernel")

write_object("lto.cu.o" "nvcc|-dlto|-arch=sm_80" "")
run_program(header lto.cu.o)
must_fail("link-time optimisation" "so they cannot be measured")

# ---- functions that are not inlined: their spills count for the kernel; recorded from texts/calls.cu ---------------

foreach(version 11_8 12_4 13_0)
  file(READ ${texts}/calls.cuda_${version}.txt calls)
  write_object("calls.cu.o" "nvcc|-arch=sm_80" "${calls}")
  run_program(header calls.cu.o)
  must_pass("calls, CUDA ${version}")
  expect_in("k1 calls what spills, CUDA ${version}" "${header}" "{80, 32, 0, 488, 488, 272, ")
  expect_in("k2 calls what does not, CUDA ${version}" "${header}" "{80, 72, 0, 0, 0, 0, ")
  expect_in("k3 calls nothing, CUDA ${version}" "${header}" "{80, 8, 0, 0, 0, 0, ")
endforeach()

# With -G the functions come first. A kernel may call a function only if the function fits its stack.
file(READ ${texts}/calls.cuda_13_0.debug.txt calls)
write_object("calls.cu.o" "nvcc|-arch=sm_80|-G" "${calls}")
run_program(header calls.cu.o)
must_pass("calls, -G")
expect_in("k1 and k2, -G" "${header}" "{80, 24, 0, 16, 16, 272, 0, 364, false}")
expect_in("k3, -G" "${header}" "{80, 9, 0, 0, 0, 0, 0, 364, false}")
string(REPLACE ", used 0 barriers" "" calls "${calls}")  # as before CUDA 12.9, where the whole stack is unknown
write_object("calls.cu.o" "nvcc|-arch=sm_80|-G" "${calls}")
run_program(header calls.cu.o)
expect_in("k3, -G, stack unknown" "${header}" "{80, 9, 0, 16, 16, 0, -1, 364, false}")

# Relocatable device code has the numbers of the device link. A script prints recorded output of nvlink.
file(READ ${texts}/calls.cuda_13_0.relocatable.txt calls)
write_object("calls.cu.o" "nvcc|--resource-usage|-arch=sm_80|-rdc=true" "${calls}")
configure_file(${texts}/calls.cuda_13_0.device_link.txt ${WORK}/device_link.txt COPYONLY)
file(WRITE ${WORK}/device_link "#!/bin/sh\ncat '${WORK}/device_link.txt' >&2\n")
file(CHMOD ${WORK}/device_link PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(more "nvcc ${WORK}/device_link\n")
run_program(header calls.cu.o)
must_pass("calls, relocatable")
expect_in("k1 and k2, relocatable" "${header}" "{80, 32, 0, 568, 568, 328, 0, 364, false}")
expect_in("k3, relocatable" "${header}" "{80, 8, 0, 0, 0, 0, 0, 364, false}")
file(WRITE ${WORK}/device_link.txt "nvlink info    : 0 bytes gmem\n")
run_program(header calls.cu.o)
must_fail("a device link without the kernel" "nvlink reports no numbers for k3 on sm_80")
file(WRITE ${WORK}/device_link "#!/bin/sh\necho 'nvlink error : Undefined reference to foo' >&2; exit 255\n")
run_program(header calls.cu.o)
must_fail("a device link that fails" "Undefined reference to foo")
set(more "")

# ---- names -----------------------------------------------------------------------------------------------------------

function(entry result symbol)
  set(${result} "ptxas info    : Compiling entry function '${symbol}' for 'sm_80'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
" PARENT_SCOPE)
endfunction()
set(all "")
foreach(symbol _Z4statPi ec _ZN3app36_GLOBAL__N__aa2323c9_4_k_cu_1d8575d04anonEPi _ZN3app3lamIZ3runvEUliE_EEvT_Pi
    _ZN3app2tkILi4EiEEvPT0_ _ZN3app2tkILin3EfEEvPT0_ __nv_static_25__aa2323c9_4_k_cu_1d8575d0__Z5localPi _Z2ovPi _Z2ovPf
    fortran.name_ new every_kernel _Z4of_3ILi3EEvPf both _Z4bothPf)
  entry(text ${symbol})
  string(APPEND all "${text}")
endforeach()
write_object("names.cu.o" "nvcc|-gencode|arch=compute_80,code=sm_80|-gencode|arch=compute_95,code=compute_95" "${all}")
file(WRITE ${WORK}/use.cpp "#include \"app.measured.hpp\"\nnamespace m = warpguard::measured::app;\n"
  "template <class... Kernel> constexpr int count = sizeof...(Kernel);\n"
  "static_assert(count<m::stat, m::ec, m::app::anon, m::app::lam, m::app::tk::of_4_int, m::local, m::ov> == 7);\n"
  "static_assert(count<m::app::tk::of_minus_3_float, m::app::lam::of_run_lambda_int_1, m::ov::of_int_pointer> == 3);\n"
  "static_assert(count<m::of_3, m::both::of_c, m::both::of_float_pointer> == 3);\n"
  "static_assert(__is_base_of(warpguard::absent_kernel, m::app::gone));\n"
  "static_assert(__is_base_of(warpguard::absent_kernel, m::app::tk::of_9_int));\n"
  "static_assert(m::every_kernel::find(\"of_3<3>(float*)\") >= 0);\n"
  "static_assert(m::unmapped_kernel_count == 3);\n"
  "static_assert(m::every_kernel::count == 12);\n")
configure_file(${WORK}/use.cpp ${WORK}/checks.cpp COPYONLY)
run_program(header names.cu.o)
must_pass("names")
expect_in("names" "${header}" "// not mapped: fortran.name_ (no C++ type can have this name)")
expect_in("names" "${header}" "// not mapped: new (no C++ type can have this name)")
expect_in("names" "${header}" "// not mapped: every_kernel (this header uses the name itself)")
expect_in("PTX alone" "${header}" "// not measurable: compute_95 has only PTX")
expect_in("PTX alone" "${output}" "compute_95 has only PTX")
execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror ${include_flags}
  -I${WORK} ${WORK}/use.cpp RESULT_VARIABLE status ERROR_VARIABLE output)
must_pass("the names are types")
