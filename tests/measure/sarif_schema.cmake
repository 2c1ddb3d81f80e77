# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DPYTHON=... -DSCHEMA=<sarif-2.1.0.json> -DWORK=<folder> -P sarif_schema.cmake
# Validates SARIF against the schema of OASIS. The schema is not a part of this project: WARPGUARD_SARIF_SCHEMA names it.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

if(NOT SCHEMA)
  message("SKIPPED: set WARPGUARD_SARIF_SCHEMA to a copy of sarif-2.1.0.json")
  return()
endif()
execute_process(COMMAND ${PYTHON} -c "import jsonschema" RESULT_VARIABLE status ERROR_QUIET)
if(NOT status EQUAL 0)
  message("SKIPPED: ${PYTHON} has no module jsonschema")
  return()
endif()

file(WRITE "${WORK}/validate.py" [[
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
errors = list(jsonschema.validators.validator_for(schema)(schema).iter_errors(json.load(open(sys.argv[2]))))
for error in errors:
    print(list(error.path), error.message, file=sys.stderr)
sys.exit(len(errors) > 0)
]])
macro(validate file)
  execute_process(COMMAND ${PYTHON} ${WORK}/validate.py ${SCHEMA} ${WORK}/${file}
    RESULT_VARIABLE status ERROR_VARIABLE output)
  set(out "")
endmacro()

# A kernel that got worse, one that is gone, one that is new, and one whose name has markup.
function(write_log name)
  set(log "")
  foreach(kernel IN LISTS ARGN)
    string(REGEX MATCH "^(.*)=([0-9]+)$" matched "${kernel}")
    string(APPEND log "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '${CMAKE_MATCH_1}' for 'sm_90'
ptxas info    : Function properties for ${CMAKE_MATCH_1}
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used ${CMAKE_MATCH_2} registers, used 1 barriers, 360 bytes cmem[0]
")
  endforeach()
  file(WRITE "${WORK}/${name}" "${log}")
endfunction()
write_log(old.log _Z1aPi=32 _Z4gonePf=32 "x\"<b>&\\=32")
write_log(new.log _Z1aPi=80 _Z3newv=32 "x\"<b>&\\=80")
use(diff --sarif old.log new.log)
must_exit("a comparison" 1)
file(WRITE "${WORK}/changes.sarif" "${out}")
string(JSON results LENGTH "${out}" runs 0 results)
if(NOT results GREATER 2)
  message(SEND_ERROR "only ${results} results:\n${out}")
endif()
validate(changes.sarif)
must_exit("a comparison's SARIF" 0)

# The schema refuses what is no SARIF.
use(diff --sarif old.log new.log)
string(REPLACE "\"error\"" "\"worse\"" wrong "${out}")
file(WRITE "${WORK}/wrong.sarif" "${wrong}")
validate(wrong.sarif)
must_exit("an unknown level" 1)
