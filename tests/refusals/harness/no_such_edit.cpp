// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// edit: warpguard/version.hpp no_such_text -> other_text
// error: warpguard: a contract has no such option [unknown_option]
// fails: nothing in warpguard/version.hpp matches no_such_text

#include <warpguard/warpguard.hpp>
