# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Checks what ptxas used for the kernels of a project that GNU Make builds. Write in your Makefile, after the list of
# objects:
#
#   WARPGUARD_OBJECTS := $(OBJECTS)   # the objects of .cu files
#   include warpguard.mk
#   all: warpguard-check
#
# From then on $(NVCC) compiles through `warpguard compile`. Three targets are added:
#
#   warpguard-check        fails if a kernel is worse than the lock allows
#   warpguard-update       writes the lock, which you commit
#   warpguard-record-anew  replaces all lines of the lock, for another compiler or other flags
#
# You may set, before or after the include:
#
#   WARPGUARD          the program; default: warpguard
#   WARPGUARD_LOCK     the lock; default: kernels.lock
#   WARPGUARD_OPTIONS  more arguments of `warpguard lock`, such as --except 'thrust::'

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
