#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Doxygen's filter for a header: puts what namespace warpguard has into the group of the folder, leaves out what is in
# namespace detail, and explains the one function that each guard has. Lines stay where they are.
group=$(basename "$(dirname "$1")")
case $1 in
  */options.hpp | */suggested_block.hpp) group=options ;;
  */targets.hpp) group=targets ;;
  *guards.*) group=refusals ;;
esac
holds='Refuses the build with the message if the facts break the rule.'
exec sed -e "s|^namespace warpguard {\$|& /** @addtogroup $group */ /** @{ */|" \
  -e 's|^}  // namespace warpguard$|/** @} */ }|' \
  -e 's|^namespace \(warpguard::\)\{0,1\}detail {$|& /** @cond */|' \
  -e 's|^}  // namespace \(warpguard::\)\{0,1\}detail$|/** @endcond */ }|' \
  -e "s|^  .*static constexpr bool holds() {|  /** $holds */ &|" "$1"
