# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
