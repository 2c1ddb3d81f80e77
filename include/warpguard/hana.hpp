// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Makes warpguard's types Hana's, so that its algorithms work on them:
///
/// - `sm<...>` is Comparable, Orderable and Hashable.
/// - `targets`, a contract's `options`, a layout's `arrays` and measured kernels are Sequences. What an algorithm makes of
///   them is a hana::tuple.
/// - A contract is Searchable by kind of option (`wg::kind<...>`), a layout by the name of an array (`hana::type_c<...>`).
/// - `architecture`, `kernel_resources`, `occupancy` and `measurement` are Structs: their members have names and can be
///   iterated.
///
/// docs/hana.md has programs. warpguard.hpp includes all but the Structs, whose names double its cost. Files with kernels
/// need none of this.

#pragma once

#include "hana/sequences.hpp"
#include "hana/structs.hpp"
