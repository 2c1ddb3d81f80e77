# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DGIT=<git, or empty> -DWORK=<folder> -P delta.cmake
# Tests what a pull request shows: the sentence, the rows and their order, sizes, and names that are markup.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/locks.cmake)

function(expect_equal name found expected)
  if(NOT found STREQUAL expected)
    message(SEND_ERROR "${name}: ${found}, not ${expected}\n${output}")
  endif()
endfunction()
# Sets `at` to the position of a part of the output.
macro(find_part at part)
  string(FIND "${output}" "${part}" ${at})
  if(${at} LESS 0)
    message(SEND_ERROR "not found: ${part}\n${output}")
  endif()
endmacro()

# ---- the sentence and the rows ---------------------------------------------------------------------------------------

# The README's kernel: 256 threads with 40 registers are 6 blocks on 9.0, with 48 they are 5.
lock_of(old.lock "app::sum(float*)|40|6" "same()|40|6" "two()|32|8" "gone()|32|8")
lock_of(new.lock "app::sum(float*)|48|5" "same()|40|6" "two()|80|3" "new()|32|8")
diff(old.lock new.lock --markdown)
expect_in("the sentence" "${output}" "2 of 4 kernels got worse on 9.0: `two()` lost 5 blocks (8 -> 3, registers 32 -> \
80), `app::sum(float*)` lost a block (6 -> 5, registers 40 -> 48).\n1 is gone, 1 is new.\n")
expect_in("a row" "${output}" "| `app::sum(float*)` | 9.0 | **6 -> 5** | 256 | **75 % -> 62.5 %** | **40 -> 48** | 0/0 | 0 \
| registers | | 40 registers or fewer for 6 blocks of 256 threads | **WORSE** |\n")
expect_not_in("a kernel that did not change" "${output}" "same()")
find_part(two "| `two()` |")
find_part(sum "| `app::sum(float*)` |")
find_part(gone "| `gone()` |")
find_part(fold "<details>")
find_part(new "| `new()` |")
if(sum LESS two OR gone LESS sum OR fold LESS gone OR new LESS fold)
  message(SEND_ERROR "the worst rows are not first:\n${output}")
endif()
diff(old.lock old.lock --markdown)
expect_equal("no change" "${output}" "No kernel changed (4 kernels on 9.0).\n")
diff(old.lock new.lock)
expect_in("text" "${output}" "what fits: 40 registers or fewer for 6 blocks of 256 threads")

# Counts on several GPUs, compared with a count of the blocks that this test wrote. Kernels lose blocks on 8.0, on 9.0,
# on both, or on none.
set(old "")
set(new "")
set(worse 0)
set(worse_80 0)
set(worse_90 0)
foreach(kernel RANGE 1 60)
  math(EXPR kind "(${kernel} * ${kernel} * 7) % 11 % 4")
  set(is_worse 0)
  foreach(gpu 80 90)
    set(blocks 6)
    if((gpu EQUAL 80 AND kind MATCHES "[13]") OR (gpu EQUAL 90 AND kind MATCHES "[23]"))
      set(blocks 5)
      set(is_worse 1)
      math(EXPR worse_${gpu} "${worse_${gpu}} + 1")
    endif()
    set(rest "static=0 spills=0/0 stack=0 barriers=1 dynamic=0 threads=256")
    string(APPEND old "k${kernel}() sm_${gpu}: registers=40 ${rest} blocks=6\n")
    string(APPEND new "k${kernel}() sm_${gpu}: registers=40 ${rest} blocks=${blocks}\n")
  endforeach()
  math(EXPR worse "${worse} + ${is_worse}")
endforeach()
unset(gpu)
seal_lock(old "warpguard-lock 2\ncompiler nvcc 13.0.88\n${old}")
seal_lock(new "warpguard-lock 2\ncompiler nvcc 13.0.88\n${new}")
file(WRITE "${WORK}/old.lock" "${old}")
file(WRITE "${WORK}/new.lock" "${new}")
diff(old.lock new.lock --markdown)
math(EXPR more "${worse} - 3")
expect_in("counts" "${output}" "${worse} of 60 kernels got worse (${worse_80} on 8.0, ${worse_90} on 9.0): ")
expect_in("counts" "${output}" ", and ${more} more.\n")
count_in(rows "${output}" "\n| `k")
expect_equal("one row for both GPUs" "${rows}" "${worse}")
count_in(both "${output}" "| 8.0, 9.0 |")
math(EXPR expected_both "${worse_80} + ${worse_90} - ${worse}")
expect_equal("rows with both GPUs" "${both}" "${expected_both}")

# ---- names that are markup -------------------------------------------------------------------------------------------

