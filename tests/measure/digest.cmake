# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# For tests that change a lock: computes its digest apart from the program.

# Sets `result` to the 32-bit FNV-1a hash of a text, as eight hexadecimal digits.
function(hash_text result text)
  string(HEX "${text}" digits)
  string(REGEX MATCHALL ".." bytes "${digits}")
  set(hash 2166136261)
  foreach(byte IN LISTS bytes)
    math(EXPR hash "((${hash} ^ 0x${byte}) * 16777619) & 4294967295")
  endforeach()
  math(EXPR hash "${hash} | 4294967296" OUTPUT_FORMAT HEXADECIMAL)  # 0x1 and eight digits
  string(SUBSTRING "${hash}" 3 8 hash)
  set(${result} ${hash} PARENT_SCOPE)
endfunction()
hash_text(hash "foobar")
if(NOT hash STREQUAL "bf9cf968")  # published with the hash
  message(FATAL_ERROR "the hash of foobar is ${hash}")
endif()

# Sets `result` to a lock with other lines and the digest that belongs to them.
function(seal_lock result text)
  string(REGEX REPLACE "\nend [0-9a-f]*\n" "\n" text "${text}")
  string(REGEX REPLACE "(^|\n)((#|allow |policy |compare )[^\n]*\n)+" "\\1" recorded "${text}")
  hash_text(hash "${recorded}")
  set(${result} "${text}end ${hash}\n" PARENT_SCOPE)
endfunction()
