# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DROOT=<repository> -DWORK=<folder> -P gpus.cmake
# Tests `warpguard gpus`: it lists every product and every member, and NVIDIA's numbers.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

# ---- complete --------------------------------------------------------------------------------------------------------

# The names of the members of a struct, from its header.
function(members_of result header struct)
  file(READ "${ROOT}/include/warpguard/hardware/${header}" text)
  string(REGEX REPLACE "^.*\nstruct ${struct} {" "" text "${text}")
  string(REGEX REPLACE "\n};.*$" "" text "${text}")
  string(REGEX REPLACE "\\[[0-9]+\\]" "" text "${text}")
  string(REPLACE ";" "," text "${text}")
  string(REGEX MATCHALL "\n  [a-z ]+[ *]+[a-z0-9_]+," members "${text}")
  list(TRANSFORM members REPLACE "^.*[ *]([a-z0-9_]+),$" "\\1")
  set(${result} "${members}" PARENT_SCOPE)
endfunction()
members_of(of_product products.hpp product)
members_of(of_architecture architecture.hpp architecture)
list(LENGTH of_product count)
if(count LESS 12)
  message(SEND_ERROR "only ${count} members of a product were found: ${of_product}")
endif()

ask(gpus --csv)
read_csv()
foreach(member IN LISTS of_product of_architecture)
  if(NOT member IN_LIST columns)
    message(SEND_ERROR "no column ${member}")
  endif()
endforeach()
file(STRINGS "${ROOT}/include/warpguard/hardware/products.hpp" rows REGEX "^  {\"")
list(LENGTH rows expected)
list(LENGTH lines count)
expect_equal("products" ${count} ${expected})

ask(gpus --architectures --csv)
read_csv()
list(LENGTH lines count)
file(READ "${ROOT}/docs/architectures.md" page)
expect_in("architectures" "${page}" "the ${count} compute capabilities that warpguard knows")
expect_equal("members of an architecture" "${columns}" "${of_architecture}")

# ---- numbers ---------------------------------------------------------------------------------------------------------

ask(gpus --filter h100 --json)
string(JSON count LENGTH "${out}" gpus)
expect_equal("H100" ${count} 3)
expect_json("H100 SXM" gpus 0 name)
expect_json(132 gpus 0 sms)
expect_json(1980 gpus 0 boost_clock_mhz)
expect_json("0 8 16 32 64 100 132 164 196 228" gpus 0 carveouts_kb)
expect_json(233472 gpus 0 shared_memory_per_sm)
string(JSON type TYPE "${out}" gpus 2 l2_cache_kb)
expect_equal("no source" ${type} NULL)
ask(gpus --filter "H100 NVL")
expect_in("no source" "${out}" " 94            ?\n")
ask(gpus --cc 8.0 --csv)
read_csv()
list(LENGTH lines count)
expect_equal("products of 8.0" ${count} 5)
foreach(line IN LISTS lines)
  cell_in(capability "${line}" compute_capability)
  expect_equal("8.0" "${capability}" 80)
endforeach()
ask(gpus --architectures --cc sm_86 --markdown)
expect_in("markdown" "${out}" "| compute_capability | warp_size |")
expect_in("markdown" "${out}" "| 86 | 32 | 1024 | 48 | 1536 | 16 | 65536 |")

# ---- side by side ----------------------------------------------------------------------------------------------------

ask(gpus "H100 SXM" sm_86 "RTX 3090")
foreach(line "sms +132 +- +82 +differs" "max_warps_per_sm +64 +48 +48 +differs" "registers_per_sm +65536 +65536 +65536"
    "carveouts_kb +0 8 16 32 64 100 132 164 196 228 +0 8 16 32 64 100 +0 8 16 32 64 100 +differs")
  if(NOT out MATCHES "\n${line}\n")
    message(SEND_ERROR "no line `${line}` in:\n${out}")
  endif()
endforeach()
ask(gpus sm_86)
expect_not_in("one GPU" "${out}" "differs")
ask(gpus H100 --json)
string(JSON count LENGTH "${out}" gpus)
expect_equal("a name of three" ${count} 3)
ask(gpus sm_86 --json)
string(JSON type TYPE "${out}" gpus 0 sms)
expect_equal("SMs of an architecture" ${type} NULL)
expect_json(48 gpus 0 max_warps_per_sm)

# ---- bad input -------------------------------------------------------------------------------------------------------

must_refuse(2 "`RTX 4091` is no known GPU. Similar: RTX 4090" gpus "RTX 4091")
must_refuse(2 "`sm_91` is no known GPU" gpus sm_90 sm_91)
must_refuse(2 "--cc: `9.1` is no known compute capability" gpus --cc 9.1)
must_refuse(2 "no GPU is like this" gpus --filter "no such GPU")
must_refuse(2 "excludes" gpus sm_90 --filter H100)
must_refuse(2 "--json" gpus --json --markdown)
