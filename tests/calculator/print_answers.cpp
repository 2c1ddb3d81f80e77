// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// print_answers <count> <seed>: prints random questions and what the library answers, as JSON: an object a question,
/// with `gpu`, `inputs` as the fields of the calculator have them, and `answer`. Knows nothing of the calculator's own
/// code: same_numbers.py compares.

#include <boost/hana/accessors.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <warpguard/answers.hpp>
#include <warpguard/contract/violation.hpp>
#include <warpguard/hana.hpp>
#include <warpguard/products.hpp>

#include "../extreme_values.hpp"

namespace wg = warpguard;
namespace hana = boost::hana;

namespace {

struct question {
  wg::architecture const* arch = nullptr;
  wg::product const* product = nullptr;  // nullptr: an architecture was asked for
  int block_x = 1;
  int block_y = 1;
  int block_z = 1;
  int registers = 0;
  int static_shared = 0;
  int dynamic_shared = 0;
  int barriers = 1;
  int carve_out = -1;
  int cluster = 1;
  long long grid = 0;  // 0: not stated
  int minimum = 1;     // blocks per SM that a contract promises

  wg::kernel_resources kernel() const {
    return {block_x * block_y * block_z, registers, static_shared, dynamic_shared, barriers};
  }
  wg::shared_memory_config config() const { return {carve_out}; }
  wg::resolved_contract contract() const {
    wg::resolved_contract terms;
    terms.block_x = block_x;
    terms.block_y = block_y;
    terms.block_z = block_z;
    terms.max_registers = registers;
    terms.static_shared_memory = static_shared;
    terms.dynamic_shared_memory = dynamic_shared;
    terms.barriers = barriers;
    terms.cluster_x = cluster;
    terms.minimum = minimum;
    terms.unit = wg::minimum_unit::blocks;
    return terms;
  }
};

/// What people write, the numbers beside the steps of every rule, and what no GPU can run.
question random_question(inputs::random_source& random) {
  constexpr int architecture_count = sizeof(wg::architectures) / sizeof(wg::architectures[0]);
  constexpr int sizes[] = {1, 31, 32, 33, 64, 96, 128, 192, 256, 257, 320, 384, 512, 513, 768, 992, 1023, 1024};
  constexpr int bytes[] = {1,     127,   128,   1023,  1024,  1025,   16384,  16385,  32768,  49151,
                           49152, 49153, 65536, 65537, 98304, 101376, 101377, 166912, 166913, 232448};
  constexpr int most_static = 49152;  // of any architecture, as in the range of the option
  auto const one_of = [&random](auto const& values) {
    return values[random.between(0, static_cast<int>(sizeof values / sizeof values[0]) - 1)];
  };
  auto const chance = [&random](int of) { return random.between(1, of) == 1; };

  question q;
  if (chance(3)) {
    q.product = &wg::products[random.between(0, wg::product_count - 1)];
    q.arch = wg::find_architecture(q.product->compute_capability);
  } else {
    q.arch = wg::architectures[random.between(0, architecture_count - 1)];
  }
  q.block_x = chance(2) ? one_of(sizes) : random.between(1, 1024);
  if (chance(4)) {
    q.block_x = random.between(1, 64);
    q.block_y = random.between(1, 16);
    if (chance(3)) q.block_z = random.between(1, 5);
  }
  q.registers = chance(8) ? 0 : random.between(1, chance(3) ? 255 : 72);
  if (chance(3)) q.static_shared = chance(3) ? most_static - random.between(0, 1) : random.between(1, 16384);
  if (chance(2)) q.dynamic_shared = chance(3) ? one_of(bytes) : random.between(1, chance(3) ? 232448 : 65536);
  if (chance(3)) q.barriers = random.between(0, 16);
  if (chance(3)) q.carve_out = random.between(0, 100);
  if (chance(4)) q.cluster = random.between(1, 16);
  if (chance(2)) q.grid = random.between(1, chance(2) ? 5000 : 2147483647);
  if (q.grid > 0 && chance(8)) q.grid = q.grid * 4194304 + random.between(-1, 1);
  q.minimum = chance(2) ? random.between(1, 8) : random.between(1, 32);
  return q;
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

class json_object {
 public:
  void add(char const* name, std::string const& json) {
    text_ += text_.empty() ? "{\"" : ",\"";
    text_ += std::string(name) + "\":" + json;
  }
  void add(char const* name, long long number) { add(name, std::to_string(number)); }
  std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
};

std::string json_of(wg::residency_step const& step) {
  if (!step.exists()) return "null";
  json_object result;
  result.add("amount", step.amount);
  result.add("blocks_per_sm", step.blocks_per_sm);
  result.add("warps_per_sm", step.warps_per_sm);
  return result.text();
}

std::string json_of(wg::resource_steps const& steps) {
  json_object result;
  result.add("headroom", steps.headroom);
  result.add("more_blocks", json_of(steps.more_blocks));
  result.add("fewer_blocks", json_of(steps.fewer_blocks));
  return result.text();
}

std::string inputs_of(question const& q) {
  json_object result;
  result.add("block_x", q.block_x);
  result.add("block_y", q.block_y);
  result.add("block_z", q.block_z);
  result.add("registers", q.registers);
  result.add("static_shared", q.static_shared);
  result.add("dynamic_shared", q.dynamic_shared);
  result.add("barriers", q.barriers);
  result.add("carve_out", q.carve_out);
  result.add("cluster", q.cluster);
  result.add("grid", q.grid);
  result.add("minimum", q.minimum);
  return result.text();
}

std::string answer_of(question const& q, inputs::random_source& random) {
  json_object result;
  wg::kernel_resources const kernel = q.kernel();
  wg::shared_memory_config const config = q.config();
  wg::occupancy const occupancy = wg::occupancy_of(*q.arch, kernel, config);
  hana::for_each(hana::accessors<wg::occupancy>(), [&](auto const& member) {
    result.add(hana::to<char const*>(hana::first(member)), static_cast<long long>(hana::second(member)(occupancy)));
  });

  wg::residency_steps const steps = wg::next_steps(*q.arch, kernel, config);
  result.add("registers_per_thread", json_of(steps.registers_per_thread));
  result.add("shared_memory", json_of(steps.shared_memory));
  result.add("barriers", json_of(steps.barriers));
  result.add("threads_per_block", json_of(steps.threads_per_block));
  result.add("more_warps_in_smaller_blocks", json_of(steps.more_warps_in_smaller_blocks));
  result.add("more_warps_in_larger_blocks", json_of(steps.more_warps_in_larger_blocks));

  // The model at some amounts, for the curves.
  auto const with = [&](int wg::kernel_resources::*member, int amount) {
    wg::kernel_resources changed = kernel;
    if (member == &wg::kernel_resources::dynamic_shared_memory) changed.static_shared_memory = 0;
    changed.*member = amount;
    wg::occupancy const there = wg::occupancy_of(*q.arch, changed, config);
    return "[" + std::to_string(amount) + "," + std::to_string(there.blocks_per_sm) + "," +
           std::to_string(there.warps_per_sm) + "]";
  };
  json_object curves;
  auto const add_curve = [&](char const* name, int wg::kernel_resources::*member, int least, int most) {
    curves.add(name, "[" + with(member, random.between(least, most)) + "," + with(member, random.between(least, most)) +
                         "," + with(member, least) + "," + with(member, most) + "]");
  };
  add_curve("threads", &wg::kernel_resources::threads_per_block, q.arch->warp_size, q.arch->max_threads_per_block);
  add_curve("registers", &wg::kernel_resources::registers_per_thread, 1, q.arch->max_registers_per_thread);
  add_curve("shared_memory", &wg::kernel_resources::dynamic_shared_memory, 0, q.arch->max_shared_per_block_optin);
  result.add("curves", curves.text());

  result.add("registers_per_sm", q.arch->registers_per_sm);
  result.add("max_blocks_per_sm", q.arch->max_blocks_per_sm);
  result.add("block_barriers_per_sm", q.arch->block_barriers_per_sm);
  result.add("max_cluster", wg::max_cluster_size(*q.arch));
  result.add("max_cluster_nonportable", wg::max_cluster_size(*q.arch, true));
  result.add("cluster_support", static_cast<int>(wg::support_of_cluster(*q.arch, q.cluster)));
  // A block of these dimensions must be one that an option accepts, and the rest what the architecture accepts.
  bool const is_shape = q.block_z <= 64 && q.kernel().threads_per_block <= 1024;
  bool const is_refused = !is_shape || wg::first_violation(*q.arch, q.contract()) != wg::violation::none;
  result.add("refused", is_refused ? "true" : "false");
  if (q.product != nullptr) {
    result.add("max_active_clusters", wg::max_active_clusters(*q.arch, kernel, q.cluster, q.product->sms, config));
    if (q.grid > 0) {
      wg::grid_waves const waves = wg::waves_of(q.product->sms, occupancy.blocks_per_sm, q.grid);
      json_object of_grid;
      of_grid.add("slots", waves.slots);
      of_grid.add("full_waves", waves.full_waves);
      of_grid.add("tail_blocks", waves.tail_blocks);
      of_grid.add("idle_slots", waves.idle_slots);
      result.add("waves", of_grid.text());
      result.add("sms", q.product->sms);
    }
  }
  return result.text();
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  int const count = std::atoi(arguments[1]);
  inputs::random_source random(static_cast<std::uint64_t>(std::atoll(arguments[2])));
  std::printf("[");
  for (int i = 0; i < count; ++i) {
    question const q = random_question(random);
    std::string const gpu = q.product != nullptr ? q.product->name : "sm_" + std::to_string(q.arch->compute_capability);
    std::printf("%s{\"gpu\":\"%s\",\"inputs\":%s,\"answer\":%s}", i == 0 ? "" : ",\n", gpu.c_str(),
                inputs_of(q).c_str(), answer_of(q, random).c_str());
  }
  std::printf("]\n");
  return std::ferror(stdout) == 0 ? 0 : 1;
}
