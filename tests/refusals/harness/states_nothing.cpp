// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors
// fails: states no `// error:`

#error "refused by any compiler, with no word about the rule"
