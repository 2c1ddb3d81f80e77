# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DGENERATOR=... -DBUILD=<warpguard's build> -DWORK=<folder> -DCXX=... -DNVCC=... -P stale.cmake
# Tests that a build never takes the numbers of another object than its own: each case makes one of the two files old,
# and the next builds must fail or have the numbers of the source as it is.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/steps.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed)
must_pass("installing")
set(build ${WORK}/build)
file(WRITE ${WORK}/CMakeLists.txt [[
cmake_minimum_required(VERSION 3.22)
project(stale LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 80-real)
find_package(warpguard REQUIRED)
add_library(app STATIC kernel.cu other.cu)
if(LANGUAGE)
  set_source_files_properties(other.cu PROPERTIES LANGUAGE ${LANGUAGE})
endif()
if(DEFINED BEFORE)
  set_property(TARGET app PROPERTY CUDA_COMPILER_LAUNCHER "${BEFORE}")
endif()
warpguard_measure(app LOCK app.lock)
if(DEFINED AFTER)
  set_property(TARGET app PROPERTY CUDA_COMPILER_LAUNCHER "${AFTER}")
endif()
]])
# Writes a source whose kernel has `bytes` of static shared memory, which ptxas reports as they are.
function(write_source file name bytes)
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)  # Makefiles of some systems compare whole seconds
  file(WRITE ${WORK}/${file}.cu "#ifdef __CUDACC__
__global__ void ${name}(int* p) {
  __shared__ int shared[${bytes} / 4];
  shared[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = shared[0];
}
#endif
int host_${name}() { return ${bytes}; }\n")
endfunction()
macro(configure)
  run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK} -B ${build} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${WORK}/installed
    -DCMAKE_CUDA_COMPILER=${NVCC} -UAFTER -UBEFORE -ULANGUAGE ${ARGN})
  must_pass("configuring")
endmacro()
macro(record)
  run(${CMAKE_COMMAND} --build ${build} -j 2 --target app_warpguard_update)
endmacro()
# Fails unless the lock has these words for the kernel, or no such kernel if there are none.
function(must_record what kernel words)
  file(READ ${WORK}/app.lock lock)
  string(REGEX MATCH "\n${kernel}[(]int[*][)] [^\n]*" line "${lock}")
  if("${words}" STREQUAL "" AND line)
    message(SEND_ERROR "${what}: the lock has ${line}")
  elseif(NOT line MATCHES "${words}")
    message(SEND_ERROR "${what}: expected `${words}` in `${line}`")
  endif()
endfunction()
set(objects ${build}/CMakeFiles/app.dir)

write_source(kernel first 256)
write_source(other second 512)
configure()
record()
must_pass("the first build")
must_record("the first build" first "static=256 ")
must_record("the first build" second "static=512 ")

# A deleted text.
file(REMOVE ${objects}/kernel.cu.o.ptxas)
record()
must_fail("a deleted text" "kernel.cu.o.ptxas: cannot read this file" "kernel.cu.o: build again")
record()
must_pass("after a deleted text")
must_record("after a deleted text" first "static=256 ")

# An object that is replaced by another one.
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
execute_process(COMMAND ${CMAKE_COMMAND} -E copy ${objects}/other.cu.o ${objects}/kernel.cu.o)
record()
if(NOT status EQUAL 0)  # Ninja knows that it did not write this object, and compiles it again
  must_print("a replaced object" "kernel.cu.o.ptxas: this file belongs to other device code")
  record()
endif()
must_pass("after a replaced object")
must_record("after a replaced object" first "static=256 ")

# An object that is deleted.
file(REMOVE ${objects}/kernel.cu.o)
record()
must_pass("a deleted object")
must_record("a deleted object" first "static=256 ")

# A compilation that fails, or that is killed, leaves no numbers of the former one.
file(WRITE ${WORK}/kill "#!/bin/sh\nif [ -e '${WORK}/armed' ]; then kill -KILL $PPID; kill -KILL $$; fi\nexec \"$@\"\n")
file(CHMOD ${WORK}/kill PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
configure(-DBEFORE=${WORK}/kill)
record()
must_pass("a launcher of the target")
file(WRITE ${WORK}/armed "")
write_source(kernel first 384)
record()
must_fail("a killed compilation" "")
if(EXISTS ${objects}/kernel.cu.o.ptxas)
  message(SEND_ERROR "a killed compilation: there is a text")
endif()
file(REMOVE ${WORK}/armed)
record()
must_pass("after a killed compilation")
must_record("after a killed compilation" first "static=384 ")

# A launcher that replaces warpguard's.
file(WRITE ${WORK}/plain "#!/bin/sh\nexec \"$@\"\n")
file(CHMOD ${WORK}/plain PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
configure(-DAFTER=${WORK}/plain)
write_source(kernel first 640)
record()
must_fail("another launcher" "kernel.cu.o.ptxas: this file belongs to other device code"
  "a launcher was set after the call of warpguard_measure()")
record()
must_fail("another launcher, built again" "kernel.cu.o.ptxas: ")
configure()
record()
must_pass("warpguard's launcher")
must_record("warpguard's launcher" first "static=640 ")

# A source of CUDA becomes one of C++, changes, and becomes one of CUDA again.
configure(-DLANGUAGE=CXX)
record()
must_pass("a source of C++")
must_record("a source of C++" first "static=640 ")
must_record("a source of C++" second "")
write_source(other second 768)
record()
must_pass("a changed source of C++")
must_record("a changed source of C++" second "")
configure()
record()
must_pass("a source of CUDA again")
must_record("a source of CUDA again" second "static=768 ")

# Device code that is compiled as a C++ source has a name, x.cpp.o, that does not show it.
file(COPY_FILE ${WORK}/other.cu ${WORK}/named.cpp)
file(READ ${WORK}/CMakeLists.txt project)
string(REPLACE "kernel.cu other.cu)" "kernel.cu other.cu named.cpp)
set_source_files_properties(named.cpp PROPERTIES LANGUAGE CUDA)" project "${project}")
string(REPLACE "other.cu named" "named" project "${project}")
file(WRITE ${WORK}/CMakeLists.txt "${project}")
configure()
record()
must_pass("x.cpp of CUDA")
must_record("x.cpp of CUDA" second "static=768 ")
file(REMOVE ${objects}/named.cpp.o.ptxas)
record()
must_fail("x.cpp of CUDA, without its text" "named.cpp.o.ptxas: cannot read this file")
record()
must_pass("x.cpp of CUDA, with its text again")
must_record("x.cpp of CUDA, with its text again" second "static=768 ")

# Objects that a cache restores: the launcher reads them after the cache.
find_program(CCACHE ccache)
if(CCACHE)
  set(ENV{CCACHE_DIR} ${WORK}/ccache)
  configure(-DBEFORE=${CCACHE})
  foreach(hit "a miss" "a hit")
    file(REMOVE ${objects}/kernel.cu.o ${objects}/kernel.cu.o.ptxas)
    record()
    must_pass("ccache, ${hit}")
    must_record("ccache, ${hit}" first "static=640 ")
  endforeach()
endif()