string(REPEAT "long" 2500 long)
set(bad "a<b>|`c``*d*_e_\\@f</script><script>&\"'(int)")
lock_of(old.lock "${bad}|40|6" "${long}()|40|6")
lock_of(new.lock "${bad}|48|5" "${long}()|48|5")
diff(old.lock new.lock --markdown)
# In a table, a code span of three backticks with an escaped bar; in a sentence, the bar stays as it is.
string(REPLACE "|" "\\|" escaped "${bad}")
expect_in("a name that is markup, in the table" "${output}" "\n| ```${escaped}``` | 9.0 |")
expect_in("a name that is markup, in the sentence" "${output}" " ```${bad}``` lost a block")
string(REPLACE "\\|" "" cells "${output}")
string(REGEX MATCHALL "\n[|][^\n]*" rows "${cells}")
foreach(row IN LISTS rows)
  count_in(bars "${row}" "|")
  expect_equal("bars of a row" "${bars}" 13)
endforeach()
string(LENGTH "${output}" length)
if(length GREATER 3000)
  message(SEND_ERROR "a long name is not cut: ${length} characters")
endif()
diff(old.lock new.lock --html)
foreach(part "<script>" "</script>" "<h1>")
  count_in(count "${output}" "${part}")
  expect_equal("${part} in the page" "${count}" 1)
endforeach()
expect_in("a name in the page" "${output}"
  "a&lt;b&gt;|`c``*d*_e_\\@f&lt;/script&gt;&lt;script&gt;&amp;&quot;&#39;(int)")
expect_not_in("the page loads nothing" "${output}" "http:")
expect_not_in("the page loads nothing" "${output}" "https:")
diff(old.lock new.lock --json)
string(JSON name GET "${output}" differences 0 kernel)
expect_equal("a name in JSON" "${name}" "${bad}")
string(JSON registers GET "${output}" differences 0 before registers)
string(JSON registers_now GET "${output}" differences 0 after registers)
expect_equal("numbers in JSON" "${registers} ${registers_now}" "40 48")
string(JSON threads_stated GET "${output}" differences 0 after threads_stated)
expect_equal("a number that has two members" "${threads_stated}" ON)

# ---- SARIF -----------------------------------------------------------------------------------------------------------

# The schema cannot be had as a package, so this checks what section 3 of the standard demands of these objects.
diff(old.lock new.lock --sarif)
string(JSON driver GET "${output}" runs 0 tool driver name)
expect_equal("driver" "${driver}" warpguard)
string(JSON results LENGTH "${output}" runs 0 results)
expect_equal("results" "${results}" 2)
foreach(result RANGE 1)
  string(JSON rule GET "${output}" runs 0 results ${result} ruleId)
  string(JSON index GET "${output}" runs 0 results ${result} ruleIndex)
  string(JSON known GET "${output}" runs 0 tool driver rules ${index} id)
  expect_equal("the rule that the index names" "${known}" "${rule}")
  string(JSON level GET "${output}" runs 0 results ${result} level)
  expect_equal("level" "${level}" error)
  string(JSON text GET "${output}" runs 0 results ${result} message text)
  expect_in("message" "${text}" "What fits: 40 registers or fewer")
  string(JSON place GET "${output}" runs 0 results ${result} locations 0 physicalLocation)
  string(JSON uri GET "${place}" artifactLocation uri)
  expect_equal("uri" "${uri}" old.lock)
  string(JSON line GET "${place}" region startLine)
  expect_equal("line" "${line}" 1)
endforeach()

# ---- sizes -----------------------------------------------------------------------------------------------------------

