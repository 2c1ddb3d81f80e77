// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Makes warpguard's types Hana's, so that its algorithms work on them:
///
/// - `sm<...>` is Comparable, Orderable and Hashable.
/// - `targets`, a contract's `options`, a layout's `arrays` and the `every_kernel` of a measured header are Sequences.
///   What an algorithm makes of them is a hana::tuple. Options, arrays and kernels are Comparable and Hashable: two are
///   equal if they are of one type.
/// - A contract is Searchable by kind of option (`wg::kind<...>`), a layout by name of an array (`hana::type_c<...>`).
/// - `architecture`, `throughput`, `product`, `kernel_resources`, `occupancy` and `measurement` are Structs: their
///   members have names and can be iterated.
///
/// docs/hana.md has programs. warpguard.hpp includes all but the Structs, because the names of members need
/// hana::string, which other files would pay for. Files with kernels need none of this.

#pragma once

#include "hana/sequences.hpp"
#include "hana/structs.hpp"
