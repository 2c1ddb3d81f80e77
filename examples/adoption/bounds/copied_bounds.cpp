// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The launch bounds of before/norms.cu, (512, 4), as a contract: refused where no SM holds 4 such blocks. With
/// REPAIRED it is for 8.0 and later, without the GPUs with 1536 threads.

#include <warpguard/contract.hpp>

namespace wg = warpguard;

struct norms_contract : wg::contract<wg::threads_per_block<512>, wg::min_blocks_per_sm<4>> {};

#ifndef REPAIRED
static_assert(wg::guarantee<norms_contract>);
#else
static_assert(wg::guarantee_on<norms_contract, wg::sm<80>, wg::sm<90>, wg::sm<100>>);
#endif
