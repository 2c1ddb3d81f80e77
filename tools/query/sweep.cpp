// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "sweep.hpp"

#include <algorithm>
#include <string>
#include <vector>
#include <warpguard/model/common_block_size.hpp>
#include <warpguard/model/trade_offs.hpp>

#include "../percent.hpp"
#include "table.hpp"

namespace measure {

namespace {

namespace wg = warpguard;

/// A percentage as a number of JSON.
double number_of(long long hundredths) { return static_cast<double>(hundredths) / 100; }

/// The block sizes that suggest_common_block_size() tries, ascending.
std::vector<int> sizes_of(sweep_options const& options) {
  int largest = options.limits.at_most > 0 ? options.limits.at_most : wg::unlimited;
  int step = options.limits.multiple_of;
  for (named_gpu const& gpu : options.gpus) {
    largest = std::min(largest, gpu.arch->max_threads_per_block);
    if (options.limits.multiple_of == 0) step = std::max(step, gpu.arch->warp_size);
  }
  if (options.limits.multiple_of > 0) largest = largest / step * step;
  std::vector<int> sizes;
  for (int threads = largest; threads > 0; threads = (threads - 1) / step * step) {
    if (options.limits.divisor_of == 0 || options.limits.divisor_of % threads == 0) sizes.push_back(threads);
  }
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

wg::common_block_size best_of(sweep_options const& options) {
  std::vector<wg::architecture const*> archs;
  for (named_gpu const& gpu : options.gpus) archs.push_back(gpu.arch);
  wg::architecture_list const gpus{archs.data(), static_cast<int>(archs.size())};
  return wg::suggest_common_block_size(gpus, options.kernel, options.limits, options.config);
}

wg::occupancy occupancy_of(sweep_options const& options, named_gpu const& gpu, int threads) {
  wg::kernel_resources kernel = options.kernel;
  kernel.threads_per_block = threads;
  return wg::occupancy_of(*gpu.arch, kernel, options.config);
}

/// A row for each block size and GPU.
std::vector<table_row> rows_of_sizes(sweep_options const& options, int best) {
  std::vector<table_row> rows;
  for (int const threads : sizes_of(options)) {
    for (named_gpu const& gpu : options.gpus) {
      wg::occupancy const o = occupancy_of(options, gpu, threads);
      int const max_warps = gpu.arch->max_warps_per_sm;
      rows.push_back({{"threads_per_block", threads},
                      {"gpu", gpu.name},
                      {"blocks_per_sm", o.blocks_per_sm},
                      {"warps_per_sm", o.warps_per_sm},
                      {"max_warps_per_sm", max_warps},
                      {"occupancy_percent", number_of(hundredths_of_percent(o.warps_per_sm, max_warps))},
                      {"is_best", threads == best}});
    }
  }
  return rows;
}

/// A row for each block size, with columns for each GPU: blocks, and their warps in percent.
void print_sizes(sweep_options const& options, wg::common_block_size const& best) {
  std::vector<table_row> rows;
  for (int const threads : sizes_of(options)) {
    table_row row = {{"threads", threads}};
    for (named_gpu const& gpu : options.gpus) {
      wg::occupancy const o = occupancy_of(options, gpu, threads);
      std::string const blocks = std::to_string(o.blocks_per_sm) + (o.blocks_per_sm == 1 ? " block, " : " blocks, ");
      row[gpu.name] = blocks + percent_of(o.warps_per_sm, gpu.arch->max_warps_per_sm) + " %";
    }
    row[" "] = threads == best.threads_per_block ? "<- best" : "";
    rows.push_back(row);
  }
  print_table("sizes", rows, query_format::text);
  named_gpu const& worst = options.gpus[static_cast<std::size_t>(best.worst)];
  put("\n" + std::to_string(best.threads_per_block) +
      " threads: " + percent_of(best.warps_per_sm, best.max_warps_per_sm) + " %" +
      (options.gpus.size() > 1 ? " or more, the least on " + worst.name : "") + "\n");
}

std::vector<table_row> rows_of_trade_offs(sweep_options const& options) {
  std::vector<table_row> rows;
  for (named_gpu const& gpu : options.gpus) {
    for (wg::trade_off const& each :
         wg::trade_offs(*gpu.arch, options.kernel, options.limits.at_most, options.min_blocks, options.config)) {
      int const max_warps = gpu.arch->max_warps_per_sm;
      rows.push_back({{"gpu", gpu.name},
                      {"threads_per_block", each.threads_per_block},
                      {"blocks_per_sm", each.blocks_per_sm},
                      {"warps_per_sm", each.warps_per_sm},
                      {"occupancy_percent", number_of(hundredths_of_percent(each.warps_per_sm, max_warps))},
                      {"registers_at_most", each.registers_at_most},
                      {"shared_memory_at_most", each.shared_memory_at_most}});
    }
  }
  return rows;
}

}  // namespace

int print_sweep(sweep_options const& options) {
  failures failed;
  wg::common_block_size const best = best_of(options);
  std::vector<table_row> const trade_offs = options.trade_offs ? rows_of_trade_offs(options) : std::vector<table_row>{};
  if (options.trade_offs && trade_offs.empty()) {
    failed.add("no block size leaves a block so much: state less, or a smaller --min-blocks");
  } else if (!options.trade_offs && best.threads_per_block == wg::impossible) {
    failed.add("no block size runs on all of these GPUs: state fewer registers, less shared memory, or other sizes");
  }
  if (failed.count != 0) return exit_code::wrong_use;
  if (options.trade_offs) {
    print_table("trade_offs", trade_offs, options.format);
  } else if (options.format == query_format::text) {
    print_sizes(options, best);
  } else {
    print_table("sizes", rows_of_sizes(options, best.threads_per_block), options.format);
  }
  return end_output();
}

}  // namespace measure
