# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DWORK=<folder> -P pairing.cmake
# Tests which kernel of a lock a kernel is compared with after it was renamed.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/locks.cmake)

# Compares kernels with others. Each is name|registers|blocks; `==` stands between them.
function(pair name code)
  list(FIND ARGN "==" middle)
  list(SUBLIST ARGN 0 ${middle} then)
  math(EXPR middle "${middle} + 1")
  list(SUBLIST ARGN ${middle} -1 now)
  lock_of(old.lock ${then})
  lock_of(new.lock ${now})
  diff(old.lock new.lock)
  if(NOT status EQUAL code)
    message(SEND_ERROR "${name}: exit code ${status}, not ${code}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# ---- lambdas ---------------------------------------------------------------------------------------------------------

# 256 threads: 8 blocks with 32 registers, 6 with 40, 5 with 48, 3 with 80 on 9.0.
function(lambda result ordinal rest)
  set(${result} "void apply<host(int*)::{lambda(int)#${ordinal}}>(host(int*)::{lambda(int)#${ordinal}}, int*)|${rest}"
    PARENT_SCOPE)
endfunction()
lambda(one 1 "48|5")
lambda(two 2 "40|6")
lambda(three 3 "32|8")
lambda(new_one 1 "80|3")
lambda(new_two 2 "48|5")
lambda(new_three 3 "40|6")
lambda(new_four 4 "32|8")
pair("one more lambda before the others" 0 "${one}" "${two}" "${three}" ==
  "${new_one}" "${new_two}" "${new_three}" "${new_four}")
expect_in("one more lambda" "${output}" "No kernel got worse (4 kernels on 9.0).\n1 is new, 3 changed")
expect_in("one more lambda" "${output}" "NEW void apply<host(int*)::{lambda(int)#1}>")
expect_in("one more lambda" "${output}" "was void apply<host(int*)::{lambda(int)#3}>(host(int*)::{lambda(int)#3}, int*) \
(uncertain: lambdas of one function are matched by their numbers)")
pair("one lambda less" 1 "${new_one}" "${new_two}" "${new_three}" "${new_four}" == "${one}" "${two}" "${three}")
expect_in("one lambda less" "${output}" "1 kernel is gone on 9.0: void apply<host(int*)::{lambda(int)#1}>")
lambda(worse_three 3 "80|3")
pair("a larger lambda after the others" 0 "${one}" "${two}" == "${one}" "${two}" "${worse_three}")
expect_in("an added lambda" "${output}" "NEW void apply<host(int*)::{lambda(int)#3}>")
lambda(new_two 2 "80|3")
pair("the second lambda is worse, and one was added before it" 1 "${two}" "${three}" ==
  "${one}" "${new_two}" "${new_four}")
expect_in("worse lambda" "${output}" "1 of 3 kernels got worse on 9.0")
pair("the same lambdas" 0 "${one}" "${two}" == "${one}" "${two}")
expect_in("the same lambdas" "${output}" "No kernel changed (2 kernels on 9.0).")

# By order means by number: 10 comes after 9. All kernels get worse, so none is recognised by its numbers.
set(then "")
set(now "")
foreach(ordinal RANGE 1 12)
  lambda(one ${ordinal} "${ordinal}|8")
  math(EXPR registers "100 + ${ordinal}")
  lambda(two ${ordinal} "${registers}|2")
  list(APPEND then "${one}")
  list(APPEND now "${two}")
endforeach()
pair("twelve lambdas" 1 ${then} == ${now})
expect_not_in("twelve lambdas" "${output}" "; was ")
expect_in("twelve lambdas" "${output}" "12 of 12 kernels got worse on 9.0")

# Extended lambdas as older versions of nvcc name them, and an unnamed type.
pair("extended lambdas" 0
  "k<__nv_dl_wrapper_t<__nv_dl_tag<void (*)(int*), &f, 1u>, int> >()|40|6" "z<f()::{unnamed type#1}>()|40|6" ==
  "k<__nv_dl_wrapper_t<__nv_dl_tag<void (*)(int*), &f, 1u>, int> >()|80|3"
  "k<__nv_dl_wrapper_t<__nv_dl_tag<void (*)(int*), &f, 2u>, int> >()|40|6" "z<f()::{unnamed type#2}>()|40|6")
expect_in("extended lambdas" "${output}" "1 is new, 2 changed")

# ---- other names -----------------------------------------------------------------------------------------------------

pair("other parameters" 1 "app::sum<3>(float*)|32|8" "b()|32|8" == "app::sum<3>(double*)|40|6" "b()|32|8")
expect_in("other parameters" "${output}" "WORSE app::sum<3>(double*) on 9.0")
expect_in("other parameters" "${output}" "registers 32 -> 40; was app::sum<3>(float*)")
expect_not_in("other parameters" "${output}" "GONE")
pair("only the parameters changed" 0 "(anonymous namespace)::k(float*) [a.cu]|32|8" ==
  "(anonymous namespace)::k(int) [a.cu]|32|8")
expect_in("only the parameters changed" "${output}" "equal numbers; was (anonymous namespace)::k(float*) [a.cu]")

# Of overloads it is not known which became which, so this is a guess. A guess stays a kernel that is gone.
pair("overloads" 1 "k(float*)|32|8" "k(int*)|32|8" == "k(double*)|40|6" "k(int*)|32|8")
expect_in("overloads" "${output}" "GONE k(float*) on 9.0")
expect_in("overloads" "${output}" "blocks=8; perhaps it is now k(double*): registers=40")
expect_not_in("overloads" "${output}" "NEW")
pair("another namespace" 1 "a::sum(float*)|32|8" == "b::sum(float*)|32|8")
expect_in("another namespace" "${output}" "perhaps it is now b::sum(float*): registers=32")
pair("other template arguments" 1 "sum<3>(float*)|32|8" == "sum<4>(float*)|32|8")
expect_in("other template arguments" "${output}" "perhaps it is now sum<4>(float*)")
pair("two instances, other arguments" 1 "sum<3>()|32|8" "sum<4>()|32|8" == "sum<5>()|32|8" "sum<6>()|32|8")
expect_not_in("two instances" "${output}" "perhaps")
expect_in("two instances" "${output}" "2 kernels are gone on 9.0")
pair("the only one of its source" 1 "a(int*) [x.cu]|32|8" "c() [y.cu]|32|8" == "b(int*) [x.cu]|40|6" "c() [y.cu]|32|8")
expect_in("the only one of its source" "${output}" "GONE a(int*) [x.cu] on 9.0")
expect_in("the only one of its source" "${output}" "perhaps it is now b(int*) [x.cu]: registers=40")
pair("nothing in common" 1 "a()|32|8" == "b()|32|8")
expect_not_in("nothing in common" "${output}" "perhaps")
pair("a comparison in a name" 1 "k<&(S::operator->)>(int)|32|8" == "k<&(S::operator->)>(long)|40|6")
expect_in("a comparison in a name" "${output}" "was k<&(S::operator->)>(int)")

# An architecture that was not built has no kernels that are gone.
lock_of(old.lock "k(int)|32|8")
set(gpu 80)
lock_of(new.lock "k(long)|80|3")
unset(gpu)
diff(old.lock new.lock)
must_pass("another architecture")
expect_in("another architecture" "${output}" "1 kernel is not compared on 9.0, because this was not built.")

# ---- exceptions ------------------------------------------------------------------------------------------------------

function(write_kernel symbol registers)
  write_object("k.cu.o" "nvcc|-arch=sm_90" "ptxas info    : Compiling entry function '${symbol}' for 'sm_90'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
")
endfunction()
lock_of(app.lock "k(float*)|32|8")
file(READ "${WORK}/app.lock" text)
string(REPLACE "\nend" "\nallow k(float*) sm_90: registers<=40 until=2027-01-15 reason=the new tile\nend" text "${text}")
file(WRITE "${WORK}/app.lock" "${text}")
write_kernel(_Z1kPd 40)
run_program(check k.cu.o)
must_pass("an exception under the former name")
expect_in("an exception under the former name" "${output}" "ALLOWED k(double*) sm_90: ")
run_program(update k.cu.o)
must_pass("updating with an exception under the former name")
file(READ "${WORK}/app.lock" text)
expect_in("the new name" "${text}" "\nallow k(double*) sm_90: registers<=40 until=2027-01-15 reason=the new tile\n\
k(double*) sm_90: registers=32")
expect_not_in("the former name" "${text}" "float")
run_program(check k.cu.o)
must_pass("an exception under the new name")
write_kernel(_Z1kPd 41)
run_program(check k.cu.o)
must_fail("beyond the bound" "its exception allows only registers<=40")
