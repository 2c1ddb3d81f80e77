// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The two forms of a case in a table of refusals, which stand side by side: REFUSED(...) is the code that must not
/// compile, ACCEPTED(...) is the code that must compile in its place, in the twin of the file.

#pragma once

#ifdef WARPGUARD_TWIN
#define REFUSED(...)
#define ACCEPTED(...) __VA_ARGS__
#else
#define REFUSED(...) __VA_ARGS__
#define ACCEPTED(...)
#endif
