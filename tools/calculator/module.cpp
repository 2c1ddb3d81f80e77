// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The calculator's module. The page sets its inputs with set_input(), and asks for answers, which are JSON: a member
/// has the name of the model's, so the page keeps no table of its own. A text is valid until the next question.

#include <warpguard/contract/violation.hpp>
#include <warpguard/hardware/products.hpp>
#include <warpguard/hardware/table.hpp>
#include <warpguard/model/clusters.hpp>
#include <warpguard/model/next_steps.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/waves.hpp>
#include <warpguard/version.hpp>

#include "../hundredths.hpp"
#include "../query/limit_rows.hpp"
#include "inputs.hpp"
#include "json_text.hpp"

namespace calculator {

namespace {

json_text json;
input_values values;

// ---- GPUs -----------------------------------------------------------------------------------------------------------

constexpr int architecture_count = sizeof wg::architectures / sizeof wg::architectures[0];
constexpr int product_count = sizeof wg::products / sizeof wg::products[0];

/// A GPU by its index: first all architectures, then all products.
struct gpu {
  wg::architecture const* arch;
  wg::product const* product;  // nullptr: only an architecture
};

gpu gpu_at(int index) {
  if (index < architecture_count) return {wg::architectures[index], nullptr};
  wg::product const& product = wg::products[index - architecture_count];
  return {wg::find_architecture(product.compute_capability), &product};
}

void describe_inputs() {
  json.key("inputs");
  json.open('[');
  for (input const& each : inputs) {
    json.open('{');
    json.member("name", each.name);
    json.member("least", each.least);
    json.member("most", each.most);
    json.member("may_be_empty", each.may_be_empty);
    json.member("when_empty", each.when_empty);
    json.close('}');
  }
  json.close(']');
}

void describe_gpus() {
  json.key("gpus");
  json.open('[');
  for (int index = 0; index < architecture_count + product_count; ++index) {
    gpu const each = gpu_at(index);
    json.open('{');
    json.member("compute_capability", each.arch->compute_capability);
    if (each.product != nullptr) {
      json.member("name", each.product->name);
      json.member("other_names", each.product->other_names);
      json.member("sms", each.product->sms);
    }
    json.close('}');
  }
  json.close(']');
}

// ---- what is resident -----------------------------------------------------------------------------------------------

void percent(char const* name, long long part, long long whole) {
  json.key(name);
  json.hundredths(measure::hundredths_of_percent(part, whole));
}

/// A number of blocks, or null if any number fits.
void blocks_or_any(int blocks) {
  if (blocks == wg::unlimited) {
    json.null();
  } else {
    json.value(blocks);
  }
}

void put_residency(wg::architecture const& arch, wg::kernel_resources const& kernel, wg::occupancy const& o) {
  json.member("blocks_per_sm", o.blocks_per_sm);
  json.member("warps_per_sm", o.warps_per_sm);
  json.member("threads_per_sm", o.threads_per_sm);
  json.member("max_warps_per_sm", o.max_warps_per_sm);
  percent("occupancy_percent", o.warps_per_sm, o.max_warps_per_sm);
  json.member("obstructed_by", measure::words_of(o.obstructed_by));
  json.member("unused_warps", o.unused_warps);
  json.member("unused_registers", o.unused_registers);
  json.member("unused_shared_memory", o.unused_shared_memory);
  json.key("limits");
  json.open('[');
  for (measure::limit_row const& row : measure::limit_rows_of(arch, kernel, o).rows) {
    json.open('{');
    json.member("name", row.name);
    json.key("blocks");
    blocks_or_any(row.blocks);
    json.member("per_block", row.per_block);
    json.member("per_sm", row.available);
    json.member("limits", o.blocks_per_sm > 0 && contains(o.limited_by, row.limiter));
    json.close('}');
  }
  json.close(']');
}

// ---- next steps -----------------------------------------------------------------------------------------------------

void put_step(char const* name, wg::residency_step const& step, int now, wg::architecture const& arch) {
  json.key(name);
  if (!step.exists()) return json.null();
  json.open('{');
  json.member("amount", step.amount);
  json.member("by", step.amount - now);
  json.member("blocks_per_sm", step.blocks_per_sm);
  percent("occupancy_percent", step.warps_per_sm, arch.max_warps_per_sm);
  json.close('}');
}

void put_steps(gpu const& on, wg::kernel_resources const& kernel) {
  wg::residency_steps const steps = wg::next_steps(*on.arch, kernel, values.config());
  struct {
    char const* unit;
    wg::resource_steps const& of;
  } const all[] = {{"registers", steps.registers_per_thread},
                   {"bytes", steps.shared_memory},
                   {"barriers", steps.barriers},
                   {"threads", steps.threads_per_block}};
  json.key("next_steps");
  json.open('[');
  for (auto const& each : all) {
    if (&each.of == &steps.registers_per_thread && kernel.registers_per_thread == 0) continue;  // not known
    json.open('{');
    json.member("unit", each.unit);
    json.member("now", each.of.now);
    json.member("headroom", each.of.headroom);
    put_step("more_blocks", each.of.more_blocks, each.of.now, *on.arch);
    put_step("fewer_blocks", each.of.fewer_blocks, each.of.now, *on.arch);
    json.close('}');
  }
  json.close(']');
  int const threads = kernel.threads_per_block;
  put_step("more_warps_in_smaller_blocks", steps.more_warps_in_smaller_blocks, threads, *on.arch);
  put_step("more_warps_in_larger_blocks", steps.more_warps_in_larger_blocks, threads, *on.arch);
}

// ---- clusters, the grid, the contract -------------------------------------------------------------------------------

void number_or_unknown(char const* name, int number) {
  json.key(name);
  if (number == wg::impossible) return json.null();
  json.value(number);
}

char const* words_of(wg::cluster_support support) {
  switch (support) {
    case wg::cluster_support::portable: return "portable";
    case wg::cluster_support::nonportable: return "needs the opt-in to non-portable sizes";
    case wg::cluster_support::unknown: return "not known: the largest size is not published";
    case wg::cluster_support::refused: return "refused";
  }
  return "";
}

void put_clusters(gpu const& on, wg::kernel_resources const& kernel) {
  int const size = values.number(cluster);
  json.member("max_cluster", wg::max_cluster_size(*on.arch));
  number_or_unknown("max_cluster_nonportable", wg::max_cluster_size(*on.arch, true));
  json.member("cluster", words_of(wg::support_of_cluster(*on.arch, size)));
  if (on.product == nullptr) return;
  number_or_unknown("max_active_clusters",
                    wg::max_active_clusters(*on.arch, kernel, size, on.product->sms, values.config()));
}

void put_waves(gpu const& on, int blocks_per_sm) {
  if (on.product == nullptr || values.numbers[grid] == 0) return;
  wg::grid_waves const waves = wg::waves_of(on.product->sms, blocks_per_sm, values.numbers[grid]);
  if (!waves.holds()) return;
  json.key("waves");
  json.open('{');
  json.member("sms", on.product->sms);
  json.member("slots", waves.slots);
  json.member("waves", waves.waves());
  json.member("full_waves", waves.full_waves);
  json.member("tail_blocks", waves.tail_blocks);
  percent("percent", waves.grid, static_cast<long long>(waves.offered_slots()));
  json.close('}');
}

wg::resolved_contract contract_with(int promised) {
  wg::resolved_contract contract;
  contract.block_x = values.number(block_x);
  contract.block_y = values.number(block_y);
  contract.block_z = values.number(block_z);
  contract.max_registers = values.number(registers);
  contract.static_shared_memory = values.number(static_shared);
  contract.dynamic_shared_memory = values.number(dynamic_shared);
  contract.barriers = values.number(barriers);
  contract.cluster_x = values.number(cluster);
  contract.minimum = promised;
  return contract;
}

/// Why the library refuses a contract with these numbers, in words. Only rules that they can break have words.
char const* words_of(wg::violation rule) {
  switch (rule) {
    case wg::violation::none: return "";
    case wg::violation::block_size: return "more threads than a block may have";
    case wg::violation::registers_per_thread: return "more registers than a thread may have";
    case wg::violation::static_shared_memory: return "more static shared memory than a block may have";
    case wg::violation::shared_memory: return "more shared memory than a block may have";
    case wg::violation::cluster: return "a larger cluster than the architecture allows";
    case wg::violation::register_file: return "not even one block fits";
    case wg::violation::residency: return "fewer blocks are resident than promised";
    default: break;
  }
  return "another rule of contracts";
}

/// Whether the library accepts a contract with these numbers on the architecture.
void put_contract(gpu const& on, wg::kernel_resources const& kernel, int promised) {
  wg::resolved_contract const contract = contract_with(promised);
  bool const is_block = wg::detail::is_block_shape(contract.block_x, contract.block_y, contract.block_z);
  wg::violation const rule =
      is_block ? wg::first_violation(*on.arch, contract, kernel, *on.arch) : wg::violation::block_size;
  json.member("refused", words_of(rule));
}

// ---- curves ---------------------------------------------------------------------------------------------------------

/// The residency over one amount, as the runs in which it stays the same: the first and the last amount, blocks, warps
/// and occupancy.
void put_curve(char const* name, wg::detail::block_amount which, wg::architecture const& arch,
               wg::kernel_resources const& kernel) {
  wg::shared_memory_config const config = values.config();
  wg::detail::amount_range const range = wg::detail::range_of(arch, which, config);
  json.open('{');
  json.member("of", name);
  json.member("now", wg::detail::amount_of(kernel, which));
  json.key("runs");
  json.open('[');
  wg::occupancy last{};
  int first = range.least;
  int end = range.least;
  auto const put_run = [&] {
    json.open('[');
    json.value(first);
    json.value(end);
    json.value(last.blocks_per_sm);
    json.value(last.warps_per_sm);
    json.hundredths(measure::hundredths_of_percent(last.warps_per_sm, arch.max_warps_per_sm));
    json.close(']');
  };
  // Each amount is the most of its allocation.
  for (int amount = range.least; amount <= range.most; amount += range.unit) {
    wg::occupancy const o = wg::occupancy_of(arch, wg::detail::with_amount(kernel, which, amount), config);
    bool const is_new = o.blocks_per_sm != last.blocks_per_sm || o.warps_per_sm != last.warps_per_sm;
    if (amount != range.least && is_new) {
      put_run();
      first = end + 1;
    }
    last = o;
    end = amount;
  }
  put_run();
  json.close(']');
  json.close('}');
}

}  // namespace

}  // namespace calculator

