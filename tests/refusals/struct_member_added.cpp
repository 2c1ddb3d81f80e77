// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// edit: warpguard/measured/measurement.hpp bool bounds_ignored -> bool unlisted, bounds_ignored
// error: warpguard: hana/structs.hpp leaves out a member, or lists one twice [struct]
// facts: struct_guard<Struct=measurement>

#include <boost/hana/keys.hpp>
#include <warpguard/hana.hpp>

namespace wg = warpguard;

using names = decltype(boost::hana::keys(wg::measurement{}));
