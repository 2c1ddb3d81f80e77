# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DNVCC=... -DDAMAGE=<damaged_objects> -DWORK=<folder> -P objects.cmake
# Tests what `warpguard compile` writes beside the outputs of nvcc: beside which file, for which kernels, with which
# launch bounds; and that a text is believed only beside its own object. The expected launch bounds are those in the
# source below.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
set(failing 3)

file(WRITE "${WORK}/a.cu" [[
__global__ void __launch_bounds__(256, 2) bounded(float* p) { *p = 1; }
__global__ void plain(float* p) { *p = 2; }
static __global__ void __launch_bounds__(64) hidden(float* p) { *p = 3; }
namespace { __global__ void __launch_bounds__(96) anonymous(float* p) { *p = 4; } }
template <int N> __global__ void __launch_bounds__(N) shape(float* p) { *p = N; }
template <int N> static __global__ void __launch_bounds__(N) own(float* p) { *p = N + 1; }
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
#define THREADS 1024
#else
#define THREADS 512
#endif
__global__ void __launch_bounds__(THREADS) newer(float* p) { *p = 5; }
#ifdef WITH_BLOCK_SIZE
__global__ void __block_size__((32, 2, 3)) sized(float* p) { *p = 6; }
#endif
void launch_a(float* p) {
  hidden<<<1, 1>>>(p);
  anonymous<<<1, 1>>>(p);
  shape<32><<<1, 1>>>(p);
  own<160><<<1, 1>>>(p);
}
]])
file(WRITE "${WORK}/b.cu" [[
static __global__ void __launch_bounds__(128) hidden(float* p) { *p = 7; }
void launch_b(float* p) { hidden<<<1, 1>>>(p); }
]])
file(WRITE "${WORK}/main.cpp" "void launch_a(float*);\nint main() { launch_a(nullptr); }\n")
file(COPY_FILE "${WORK}/b.cu" "${WORK}/c.cpp")

