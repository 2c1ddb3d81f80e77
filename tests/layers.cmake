# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DINCLUDE=<repository>/include/warpguard -P layers.cmake
# A header includes only headers of its own or a lower layer; the core includes nothing but itself; the umbrella is
# includes only and has everything that needs no CUDA runtime.

cmake_minimum_required(VERSION 3.22)

set(layer_0 detail/arithmetic.hpp detail/host_device.hpp architecture.hpp version.hpp)
set(layer_1 kernel_resources.hpp occupancy.hpp)
set(layer_2 advice.hpp block_size.hpp capacity.hpp clusters.hpp co_residency.hpp warp_roles.hpp)
set(layer_3 contract.hpp detail/array_list.hpp detail/contract_terms.hpp detail/facts.hpp detail/held_pairs.hpp
  detail/layout_parts.hpp detail/layout_rules.hpp detail/measured_verdict.hpp detail/option_rules.hpp
  detail/placement.hpp detail/verdict.hpp detail/weakest.hpp guard.hpp measured.hpp measurement.hpp shared_layout.hpp
  suggested_block.hpp targets.hpp)
set(layer_4 detail/launch_refusal.cuh detail/prepare.cuh detail/prepared_kernels.cuh
  detail/terms_table.cuh launch.cuh verify.cuh)

set(errors "")
file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/*)
list(REMOVE_ITEM headers warpguard.hpp)
foreach(layer RANGE 4)
  foreach(header IN LISTS layer_${layer})
    set(layer_of_${header} ${layer})
  endforeach()
endforeach()

foreach(header IN LISTS headers)
  if(NOT DEFINED layer_of_${header})
    list(APPEND errors "${header} belongs to no layer")
    continue()
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  file(STRINGS ${INCLUDE}/${header} lines REGEX "^ *# *include")
  foreach(line IN LISTS lines)
    if(line MATCHES "include *\"(.*)\"")
      get_filename_component(included "${folder}/${CMAKE_MATCH_1}" ABSOLUTE BASE_DIR /)
      string(SUBSTRING ${included} 1 -1 included)
      if(NOT DEFINED layer_of_${included})
        list(APPEND errors "${header} includes ${included}, which is in no layer")
      elseif(layer_of_${included} GREATER layer_of_${header})
        list(APPEND errors "${header} (layer ${layer_of_${header}}) includes ${included} (layer ${layer_of_${included}})")
      endif()
    elseif(layer_of_${header} LESS 3)
      list(APPEND errors "${header} is core and has: ${line}")
    elseif(line MATCHES "<boost/hana.hpp>")
      list(APPEND errors "${header} includes all of Hana")
    elseif(layer_of_${header} EQUAL 3 AND NOT line MATCHES "<(boost/hana/[a-z_/]+\\.hpp|utility|type_traits)>")
      list(APPEND errors "${header} has: ${line}")
    endif()
  endforeach()
endforeach()

file(STRINGS ${INCLUDE}/warpguard.hpp umbrella)
foreach(line IN LISTS umbrella)
  if(NOT line MATCHES "^(//.*|#pragma once|#include \"[a-z_]+\\.hpp\")?$")
    list(APPEND errors "warpguard.hpp has more than includes: ${line}")
  endif()
endforeach()
foreach(header IN LISTS layer_0 layer_1 layer_2 layer_3)
  if(NOT header MATCHES "^detail/" AND NOT "#include \"${header}\"" IN_LIST umbrella)
    list(APPEND errors "warpguard.hpp lacks ${header}")
  endif()
endforeach()

if(errors)
  list(JOIN errors "\n  " errors)
  message(FATAL_ERROR "layer rule broken:\n  ${errors}")
endif()
