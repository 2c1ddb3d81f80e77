// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Finds the kernel of a lock that each kernel of a build is compared with. Most have the same name. Others were
/// renamed: a parameter changed, or one more lambda in a function shifted the ordinals of those after it.

#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entries.hpp"

namespace measure {

using known_kernel = entry_map::value_type;

/// A kernel of the lock and the kernel of the build that is compared with it. One of them is null if it has no partner.
struct kernel_pair {
  known_kernel const* then = nullptr;
  known_kernel const* now = nullptr;
  bool by_numbers = false;  ///< one of several lambdas that only their numbers and their order tell apart
  bool is_guess = false;    ///< only the base name or the source file is the same
};

namespace detail {

// ---- parts of a kernel's name ---------------------------------------------------------------------------------------

/// Returns the position after the digits of an ordinal that begins at `at`, such as `#2}` or, in what nvcc writes for
/// an extended lambda, `, 2u>`. Returns `at` if there is none.
inline std::size_t end_of_ordinal(std::string const& name, std::size_t at, bool in_tag) {
  std::size_t const begin = at + (name[at] == '#' ? 1 : 2);
  bool const is_comma = in_tag && name.compare(at, 2, ", ") == 0;
  if (name[at] != '#' && !is_comma) return at;
  std::size_t end = begin;
  while (end < name.size() && is_digit(name[end])) ++end;
  if (end == begin) return at;
  return name.compare(end, is_comma ? 2 : 1, is_comma ? "u>" : "}") == 0 ? end : at;
}

/// A name without the ordinals of its lambdas and unnamed types, and these ordinals.
struct name_of_lambda {
  std::string text;
  std::vector<int> ordinals;  // empty: no lambda
};

inline name_of_lambda split_ordinals(std::string const& name) {
  name_of_lambda result;
  bool const in_tag = has(name, "__nv_dl_tag<") || has(name, "__nv_dl_trailing_return_tag<");
  if (!in_tag && !has(name, "#")) return {name, {}};
  for (std::size_t at = 0; at < name.size(); ++at) {
    std::size_t const end = end_of_ordinal(name, at, in_tag);
    if (end == at) {
      result.text += name[at];
      continue;
    }
    std::size_t const digits = at + (name[at] == '#' ? 1 : 2);
    int ordinal = 0;
    read_number(name.substr(digits, end - digits), ordinal);
    result.ordinals.push_back(ordinal);
    result.text += '#';
    at = end - 1;
  }
  return result;
}

/// The parts of `app::sum<3>(float*) [a.cu]`.
struct name_parts {
  std::string without_parameters;  // app::sum<3> [a.cu]
  std::string base;                // sum
  std::string source;              // [a.cu], or empty
};

inline name_parts parts_of(std::string const& name) {
  static std::string const anonymous = "(anonymous namespace)";
  name_parts parts;
  std::size_t const source = !name.empty() && name.back() == ']' ? name.rfind(" [") : std::string::npos;
  std::string const plain = name.substr(0, source);
  if (source != std::string::npos) parts.source = name.substr(source + 1);
  int depth = 0;
  std::size_t begin = 0;           // of the last part
  std::size_t end = plain.size();  // of the last part, without template arguments
  std::size_t parameters = plain.size();
  for (std::size_t at = 0; at < plain.size(); ++at) {
    char const c = plain[at];
    if (depth == 0 && plain.compare(at, anonymous.size(), anonymous) == 0) {
      at += anonymous.size() - 1;
    } else if (depth == 0 && c == '(') {
      parameters = at;
      break;
    } else if (c == '<' || c == '(' || c == '{') {
      if (depth == 0 && c == '<') end = at;
      ++depth;
    } else if (c == ')' || c == '}' || (c == '>' && (at == 0 || plain[at - 1] != '-'))) {
      --depth;
    } else if (depth == 0 && plain.compare(at, 2, "::") == 0) {
      begin = at + 2;
      end = plain.size();
      ++at;
    }
  }
  parts.without_parameters = plain.substr(0, parameters) + (parts.source.empty() ? "" : " " + parts.source);
  parts.base = plain.substr(begin, std::min(end, parameters) - begin);
  return parts;
}

// ---- pairing --------------------------------------------------------------------------------------------------------

using known_kernels = std::vector<known_kernel const*>;

/// The kernels of an architecture whose names are equal without the ordinals of lambdas.
struct lambda_group {
  known_kernels then;
  known_kernels now;
};

inline void sort_by_ordinals(known_kernels& kernels) {
  std::vector<std::pair<std::vector<int>, known_kernel const*>> sorted;
  for (known_kernel const* const each : kernels) {
    sorted.push_back({split_ordinals(each->first.first).ordinals, each});
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](auto const& first, auto const& second) { return first.first < second.first; });
  for (std::size_t at = 0; at < kernels.size(); ++at) kernels[at] = sorted[at].second;
}

/// Pairs the kernels with the same `text_for`, in their order, and removes them.
template <class TextOf>
void pair_equal(lambda_group& group, bool by_numbers, TextOf const& text_for, std::vector<kernel_pair>& pairs) {
  struct waiting {
    known_kernels kernels;
    std::size_t next = 0;
  };
  std::map<std::string, waiting> by_text;
  for (known_kernel const* const now : group.now) by_text[text_for(*now)].kernels.push_back(now);
  known_kernels unpaired;
  std::set<known_kernel const*> paired;
  for (known_kernel const* const then : group.then) {
    waiting& same = by_text[text_for(*then)];
    if (same.next == same.kernels.size()) {
      unpaired.push_back(then);
      continue;
    }
    known_kernel const* const now = same.kernels[same.next++];
    paired.insert(now);
    pairs.push_back({then, now, by_numbers && then->first != now->first});
  }
  group.then = unpaired;
  auto const is_paired = [&](known_kernel const* now) { return paired.count(now) != 0; };
  group.now.erase(std::remove_if(group.now.begin(), group.now.end(), is_paired), group.now.end());
}

/// Pairs lambdas first with those of the same numbers, then in their order. Which of them is which is certain only if
/// all have the numbers that they had, or if there is only one.
inline void pair_lambdas(lambda_group& group, std::vector<kernel_pair>& pairs) {
  sort_by_ordinals(group.then);
  sort_by_ordinals(group.now);
  bool const by_numbers = group.then.size() > 1 || group.now.size() > 1;
  auto const numbers = [](known_kernel const& kernel) { return numbers_of(kernel.second); };
  auto const line = [](known_kernel const& kernel) { return line_of(kernel.first, kernel.second); };
  pair_equal(group, by_numbers, line, pairs);
  pair_equal(group, by_numbers, numbers, pairs);
  pair_equal(
      group, by_numbers, [](known_kernel const&) { return std::string(); }, pairs);
}

using kernel_text = std::pair<std::string, int>;  // a part of a name, and the compute capability

/// The kernels by a part of their name. Two kernels with the same text have null.
template <class TextOf>
std::map<kernel_text, known_kernel const*> unique_by(known_kernels const& kernels, TextOf const& text_for) {
  std::map<kernel_text, known_kernel const*> result;
  for (known_kernel const* const kernel : kernels) {
    std::string const text = text_for(parts_of(kernel->first.first));
    if (text.empty()) continue;
    auto const [found, is_new] = result.insert({{text, kernel->first.second}, kernel});
    if (!is_new) found->second = nullptr;
  }
  return result;
}

/// Pairs kernels that alone have a text in `then` and in `now`, and removes them.
template <class TextOf>
void pair_unique(known_kernels& then, known_kernels& now, bool is_guess, TextOf const& text_for,
                 std::vector<kernel_pair>& pairs) {
  auto const before = unique_by(then, text_for);
  auto const after = unique_by(now, text_for);
  std::set<known_kernel const*> paired;
  for (auto const& [text, kernel] : before) {
    auto const found = after.find(text);
    if (kernel == nullptr || found == after.end() || found->second == nullptr) continue;
    pairs.push_back({kernel, found->second, false, is_guess});
    paired.insert({kernel, found->second});
  }
  auto const is_paired = [&](known_kernel const* kernel) { return paired.count(kernel) != 0; };
  then.erase(std::remove_if(then.begin(), then.end(), is_paired), then.end());
  now.erase(std::remove_if(now.begin(), now.end(), is_paired), now.end());
}

/// Pairs kernels of which only the parameters changed. A kernel with overloads is not paired: which of them it became
/// is not known.
inline void pair_renamed(entry_map const& all_then, entry_map const& all_now, known_kernels& gone, known_kernels& added,
                         std::vector<kernel_pair>& pairs) {
  if (gone.empty() || added.empty()) return;
  std::map<kernel_text, int> most;  // kernels with this text before or after, whichever is more
  for (entry_map const* const all : {&all_then, &all_now}) {
    std::map<kernel_text, int> count;
    for (auto const& [kernel, e] : *all) ++count[{parts_of(kernel.first).without_parameters, kernel.second}];
    for (auto const& [text, number] : count) most[text] = std::max(most[text], number);
  }
  auto const has_overloads = [&](known_kernel const* kernel) {
    return most[{parts_of(kernel->first.first).without_parameters, kernel->first.second}] > 1;
  };
  auto const first_overloaded = std::stable_partition(
      gone.begin(), gone.end(), [&](known_kernel const* kernel) { return !has_overloads(kernel); });
  known_kernels const overloaded(first_overloaded, gone.end());
  gone.erase(first_overloaded, gone.end());
  pair_unique(
      gone, added, false, [](name_parts const& name) { return name.without_parameters; }, pairs);
  gone.insert(gone.end(), overloaded.begin(), overloaded.end());
}

}  // namespace detail

