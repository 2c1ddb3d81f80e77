// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// edit: warpguard/hana/structs.hpp WARPGUARD_DETAIL_MEMBER.stack., -> WARPGUARD_DETAIL_MEMBER(registers),
// error: warpguard: hana/structs.hpp leaves out a member, or lists one twice [struct]
// facts: struct_guard<Struct=measurement>

#include <boost/hana/keys.hpp>
#include <warpguard/hana.hpp>

namespace wg = warpguard;

using names = decltype(boost::hana::keys(wg::measurement{}));
