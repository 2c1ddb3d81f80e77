# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Brings a CUDA toolkit to a machine without nvcc: NVIDIA's own packages on PyPI, with the versions and hashes of
# cuda-toolkit.txt, into a folder of the build. Nothing is installed. For warpguard's own examples and tests only.

# Sets `result` to the path of nvcc; empty, after one line that says why, if the download fails.
function(warpguard_fetch_cuda folder result)
  set(${result} "" PARENT_SCOPE)
  set(nvcc "${folder}/bin/nvcc")
  if(EXISTS "${nvcc}")
    set(${result} "${nvcc}" PARENT_SCOPE)
    return()
  endif()
  message(STATUS "warpguard: no nvcc found: downloading CUDA 13.0 (105 MB, 390 MB unpacked) from PyPI to ${folder} "
    "(-DWARPGUARD_FETCH_CUDA=OFF builds without it)")

  # A virtual environment, because Debian packages pip apart from Python.
  set(work "${folder}.part")
  file(REMOVE_RECURSE "${work}")
  file(MAKE_DIRECTORY "${work}")
  find_program(python NAMES python3 NO_CACHE)
  set(output "there is no python3")
  set(status 1)
  if(python)
    execute_process(COMMAND ${python} -m venv "${work}/venv" RESULT_VARIABLE status OUTPUT_VARIABLE output
      ERROR_VARIABLE output)
  endif()
  if(status EQUAL 0)
    execute_process(
      COMMAND "${work}/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes
        --only-binary=:all: --dest "${work}/wheels" --requirement "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cuda-toolkit.txt"
      RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  endif()
  if(NOT status EQUAL 0)
    # The last line says what is wrong.
    string(STRIP "${output}" output)
    string(REGEX REPLACE "^.*\n" "" output "${output}")
    message(STATUS "warpguard: CUDA is not downloaded (${output}): going on without it")
    file(REMOVE_RECURSE "${work}")
    return()
  endif()

  file(GLOB wheels "${work}/wheels/*.whl")
  foreach(wheel IN LISTS wheels)
    file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${work}/unpacked")
  endforeach()
  set(toolkit "${work}/unpacked/nvidia/cu13")
  # What an installed toolkit has and wheels cannot hold: links, and the right to run.
  file(CREATE_LINK lib "${toolkit}/lib64" SYMBOLIC)
  file(CREATE_LINK libcudart.so.13 "${toolkit}/lib/libcudart.so" SYMBOLIC)
  file(GLOB programs "${toolkit}/bin/*" "${toolkit}/nvvm/bin/*")
  list(FILTER programs EXCLUDE REGEX "/(crt|nvcc.profile)$")
  file(CHMOD ${programs} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
  get_filename_component(parent "${folder}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(RENAME "${toolkit}" "${folder}")  # complete, or not there
  file(REMOVE_RECURSE "${work}")
  set(${result} "${nvcc}" PARENT_SCOPE)
endfunction()