# 5,000 kernels get worse, one of them most. Logs, because a digest of so many lines takes this test too long.
set(old "")
set(new "")
foreach(kernel RANGE 1 5000)
  string(LENGTH "kernel${kernel}" length)
  set(symbol "_ZN3app${length}kernel${kernel}EPf")
  set(registers 80)
  if(kernel EQUAL 4321)
    set(registers 168)
  endif()
  set(before "ptxas info    : Compiling entry function '${symbol}' for 'sm_90'
ptxas info    : Function properties for ${symbol}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ")
  string(APPEND old "${before}32 registers, used 1 barriers, 360 bytes cmem[0]\n")
  string(APPEND new "${before}${registers} registers, used 1 barriers, 360 bytes cmem[0]\n")
endforeach()
file(WRITE "${WORK}/old.log" "${old}")
file(WRITE "${WORK}/new.log" "${new}")
function(expect_comment name)
  string(LENGTH "${output}" length)
  if(length GREATER_EQUAL 60000)
    message(SEND_ERROR "${name}: ${length} characters")
  endif()
  string(REGEX MATCHALL "\n[|] `app::kernel[^\n]*" rows "${output}")
  string(REGEX MATCHALL "[^|]WORSE[^|]*[|]\n" whole "${output}")
  list(LENGTH rows shown)
  list(GET rows 0 first)
  expect_in("${name}: the worst row is first" "${first}" "app::kernel4321(float*)")
  math(EXPR rest "5000 - ${shown}")
  string(REGEX REPLACE "([0-9])([0-9][0-9][0-9])$" "\\1,\\2" rest "${rest}")
  expect_in("${name}: ${shown} rows" "${output}" "\nand ${rest} more rows: see ")
  foreach(row IN LISTS rows)
    if(NOT row MATCHES "[|] [*][*]WORSE[*][*] [|]$")
      message(SEND_ERROR "${name}: a row is cut: ${row}")
    endif()
  endforeach()
endfunction()
diff(old.log new.log --markdown)
expect_in("5,000 kernels" "${output}" "5,000 of 5,000 kernels got worse on 9.0: `app::kernel4321(float*)` lost ")
expect_comment("5,000 kernels")
diff(old.log new.log)
string(REGEX MATCHALL "\n" lines "${output}")
list(LENGTH lines lines)
if(lines GREATER 60)
  message(SEND_ERROR "${lines} lines are more than a screen:\n${output}")
endif()
expect_in("text of 5,000 kernels" "${output}" "and 4,988 more")

# The report of a target has the same limit, with the table of all kernels or without it.
file(REMOVE "${WORK}/checks.cpp")
write_object(k.cu.o "nvcc|-arch=sm_90" "${old}")
run_program(update k.cu.o)
must_pass("recording 5,000 kernels")
write_object(k.cu.o "nvcc|-arch=sm_90" "${new}")
run_program(check-target k.cu.o)
must_fail("reporting 5,000 kernels" "5000 kernels")
file(READ "${WORK}/app.md" output)
expect_comment("the report of 5,000 kernels")
expect_in("the report" "${output}" "The table of all kernels is too long for a comment: see `app.json`.")
file(READ "${WORK}/app.json" json)
string(JSON count LENGTH "${json}" delta differences)
expect_equal("differences in the JSON" "${count}" 5000)
run_program(check k.cu.o)
must_fail("checking 5,000 kernels" "app::kernel4321(float*) sm_90: blocks ")
string(REGEX MATCHALL "\n" lines "${output}")
list(LENGTH lines lines)
if(lines GREATER 60)
  message(SEND_ERROR "${lines} lines are more than a screen:\n${output}")
endif()

# ---- the history of a lock -------------------------------------------------------------------------------------------

file(READ "${WORK}/app.html" output)
expect_in("a lock outside of git" "${output}" "No history: git has no history of app.lock.")
if(NOT GIT)
  return()
endif()
file(REMOVE_RECURSE "${WORK}/history")
file(MAKE_DIRECTORY "${WORK}/history")
set(WORK "${WORK}/history")
set(git ${GIT} -c user.name=name -c user.email=name@example.org -c core.autocrlf=false)
execute_process(COMMAND ${GIT} init -q WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
foreach(registers 32 40 36)
  write_object(k.cu.o "nvcc|-arch=sm_90" "ptxas info    : Compiling entry function '_Z1aPi' for 'sm_90'
ptxas info    : Function properties for _Z1aPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${registers} registers, used 1 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function '_Z1bPi' for 'sm_90'
ptxas info    : Function properties for _Z1bPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, used 1 barriers, 360 bytes cmem[0]
")
  run_program(update k.cu.o)
  must_pass("recording ${registers}")
  execute_process(COMMAND ${git} add app.lock WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${git} commit -q -m ${registers} --date 2027-01-${registers}
    WORKING_DIRECTORY ${WORK} OUTPUT_QUIET)
endforeach()
run_program(check-target k.cu.o)
must_pass("reporting with a history")
file(READ "${WORK}/app.html" output)
expect_not_in("a history" "${output}" "No history")
# Registers 32, 40, 36: the first point is the lowest, the second the highest.
expect_in("registers over three commits" "${output}" "<polyline points=\"2,17 45,3 88,10\"/>")
count_in(drawings "${output}" "registers <svg")
expect_equal("only kernels that changed have a drawing" "${drawings}" 1)

# ---- a target without an object of ptxas -----------------------------------------------------------------------------

run_program(update)
must_fail("no object" "ptxas compiled no object of app, so there is nothing to measure")
write_object(k.cu.o "nvcc|-arch=sm_90" "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1aPi' for 'sm_90'
ptxas info    : Function properties for _Z1aPi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 360 bytes cmem[0]
")
run_program(update k.cu.o)
must_pass("one object")

# An object of a source that has functions, but no kernel.
use(lock update one.lock --from k.cu.o)
must_exit("an object with a kernel" 0)
write_object(k.cu.o "nvcc|-arch=sm_90" "ptxas info    : 0 bytes gmem\n")
use(lock update none.lock --from k.cu.o)
must_exit("an object without a kernel" 3)
expect_in("an object without a kernel" "${output}" "k.cu.o: no kernel")