// ---- what the page calls --------------------------------------------------------------------------------------------

using namespace calculator;

extern "C" {

/// What there is: the inputs, in the order of set_input(), and the GPUs, in the order of answer() and curves().
char const* describe() {
  json.clear();
  json.open('{');
  json.key("version");
  json.open('[');
  int const parts[] = {WARPGUARD_VERSION_MAJOR, WARPGUARD_VERSION_MINOR, WARPGUARD_VERSION_PATCH};
  for (int part : parts) json.value(part);
  json.close(']');
  describe_inputs();
  describe_gpus();
  json.close('}');
  return json.c_str();
}

/// Sets an input to a whole number in its range.
void set_input(int which, double number) { values.numbers[which] = static_cast<long long>(number); }

/// What is resident on a GPU, what limits it, and what would change it.
char const* answer(int index) {
  gpu const on = gpu_at(index);
  wg::kernel_resources const kernel = values.kernel();
  wg::occupancy const o = wg::occupancy_of(*on.arch, kernel, values.config());
  json.clear();
  json.open('{');
  put_residency(*on.arch, kernel, o);
  put_steps(on, kernel);
  put_clusters(on, kernel);
  put_waves(on, o.blocks_per_sm);
  json.close('}');
  return json.c_str();
}

/// Whether the library accepts a contract with these numbers and so many promised blocks on a GPU.
char const* check_contract(int index, int promised) {
  json.clear();
  json.open('{');
  put_contract(gpu_at(index), values.kernel(), promised);
  json.close('}');
  return json.c_str();
}

/// The residency on a GPU over each amount, everything else staying as it is.
char const* curves(int index) {
  using wg::detail::block_amount;
  wg::architecture const& arch = *gpu_at(index).arch;
  wg::kernel_resources const kernel = values.kernel();
  json.clear();
  json.open('[');
  put_curve("threads", block_amount::threads_per_block, arch, kernel);
  put_curve("registers", block_amount::registers_per_thread, arch, kernel);
  put_curve("shared_memory", block_amount::shared_memory, arch, kernel);
  json.close(']');
  return json.c_str();
}
}