/// Returns every kernel of `then` and `now`, with its partner if it has one. A kernel of an architecture that is not in
/// `built` has a partner only of the same name.
inline std::vector<kernel_pair> pair_kernels(entry_map const& then, entry_map const& now, std::set<int> const& built) {
  std::vector<kernel_pair> pairs;
  detail::known_kernels gone;
  detail::known_kernels added;
  std::map<detail::kernel_text, detail::lambda_group> groups;
  auto const group_of = [&](known_kernel const& kernel) -> detail::lambda_group* {
    detail::name_of_lambda name = detail::split_ordinals(kernel.first.first);
    if (name.ordinals.empty()) return nullptr;
    return &groups[{std::move(name.text), kernel.first.second}];
  };
  for (known_kernel const& kernel : then) {
    bool const is_built = built.count(kernel.first.second) != 0;
    detail::lambda_group* const group = is_built ? group_of(kernel) : nullptr;
    if (group != nullptr) {
      group->then.push_back(&kernel);
      continue;
    }
    auto const found = now.find(kernel.first);
    if (found != now.end()) pairs.push_back({&kernel, &*found});
    if (found == now.end() && is_built) gone.push_back(&kernel);
    if (found == now.end() && !is_built) pairs.push_back({&kernel, nullptr});
  }
  for (known_kernel const& kernel : now) {
    bool const is_built = built.count(kernel.first.second) != 0;
    detail::lambda_group* const group = is_built ? group_of(kernel) : nullptr;
    if (group != nullptr) {
      group->now.push_back(&kernel);
    } else if (then.count(kernel.first) == 0) {
      added.push_back(&kernel);
    }
  }
  for (auto& [text, group] : groups) {
    detail::pair_lambdas(group, pairs);
    gone.insert(gone.end(), group.then.begin(), group.then.end());
    added.insert(added.end(), group.now.begin(), group.now.end());
  }
  using detail::name_parts;
  detail::pair_renamed(then, now, gone, added, pairs);
  detail::pair_unique(
      gone, added, true, [](name_parts const& name) { return name.base; }, pairs);
  detail::pair_unique(
      gone, added, true, [](name_parts const& name) { return name.source; }, pairs);
  for (known_kernel const* const kernel : gone) pairs.push_back({kernel, nullptr});
  for (known_kernel const* const kernel : added) pairs.push_back({nullptr, kernel});
  return pairs;
}

}  // namespace measure
