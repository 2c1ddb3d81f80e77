// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The model against NVIDIA's cuda_occupancy.h, which is included from the user's toolkit and shares no line with the
/// library. Only the device properties come from the library's table; block slots, units, sub-partitions, carve-outs,
/// barriers and virtual resources are the header's own, by compute capability.
///
/// Each resource is compared on its whole domain, then every combination of the limits that the resources can have.
/// docs/every-input.md says why these are all inputs. The argument holds if no resource depends on the amount of
/// another one, so random kernels of which every amount varies are compared too.
///
///     cuda_occupancy [COUNT]          COUNT random kernels, 2e7 if not given
///     cuda_occupancy --full           every byte also with each pair of a carve-out and a cache preference
///     cuda_occupancy --doc FILE       also demand that FILE (docs/deviations.md) states every known deviation
///     cuda_occupancy --self-test      change every cell of every row by one unit and demand that something notices

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_occupancy.h>

#include <warpguard/hardware/table.hpp>
#include <warpguard/model/capacity.hpp>
#include <warpguard/model/kernel_resources.hpp>
#include <warpguard/model/occupancy.hpp>

#include "../hardware/cells.hpp"
#include "comparison.hpp"

namespace wg = warpguard;

namespace {

// ---- architectures --------------------------------------------------------------------------------------------

std::vector<wg::architecture const*> rows_known_to_the_header() {
  std::vector<wg::architecture const*> rows;
  for (wg::architecture const* row : wg::architectures) {
    if (header_knows(*row)) rows.push_back(row);
  }
  return rows;
}

/// A newer header may know a generation of which the table has no row at all.
bool table_has_every_generation_of_the_header() {
  bool complete = true;
  for (int generation = 1; generation <= 40; ++generation) {
    bool ours = false;
    for (wg::architecture const* row : wg::architectures) ours = ours || row->compute_capability / 10 == generation;
    for (int revision = 0; revision <= 9 && !ours; ++revision) {
      wg::architecture row = wg::sm_100;
      row.compute_capability = 10 * generation + revision;
      if (!header_knows(row)) continue;
      std::printf("the header knows %d.%d, the table has no row of that generation\n", generation, revision);
      complete = false;
    }
  }
  return complete;
}

void print(question const& q, wg::occupancy const& ours, cudaOccResult const& theirs) {
  std::printf(
      "difference: %s, granted %d B dynamic\n"
      "              blocks  warps  registers  shared  slots  barriers  virtual  set   bytes  registers per block\n"
      "  header     %7d %6d %10d %7d %6d %9d %8d 0x%02x %7zu %d\n"
      "  warpguard  %7d %6d %10d %7d %6d %9d %8d 0x%02x %7d %d\n",
      describe(*q.row, q.kernel, q.config).c_str(), q.granted_dynamic, theirs.activeBlocksPerMultiprocessor,
      theirs.blockLimitWarps, theirs.blockLimitRegs, theirs.blockLimitSharedMem, theirs.blockLimitBlocks,
      theirs.blockLimitBarriers, theirs.blockLimitVirtual, theirs.limitingFactors, theirs.allocatedSharedMemPerBlock,
      theirs.allocatedRegistersPerBlock, ours.blocks_per_sm, ours.blocks_by_warps, ours.blocks_by_registers,
      ours.blocks_by_shared_memory, ours.blocks_by_block_slots, ours.blocks_by_barriers,
      ours.blocks_by_virtual_resources, static_cast<unsigned>(ours.limited_by), ours.shared_memory_per_block,
      ours.registers_per_block);
}

// ---- inputs -----------------------------------------------------------------------------------------------------

/// splitmix64: every chunk of inputs has its own seed, so the inputs do not depend on the number of threads.
class random_source {
 public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int between(int low, int high) {
    auto const width = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<int>(((next() >> 32) * width) >> 32);
  }
  bool one_in(int n) { return between(1, n) == 1; }
  int one_of(std::vector<int> const& values) {
    return values[static_cast<std::size_t>(between(0, static_cast<int>(values.size()) - 1))];
  }

