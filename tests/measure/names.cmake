# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -DCXX=<one compiler> -DINCLUDES=a;b [-DNVCC=...] -P names.cmake
# Tests the names of kernels in the measured header, the lock and the reports: a name never becomes another kernel's in
# silence.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
list(TRANSFORM INCLUDES PREPEND -I OUTPUT_VARIABLE include_flags)

# Writes an object with kernels that use 8 registers, or `symbol=registers`.
function(write_kernels object)
  set(all "")
  foreach(kernel IN LISTS ARGN)
    string(REGEX REPLACE "=[0-9]+$" "" symbol "${kernel}")
    set(registers 8)
    if(kernel MATCHES "=([0-9]+)$")
      set(registers ${CMAKE_MATCH_1})
    endif()
    string(APPEND all "ptxas info    : Compiling entry function '${symbol}' for 'sm_90'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 0 barriers, 360 bytes cmem[0]
")
  endforeach()
  write_object("${object}" "nvcc|-arch=sm_90" "${all}")
endfunction()

# Compiles a check of the header that the last run_program() wrote. Sets status and output.
function(compile_check what check)
  file(WRITE ${WORK}/use.cpp "#include \"app.measured.hpp\"
namespace wg = warpguard;
namespace m = wg::measured::app;
using kernels = m::every_kernel;
struct eight_registers : wg::contract<wg::threads_per_block<128>, wg::max_registers<8>> {};
${check}
")
  execute_process(COMMAND ${CXX} -std=c++17 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror
      -DWARPGUARD_TARGETS=900 ${include_flags} -I${WORK} ${WORK}/use.cpp RESULT_VARIABLE status ERROR_VARIABLE output)
  set(status ${status} PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()
function(must_compile what check)
  compile_check("${what}" "${check}")
  must_pass("${what}")
endfunction()
function(must_be_refused what check words)
  compile_check("${what}" "${check}")
  if(status EQUAL 0)
    message(SEND_ERROR "${what}: compiles")
  endif()
  expect_in("${what}" "${output}" "${words}")
endfunction()
# The header with the kernels of one object.
macro(write_header)
  write_kernels(names.cu.o ${ARGN})
  run_program(header names.cu.o)
  must_pass("the header of ${ARGN}")
endmacro()

string(CONCAT several "warpguard: several kernels have this name: choose one by its name in the lock, with "
  "every_kernel::find() [ambiguous_kernel]")
set(no_text "warpguard: every_kernel::find() got a text that is the name of no kernel of this target [kernel_text]")

# ---- an instance never becomes another one ---------------------------------------------------------------------------

# template <class T> void scale(T*), and then also void scale(T*, int), which breaks the contract.
set(check "static_assert(wg::measured_guarantee<eight_registers, m::scale::of_float>);")
write_header(_Z5scaleIfEvPT_)
must_compile("one instance" "${check}")
write_header(_Z5scaleIfEvPT_ _Z5scaleIfEvPT_i=40)
must_be_refused("an overload with the same template arguments" "${check}" "${several}")
write_header(_Z5scaleIfEvPT_ _Z5scalef=40)
must_be_refused("an overload whose parameters are like template arguments" "${check}" "${several}")
must_compile("the instance by its name in the lock"
  "static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"scale<float>(float*)\")>>);")
must_be_refused("the overload by its name in the lock"
  "static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"scale(float)\")>>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")
must_be_refused("all instances and overloads" "static_assert(wg::measured_guarantee<eight_registers, m::scale>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")

# Alone, a kernel is `m::scale`, which also stands for the overloads that are added.
set(check "static_assert(wg::measured_guarantee<eight_registers, m::scale>);")
write_header(_Z5scalePf)
must_compile("a kernel alone" "${check}")
must_be_refused("a kernel that has no overloads" "static_assert(sizeof(m::scale::of_float_pointer) == 1);" "")
write_header(_Z5scalePf _Z5scalePi=40)
must_be_refused("an overload of a kernel that was alone" "${check}"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")

# k<A<int>, float> and k<A<int, float>>
write_header(_Z1kIJ1AIiJEEfEEvPi _Z1kIJ1AIiJfEEEEvPi=40)
must_be_refused("arguments that differ in their brackets"
  "static_assert(wg::measured_guarantee<eight_registers, m::k::of_A_int_float>);" "${several}")
must_compile("one of them"
  "static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"k<A<int>, float>(int*)\")>>);")
must_be_refused("the other one"
  "static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"k<A<int, float> >(int*)\")>>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")
must_be_refused("a text that no kernel has"
  "static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"k<A<int>, float>\")>>);"
  "${no_text}")

# What CHECKS name and does not exist, below a kernel without instances.
file(WRITE "${WORK}/checks.cpp" "warpguard::measured::app::scale::of_float\n")
write_header(_Z5scalePf)
must_be_refused("an instance of a kernel that became a plain function"
  "static_assert(wg::measured_guarantee<eight_registers, m::scale::of_float>);"
  "warpguard: ptxas compiled no such kernel for this target [vanished_kernel]")
# The members of a kernel's type are no instances that are missing.
file(WRITE "${WORK}/checks.cpp" "warpguard::measured::app::scale::measurements\n")
write_header(_Z5scalePf)
must_compile("a member of a kernel's type" "static_assert(m::scale::measurements[0].registers == 8);")
file(WRITE "${WORK}/checks.cpp" "")

# ---- arguments that no identifier can spell --------------------------------------------------------------------------

# k<&S::operator<>, whose brackets do not match, and k<3>
write_header(_Z1kIXadL_ZNK1SltEiEEEvPi=40 _Z1kILi3EEvPi)
expect_in("an operator" "${header}" "\"k<&(S::operator<(int) const)>(int*)\"")
must_be_refused("an operator is an instance too" "static_assert(wg::measured_guarantee<eight_registers, m::k>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")
must_compile("the other instance" "static_assert(wg::measured_guarantee<eight_registers, m::k::of_3>);
static_assert(kernels::count == 2 && m::unmapped_kernel_count == 0);")
must_be_refused("the operator by its text"
  "using chosen = kernels::at<kernels::find(\"k<&(S::operator<(int) const)>(int*)\")>;
static_assert(wg::measured_guarantee<eight_registers, chosen>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")

# What a kernel template returns is not a part of its name.
write_header(_ZN3app2sfIfEENSt9enable_ifIXgtstT_Li3EEvE4typeEPS2_)
expect_in("enable_if" "${header}" "\"app::sf<float>(float*)\"")
must_compile("enable_if" "static_assert(wg::measured_guarantee<eight_registers, m::app::sf::of_float>);")

# ---- different kernels with one text ---------------------------------------------------------------------------------

# template <class T> void same(T*) and template <class T> void same(int*)
set(more "")
write_kernels(same.cu.o _Z4sameIiEvPT_=8 _Z4sameIiEvPi=40)
run_program(update same.cu.o)
must_pass("two kernels with one text")
file(READ ${WORK}/app.lock lock)
expect_in("one text, first" "${lock}" "same<int>(int*) [_Z4sameIiEvPT_] sm_90: registers=8 ")
expect_in("one text, second" "${lock}" "same<int>(int*) [_Z4sameIiEvPi] sm_90: registers=40 ")
write_kernels(one.cu.o _Z4sameIiEvPT_=8)
write_kernels(other.cu.o _Z4sameIiEvPi=40)
file(REMOVE ${WORK}/app.lock)
run_program(update one.cu.o other.cu.o)
file(READ ${WORK}/app.lock lock)
expect_in("one text in two objects" "${lock}" "same<int>(int*) [_Z4sameIiEvPT_] sm_90: registers=8 ")

# Two versions of CUB: in two objects they are one kernel, as they are when a build changes its GPUs; in one they are two.
set(older _ZN3cub14CUB_200302_7504scanIiEEvPi)
set(newer _ZN3cub25CUB_300001_SM_800_1200_NS4scanIiEEvPi)
write_kernels(one.cu.o ${older})
write_kernels(other.cu.o ${newer})
file(REMOVE ${WORK}/app.lock)
run_program(update one.cu.o other.cu.o)
file(READ ${WORK}/app.lock lock)
expect_in("two objects" "${lock}" "\ncub::scan<int>(int*) sm_90: ")
write_kernels(one.cu.o ${older} ${newer})
file(REMOVE ${WORK}/app.lock)
run_program(update one.cu.o)
file(READ ${WORK}/app.lock lock)
expect_in("one object" "${lock}" "\ncub::scan<int>(int*) [${newer}] sm_90: ")

# Kernels of an anonymous namespace: the hash in the symbol depends on the path of the file, so no name has it.
set(anonymous _ZN36_GLOBAL__N__9199f993_4_a_cu_0e6fc84c)
write_kernels(one.cu.o ${anonymous}4sameIiEEvPT_ ${anonymous}4sameIiEEvPi)
file(REMOVE ${WORK}/app.lock)
run_program(update one.cu.o)
must_pass("an anonymous namespace")
file(READ ${WORK}/app.lock lock)
expect_in("an anonymous namespace" "${lock}" "[_ZN12_GLOBAL__N_14sameIiEEvPi] sm_90: ")

# `warpguard read` has the same names.
file(STRINGS ${WORK}/same.cu.o.ptxas log REGEX "^(ptxas|    )")
list(JOIN log "\n" log)
file(WRITE ${WORK}/build.log "${log}\n")
execute_process(COMMAND ${PROGRAM} read ${WORK}/build.log RESULT_VARIABLE status OUTPUT_VARIABLE output)
must_pass("warpguard read")
expect_in("warpguard read" "${output}" "same<int>(int*) [_Z4sameIiEvPT_]")

# ---- very long names -------------------------------------------------------------------------------------------------

# gemm<x, x, x, x, x, x, x, x, x, x>(float*), where x has 900 characters
string(REPEAT x 900 x900)
string(REPEAT S0_ 9 again)
set(long _Z4gemmI900${x900}${again}EvPf)
set(longer _Z4gemmI900${x900}${again}iEvPf)
string(REPEAT x 155 x155)
set(beginning "gemm<${x155}...")
write_kernels(long.cu.o ${long} ${longer}=40)
file(REMOVE ${WORK}/app.lock)
run_program(update long.cu.o)
must_pass("long names")
file(STRINGS ${WORK}/app.lock lock REGEX "^gemm")
list(LENGTH lock count)
if(NOT count EQUAL 2)
  message(SEND_ERROR "${count} long names in the lock, not 2")
endif()
foreach(line IN LISTS lock)
  if(NOT line MATCHES "^gemm<x+\\.\\.\\.[0-9a-f]+ sm_90: registers=(8|40) ")
    message(SEND_ERROR "a long name in the lock: ${line}")
  endif()
  string(REGEX REPLACE " sm_90.*" "" name "${line}")
  string(LENGTH "${name}" length)
  if(length GREATER 200)
    message(SEND_ERROR "a name of ${length} characters in the lock")
  endif()
  expect_in("the beginning" "${name}" "${beginning}")
  if(line MATCHES "registers=8 ")
    set(short "${name}")
  endif()
endforeach()
find_program(python python3)
if(python)
  execute_process(COMMAND ${python} -c "
h = 14695981039346656037
for c in b'gemm<' + b', '.join([b'x' * 900] * 10) + b'>(float*)': h = (h ^ c) * 1099511628211 % 2 ** 64
print('%016x' % h, end='')" OUTPUT_VARIABLE hash)
  expect_in("the hash" "${short}" "...${hash}")
endif()
run_program(check long.cu.o)
must_pass("long names in the lock")
run_program(header long.cu.o)
must_compile("a long name by its text"
  "static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"${short}\")>>);")
must_be_refused("all long names" "static_assert(wg::measured_guarantee<eight_registers, m::gemm>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")
run_program(check-target long.cu.o)
must_pass("reports with long names")
file(READ ${WORK}/app.json json)
string(JSON name GET "${json}" kernels 0 name)
string(LENGTH "${name}" length)
if(NOT length EQUAL 9032 AND NOT length EQUAL 9037)
  message(SEND_ERROR "a name of ${length} characters in JSON")
endif()
string(JSON symbol GET "${json}" kernels 0 symbol)
if(NOT symbol STREQUAL long AND NOT symbol STREQUAL longer)
  message(SEND_ERROR "another symbol in JSON: ${symbol}")
endif()
file(READ ${WORK}/app.md markdown)
string(LENGTH "${markdown}" length)
if(length GREATER 5000)
  message(SEND_ERROR "long names in full in the markdown table")
endif()
file(STRINGS ${WORK}/long.cu.o.ptxas log REGEX "^(ptxas|    )")
list(JOIN log "\n" log)
file(WRITE ${WORK}/build.log "${log}\n")
execute_process(COMMAND ${PROGRAM} read --json ${WORK}/build.log OUTPUT_VARIABLE json)
string(JSON name GET "${json}" kernels 0 name)
string(LENGTH "${name}" length)
if(NOT length EQUAL 9032 AND NOT length EQUAL 9037)
  message(SEND_ERROR "a name of ${length} characters in the JSON of warpguard read")
endif()
string(JSON name GET "${json}" kernels 0 kernel)
expect_in("the short name in the JSON of warpguard read" "${name}" "${beginning}")
execute_process(COMMAND ${PROGRAM} read ${WORK}/build.log OUTPUT_VARIABLE output)
expect_in("warpguard read" "${output}" "${short}\n")

# An exception and a prefix.
write_kernels(fewer.cu.o ${long}=6 ${longer}=40)
file(REMOVE ${WORK}/app.lock)
run_program(update fewer.cu.o)
file(READ ${WORK}/app.lock lock)
string(REPLACE "policy significant" "policy any\nallow ${short} sm_90: registers<=8 until=2027-06-30 reason=long" lock
  "${lock}")
file(WRITE ${WORK}/app.lock "${lock}")
run_program(check long.cu.o)
must_pass("an exception for a long name")
expect_in("an exception for a long name" "${output}" "registers 6 -> 8")
set(more "except gemm<xxx\n")
run_program(update long.cu.o)
run_program(check long.cu.o)
must_pass("a prefix of long names")
file(STRINGS ${WORK}/app.lock lock REGEX "^gemm")
if(lock)
  message(SEND_ERROR "a prefix leaves in the lock: ${lock}")
endif()
string(REPEAT x 160 x160)
set(more "except gemm<${x160}\n")
run_program(check long.cu.o)
must_fail("a prefix that is too long" "EXCEPT has a prefix of more than 160 characters")
set(more "")

# A symbol of 10,000 characters. libstdc++ does not demangle it.
string(REPEAT x 9986 x9986)
write_kernels(symbol.cu.o _Z4gemmI9986${x9986}EvPf=40 _Z4gemmIiEvPf)
run_program(header symbol.cu.o)
must_pass("a symbol of 10,000 characters")
expect_in("a symbol of 10,000 characters" "${header}" "{\"gemm [_Z4gemmI9986xxxx")
must_be_refused("it is an instance too" "static_assert(wg::measured_guarantee<eight_registers, m::gemm>);"
  "warpguard: ptxas used more registers than the contract allows [measured_registers]")
must_compile("the other instance" "static_assert(wg::measured_guarantee<eight_registers, m::gemm::of_int>);")

# Two kernels with one short name.
write_kernels(clash.cu.o ${long} ${short})
run_program(header clash.cu.o)
must_fail("one short name" "two kernels have the same short name ${short}, so rename one of them: ")

# ---- symbols of the real compiler -----------------------------------------------------------------------------------

if(NVCC)
  file(WRITE ${WORK}/real.cu "
struct S { __device__ bool operator<(int) const; };
template <auto> __global__ void k(int* p) { *p = 1; }
template __global__ void k<&S::operator< >(int*);
template __global__ void k<3>(int*);
template <class...> struct A {};
template <class...> __global__ void kk(int* p) { *p = 1; }
template __global__ void kk<A<int>, float>(int*);
template __global__ void kk<A<int, float>>(int*);
template <class T> __global__ void scale(T* p) { *p = 1; }
template __global__ void scale<float>(float*);
template <class T> __global__ void scale(T* p, int n) { *p = n; }
template __global__ void scale<float>(float*, int);
template <class T> __global__ void same(T* p) { *p = 1; }
template __global__ void same<int>(int*);
template <class T> __global__ void same(int* p) { *p = 2; }
template __global__ void same<int>(int*);
template <class T> struct nothing { using type = void; };
template <class T> __global__ typename nothing<T>::type returns(T* p) { *p = 2; }
template __global__ void returns<float>(float*);
namespace {
template <class T> __global__ void anonymous(T* p) { *p = 1; }
template __global__ void anonymous<int>(int*);
}
extern \"C\" __global__ void allow(int* p) { *p = 3; }
")
  execute_process(COMMAND ${NVCC} -std=c++17 -arch=sm_90 -cubin -Xptxas -v real.cu -o real.cubin
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  must_pass("nvcc")
  string(REGEX REPLACE "[^\n]*(warning|Remark)[^\n]*\n" "" output "${output}")
  write_object("real.cu.o" "nvcc|-arch=sm_90|-c|real.cu" "${output}")
  file(REMOVE ${WORK}/app.lock)
  run_program(update real.cu.o)
  must_pass("the lock of real kernels")
  run_program(check real.cu.o)
  must_pass("the lock of real kernels, checked")
  run_program(header real.cu.o)
  must_pass("the header of real kernels")
  must_compile("real kernels" "
template <class... Kernel> constexpr int count = sizeof...(Kernel);
static_assert(count<m::k::of_3, m::anonymous::of_int, m::allow, m::returns::of_float, m::same> == 5);
static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"kk<A<int>, float>(int*)\")>>);
static_assert(wg::measured_guarantee<eight_registers, kernels::at<kernels::find(\"scale<float>(float*, int)\")>>);
static_assert(__is_base_of(wg::measured_kernel_of<kernels, kernels::find(\"k<3>(int*)\")>, m::k::of_3));
static_assert(kernels::find(\"k<&(S::operator<(int) const)>(int*)\") >= 0 && kernels::count == 11);
static_assert(__is_base_of(wg::ambiguous_kernel, m::scale::of_float));
static_assert(__is_base_of(wg::ambiguous_kernel, m::same::of_int));
static_assert(__is_base_of(wg::ambiguous_kernel, m::kk::of_A_int_float));
static_assert(m::unmapped_kernel_count == 0);
")
endif()

# ---- kernels that are named like words of the lock ------------------------------------------------------------------

set(names allow policy compare compiler end warpguard)
write_kernels(words.cu.o ${names} "#odd")
file(REMOVE ${WORK}/app.lock)
run_program(update words.cu.o)
must_pass("words of the lock")
run_program(check words.cu.o)
must_pass("words of the lock, checked")
if(output MATCHES "NEW|GONE|CHANGED")
  message(SEND_ERROR "words of the lock, checked:\n${output}")
endif()
list(TRANSFORM names APPEND =200 OUTPUT_VARIABLE kernels)
write_kernels(words.cu.o ${kernels} "#odd=200")
run_program(check words.cu.o)
must_fail("kernels named like words got worse" "allow sm_90")
foreach(name IN LISTS names ITEMS "::#odd")
  expect_in("kernels named like words got worse" "${output}" "${name} sm_90: ")
endforeach()
# The lines of such kernels are recorded, so they are part of the digest.
file(READ ${WORK}/app.lock lock)
string(REPLACE "\nallow sm_90: registers=8" "\nallow sm_90: registers=9" edited "${lock}")
file(WRITE ${WORK}/app.lock "${edited}")
run_program(check words.cu.o)
must_fail("an edited line of such a kernel" "recorded lines were merged or edited by hand")
string(REPLACE "\npolicy significant" "\npolicy report\npolicy significant" edited "${lock}")
file(WRITE ${WORK}/app.lock "${edited}")
run_program(check words.cu.o)
must_fail("two policies" "the lock has two policies: delete one line: policy significant")
