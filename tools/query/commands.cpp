// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../command_line_docs.hpp"
#include "amounts.hpp"
#include "explain.hpp"
#include "gpus.hpp"
#include "list_gpus.hpp"
#include "peaks.hpp"
#include "profile.hpp"
#include "query.hpp"
#include "roofline.hpp"
#include "sweep.hpp"

namespace measure {

namespace {

/// Ends the parsing of the arguments with a message that names the option.
[[noreturn]] void refuse(std::string const& option, std::string const& message) {
  throw CLI::ValidationError(option, message);
}

template <class Read>
void add_range(CLI::App& command, std::string const& name, amount_range& range, Read read,
               std::string const& description) {
  command.add_option_function<std::string>(
      name,
      [name, &range, read](std::string const& text) {
        std::string const error = read_range(text, read, range);
        if (!error.empty()) refuse(name, error);
      },
      description);
}

template <class Read>
CLI::Option* add_amount(CLI::App& command, std::string const& name, int& amount, Read read,
                        std::string const& description) {
  return command.add_option_function<std::string>(
      name,
      [name, &amount, read](std::string const& text) {
        std::string const error = read(text, amount);
        if (!error.empty()) refuse(name, error);
      },
      description);
}

std::string const gpu_words = "a GPU: sm_86, 8.6, or a product such as \"H100 SXM\"; may be repeated";

/// Reads GPUs, each once.
void add_gpus(CLI::App& command, std::vector<named_gpu>& gpus) {
  command
      .add_option_function<std::vector<std::string>>(
          "--gpu",
          [&gpus](std::vector<std::string> const& names) {
            for (std::string const& name : names) {
              named_gpu gpu;
              std::string const error = read_gpu(name, gpu);
              if (!error.empty()) refuse("--gpu", error);
              gpus.push_back(gpu);
            }
          },
          gpu_words)
      ->allow_extra_args(false);
}

/// Adds --json, --csv and --markdown. Without one of them, a command prints text.
void add_formats(CLI::App& command, query_format& chosen) {
  struct {
    char const* flag;
    query_format format;
    char const* description;
  } static const formats[] = {{"--json", query_format::json, "write JSON, with all that is known"},
                              {"--csv", query_format::csv, "write comma-separated values"},
                              {"--markdown", query_format::markdown, "write a markdown table"}};
  CLI::Option_group* const group = command.add_option_group("format");
  group->require_option(0, 1);
  for (auto const& each : formats) {
    group->add_flag_callback(
        each.flag, [&chosen, &each] { chosen = each.format; }, each.description);
  }
}

/// Why a GPU has to be a product: "H100 (sm_90) is no single product, ...".
std::string no_product(named_gpu const& gpu, std::string const& reason) {
  return gpu.name + " is no single product, and " + reason +
         (gpu.products.empty() ? "" : ": write one of " + gpu.products);
}

void check_query(query_options const& options) {
  constexpr int most_steps = 4096;
  int ranges = 0;
  for (amount_range const& range : {options.threads, options.registers, options.static_bytes, options.dynamic_bytes}) {
    ranges += range.is_single() ? 0 : 1;
  }
  for (amount_range const& range : {options.threads, options.registers}) {
    if (range.last > range.first + most_steps) refuse("query", "a range may have at most 4096 threads or registers");
  }
  for (amount_range const& range : {options.static_bytes, options.dynamic_bytes}) {
    if (range.last > range.first + 1024 * most_steps) refuse("query", "a range may have at most 4096 KiB");
  }
  if (ranges > 1) refuse("query", "only one amount may be a range");
  if (ranges > 0 && !options.picture.empty()) refuse("--svg", "draws all amounts: state one in place of the range");
  if (options.source.from.empty()) {
    if (options.gpus.empty()) refuse("--gpu", "state at least one GPU, or read kernels with --from");
    if (options.threads.last == 0) refuse("--threads", "state the threads of a block, or a range such as 64..1024");
    if (!options.kernel.empty()) refuse("--kernel", "needs --from, which says where the kernel is read from");
  }
  if (options.wants_more()) {
    char const* const want = options.want_blocks > 0 ? "--want-blocks" : "--want-occupancy";
    if (ranges > 0) refuse(want, "cannot be combined with a range");
    if (options.format == query_format::csv || options.format == query_format::markdown) {
      refuse(want, "its answers are lists, which only text and --json have");
    }
  }
  if (options.grid == 0) return;
  if (ranges > 0) refuse("--grid", "cannot be combined with a range");
  if (options.gpus.empty()) refuse("--grid", "needs a product with --gpu, because waves depend on the number of SMs");
  for (named_gpu const& gpu : options.gpus) {
    if (gpu.product != nullptr) continue;
    refuse("--grid", no_product(gpu, "waves depend on the number of SMs"));
  }
}

void add_query(CLI::App& app, int& status) {
  auto const options = std::make_shared<query_options>();
  CLI::App* const command = app.add_subcommand(
      "query", "Says how many blocks of a kernel are resident, what limits them, and what one step would give.");
  add_gpus(*command, options->gpus);
  add_range(*command, "--threads", options->threads, read_amount,
            "threads per block: 256, or a range such as 64..1024");
  add_range(*command, "--registers", options->registers, read_amount, "registers per thread, or a range");
  add_range(*command, "--shared", options->static_bytes, read_bytes,
            "static shared memory per block: bytes, or KiB with k; or a range");
  add_range(*command, "--dynamic-shared", options->dynamic_bytes, read_bytes,
            "dynamic shared memory per block: bytes, or KiB with k; or a range");
  command->add_option("--barriers", options->barriers, "named barriers per block; __syncthreads is one")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_option("--carveout", options->carveout, "preferred carve-out in percent (7.0 and later)")
      ->check(CLI::Range(0, 100));
  command->add_option_function<std::string>(
      "--grid",
      [options](std::string const& text) {
        std::string const error = read_count(text, options->grid);
        if (!error.empty()) refuse("--grid", error);
      },
      "blocks of a grid: how it fills the GPU, which has to be a product");
  command->add_option("--want-blocks", options->want_blocks, "blocks per SM that should be resident: what reaches it")
      ->check(CLI::Range(1, 999999999));
  add_amount(*command, "--want-occupancy", options->want_hundredths, read_percent,
             "percent of the warp slots that should be used: what reaches it")
      ->excludes("--want-blocks");
  command
      ->add_option("--from", options->source.from,
                   "read the kernels of a lock, of the output of a build, of an object, or of a folder with objects")
      ->expected(1);
  command->add_option("--kernel", options->kernel, "with --from: only kernels whose names contain this");
  add_formats(*command, options->format);
  command
      ->add_option("--svg", options->picture,
                   "draw resident warps over block size, registers and shared memory; with --grid, waves")
      ->type_name(file_type);
  command->callback([options, &status] {
    check_query(*options);
    status = print_query(*options);
  });
}

void add_gpus_command(CLI::App& app, int& status) {
  auto const options = std::make_shared<gpus_options>();
  CLI::App* const command = app.add_subcommand(
      "gpus", "Lists the GPUs and architectures that warpguard knows, or shows some of them side by side.");
  CLI::Option* const compared =
      command->add_option("gpu", options->compared, "GPUs to show side by side, with all numbers: \"H100 SXM\" sm_86");
  CLI::Option* const filter =
      command->add_option("--filter", options->filter, "only GPUs that have this in one of their names");
  CLI::Option* const arch = command->add_option_function<std::string>(
      "--cc",
      [options](std::string const& text) {
        options->arch = warpguard::architecture_named(text.c_str());
        if (options->arch == nullptr)
          refuse("--cc", "`" + text + "` is no known compute capability: write 8.6 or sm_86");
      },
      "only GPUs of this compute capability: 8.6 or sm_86");
  CLI::Option* const architectures = command->add_flag("--architectures", options->architectures,
                                                       "list architectures, with their limits, in place of products");
  compared->excludes(filter)->excludes(arch)->excludes(architectures);
  architectures->excludes(filter);
  add_formats(*command, options->format);
  command->callback([options, &status] { status = print_gpus(*options); });
}

void add_peak(CLI::App& app, int& status) {
  auto const options = std::make_shared<peak_command_options>();
  CLI::App* const command =
      app.add_subcommand("peak", "Says how many operations per second a GPU can do at most, in each precision.");
  add_gpus(*command, options->gpus);
  command
      ->add_option_function<std::vector<std::string>>(
          "--precision",
          [options](std::vector<std::string> const& names) {
            for (std::string const& name : names) {
              options->precisions.emplace_back();
              std::string const error = read_precision(name, options->precisions.back());
              if (!error.empty()) refuse("--precision", error);
            }
          },
          "only this one, such as fp32 or tensor-fp16; may be repeated")
      ->allow_extra_args(false);
  std::map<std::string, warpguard::clock_choice> const clocks = {{"peak", warpguard::clock_choice::nvidia},
                                                                 {"boost", warpguard::clock_choice::boost},
                                                                 {"base", warpguard::clock_choice::base}};
  command
      ->add_option_function<std::string>(
          "--clock",
          [options, clocks](std::string const& name) {
            auto const found = clocks.find(name);
            if (found == clocks.end()) refuse("--clock", "`" + name + "` is no clock: write peak, boost or base");
            options->how.clock = found->second;
          },
          "peak, the clock of NVIDIA's figures; boost; or base")
      ->default_str("peak");
  command->add_flag("--sparse", options->how.sparse, "on tensor cores, with 2 of 4 elements zero");
  add_formats(*command, options->format);
  command->callback([options, &status] {
    if (options->gpus.empty()) refuse("--gpu", "state at least one GPU");
    for (named_gpu const& gpu : options->gpus) {
      if (gpu.product == nullptr) refuse("--gpu", no_product(gpu, "a peak depends on the number of SMs and the clock"));
    }
    status = print_peaks(*options);
  });
}

void add_sweep(CLI::App& app, int& status) {
  auto const options = std::make_shared<sweep_options>();
  CLI::App* const command = app.add_subcommand(
      "sweep", "Says which block size is best on the GPU where it is worst, and what each size gives.");
  add_gpus(*command, options->gpus);
  warpguard::kernel_resources& kernel = options->kernel;
  add_amount(*command, "--registers", kernel.registers_per_thread, read_amount, "registers per thread");
  add_amount(*command, "--shared", kernel.static_shared_memory, read_bytes,
             "static shared memory per block: bytes, or KiB with k");
  add_amount(*command, "--dynamic-shared", kernel.dynamic_shared_memory, read_bytes,
             "dynamic shared memory per block: bytes, or KiB with k");
  command->add_option("--barriers", kernel.barriers, "named barriers per block; __syncthreads is one")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_option("--carveout", options->config.carveout_percent, "preferred carve-out in percent (7.0 and later)")
      ->check(CLI::Range(0, 100));
  add_amount(*command, "--at-most", options->limits.at_most, read_amount, "the largest block, in threads");
  add_amount(*command, "--multiple-of", options->limits.multiple_of, read_amount,
             "only multiples of so many threads; otherwise whole warps");
  add_amount(*command, "--divisor-of", options->limits.divisor_of, read_amount,
             "only divisors of this, such as the elements of a row");
  command->add_flag("--trade-offs", options->trade_offs,
                    "in place of all sizes, those that leave a block the most registers and shared memory");
  add_amount(*command, "--min-blocks", options->min_blocks, read_amount,
             "with --trade-offs: only with so many resident blocks per SM");
  add_formats(*command, options->format);
  command->callback([options, command, &status] {
    if (options->gpus.empty()) refuse("--gpu", "state at least one GPU");
    if (!options->trade_offs && command->count("--min-blocks") > 0) refuse("--min-blocks", "needs --trade-offs");
    if (options->trade_offs && (options->limits.multiple_of | options->limits.divisor_of) != 0) {
      refuse("--trade-offs", "cannot be combined with --multiple-of or --divisor-of");
    }
    status = print_sweep(*options);
  });
}

void add_profile(CLI::App& app, int& status) {
  auto const options = std::make_shared<profile_options>();
  CLI::App* const command = app.add_subcommand(
      "profile", "Sets what Nsight Compute measured beside the model, and says why a kernel falls short.");
  command
      ->add_option("file", options->file, "the CSV of Nsight Compute, of the page raw or details; - is standard input")
      ->type_name("FILE")
      ->required();
  CLI::Option* const lock = command
                                ->add_option_function<std::string>(
                                    "--lock",
                                    [options](std::string const& path) {
                                      options->source.from = {path};
                                      options->must_be_lock = true;
                                    },
                                    "compare with the numbers of this lock")
                                ->type_name("FILE");
  command->add_option("--from", options->source.from, "compare with the numbers of a build: a log, an object, a folder")
      ->expected(1)
      ->excludes(lock);
  command->add_option_function<std::string>(
      "--gpu",
      [options](std::string const& name) {
        std::string const error = read_gpu(name, options->gpu);
        if (!error.empty()) refuse("--gpu", error);
      },
      "the GPU that it was measured on, if the export lacks its number of SMs: \"H100 SXM\"");
  command
      ->add_option("--margin", options->margin,
                   "by how many percent of the theoretical occupancy the achieved one may fall short")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  add_formats(*command, options->format);
  command->callback([options, &status] { status = print_profile(*options); });
}

void add_explain(CLI::App& app, int& status) {
  auto const options = std::make_shared<explain_options>();
  CLI::App* const command =
      app.add_subcommand("explain", "Says what a message of warpguard means, or all in the output of a compiler.");
  command
      ->add_option_function<std::string>(
          "file",
          [options](std::string const& text) {
            std::string const error = read_explained(text, *options);
            if (!error.empty()) refuse("explain", error);
          },
          "the anchor at the end of a message, such as residency; or the output of the compiler; - or nothing is "
          "standard input")
      ->type_name("FILE");
  command->callback([options, &status] { status = print_explanation(*options); });
}

}  // namespace

void add_query_commands(CLI::App& app, int& status) {
  add_query(app, status);
  add_gpus_command(app, status);
  add_peak(app, status);
  add_sweep(app, status);
  add_roofline(app, status);
  add_explain(app, status);
  add_profile(app, status);
}

}  // namespace measure