 private:
  std::uint64_t state_;
};

/// Where answers can change on one architecture.
struct edges {
  wg::architecture const* row;
  cudaOccDeviceProp properties;
  std::vector<int> threads;
  std::vector<int> registers;
  std::vector<int> shared;  ///< bytes, static and dynamic together
};

edges edges_of(wg::architecture const& row) {
  edges e{&row, properties_of(row), {}, {}, {}};
  auto const around = [](std::vector<int>& values, int low, int value) {
    for (int near = value - 1; near <= value + 1; ++near) {
      if (near >= low) values.push_back(near);
    }
  };
  for (int warps = 0; warps <= 33; ++warps) around(e.threads, 1, 32 * warps);
  for (int large : {1536, 2048, 5000}) around(e.threads, 1, large);
  for (int step = 0; step <= 33; ++step) around(e.registers, 0, 8 * step);
  for (int large : {63, 124, 255, 256, 512, 1000, 100000}) around(e.registers, 0, large);
  int const reserve = row.reserved_shared_per_block;
  int const unit = row.shared_allocation_unit;
  for (int bytes = 0; bytes <= row.shared_memory_per_sm + 4 * unit; bytes += unit) {
    around(e.shared, 0, bytes);
    if (reserve % unit != 0) around(e.shared, 0, bytes - reserve);
  }
  for (int kb : row.carveouts_kb) {
    for (int blocks = 1; blocks <= 33; ++blocks) around(e.shared, 0, kb * 1024 / blocks - reserve);
  }
  for (int limit : {row.max_shared_per_block_default, row.max_shared_per_block_optin, row.shared_memory_per_sm}) {
    for (int bytes : {limit, limit - reserve, limit + reserve, limit - unit, limit + unit}) around(e.shared, 0, bytes);
  }
  for (std::vector<int>* values : {&e.threads, &e.registers, &e.shared}) {
    std::sort(values->begin(), values->end());
    values->erase(std::unique(values->begin(), values->end()), values->end());
  }
  return e;
}

/// Most kernels are limited by one or two resources: the others are often left at what does not limit.
question random_question(edges const& e, random_source& random) {
  question q{e.row, {}, {}, 0};
  wg::kernel_resources& k = q.kernel;
  k.threads_per_block = random.one_in(2) ? random.one_of(e.threads) : random.between(1, 1056);
  if (random.one_in(2)) k.threads_per_block = std::min(k.threads_per_block, 32 * random.between(1, 10) + 1);
  if (!random.one_in(4)) {
    k.registers_per_thread =
        random.one_in(2) ? random.between(0, random.one_in(2) ? 64 : 258) : random.one_of(e.registers);
  }
  if (!random.one_in(3)) {
    int bytes = random.one_in(2) ? random.one_of(e.shared) : random.between(0, e.row->shared_memory_per_sm + 2048);
    if (random.one_in(2)) bytes /= random.between(1, 34);
    k.static_shared_memory = random.one_in(3)   ? bytes
                             : random.one_in(2) ? 0
                                                : random.between(0, std::min(bytes, 49152));
    k.dynamic_shared_memory = bytes - k.static_shared_memory;
  }
  if (random.one_in(2)) k.barriers = random.one_in(4) ? random.between(20, 140) : random.between(0, 20);
  if (random.one_in(3)) k.virtual_resources = random.one_in(2) ? random.between(0, 140) : random.between(1, 12);
  if (random.one_in(3)) k.caching = static_cast<wg::partitioned_caching>(random.between(0, 2));
  if (!random.one_in(3)) q.config.carveout_percent = random.between(-1, 100);
  q.config.preference = static_cast<wg::cache_preference>(random.between(0, 3));
  q.config.opt_in = !random.one_in(4);
  switch (random.between(0, 3)) {
    case 0: q.granted_dynamic = k.dynamic_shared_memory; break;
    case 1: q.granted_dynamic = k.dynamic_shared_memory + random.between(0, 60000); break;
    case 2: q.granted_dynamic = INT_MAX; break;
    default:
      q.granted_dynamic = std::max(k.dynamic_shared_memory, e.row->max_shared_per_block_optin - k.static_shared_memory);
  }
  if (!q.config.opt_in && random.one_in(2)) q.granted_dynamic = random.between(0, 60000);  // the header ignores it
  return q;
}

// ---- every input of each resource -------------------------------------------------------------------------------
//
// `visit` returns false to stop.

std::vector<int> up_to(int last) {
  std::vector<int> values(static_cast<std::size_t>(last) + 1);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

/// What warps and registers depend on: block size, register count and caching mode.
template <class Visit>
bool every_block(edges const& e, std::vector<int> const& threads, Visit const& visit) {
  for (int of_block : threads) {
    for (int registers = 0; registers <= 258; ++registers) {
      for (int caching = 0; caching <= 2; ++caching) {
        question q{e.row, {of_block, registers}, {}, 0};
        q.kernel.caching = static_cast<wg::partitioned_caching>(caching);
        if (of_block > 0 && !visit(q)) return false;
      }
    }
  }
  return true;
}

/// One byte more than any block may have, and some more.
int bytes_beyond(wg::architecture const& row, bool opt_in) {
  return (opt_in ? row.max_shared_per_block_optin : row.max_shared_per_block_default) + 2048;
}

/// Every way to split the shared memory of an SM. `in_pairs`: each carve-out with each cache preference, which only one
/// without a carve-out can follow from 7.0 on; before 7.0 the carve-out has no effect.
std::vector<wg::shared_memory_config> every_config(wg::architecture const& row, bool in_pairs) {
  bool const has_carveouts = (row.rules & wg::allocation_rule::carveouts) != 0;
  std::vector<wg::shared_memory_config> configs;
  for (bool opt_in : {true, false}) {
    for (int percent = -1; percent <= 100; ++percent) {
      for (int preference = 0; preference <= 3; ++preference) {
        bool const has_effect = has_carveouts ? percent == -1 || preference == 0 : percent % 100 <= 0;
        if (!in_pairs && !has_effect) continue;
        configs.push_back({percent, static_cast<wg::cache_preference>(preference), opt_in});
      }
    }
  }
  return configs;
}

template <class Visit>
bool every_amount(edges const& e, std::vector<int> const& amounts, wg::shared_memory_config const& config,
                  Visit const& visit) {
  for (int bytes : amounts) {
    if (bytes > bytes_beyond(*e.row, config.opt_in)) break;
    if (!visit({e.row, {32, 0, 0, bytes}, config, bytes})) return false;
  }
  return true;
}

/// Static and dynamic bytes, and how many dynamic ones were granted: only the sum counts.
template <class Visit>
bool every_split(edges const& e, Visit const& visit) {
  for (int bytes = 0; bytes <= bytes_beyond(*e.row, true); ++bytes) {
    for (bool opt_in : {true, false}) {
      for (int dynamic : {0, bytes / 2, bytes}) {
        for (int granted : {dynamic, INT_MAX}) {
          question const q{e.row, {32, 0, bytes - dynamic, dynamic}, {-1, wg::cache_preference::none, opt_in}, granted};
          if (!visit(q)) return false;
        }
      }
    }
  }
  return true;
}

/// Barriers and virtual resources. A block cannot have more of either than the SM.
template <class Visit>
bool every_count(edges const& e, Visit const& visit) {
  for (int amount = 0; amount <= 1024; ++amount) {
    question barriers{e.row, {32}, {}, 0};
    barriers.kernel.barriers = amount;
    question resources{e.row, {32}, {}, 0};
    resources.kernel.virtual_resources = amount;
    if (!visit(barriers) || !visit(resources)) return false;
  }
  return true;
}

/// Every combination of the limits that the resources can have, with one kernel for each. A limit above the block slots
/// never is the smallest, so one such limit stands for all.
template <class Visit>
bool every_combination(edges const& e, Visit const& visit) {
  auto const answer = [&e](question const& q) {
    cudaOccResult result{};
    ask_header(result, e.properties, q);
    return result;
  };
  int const slots = answer({e.row, {32}, {}, 0}).blockLimitBlocks;
  auto const capped = [slots](int limit) { return std::min(limit, slots + 1); };
  std::map<std::pair<int, int>, question> blocks;
  std::map<int, question> shared;
  std::map<int, question> barriers;
  std::map<int, question> resources;
  every_block(e, e.threads, [&](question const& q) {
    if (header_grants_too_many_registers(e.row->compute_capability, q.kernel.registers_per_thread)) return true;
    cudaOccResult const result = answer(q);
    blocks.insert({{capped(result.blockLimitWarps), capped(result.blockLimitRegs)}, q});
    return true;
  });
  for (wg::shared_memory_config const& config : every_config(*e.row, false)) {
    every_amount(e, e.shared, config, [&](question const& q) {
      shared.insert({capped(answer(q).blockLimitSharedMem), q});
      return true;
    });
  }
  every_count(e, [&](question const& q) {
    cudaOccResult const result = answer(q);
    barriers.insert({capped(result.blockLimitBarriers), q});
    resources.insert({capped(result.blockLimitVirtual), q});
    return true;
  });
  for (auto const& block : blocks) {
    for (auto const& memory : shared) {
      question q = memory.second;
      q.kernel.threads_per_block = block.second.kernel.threads_per_block;
      q.kernel.registers_per_thread = block.second.kernel.registers_per_thread;
      q.kernel.caching = block.second.kernel.caching;
      for (auto const& barrier : barriers) {
        q.kernel.barriers = barrier.second.kernel.barriers;
        for (auto const& resource : resources) {
          q.kernel.virtual_resources = resource.second.kernel.virtual_resources;
          if (!visit(q)) return false;
        }
      }
    }
  }
  return true;
}

// ---- the sweep --------------------------------------------------------------------------------------------------

struct tally {
  unsigned long long inputs = 0;
  unsigned long long resident = 0;  ///< inputs of which at least one block is resident
  unsigned long long explained = 0;
  unsigned long long differences = 0;
  unsigned long long limited_by[6] = {};

  void add(tally const& other) {
    inputs += other.inputs;
    resident += other.resident;
    explained += other.explained;
    differences += other.differences;
    for (int i = 0; i < 6; ++i) limited_by[i] += other.limited_by[i];
  }
};

std::mutex printing;

void count(tally& t, cudaOccDeviceProp const& properties, question const& q) {
  cudaOccResult theirs;
  cudaOccError const status = ask_header(theirs, properties, q);
  wg::occupancy const ours = wg::occupancy_of(*q.row, q.kernel, q.config);
  verdict const result = status == CUDA_OCC_SUCCESS ? compare(ours, theirs, q) : verdict::different;
  ++t.inputs;
  t.resident += ours.blocks_per_sm > 0;
  for (int i = 0; i < 6; ++i) t.limited_by[i] += (static_cast<unsigned>(ours.limited_by) >> i) & 1u;
  if (result == verdict::known_deviation) ++t.explained;
  if (result != verdict::different) return;
  if (++t.differences > 3) return;
  std::lock_guard<std::mutex> const lock(printing);
  print(q, ours, theirs);
}

/// docs/deviations.md, of the headers before CUDA 13.1.
constexpr bool header_forgets_the_reserve = header_version < 13010;

/// All dynamic shared memory that n blocks may have: the header's answer, and ours. Where a block has no reserve they
/// are equal; where it has one, the header's is too large by exactly that for two blocks and more.
void count_inverse(tally& t, edges const& e, random_source& random) {
  question q = random_question(e, random);
  q.kernel.dynamic_shared_memory = 0;
  if (q.row->compute_capability < 50) {
    q.config.preference = wg::cache_preference::none;  // docs/deviations.md: the header forgets to fall back
  }
  if (header_grants_too_many_registers(q.row->compute_capability, q.kernel.registers_per_thread)) return;
  int const limit = q.config.opt_in ? q.row->max_shared_per_block_optin : q.row->max_shared_per_block_default;
  int const blocks = random.between(1, 33);
  q.granted_dynamic = std::max(0, limit - q.kernel.static_shared_memory);
  cudaOccFuncAttributes const attributes = attributes_of(q);
  cudaOccDeviceState const state = state_of(q);
  std::size_t theirs = 0;
  cudaOccError const status = cudaOccAvailableDynamicSMemPerBlock(&theirs, &e.properties, &attributes, &state, blocks,
                                                                  q.kernel.threads_per_block);
  int const ours = wg::max_dynamic_bytes(*q.row, q.kernel, blocks, q.config);
  ++t.inputs;
  if (status != CUDA_OCC_SUCCESS) {
    if (ours == wg::impossible) return;
  } else {
    ++t.resident;
    int const reserve = q.row->reserved_shared_per_block;
    bool const forgotten = header_forgets_the_reserve && reserve > 0 && blocks > 1;
    long long const uncapped = static_cast<long long>(theirs) - (forgotten ? reserve : 0);
    if (forgotten) {
      ++t.explained;
      // The cap of a block is of no help to find the share that was capped.
      if (static_cast<int>(theirs) == q.granted_dynamic ? ours <= q.granted_dynamic && ours >= uncapped
                                                        : ours == uncapped) {
        return;
      }
    } else if (ours == static_cast<long long>(theirs)) {
      return;
    }
  }
  if (++t.differences > 3) return;
  std::lock_guard<std::mutex> const lock(printing);
  std::printf("difference: dynamic shared memory of %d blocks: %s: header %lld, warpguard %d\n", blocks,
              describe(*q.row, q.kernel, q.config).c_str(),
              status == CUDA_OCC_SUCCESS ? static_cast<long long>(theirs) : -1, ours);
}

/// One part of the inputs, in pieces that are compared at the same time.
struct part {
  char const* name;
  std::vector<std::function<void(tally&)>> pieces;
};

std::vector<part> parts_of(std::vector<edges> const& all, unsigned long long kernels, bool full) {
  part blocks{"each block size, register count and caching mode", {}};
  part bytes{"each number of bytes with each carve-out or preference, opted in or not", {}};
  part pairs{"the bytes where answers change with each carve-out and preference", {}};
  part splits{"static and dynamic bytes, and what is granted", {}};
  part counts{"each number of barriers and of virtual resources", {}};
  part combinations{"each combination of the limits", {}};
  part inverse{"the inverse: dynamic bytes of random kernels", {}};
  part random{"random kernels", {}};
  if (full) bytes.name = "each number of bytes with each carve-out and preference, opted in or not";
  for (edges const& e : all) {
    auto const compare = [&e](tally& t) {
      return [&e, &t](question const& q) {
        count(t, e.properties, q);
        return true;
      };
    };
    blocks.pieces.push_back([&e, compare](tally& t) { every_block(e, up_to(1056), compare(t)); });
    for (wg::shared_memory_config const& config : every_config(*e.row, full)) {
      bytes.pieces.push_back([&e, compare, config](tally& t) {
        every_amount(e, up_to(bytes_beyond(*e.row, config.opt_in)), config, compare(t));
      });
    }
    if (!full) {
      pairs.pieces.push_back([&e, compare](tally& t) {
        for (wg::shared_memory_config const& config : every_config(*e.row, true)) {
          every_amount(e, e.shared, config, compare(t));
        }
      });
    }
    splits.pieces.push_back([&e, compare](tally& t) { every_split(e, compare(t)); });
    counts.pieces.push_back([&e, compare](tally& t) { every_count(e, compare(t)); });
    combinations.pieces.push_back([&e, compare](tally& t) { every_combination(e, compare(t)); });
    inverse.pieces.push_back([&e](tally& t) {
      random_source source(0x5eed0000u + static_cast<std::uint64_t>(e.row->compute_capability));
      for (int i = 0; i < 100000; ++i) count_inverse(t, e, source);
    });
  }
  constexpr unsigned long long chunk = 100000;
  for (unsigned long long piece = 0; piece < (kernels + chunk - 1) / chunk; ++piece) {
    edges const& e = all[piece % all.size()];
    random.pieces.push_back([&e, piece](tally& t) {
      random_source source(0x0cc0000000u + piece);
      for (unsigned long long i = 0; i < chunk; ++i) count(t, e.properties, random_question(e, source));
    });
  }
  std::vector<part> parts{blocks, bytes, splits, counts, combinations, inverse, random};
  if (!full) parts.push_back(pairs);
  return parts;
}

tally compare_all_of(part const& of) {
  tally total;
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back([&] {
      tally mine;
      for (std::size_t at; (at = next++) < of.pieces.size();) of.pieces[at](mine);
      std::lock_guard<std::mutex> const lock(printing);
      total.add(mine);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return total;
}

/// Compares all parts, and prints a line for each. False if a part has no input.
bool compare_all(std::vector<edges> const& all, unsigned long long kernels, bool full, tally& total) {
  bool complete = true;
  for (part const& each : parts_of(all, kernels, full)) {
    auto const begin = std::chrono::steady_clock::now();
    tally const t = compare_all_of(each);
    std::chrono::duration<double> const time = std::chrono::steady_clock::now() - begin;
    std::printf("%11llu  %5.1f s  %s\n", t.inputs, time.count(), each.name);
    complete = complete && t.inputs > 0;
    total.add(t);
  }
  return complete;
}

// ---- the known deviations ---------------------------------------------------------------------------------------

enum class asked { blocks, limiters, dynamic_bytes };

/// One input of which the header's answer is wrong, or an answer where there is none.
struct deviation {
  char const* section;  ///< of docs/deviations.md
  asked what;
  wg::architecture const* row;
  wg::kernel_resources kernel;
  wg::shared_memory_config config;
  int granted_dynamic;
  int blocks;  ///< of dynamic_bytes: how many blocks
  long long theirs;
  long long ours;
  int first_header = 0;            ///< of CUDA 13.3: 13030
  int corrected_header = INT_MAX;  ///< the first that answers as warpguard does

  bool is_of_this_header() const { return first_header <= header_version && header_version < corrected_header; }
};

constexpr auto no_preference = wg::cache_preference::none;
constexpr auto off = wg::partitioned_caching::off;

deviation const deviations[] = {
    {"256 registers", asked::blocks, &wg::sm_70, {128, 256}, {}, 0, 0, 2, 0},
    {"256 registers", asked::blocks, &wg::sm_80, {128, 256}, {}, 0, 0, 2, 0},
    {"256 registers", asked::blocks, &wg::sm_90, {128, 256}, {}, 0, 0, 2, 0},
    {"256 registers", asked::blocks, &wg::sm_121, {128, 256}, {}, 0, 0, 2, 0},
    {"64 registers on 3.0", asked::blocks, &wg::sm_30, {256, 64}, {}, 0, 0, 4, 0},
    {"64 registers on 3.0", asked::blocks, &wg::sm_30, {256, 255}, {}, 0, 0, 1, 0},
    {"Limiters that barriers overtook", asked::limiters, &wg::sm_90, {64, 0, 0, 0, 3}, {}, 0, 0, 0x19, 0x10},
    {"Limiters that barriers overtook", asked::limiters, &wg::sm_120, {64, 0, 0, 0, 16}, {}, 0, 0, 0x19, 0x10},
    {"The reserve in the inverse", asked::dynamic_bytes, &wg::sm_80, {128}, {}, 166912, 2, 83968, 82944, 0, 13010},
    {"The reserve in the inverse", asked::dynamic_bytes, &wg::sm_80, {128}, {}, 166912, 4, 41984, 40960, 0, 13010},
    {"The reserve in the inverse", asked::dynamic_bytes, &wg::sm_90, {128}, {}, 232448, 8, 29184, 28160, 0, 13010},
    {"The reserve in the inverse",
     asked::dynamic_bytes,
     &wg::sm_80,
     {128, 0, 1000},
     {},
     166912,
     1,
     166912,
     165912,
     0,
     13010},
    {"Barriers on 10.3", asked::blocks, &wg::sm_103, {64, 0, 0, 0, 3}, {}, 0, 0, 10, 21, 13030},
    {"The fallback in the inverse",
     asked::dynamic_bytes,
     &wg::sm_35,
     {128},
     {-1, wg::cache_preference::l1},
     49152,
     2,
     8192,
     24576},
    {"The fallback in the inverse",
     asked::dynamic_bytes,
     &wg::sm_35,
     {128, 0, 20000},
     {-1, wg::cache_preference::l1},
     49152,
     2,
     49152,
     4576},
    {"Sums beyond an int",
     asked::blocks,
     &wg::sm_80,
     {128, 0, INT_MAX, INT_MAX},
     {-1, no_preference, false},
     0,
     0,
     16,
     0},
    {"Negative counts", asked::blocks, &wg::sm_90, {128, 0, 0, 0, -1}, {}, 0, 0, 16, 0},
    {"Negative counts", asked::blocks, &wg::sm_100, {128, 0, 0, 0, 1, -1, off}, {}, 0, 0, 16, 0},
    {"A carve-out that cannot be", asked::blocks, &wg::sm_61, {128}, {101}, 0, 0, 16, 0},
    {"A carve-out that cannot be", asked::blocks, &wg::sm_61, {128}, {-2}, 0, 0, 16, 0},
    {"A carve-out that cannot be",
     asked::blocks,
     &wg::sm_80,
     {128},
     {-1, static_cast<wg::cache_preference>(4)},
     0,
     0,
     16,
     0},
};

std::string line_of(deviation const& d) {
  std::ostringstream text;
  if (d.what == asked::dynamic_bytes) text << "bytes for " << d.blocks << (d.blocks == 1 ? " block: " : " blocks: ");
  text << describe(*d.row, d.kernel, d.config);
  if (d.what == asked::dynamic_bytes) text << ", granted " << d.granted_dynamic << " B";
  char const* const unit = d.what == asked::blocks ? " blocks" : d.what == asked::limiters ? "" : " B";
  auto const answer = [&](long long value) {
    text << (d.what == asked::limiters ? std::hex : std::dec) << (d.what == asked::limiters ? "0x" : "") << value
         << unit << std::dec;
  };
  text << " -> header ";
  answer(d.theirs);
  text << ", warpguard ";
  answer(d.ours);
  return text.str();
}

/// Whether both sides still answer as the table says, or the same where the table is not about this header.
bool holds(deviation const& d) {
  question const q{d.row, d.kernel, d.config, d.granted_dynamic};
  cudaOccDeviceProp const properties = properties_of(*d.row);
  long long theirs = -1;
  long long ours = -1;
  if (d.what == asked::dynamic_bytes) {
    cudaOccFuncAttributes const attributes = attributes_of(q);
    cudaOccDeviceState const state = state_of(q);
    std::size_t bytes = 0;
    if (cudaOccAvailableDynamicSMemPerBlock(&bytes, &properties, &attributes, &state, d.blocks,
                                            d.kernel.threads_per_block) == CUDA_OCC_SUCCESS) {
      theirs = static_cast<long long>(bytes);
    }
    ours = wg::max_dynamic_bytes(*d.row, d.kernel, d.blocks, d.config);
  } else {
    cudaOccResult result{};
    if (ask_header(result, properties, q) == CUDA_OCC_SUCCESS) {
      theirs = d.what == asked::blocks ? result.activeBlocksPerMultiprocessor
                                       : static_cast<long long>(result.limitingFactors);
    }
    wg::occupancy const occupancy = wg::occupancy_of(*d.row, d.kernel, d.config);
    ours = d.what == asked::blocks ? occupancy.blocks_per_sm : static_cast<int>(occupancy.limited_by);
  }
  bool const as_listed = d.is_of_this_header() ? theirs == d.theirs && theirs != ours : theirs == ours;
  if (as_listed && ours == d.ours) return true;
  std::printf("deviation does not hold: %s\n  now: header %lld, warpguard %lld\n", line_of(d).c_str(), theirs, ours);
  return false;
}

/// docs/deviations.md has a section of every deviation's name and states its input with both answers, and no other
/// section.
bool is_documented(std::string const& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  bool complete = !lines.empty();
  for (deviation const& d : deviations) {
    bool const section = std::count(lines.begin(), lines.end(), std::string("## ") + d.section) == 1;
    bool const input = std::count(lines.begin(), lines.end(), "    " + line_of(d)) == 1;
    if (section && input) continue;
    std::printf("%s lacks, in section '%s':\n    %s\n", path.c_str(), d.section, line_of(d).c_str());
    complete = false;
  }
  for (std::string const& line : lines) {
    if (line.rfind("## ", 0) != 0) continue;
    auto const same = [&](deviation const& d) { return line.substr(3) == d.section; };
    if (std::any_of(std::begin(deviations), std::end(deviations), same)) continue;
    std::printf("%s has a section of no known deviation: %s\n", path.c_str(), line.c_str());
    complete = false;
  }
  return complete;
}

// ---- the self-test ----------------------------------------------------------------------------------------------

/// What "one unit" may mean for a number, finest first.
std::vector<int> units_of(std::string const& name, wg::architecture const& row) {
  int const registers_step = row.register_allocation_unit * row.warp_allocation_granularity;
  int const bytes_step = row.shared_allocation_unit;
  if (name == "max_threads_per_sm") return {1, row.warp_size};
  if (name == "registers_per_sm") return {row.sub_partitions, registers_step};
  if (name == "max_registers_per_block") return {1, registers_step};
  if (name == "sub_partitions") return {1, row.sub_partitions / 2};
  if (name == "shared_memory_per_sm") return {1, 1024};
  if (name == "max_shared_per_block_default") return {1, bytes_step};
  if (name == "max_shared_per_block_optin") return {1, bytes_step};
  return {1};
}

/// Whether the library with `row` in place of the true one gives some other answer than the header about the true one.
bool header_notices(edges const& e, wg::architecture const& row) {
  bool noticed = false;
  auto const visit = [&](question const& q) {
    cudaOccResult theirs;
    if (ask_header(theirs, e.properties, q) != CUDA_OCC_SUCCESS) return true;
    noticed = compare(wg::occupancy_of(row, q.kernel, q.config), theirs, q) == verdict::different;
    return !noticed;
  };
  random_source random(0x5e1f);
  for (int i = 0; i < 100000; ++i) {
    if (!visit(random_question(e, random))) return true;
  }
  if (!every_block(e, e.threads, visit) || !every_count(e, visit)) return true;
  for (wg::shared_memory_config const& config : every_config(*e.row, false)) {
    if (!every_amount(e, e.shared, config, visit)) return true;
  }
  return noticed;
}

/// Why neither the header nor is_valid() sees a change of this cell by one unit, up (1) or down (-1); empty where they
/// must.
std::string why_nothing_notices(wg::architecture const& row, std::string const& name, int direction) {
  bool const barriers_limit = (row.rules & wg::allocation_rule::barriers) != 0;
  if (name == "compute_capability") return "the name of the row; its order and tests/hardware/table.cpp hold it";
  if (name == "named_barriers_per_block") return "a limit of what a kernel may ask, not of residency";
  if (name == "max_cluster_portable" || name == "max_cluster_nonportable") {
    return "clusters are no part of the header's model; tests/hardware/table.cpp holds it";
  }
  if (name == "block_barriers_per_sm" && !barriers_limit) {
    return "barriers do not limit before 9.0, as in the header; tests/hardware/table.cpp holds it";
  }
  if (name == "rule carveouts" && row.carveouts_kb[1] == 0) return "with one carve-out the percentage chooses nothing";
  if (name == "warp_allocation_granularity" && row.compute_capability == 60 && direction < 0) {
    return "downwards: whatever fits the four sub-partitions of 6.1 passes the check of the block as well";
  }
  return {};
}

int self_test(std::vector<edges> const& all) {
  struct line {
    std::string text;
    bool wrong;
  };
  std::vector<line> lines;
  std::atomic<std::size_t> next{0};
  cells const every_cell = cells_of_a_row();
  std::atomic<long> changes{0};
  std::atomic<long> by_validity{0};
  std::atomic<long> by_header{0};
  std::atomic<long> unnoticed{0};
  auto const check_row = [&](edges const& e) {
    std::vector<line> mine;
    std::string const prefix = "sm_" + std::to_string(e.row->compute_capability) + " ";
    // One change: noticed where no reason says otherwise, unnoticed where one does.
    auto const expect = [&](std::string const& name, int direction, bool noticed) {
      std::string const reason = why_nothing_notices(*e.row, name, direction);
      if (reason.empty() && !noticed) {
        mine.push_back({prefix + name + (direction > 0 ? " up" : " down") + ": nothing notices a change", true});
      } else if (!reason.empty() && noticed) {
        mine.push_back({prefix + name + ": is noticed, but listed: " + reason, true});
      } else if (!reason.empty()) {
        line const l{prefix + name + ": " + reason, false};
        if (mine.empty() || mine.back().text != l.text) mine.push_back(l);
      }
    };
    for (number_cell const& c : every_cell.numbers) {
      bool seen_by_header = false;
      bool refused_at_all = false;
      for (int direction : {-1, 1}) {
        bool seen = false;
        bool refused = false;
        for (int unit : units_of(c.name, *e.row)) {
          wg::architecture row = *e.row;
          c.in(row) += direction * unit;
          ++changes;
          if (wg::is_valid(row)) {
            seen = seen || header_notices(e, row);
          } else {
            refused = true;
          }
        }
        bool const unexplained = why_nothing_notices(*e.row, c.name, direction).empty();
        expect(c.name, direction, seen || (refused && unexplained));
        seen_by_header = seen_by_header || seen;
        refused_at_all = refused_at_all || refused;
      }
      (seen_by_header ? by_header : refused_at_all ? by_validity : unnoticed)++;
    }
    // Cells that is_valid() ties together, changed together so that only the header can notice.
    for (int direction : {-1, 1}) {
      wg::architecture row = *e.row;
      row.max_warps_per_sm += direction;
      row.max_threads_per_sm += direction * row.warp_size;
      ++changes;
      expect("warps and threads per SM", direction, !wg::is_valid(row) || header_notices(e, row));
      row = *e.row;
      int* largest = row.carveouts_kb;
      while (largest != row.carveouts_kb + 9 && largest[1] != 0) ++largest;
      *largest += direction;
      row.shared_memory_per_sm += direction * 1024;
      ++changes;
      expect("shared memory per SM", direction, !wg::is_valid(row) || header_notices(e, row));
    }
    for (two_valued_cell const& c : every_cell.two_valued) {
      wg::architecture row = *e.row;
      c.flip(row);
      ++changes;
      expect(c.name, c.is_set(row) ? 1 : -1, !wg::is_valid(row) || header_notices(e, row));
    }
    std::lock_guard<std::mutex> const lock(printing);
    lines.insert(lines.end(), mine.begin(), mine.end());
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back([&] {
      for (std::size_t at; (at = next++) < all.size();) check_row(all[at]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::sort(lines.begin(), lines.end(), [](line const& a, line const& b) { return a.text < b.text; });
  bool wrong = false;
  for (line const& l : lines) {
    std::printf("%s %s\n", l.wrong ? "WRONG:" : "      ", l.text.c_str());
    wrong = wrong || l.wrong;
  }
  std::printf("changes: %ld\n", changes.load());
  std::printf("numbers: %ld noticed by the header, %ld by is_valid() alone, %ld by neither and listed above\n",
              by_header.load(), by_validity.load(), unnoticed.load());
  return wrong || by_header == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long long kernels = 20000000;
  bool testing_itself = false;
  bool full = false;
  std::string doc;
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (argument == "--self-test") {
      testing_itself = true;
    } else if (argument == "--full") {
      full = true;
    } else if (argument == "--doc" && i + 1 < argc) {
      doc = argv[++i];
    } else if (double const number = std::strtod(argv[i], nullptr); number >= 1) {
      kernels = static_cast<unsigned long long>(number);
    } else {
      std::fprintf(stderr, "usage: %s [COUNT] [--full] [--doc FILE] | --self-test\n", argv[0]);
      return 2;
    }
  }
  std::deque<wg::architecture> rows;
  std::vector<edges> all;
  std::printf("cuda_occupancy.h up to %d.%d knows:", __CUDA_OCC_MAJOR__, __CUDA_OCC_MINOR__);
  for (wg::architecture const* row : rows_known_to_the_header()) {
    all.push_back(edges_of(rows.emplace_back(as_this_header_has(*row))));
    std::printf(" %d.%d", row->compute_capability / 10, row->compute_capability % 10);
  }
  std::printf("\n");
  bool ok = !all.empty() && table_has_every_generation_of_the_header();
  if (testing_itself) return ok ? self_test(all) : EXIT_FAILURE;

  int held = 0;
  for (deviation const& d : deviations) held += holds(d);
  int const listed = static_cast<int>(std::end(deviations) - std::begin(deviations));
  ok = ok && held == listed && (doc.empty() || is_documented(doc));

  tally total;
  ok = compare_all(all, kernels, full, total) && ok;
  static char const* const names[] = {"warps", "registers", "shared memory", "block slots", "barriers", "virtual"};
  std::printf("with resident blocks: %llu; limited by", total.resident);
  for (int i = 0; i < 6; ++i) std::printf("%s %s %llu", i > 0 ? "," : "", names[i], total.limited_by[i]);
  std::printf("\nexplained by a known deviation: %llu\n", total.explained);
  std::printf("inputs: %llu, differences: %llu, deviations held: %d of %d\n", total.inputs, total.differences, held,
              listed);
  return ok && total.differences == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