macro(compile)
  execute_process(COMMAND ${PROGRAM} compile ${NVCC} ${ARGN} WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
endmacro()
# Sets `kernels` to the lines of the kernels in a text, with short names.
function(read_kernels object)
  set(kernels "")
  if(EXISTS "${WORK}/${object}.ptxas")
    file(READ "${WORK}/${object}.ptxas" text)
    string(REGEX MATCHALL "\nkernel [^\n]*" kernels "${text}")
  endif()
  list(TRANSFORM kernels REPLACE "\nkernel [^ ]*(plain|bounded|hidden|anonymous|shape|own|newer|sized)[^ ]*" "\\1")
  set(kernels "${kernels}" PARENT_SCOPE)
endfunction()
function(must_have name expected value)
  list(SORT expected)
  list(SORT value)
  if(NOT "${value}" STREQUAL "${expected}")
    message(SEND_ERROR "${name}: is\n  ${value}\nnot\n  ${expected}")
  endif()
endfunction()
function(remove_outputs)
  file(GLOB outputs "${WORK}/*.o" "${WORK}/*.cubin" "${WORK}/*.fatbin" "${WORK}/*.out" "${WORK}/*.ptxas" "${WORK}/out/*")
  if(outputs)
    file(REMOVE ${outputs})
  endif()
endfunction()

# ---- launch bounds ---------------------------------------------------------------------------------------------------

function(expected_on architecture result)
  set(all bounded=256 plain= hidden=64! anonymous=96! shape=32 own=160! newer=512)
  if(architecture GREATER_EQUAL 90)
    list(TRANSFORM all REPLACE "=512$" "=1024")
  endif()
  list(TRANSFORM all REPLACE "=" " sm_${architecture} threads=")
  list(TRANSFORM all REPLACE " threads=$" "")
  list(TRANSFORM all REPLACE "!" " internal")
  set(${result} ${${result}} ${all} PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${NVCC} --list-gpu-code OUTPUT_VARIABLE known)
set(code "")
set(expected "")
foreach(architecture 75 80 90 100 121)
  if(known MATCHES "sm_${architecture}\n")
    list(APPEND code "-gencode=arch=compute_${architecture},code=sm_${architecture}")
    expected_on(${architecture} expected)
  endif()
endforeach()
compile(${code} -c a.cu -o a.o)
must_pass("all architectures")
read_kernels(a.o)
must_have("all architectures" "${expected}" "${kernels}")

# One cubin that is not in an object, a fatbin, an object and a program.
set(expected "")
expected_on(90 expected)
set(on_90 -gencode=arch=compute_90,code=sm_90)
foreach(way "-cubin;a.cubin" "-fatbin;a.fatbin" "-c;a.o" "main.cpp;a.out")
  remove_outputs()
  list(GET way 0 option)
  list(GET way 1 written)
  compile(${on_90} a.cu ${option})
  must_pass("${way}")
  read_kernels(${written})
  must_have("${way}" "${expected}" "${kernels}")
endforeach()
set(sized ${expected} "sized sm_90 threads=192")
compile(${on_90} -DWITH_BLOCK_SIZE -c a.cu)
if(status EQUAL 0)  # since CUDA 12.9
  read_kernels(a.o)
  must_have("__block_size__" "${sized}" "${kernels}")
endif()

# Compressed device code is unknown, or what it would be without.
foreach(mode none speed balance size -G -rdc=true)
  set(way ${mode})
  if(NOT mode MATCHES "^-")
    set(way --compress-mode=${mode})
  endif()
  compile(${on_90} ${way} -c a.cu -o a.o)
  if(NOT status EQUAL 0)
    continue()  # --compress-mode is new in CUDA 12.8
  endif()
  read_kernels(a.o)
  if(kernels OR mode STREQUAL "none")
    must_have("${mode}" "${expected}" "${kernels}")
  endif()
  run_program(header a.o)
  if(NOT mode STREQUAL "-rdc=true")
    must_pass("${mode}")
    expect_in("${mode}" "${header}" "measurements: 7")
  endif()
endforeach()

# The code of relocatable objects is compressed; that of the device link is not.
set(more "nvcc ${NVCC}\n")
compile(${on_90} -rdc=true -c a.cu -o a.o)
run_program(header a.o)
must_pass("relocatable device code")
run_program(update a.o)
must_pass("relocatable device code")
file(READ "${WORK}/app.lock" lock)
foreach(words "\nbounded[^\n]* threads=256 " "\nhidden[^\n]* threads=64 " "\nplain[^\n]* threads=any:")
  if(NOT lock MATCHES "${words}")
    message(SEND_ERROR "relocatable device code: no `${words}` in:\n${lock}")
  endif()
endforeach()
file(REMOVE "${WORK}/app.lock")
set(more "")

# ---- damaged objects -------------------------------------------------------------------------------------------------

set(damaged a.o two.o a.cubin a.fatbin)
compile(${on_90} -c a.cu -o a.o)
compile(${on_90} -gencode=arch=compute_80,code=[sm_80,compute_80] -c a.cu -o two.o)
compile(${on_90} -cubin a.cu)
compile(${on_90} -fatbin a.cu)
execute_process(COMMAND ${DAMAGE} ${damaged} WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
must_pass("damaged objects")

# ---- the names of outputs --------------------------------------------------------------------------------------------

# Each row: the arguments, and the outputs that are measured.
file(MAKE_DIRECTORY "${WORK}/out")
foreach(row "-c a.cu=a.o" "-c a.cu -o x.o=x.o" "-c a.cu --output-file x.o=x.o" "-c -o=x.o a.cu=x.o"
    "-c a.cu -o y.o -o x.o=x.o" "-c a.cu -odir out=out/a.o" "-c a.cu --output-directory=out=out/a.o"
    "-odir out -c a.cu -o x.o=x.o" "-c a.cu b.cu=a.o b.o" "-c a.cu b.cu -odir out=out/a.o out/b.o"
    "-c a.cu main.cpp=a.o" "-c main.cpp -o x.o=" "-x cu -c c.cpp -o x.o=x.o" "-x cu -c c.cpp=c.o" "-dc a.cu=a.o"
    "-c a.cu -include b.cu -Xcompiler -Wall -D a.cu=a.o" "a.cu main.cpp=a.out" "a.cu main.cpp -o x.out=x.out"
    "-c a.cu -MD -MF a.d=a.o")
  string(REGEX MATCH "^(.*)=([^=]*)$" matched "${row}")
  string(REPLACE " " ";" arguments "${CMAKE_MATCH_1}")
  string(REPLACE " " ";" outputs "${CMAKE_MATCH_2}")
  remove_outputs()
  compile(${on_90} ${arguments})
  if("${arguments}" MATCHES "-D;a")
    continue()
  endif()
  must_pass("${row}")
  file(GLOB_RECURSE texts RELATIVE "${WORK}" "${WORK}/*.ptxas")
  list(TRANSFORM texts REPLACE "\\.ptxas$" "")
  must_have("${row}" "${outputs}" "${texts}")
  foreach(written IN LISTS outputs)
    if(NOT EXISTS "${WORK}/${written}")
      message(SEND_ERROR "${row}: nvcc writes no ${written}")
    endif()
  endforeach()
endforeach()

# Of several sources, each has its own kernels; nvcc's exit code is that of the source that fails.
remove_outputs()
compile(${on_90} -c a.cu b.cu)
read_kernels(a.o)
must_have("the first of two sources" "${expected}" "${kernels}")
read_kernels(b.o)
must_have("the second of two sources" "hidden sm_90 threads=128 internal" "${kernels}")
run_program(header a.o b.o)
must_pass("two sources")
expect_in("two sources" "${header}" "measurements: 8")
file(WRITE "${WORK}/broken.cu" "__global__ void k() { undeclared; }\n")
compile(${on_90} -c broken.cu b.cu)
if(status EQUAL 0)
  message(SEND_ERROR "the first of two sources cannot be compiled, and the exit code is 0")
endif()

# The lock has the block size of the kernel's own launch bounds, and the range without any.
run_program(update a.o b.o)
must_pass("the lock")
file(READ "${WORK}/app.lock" lock)
foreach(threads "bounded(float*) sm_90;256" "shape<32>(float*) sm_90;32" "newer(float*) sm_90;1024"
    "plain(float*) sm_90;any:[0-9]+")
  list(GET threads 0 kernel)
  list(GET threads 1 size)
  string(REPLACE "(" "[(]" kernel "${kernel}")
  string(REPLACE "*)" "[*][)]" kernel "${kernel}")
  if(NOT lock MATCHES "\n(void )?${kernel}: [^\n]* dynamic=0 threads=${size} ")
    message(SEND_ERROR "the lock: no ${kernel} with threads=${size} in:\n${lock}")
  endif()
endforeach()

# ---- a text beside another object ------------------------------------------------------------------------------------

# Steps that do not touch device code may follow the compiler.
find_program(STRIP strip)
if(STRIP)
  execute_process(COMMAND ${STRIP} "${WORK}/a.o")
  run_program(header a.o b.o)
  must_pass("a stripped object")
endif()
file(COPY_FILE "${WORK}/b.o" "${WORK}/a.o")
run_program(check a.o b.o)
must_fail("a copy of another object" "a.o.ptxas: this file belongs to other device code than that in the object")
run_program(header a.o b.o)
must_fail("a copy of another object" "removed ${WORK}/a.o: build again")

# Compiled without the launcher, from another source.
compile(${on_90} -c b.cu -o a.o)
execute_process(COMMAND ${NVCC} ${on_90} -c a.cu -o a.o WORKING_DIRECTORY "${WORK}")
run_program(header a.o)
must_fail("compiled without the launcher" "a.o.ptxas: this file belongs to other device code")
execute_process(COMMAND ${NVCC} ${on_90} -c a.cu -o a.o WORKING_DIRECTORY "${WORK}")
file(REMOVE "${WORK}/a.o.ptxas")
run_program(header a.o)
must_fail("an object with kernels and without a text" "a.o.ptxas: cannot read this file")

# An object without device code needs no text, and an old one beside it is not read.
compile(${on_90} -x cu -c c.cpp -o c.o)
file(COPY_FILE "${WORK}/c.o.ptxas" "${WORK}/main.o.ptxas")
compile(-c main.cpp -o main.o)
run_program(header c.o main.o)
must_pass("C++ beside CUDA")
expect_in("C++ beside CUDA" "${header}" "measurements: 1")

# A cut object is not one without device code.
compile(${on_90} -c a.cu -o a.o)
file(SIZE "${WORK}/a.o" size)
math(EXPR half "${size} / 2")
find_program(HEAD head)
execute_process(COMMAND ${HEAD} -c ${half} "${WORK}/a.o" OUTPUT_FILE "${WORK}/cut.o")
file(RENAME "${WORK}/cut.o" "${WORK}/a.o")
run_program(header a.o)
must_fail("a cut object" "a.o.ptxas: this file belongs to other device code")

# A source without kernels, and one that is compiled only to PTX.
file(WRITE "${WORK}/host.cu" "int f() { return 1; }\n")
compile(${on_90} -c host.cu -o host.o)
compile(${on_90} -c b.cu -o b.o)
run_program(header host.o b.o)
must_pass("a source without kernels")

# ---- a folder with objects -------------------------------------------------------------------------------------------

# An object that was compiled without the program is no reason to leave its kernels out. The object of a device link has
# only kernels of other objects.
remove_outputs()
file(MAKE_DIRECTORY "${WORK}/folder")
compile(-arch=sm_90 -dc a.cu -o folder/a.o)
must_pass("an object in a folder")
execute_process(COMMAND ${NVCC} -arch=sm_90 -dlink folder/a.o -o folder/linked.o WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
must_pass("a device link")
execute_process(COMMAND ${PROGRAM} lock update folder.lock --from folder WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
must_pass("recording a folder with the object of a device link")
execute_process(COMMAND ${NVCC} -arch=sm_90 -c b.cu -o folder/b.o WORKING_DIRECTORY "${WORK}"
  RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
must_pass("an object that is not measured")
set(header "")
foreach(command check update)
  execute_process(COMMAND ${PROGRAM} lock ${command} folder.lock --from folder WORKING_DIRECTORY "${WORK}"
    RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
  must_fail("${command} with an object that is not measured"
    "folder/b.o: there is device code in this object, but no folder/b.o.ptxas")
endforeach()
