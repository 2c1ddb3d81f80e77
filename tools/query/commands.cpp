// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "commands.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "amounts.hpp"
#include "explain.hpp"
#include "gpus.hpp"
#include "profile.hpp"
#include "query.hpp"

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

void check_query(query_options const& options) {
  int ranges = 0;
  for (amount_range const& range : {options.threads, options.registers, options.static_bytes, options.dynamic_bytes}) {
    ranges += range.is_single() ? 0 : 1;
  }
  if (ranges > 1) refuse("query", "only one amount may be a range");
  if (options.source.from.empty()) {
    if (options.gpus.empty()) refuse("--gpu", "state at least one GPU, or read kernels with --from");
    if (options.threads.last == 0) refuse("--threads", "state the threads of a block, or a range such as 64..1024");
    if (!options.kernel.empty()) refuse("--kernel", "needs --from, which says where the kernel is read from");
  }
  if (options.grid == 0) return;
  if (ranges > 0) refuse("--grid", "cannot be combined with a range");
  if (options.gpus.empty()) refuse("--grid", "needs a product with --gpu, because waves depend on the number of SMs");
  for (named_gpu const& gpu : options.gpus) {
    if (gpu.product != nullptr) continue;
    refuse("--grid", gpu.name + " is no single product, and waves depend on the number of SMs" +
                         (gpu.products.empty() ? "" : ": write one of " + gpu.products));
  }
}

/// Adds --json, --csv and --markdown, which exclude each other, and set `format` of the options.
template <class Options>
void add_formats(CLI::App& command, std::shared_ptr<Options> const& options) {
  struct {
    char const* flag;
    query_format format;
    char const* description;
  } static const formats[] = {{"--json", query_format::json, "write JSON"},
                              {"--csv", query_format::csv, "write comma-separated values"},
                              {"--markdown", query_format::markdown, "write a markdown table"}};
  CLI::Option_group* const group = command.add_option_group("format");
  group->require_option(0, 1);
  for (auto const& each : formats) {
    group->add_flag_callback(
        each.flag, [options, &each] { options->format = each.format; }, each.description);
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
  command->add_option("--grid", options->grid, "blocks of a grid: how it fills the GPU, which has to be a product")
      ->check(CLI::Range(1LL, 9223372036854775807LL));
  command
      ->add_option("--from", options->source.from,
                   "read the kernels of a lock, of the output of a build, of an object, or of a folder with objects")
      ->expected(1);
  command->add_option("--kernel", options->kernel, "with --from: only kernels whose names contain this");
  add_formats(*command, options);
  command->callback([options, &status] {
    check_query(*options);
    status = print_query(*options);
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
  add_formats(*command, options);
  command->callback([options, &status] { status = print_profile(*options); });
}

void add_explain(CLI::App& app, int& status) {
  auto const path = std::make_shared<std::string>("-");
  CLI::App* const command =
      app.add_subcommand("explain", "Says what warpguard's messages in the output of a compiler mean.");
  command->add_option("file", *path, "the output of the compiler; - or nothing is standard input")->type_name("FILE");
  command->callback([path, &status] { status = explain_messages(*path); });
}

}  // namespace

void add_query_commands(CLI::App& app, int& status) {
  add_query(app, status);
  add_explain(app, status);
  add_profile(app, status);
}

}  // namespace measure
