// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Compares a build with its lock, prints the differences, and decides what a new lock keeps of the old one.

#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "entries.hpp"
#include "lock.hpp"
#include "pairing.hpp"
#include "request.hpp"

namespace measure {

/// How a kernel differs from the lock.
struct difference {
  kernel_on kernel;
  std::string kind;  // NEW WORSE IMPROVED GONE UNBUILT UNCOMPARED CHANGED ALLOWED UNUSED
  std::string details;
  bool fails = false;
  entry const* then = nullptr;  // in the lock; null: not there
  entry const* now = nullptr;   // in the build; null: not there
  kernel_on former{};           // the kernel's name in the lock, if it is another one
  std::string note{};           // what `details` says besides the numbers
  kernel_on successor{};        // GONE: the new kernel that it may have become; `now` has its numbers
};

namespace detail {

inline std::string today(measure_request const& request) {
  if (!request.today.empty()) return request.today;
  std::time_t const now = std::time(nullptr);
  char text[16] = "";
  if (std::tm const* const utc = std::gmtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d", utc);
  return text;
}

/// Returns the words that differ: `flags=- -> flags=-G` for `flags=- ...` and `flags=-G ...`.
inline std::string words_that_differ(std::string const& then, std::string const& now) {
  std::vector<std::string> const before = split(then, ' ');
  std::vector<std::string> const after = split(now, ' ');
  std::string text;
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    std::string const old_word = i < before.size() ? before[i] : "nothing";
    std::string const new_word = i < after.size() ? after[i] : "nothing";
    if (old_word != new_word) append(text, ", ", old_word + " -> " + new_word);
  }
  return text;
}

// ---- residency ------------------------------------------------------------------------------------------------------

/// How many blocks of the same size are resident, with the numbers of the lock and with those of the build.
struct block_counts {
  int threads = 0;
  int then = 0;
  int now = 0;
};

inline int blocks_with(warpguard::architecture const& arch, entry const& e, block_shape const& block) {
  return occupancy_with(arch, e, block).blocks_per_sm;
}

/// Compares the residency at the block size of the contract, otherwise of the lock. If neither has one, compares at the
/// block size that loses the largest part of its blocks.
inline block_counts count_blocks(int compute_capability, entry const& then, entry const& now) {
  if (!then.any_threads && !now.any_threads) return {now.threads, then.blocks, now.blocks};
  warpguard::architecture const* const arch = warpguard::find_architecture(compute_capability);
  if (arch == nullptr) return {};
  if (!now.any_threads) {
    return {now.threads, blocks_with(*arch, then, {now.threads, now.dynamic_shared_memory, 1}), now.blocks};
  }
  if (!then.any_threads) {
    return {then.threads, then.blocks, blocks_with(*arch, now, {then.threads, then.dynamic_shared_memory, 1})};
  }
  block_counts worst;
  for (int threads = arch->warp_size; threads <= arch->max_threads_per_block; threads += arch->warp_size) {
    block_shape const block{threads, 0, 1};
    block_counts const here{threads, blocks_with(*arch, then, block), blocks_with(*arch, now, block)};
    bool const is_first = worst.threads == 0;
    if (is_first || here.now * worst.then < worst.now * here.then) worst = here;
  }
  return worst;
}

/// Returns the block of an entry. If it has none, returns that of the other entry, or else one of `compared_threads`.
inline block_shape block_of(entry const& e, entry const& other, int compared_threads) {
  if (!e.any_threads) return {e.threads, e.dynamic_shared_memory, 1};
  if (!other.any_threads) return {other.threads, other.dynamic_shared_memory, 1};
  return {compared_threads > 0 ? compared_threads : e.threads, 0, 1};
}

/// Returns what limits the blocks of `now` at the block size that it is compared for.
inline std::string limiter_at(int compute_capability, entry const& then, entry const& now, int threads) {
  warpguard::architecture const* const arch = warpguard::find_architecture(compute_capability);
  return arch == nullptr ? now.limiter : names_of(occupancy_with(*arch, now, block_of(now, then, threads)).limited_by);
}

/// Describes a changed residency. `is_worse` is set if fewer blocks or, at another block size, fewer threads are
/// resident.
inline std::string describe_residency(int compute_capability, entry const& then, entry const& now, bool& is_worse) {
  bool const is_other_size = !then.any_threads && !now.any_threads && then.threads != now.threads;
  if (is_other_size) {
    int const before = then.blocks * then.threads;
    int const after = now.blocks * now.threads;
    is_worse = after < before;
    return before == after ? ""
                           : "resident threads " + std::to_string(before) + " -> " + std::to_string(after) +
                                 " (blocks of " + std::to_string(then.threads) + " -> " + std::to_string(now.threads) +
                                 "), limited by " + limiter_at(compute_capability, then, now, now.threads);
  }
  block_counts const blocks = count_blocks(compute_capability, then, now);
  is_worse = blocks.now < blocks.then;
  if (blocks.now == blocks.then) return "";
  return "blocks " + std::to_string(blocks.then) + " -> " + std::to_string(blocks.now) + " of " +
         std::to_string(blocks.threads) + " threads, limited by " +
         limiter_at(compute_capability, then, now, blocks.threads);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

/// A number that got worse.
struct change {
  std::string name;  // the field's name in the lock
  int now;
  std::string words;
  bool is_significant;
};

struct comparison {
  std::vector<change> worse;
  std::string better;
};

inline comparison compare_numbers(int compute_capability, entry const& then, entry const& now) {
  comparison result;
  bool is_worse = false;
  std::string const residency = describe_residency(compute_capability, then, now, is_worse);
  if (is_worse) result.worse.push_back({"blocks", now.blocks, residency, true});
  if (!is_worse) result.better = residency;
  for (field const& each : fields) {
    if (each.words == nullptr) continue;
    int const before = then.*each.number;
    int const after = now.*each.number;
    bool const is_known = each.as != shown::number_or_unknown || (before >= 0 && after >= 0);
    if (before == after || !is_known) continue;
    std::string const words = each.words + (" " + std::to_string(before)) + " -> " + std::to_string(after);
    std::string const name = each.lock;
    if (after > before) result.worse.push_back({name, after, words, name == "spills" || name == "bounds"});
    if (after < before) append(result.better, ", ", words);
  }
  return result;
}

inline bool fails_by(lock_policy policy, change const& one) {
  return policy == lock_policy::any || (policy == lock_policy::significant && one.is_significant);
}

/// Whether a number is within the bound that the exception has for it. Fewer blocks also need no bound if the numbers
/// that cause them have one: registers, shared memory and barriers.
inline bool is_within(lock_exception const& exception, change const& one, std::vector<change> const& all) {
  if (one.name == "bounds") return exception.may_ignore_bounds;
  if (one.name == "blocks" && exception.min_blocks >= 0) return one.now >= exception.min_blocks;
  if (one.name != "blocks") {
    auto const bound = exception.at_most.find(one.name);
    return bound != exception.at_most.end() && one.now <= bound->second;
  }
  bool has_cause = false;
  for (change const& cause : all) {
    bool const limits_blocks =
        cause.name == "registers" || cause.name == "static" || cause.name == "dynamic" || cause.name == "barriers";
    if (!limits_blocks) continue;
    has_cause = true;
    if (!is_within(exception, cause, all)) return false;
  }
  return has_cause;
}

/// Returns why the exception does not allow these changes, or an empty string.
inline std::string why_not_allowed(measure_request const& request, lock_exception const& exception, lock_policy policy,
                                   std::vector<change> const& all) {
  if (exception.until < today(request)) return "its exception expired on " + exception.until;
  for (change const& one : all) {
    bool const has_bound = exception.at_most.count(one.name) != 0;
    if ((fails_by(policy, one) || has_bound) && !is_within(exception, one, all)) {
      return "its exception allows only " + exception.bounds;
    }
  }
  return "";
}

/// The policy of the lock, or `any` if every difference fails.
inline lock_policy policy_of(measure_request const& request, lock_file const& lock) {
  return request.is_strict() ? lock_policy::any : lock.policy;
}

/// Returns the exception for a kernel, under its name in the lock or, if that is another one, in the build.
inline exception_map::const_iterator exception_for(lock_file const& lock, kernel_on const& then, kernel_on const& now) {
  auto const found = lock.exceptions.find(then);
  return found != lock.exceptions.end() ? found : lock.exceptions.find(now);
}

inline difference worse(measure_request const& request, lock_file const& lock, kernel_pair const& pair,
                        comparison const& numbers) {
  kernel_on const& kernel = pair.now->first;
  std::string details;
  for (change const& one : numbers.worse) append(details, ", ", one.words);
  if (!numbers.better.empty()) details += "; better: " + numbers.better;
  lock_policy const policy = policy_of(request, lock);
  bool const is_significant =
      std::any_of(numbers.worse.begin(), numbers.worse.end(), [](change const& one) { return one.is_significant; });
  bool const fails = std::any_of(numbers.worse.begin(), numbers.worse.end(),
                                 [policy](change const& one) { return fails_by(policy, one); });
  if (!fails) return {kernel, is_significant ? "WORSE" : "CHANGED", details, false};
  auto const exception = exception_for(lock, pair.then->first, kernel);
  if (exception == lock.exceptions.end()) return {kernel, "WORSE", details, true};
  std::string const why_not = why_not_allowed(request, exception->second, policy, numbers.worse);
  difference result{kernel, "WORSE", details, !why_not.empty()};
  result.kind = why_not.empty() ? "ALLOWED" : "WORSE";
  result.note = why_not.empty() ? "until " + exception->second.until + ": " + exception->second.reason : why_not;
  result.details += " (" + result.note + ")";
  return result;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

/// Whether two compilers are known to differ. A log does not say which compiler wrote it.
inline bool are_other_compilers(std::string const& one, std::string const& other) {
  return !one.empty() && !other.empty() && one != other;
}

/// Returns how the configuration of the build differs from that of a line, or an empty string.
inline std::string other_configuration(measure_request const& request, lock_file const& lock, entry const& then,
                                       entry const& now) {
  std::string text;
  if (are_other_compilers(lock.compiler, request.compiler))
    text = "recorded with " + lock.compiler + ", built with " + request.compiler;
  if (then.flags != now.flags) append(text, "; ", "recorded with flags " + then.flags + ", built with " + now.flags);
  return text;
}

inline bool is_comparable(measure_request const& request, lock_file const& lock, entry const& then, entry const& now) {
  return (lock.compares_compilers || !are_other_compilers(lock.compiler, request.compiler)) &&
         (lock.compares_flags || then.flags == now.flags);
}

/// Compares one kernel of the build with its line of the lock. The kind is empty if there is no difference.
inline difference compare_kernel(measure_request const& request, lock_file const& lock, kernel_pair const& pair) {
  kernel_on const& kernel = pair.now->first;
  entry const& now = pair.now->second;
  if (pair.then == nullptr) return {kernel, "NEW", numbers_of(now), request.is_strict()};
  entry const& then = pair.then->second;
  if (!is_comparable(request, lock, then, now)) {
    return {kernel, "UNCOMPARED", other_configuration(request, lock, then, now), request.is_strict()};
  }
  comparison const numbers = compare_numbers(kernel.second, then, now);
  if (!numbers.worse.empty()) return worse(request, lock, pair, numbers);
  if (!numbers.better.empty()) return {kernel, "IMPROVED", numbers.better, request.is_strict()};
  std::string const changed = words_that_differ(numbers_of(then), numbers_of(now));
  if (!changed.empty()) return {kernel, "CHANGED", changed, request.is_strict()};
  if (pair.then->first != kernel) return {kernel, "CHANGED", "equal numbers", request.is_strict()};
  return {kernel, "", "", false};
}

/// Compares a kernel of the lock and its partner in the build, or the one of them that exists.
inline difference compare_pair(measure_request const& request, lock_file const& lock, kernel_pair const& pair,
                               std::set<int> const& built) {
  difference one;
  if (pair.now == nullptr || pair.is_guess) {
    kernel_on const& kernel = pair.then->first;
    bool const is_built = built.count(kernel.second) != 0;
    one =
        is_built
            ? difference{kernel, "GONE", numbers_of(pair.then->second), policy_of(request, lock) != lock_policy::report}
            : difference{kernel, "UNBUILT", "this build does not compile for " + gpu_of(kernel), request.is_strict()};
    if (pair.is_guess) {
      one.successor = pair.now->first;
      one.details += "; perhaps it is now " + pair.now->first.first + ": " + numbers_of(pair.now->second);
    }
  } else {
    one = compare_kernel(request, lock, pair);
    if (pair.then != nullptr && pair.then->first != pair.now->first) {
      one.former = pair.then->first;
      one.details += "; was " + one.former.first;
      std::string const doubt = "uncertain: lambdas of one function are matched by their numbers";
      if (pair.by_numbers) one.details += " (" + doubt + ")";
      if (pair.by_numbers) append(one.note, "; ", doubt);
    }
  }
  one.then = pair.then != nullptr ? &pair.then->second : nullptr;
  one.now = pair.now != nullptr ? &pair.now->second : nullptr;
  return one;
}

}  // namespace detail

/// Returns all differences between the lock and a build for the architectures `built`. They point to the entries of
/// both. A build for fewer architectures than the lock has, such as on a developer's machine, does not fail.
inline std::vector<difference> compare(measure_request const& request, lock_file const& lock, entry_map const& entries,
                                       std::set<int> const& built) {
  std::vector<difference> all;
  for (kernel_pair const& pair : pair_kernels(lock.entries, entries, built)) {
    difference const one = detail::compare_pair(request, lock, pair, built);
    if (!one.kind.empty()) all.push_back(one);
  }
  std::sort(all.begin(), all.end(),
            [](difference const& first, difference const& second) { return first.kernel < second.kernel; });
  std::set<kernel_on> excused;
  for (difference const& d : all) {
    bool const is_excused = d.kind == "ALLOWED" || d.kind == "WORSE" || d.kind == "UNBUILT" || d.kind == "UNCOMPARED";
    if (is_excused) excused.insert({d.kernel, d.former});
  }
  for (auto const& [kernel, exception] : lock.exceptions) {
    if (excused.count(kernel) != 0) continue;
    difference unused{kernel, "UNUSED", "nothing is worse, so remove the exception: " + exception.reason,
                      request.is_strict()};
    unused.note = unused.details;
    all.push_back(unused);
  }
  return all;
}

/// Returns why a build may not be recorded in this lock, or an empty string: its numbers would be mixed with those of
/// another compiler or of other flags.
inline std::string why_not_recorded(measure_request const& request, lock_file const& lock, entry_map const& entries) {
  std::string why_not;
  if (!lock.entries.empty() && lock.compiler != request.compiler) {
    auto const shown = [](std::string const& compiler) { return compiler.empty() ? "an unknown compiler" : compiler; };
    why_not = "recorded with " + shown(lock.compiler) + ", built with " + shown(request.compiler);
  }
  for (auto const& [kernel, now] : entries) {
    auto const found = lock.entries.find(kernel);
    if (!why_not.empty() || found == lock.entries.end()) continue;
    why_not = detail::other_configuration(request, lock, found->second, now);
  }
  if (why_not.empty()) return "";
  return request.lock + ": " + why_not + ": the lock stays as it was; to replace all of its lines, " +
         request.how_to_record_anew();
}

/// Returns the text of a new lock. It keeps the exceptions that are in use, with the lines that they excuse, and the
/// lines of architectures that this build does not compile for. Other exceptions are removed.
inline std::string updated_lock(measure_request const& request, entry_map entries, lock_file const& old,
                                std::set<int> const& built) {
  exception_map exceptions;
  for (difference const& d : compare(request, old, entries, built)) {
    if (d.kind != "ALLOWED" && d.kind != "UNBUILT") continue;
    auto const exception = detail::exception_for(old, d.former, d.kernel);
    if (exception != old.exceptions.end()) exceptions.insert({d.kernel, exception->second});
    entries[d.kernel] = *d.then;
  }
  return write_lock(request, old, entries, exceptions);
}

namespace detail {

/// Reports a compiler or flags other than those of the lock, because they may explain all differences.
inline std::string compiler_differences(measure_request const& request, lock_file const& lock,
                                        entry_map const& entries) {
  std::string text;
  if (are_other_compilers(lock.compiler, request.compiler)) {
    text += "warpguard: the lock was recorded with " + lock.compiler + ", this build uses " + request.compiler + "\n";
  }
  std::map<std::string, int> flags;
  for (auto const& [kernel, now] : entries) {
    auto const found = lock.entries.find(kernel);
    if (found != lock.entries.end() && found->second.flags != now.flags) {
      ++flags["recorded with " + found->second.flags + ", built with " + now.flags];
    }
  }
  for (auto const& [both, count] : flags) {
    text += "warpguard: other flags: " + both + ": " + std::to_string(count) + " lines of the lock\n";
  }
  return text;
}

}  // namespace detail

}  // namespace measure
