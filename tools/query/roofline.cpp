// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include <warpguard/hardware/peak.hpp>

#include "../command_line_docs.hpp"
#include "../percent.hpp"
#include "../text.hpp"
#include "amounts.hpp"
#include "gpus.hpp"
#include "peaks.hpp"
#include "svg.hpp"

namespace measure {

namespace {

namespace wg = warpguard;

struct roofline_options {
  std::vector<named_gpu> gpus;
  wg::precision precision = wg::precision::fp32;
  long long operations = 0;
  long long bytes = 0;
  bool json = false;
  std::string picture;  // a file; empty: none is drawn
};

[[noreturn]] void refuse(std::string const& option, std::string const& message) {
  throw CLI::ValidationError(option, message);
}

/// The roofline of a GPU, in operations and bytes per second, and the kernel's place in it.
struct roof {
  std::string gpu;
  double peak;
  double bandwidth;
  double intensity;  // operations per byte

  double ridge() const { return peak / bandwidth; }  // the intensity from which on arithmetic limits
  double attainable(double of) const { return std::min(peak, of * bandwidth); }
  char const* bound() const { return intensity < ridge() ? "memory" : "arithmetic"; }
};

std::vector<roof> roofs_of(roofline_options const& options) {
  std::vector<roof> roofs;
  for (named_gpu const& gpu : options.gpus) {
    long long const peak = wg::peak(*gpu.product, options.precision);
    if (peak == 0) refuse("--precision", gpu.name + " has no unit for " + name_of(options.precision));
    if (peak == wg::not_known) {
      refuse("--precision", "the peak of " + gpu.name + " in " + name_of(options.precision) +
                                " has no source; docs/products.md says what is missing");
    }
    roofs.push_back({gpu.name, static_cast<double>(peak), 1e6 * gpu.product->memory_bandwidth_mb,
                     static_cast<double>(options.operations) / static_cast<double>(options.bytes)});
  }
  return roofs;
}

// ---- text -----------------------------------------------------------------------------------------------------------

/// Operations per byte, with four digits.
std::string intensity_text(double value) { return fmt::format("{:.4g}", value); }

/// 10^9 per second, with one decimal.
std::string billions(double value) { return fmt::format("{:.1f}", value / 1e9); }

std::string device_words(roof const& of) {
  return fmt::format("peak {} x 10^9 operations/s, bandwidth {} GB/s, ridge at {} operations per byte",
                     billions(of.peak), billions(of.bandwidth), intensity_text(of.ridge()));
}

std::string kernel_words(roof const& of) {
  double const most = of.attainable(of.intensity);
  if (most >= of.peak)
    return fmt::format("at most {} x 10^9 operations/s, the peak: bound by arithmetic", billions(most));
  long long const hundredths = std::llround(10000 * most / of.peak);
  std::string const part = hundredths == 0       ? "less than 0.01 %"
                           : hundredths == 10000 ? "more than 99.99 %"
                                                 : decimal_of(hundredths) + " %";
  return fmt::format("at most {} x 10^9 operations/s, {} of the peak: bound by memory", billions(most), part);
}

std::string work_words(roofline_options const& options) {
  return fmt::format("{} operation{} for {} byte{}: {} operations per byte", options.operations,
                     options.operations == 1 ? "" : "s", options.bytes, options.bytes == 1 ? "" : "s",
                     intensity_text(static_cast<double>(options.operations) / static_cast<double>(options.bytes)));
}

void print_text(std::vector<roof> const& roofs, roofline_options const& options) {
  std::printf("%s\n", work_words(options).c_str());
  for (roof const& each : roofs) {
    std::printf("\n%s, %s\n  %s\n  %s\n", each.gpu.c_str(), name_of(options.precision).c_str(),
                device_words(each).c_str(), kernel_words(each).c_str());
  }
}

void print_json(std::vector<roof> const& roofs, roofline_options const& options) {
  nlohmann::ordered_json all = {{"version", 1},
                                {"precision", name_of(options.precision)},
                                {"operations", options.operations},
                                {"bytes", options.bytes},
                                {"answers", nlohmann::ordered_json::array()}};
  for (roof const& each : roofs) {
    all["answers"].push_back({{"gpu", each.gpu},
                              {"peak_operations_per_second", each.peak},
                              {"bytes_per_second", each.bandwidth},
                              {"ridge_operations_per_byte", each.ridge()},
                              {"attainable_operations_per_second", each.attainable(each.intensity)},
                              {"bound_by", each.bound()}});
  }
  std::printf("%s\n", all.dump(2).c_str());
}

// ---- picture --------------------------------------------------------------------------------------------------------

/// An axis whose ticks are powers of ten.
struct decades {
  int first;
  int last;

