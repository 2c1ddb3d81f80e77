// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "macros_of_users.hpp"

#include <warpguard/answers.hpp>
#include <warpguard/core.hpp>
#include <warpguard/products.hpp>
