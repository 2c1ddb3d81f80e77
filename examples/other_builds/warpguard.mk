# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Checks what ptxas used for the kernels of a project that GNU Make builds. Copy this file beside your Makefile, and
# write into it, below the list of objects and the assignment of NVCC:
#
#   WARPGUARD_OBJECTS := $(OBJECTS)   # those of .cu files
#   include warpguard.mk
#   all: warpguard-check
#
# From then on $(NVCC) compiles through `warpguard compile`, and there are three more targets:
#
#   warpguard-check        fails if a kernel is worse than the lock allows
#   warpguard-update       writes the lock, which you commit
#   warpguard-record-anew  replaces all lines of the lock, for another compiler or other flags
#
# Before the include you may set WARPGUARD, the program; WARPGUARD_LOCK; and WARPGUARD_OPTIONS, more arguments of
# `warpguard lock`, such as --except 'thrust::'.

WARPGUARD ?= warpguard
WARPGUARD_LOCK ?= kernels.lock
NVCC ?= nvcc
override NVCC := $(WARPGUARD) compile $(NVCC)

# The default goal of `make` stays that of your Makefile.
warpguard_default_goal := $(.DEFAULT_GOAL)

.PHONY: warpguard-check warpguard-update warpguard-record-anew
warpguard-check warpguard-update warpguard-record-anew: warpguard-%: $(WARPGUARD_OBJECTS)
	@$(WARPGUARD) lock $* $(WARPGUARD_LOCK) --from $(WARPGUARD_OBJECTS) --record-with 'make warpguard-{}' \
	  $(WARPGUARD_OPTIONS)

.DEFAULT_GOAL := $(warpguard_default_goal)