  decades(double least, double most)
      : first(static_cast<int>(std::floor(std::log10(least)))), last(static_cast<int>(std::ceil(std::log10(most)))) {}
  /// Where a value is: 0 at the first power, 1 at the last.
  double place_of(double value) const { return (std::log10(value) - first) / (last - first); }
  int distance() const { return std::max((last - first + 5) / 6, 1); }
};

std::string power_of_ten(int exponent) {
  if (exponent >= -3 && exponent <= 4) return fmt::format("{:g}", std::pow(10.0, exponent));
  return fmt::format("1e{}", exponent);
}

void draw_roof(svg::drawing& page, roof const& of, decades const& across, decades const& up, double left, double top) {
  constexpr double width = 840;
  constexpr double height = 230;
  auto const x = [&](double intensity) { return left + width * across.place_of(intensity); };
  auto const y = [&](double operations) { return top + height - height * up.place_of(operations / 1e9); };
  page.begin_group("panel");
  for (int power = up.first; power <= up.last; power += up.distance()) {
    double const at = y(1e9 * std::pow(10.0, power));
    page.line("grid", left, at, left + width, at);
    page.text(left - 7, at + 4.5, "tick left", power_of_ten(power));
  }
  for (int power = across.first; power <= across.last; power += across.distance()) {
    double const at = x(std::pow(10.0, power));
    page.line("grid", at, top, at, top + height);
    page.text(at, top + height + 19, "tick below", power_of_ten(power));
  }
  page.line("axis", left, top + height, left + width, top + height);
  double const first = std::pow(10.0, across.first);
  double const last = std::pow(10.0, across.last);
  std::string const line = svg::number(x(first)) + " " + svg::number(y(of.attainable(first))) + "L" +
                           svg::number(x(of.ridge())) + " " + svg::number(y(of.peak)) + "H" + svg::number(x(last));
  page.path("area", "M" + svg::number(x(first)) + " " + svg::number(top + height) + "L" + line + "V" +
                        svg::number(top + height) + "Z");
  page.path("curve", "M" + line);
  page.line("idle", x(of.intensity), top + height, x(of.intensity), y(of.attainable(of.intensity)));
  page.triangle("step", x(of.ridge()), y(of.peak), 1);
  page.circle("point", x(of.intensity), y(of.attainable(of.intensity)));
  double const note = top + height + 46;
  page.circle("point", left + 8, note - 5);
  page.text(left + 22, note, "", "the kernel: " + kernel_words(of));
  page.triangle("step", left + 8, note + 16, 1);
  page.text(left + 22, note + 21, "", device_words(of));
  page.end_group();
}

std::string picture_of(std::vector<roof> const& roofs, roofline_options const& options) {
  constexpr int page_width = 980;
  constexpr double margin = 20;
  double least = roofs[0].intensity;
  double most = roofs[0].intensity;
  double highest = 0;
  double narrowest = roofs[0].bandwidth;
  for (roof const& each : roofs) {
    least = std::min(least, each.ridge());
    most = std::max(most, each.ridge());
    highest = std::max(highest, each.peak);
    narrowest = std::min(narrowest, each.bandwidth);
  }
  // All GPUs have the same axes, so that their roofs can be compared.
  decades const across(least / 1.5, most * 1.5);
  decades const up(std::pow(10.0, across.first) * narrowest / 1e9, highest * 1.2 / 1e9);

  svg::drawing page;
  page.text(margin, 32, "heading", work_words(options));
  page.text(margin, 54, "tick",
            "The height is 10^9 operations per second, the width operations per byte. Both axes are logarithmic.");
  double top = 70;
  std::string description = work_words(options) + ". ";
  for (roof const& each : roofs) {
    std::string const heading = each.gpu + ", " + name_of(options.precision);
    page.text(margin, top + 16, "name", heading);
    draw_roof(page, each, across, up, margin + 75, top + 36);
    description += heading + ": " + device_words(each) + ". The kernel reaches " + kernel_words(each) + ". ";
    top += 360;
  }
  return page.file(page_width, top, "Roofline in " + name_of(options.precision), description);
}

// ---- the command ----------------------------------------------------------------------------------------------------

int print_roofline(roofline_options const& options) {
  std::vector<roof> const roofs = roofs_of(options);
  failures failed;
  if (!options.picture.empty()) {
    std::string const error = replace_file(options.picture, picture_of(roofs, options));
    if (!error.empty()) failed.add(error);
    if (failed.count != 0) return exit_code::unreadable;
  }
  if (options.json) {
    print_json(roofs, options);
  } else {
    print_text(roofs, options);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    failed.add(std::string("cannot write standard output: ") + std::strerror(errno));
    return exit_code::unreadable;
  }
  return exit_code::fine;
}

named_gpu read_product(std::string const& name) {
  named_gpu gpu;
  std::string const error = read_gpu(name, gpu);
  if (!error.empty()) refuse("--gpu", error);
  if (gpu.product != nullptr) return gpu;
  refuse("--gpu", gpu.name + " is no single product, and peak and bandwidth are those of a product" +
                      (gpu.products.empty() ? "" : ": write one of " + gpu.products));
}

}  // namespace

void add_roofline(CLI::App& app, int& status) {
  auto const options = std::make_shared<roofline_options>();
  CLI::App* const command =
      app.add_subcommand("roofline", "Says whether memory or arithmetic limits a kernel, and how fast it can be.");
  command
      ->add_option_function<std::vector<std::string>>(
          "--gpu",
          [options](std::vector<std::string> const& names) {
            for (std::string const& name : names) options->gpus.push_back(read_product(name));
          },
          "a product such as \"A100 SXM 80GB\"; may be repeated")
      ->allow_extra_args(false)
      ->required();
  struct {
    char const* name;
    long long* count;
    char const* description;
  } const counts[] = {{"--operations", &options->operations,
                       "what the kernel does, in total or for each element; a multiply-add counts as two"},
                      {"--bytes", &options->bytes, "what it moves for that between memory and chip"}};
  for (auto const& each : counts) {
    command
        ->add_option_function<std::string>(
            each.name,
            [name = each.name, count = each.count](std::string const& text) {
              std::string const error = read_count(text, *count);
              if (!error.empty()) refuse(name, error);
            },
            each.description)
        ->required();
  }
  command->add_option_function<std::string>(
      "--precision",
      [options](std::string const& text) {
        std::string const error = read_precision(text, options->precision);
        if (!error.empty()) refuse("--precision", error);
      },
      "of the operations, such as fp32 or tensor-fp16; fp32, if it is not stated");
  command->add_flag("--json", options->json, "write JSON");
  command->add_option("--svg", options->picture, "draw the rooflines, with the kernel's place")->type_name(file_type);
  command->callback([options, &status] { status = print_roofline(*options); });
}

}  // namespace measure
