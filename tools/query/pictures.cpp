// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>
#include <warpguard/model/next_steps.hpp>
#include <warpguard/model/occupancy.hpp>
#include <warpguard/model/waves.hpp>

#include "../percent.hpp"
#include "svg.hpp"

namespace measure {

namespace {

namespace wg = warpguard;
using wg::detail::block_amount;

constexpr int page_width = 980;
constexpr double margin = 20;
constexpr std::size_t heading_characters = 85;

// ---- curves ---------------------------------------------------------------------------------------------------------

/// A step that is marked on a curve.
struct marked_step {
  wg::residency_step step;
  int direction;  // 1: more is resident, -1: less
};

/// A curve: the resident warps over an amount.
struct curve {
  char const* name;
  char const* unit;
  block_amount which;
  int most;       // amounts end here
  int increment;  // all amounts from a multiple of it to the next, which is included, have the same residency
  int tick;
  int scale;  // of the numbers at the axis
  std::vector<marked_step> steps;
};

/// The distance of ticks in KiB, so that at most six are shown.
int kilobytes_between_ticks(int kilobytes) {
  int distance = 4;
  while (kilobytes / distance > 5) distance *= 2;
  return distance;
}

std::vector<curve> curves_of(pictured_kernel const& of) {
  wg::residency_steps const next = wg::next_steps(*of.arch, of.kernel, of.config);
  int const threads = of.arch->max_threads_per_block;
  int const registers = of.arch->max_registers_per_thread;
  int const bytes = wg::detail::range_of(*of.arch, block_amount::shared_memory, of.config).most;
  std::vector<marked_step> register_steps;
  if (of.kernel.registers_per_thread > 0) {
    register_steps = {{next.registers_per_thread.more_blocks, 1}, {next.registers_per_thread.fewer_blocks, -1}};
  }
  return {{"threads per block",
           "threads",
           block_amount::threads_per_block,
           threads,
           of.arch->warp_size,
           threads / 4,
           1,
           {{next.more_warps_in_smaller_blocks, 1}, {next.more_warps_in_larger_blocks, 1}}},
          {"registers per thread", "registers", block_amount::registers_per_thread, registers, 1, (registers + 1) / 4,
           1, register_steps},
          {"shared memory per block, KiB",
           "bytes",
           block_amount::shared_memory,
           bytes,
           128,
           1024 * kilobytes_between_ticks(bytes / 1024),
           1024,
           {{next.shared_memory.more_blocks, 1}, {next.shared_memory.fewer_blocks, -1}}}};
}

/// The place of a curve on the page.
struct frame {
  double left;
  double top;
  double width = 258;
  double height = 130;
  int most_x;
  int most_y;

  double x(int amount) const { return left + width * amount / most_x; }
  double y(int warps) const { return top + height - height * warps / most_y; }
};

int warps_with(pictured_kernel const& of, block_amount which, int amount) {
  return wg::occupancy_of(*of.arch, wg::detail::with_amount(of.kernel, which, amount), of.config).warps_per_sm;
}

void draw_axes(svg::drawing& page, frame const& place, curve const& each) {
  for (int quarter = 0; quarter <= 4; ++quarter) {
    int const warps = place.most_y * quarter / 4;
    page.line(quarter == 0 ? "axis" : "grid", place.left, place.y(warps), place.left + place.width, place.y(warps));
    page.text(place.left - 7, place.y(warps) + 4.5, "tick left", std::to_string(warps));
  }
  for (int amount = 0; amount <= each.most + 1; amount += each.tick) {
    double const x = place.x(std::min(amount, each.most));
    page.line("axis", x, place.top + place.height, x, place.top + place.height + 5);
    page.text(x, place.top + place.height + 19, "tick below", std::to_string(std::min(amount, each.most) / each.scale));
  }
}

/// Draws a line that has, over the amounts up to and with each multiple of the increment, the warps of that multiple.
void draw_line(svg::drawing& page, frame const& place, curve const& each, pictured_kernel const& of) {
  int const first = each.which == block_amount::shared_memory ? 0 : each.increment;
  int before = warps_with(of, each.which, first);
  std::string const begin = svg::number(place.y(before));
  std::string line;
  int drawn = first;
  for (int amount = first + each.increment; amount - each.increment < each.most; amount += each.increment) {
    int const warps = warps_with(of, each.which, std::min(amount, each.most));
    if (warps != before) {
      line += "H" + svg::number(place.x(drawn)) + "V" + svg::number(place.y(warps));
    }
    before = warps;
    drawn = std::min(amount, each.most);
  }
  line += "H" + svg::number(place.x(each.most));
  page.path("area", "M" + svg::number(place.left) + " " + svg::number(place.y(0)) + "V" + begin + line + "V" +
                        svg::number(place.y(0)) + "Z");
  page.path("curve", "M" + svg::number(place.left) + " " + begin + line);
}

std::string words_of(int amount, char const* unit, int warps, int most_warps) {
  return fmt::format("{} {}: {} of {} warps", amount, unit, warps, most_warps);
}

/// Draws a curve, marks the kernel and its steps, and explains the marks below it.
void draw_curve(svg::drawing& page, curve const& each, pictured_kernel const& of, double left, double top) {
  page.begin_group("panel");
  page.text(left, top + 14, "name", each.name);
  frame const place{left + 30, top + 28, 258, 130, each.most, of.arch->max_warps_per_sm};
  draw_axes(page, place, each);
  draw_line(page, place, each, of);
  double note = place.top + place.height + 46;
  double const mark = left + 8;
  int const now = wg::detail::amount_of(of.kernel, each.which);
  wg::occupancy const occupancy = wg::occupancy_of(*of.arch, of.kernel, of.config);
  for (auto const& [step, direction] : each.steps) {
    if (step.exists()) page.triangle("step", place.x(step.amount), place.y(step.warps_per_sm), direction);
  }
  if (each.which == block_amount::registers_per_thread && now == 0) {
    page.text(left, note, "", "registers are not stated");
  } else {
    if (now <= each.most) page.circle("point", place.x(now), place.y(occupancy.warps_per_sm));
    page.circle("point", mark, note - 5);
    page.text(left + 22, note, "", words_of(now, each.unit, occupancy.warps_per_sm, place.most_y));
  }
  for (auto const& [step, direction] : each.steps) {
    if (!step.exists()) continue;
    note += 21;
    page.triangle("step", mark, note - 5, direction);
    page.text(left + 22, note, "", words_of(step.amount, each.unit, step.warps_per_sm, place.most_y));
  }
  page.end_group();
}

// ---- waves ----------------------------------------------------------------------------------------------------------

/// Percent with up to two decimals; never 0 or 100 for what is not.
std::string percent(unsigned long long part, unsigned long long whole) {
  constexpr unsigned long long most = 1ULL << 62;
  bool const is_large = whole >= most;  // of so many, an odd one does not count
  long long const hundredths = hundredths_of_percent(static_cast<long long>(is_large ? part / 4 : part),
                                                     static_cast<long long>(is_large ? whole / 4 : whole));
  if (part < whole && hundredths == 10000) return "more than 99.99 %";
  if (part > 0 && hundredths == 0) return "less than 0.01 %";
  return decimal_of(hundredths) + " %";
}

std::string blocks(long long count) { return fmt::format("{} block{}", count, count == 1 ? "" : "s"); }

std::string sentence_of(wg::grid_waves const& waves) {
  return fmt::format("{} wave{}, which use{} {} of their slots", waves.waves(), waves.waves() == 1 ? "" : "s",
                     waves.waves() == 1 ? "s" : "",
                     percent(static_cast<unsigned long long>(waves.grid), waves.offered_slots()));
}

/// 1, 2 or 5 times a power of ten, so that at most eleven ticks are shown.
long long distance_of_ticks(long long count) {
  long long distance = 1;
  for (int next = 0; count / distance > 10; ++next) distance = next % 3 == 1 ? distance / 2 * 5 : distance * 2;
  return distance;
}

/// Draws the bar of one GPU. Its height is the slots, its width the time.
void draw_waves(svg::drawing& page, wg::grid_waves const& waves, double top) {
  constexpr double height = 80;
  constexpr long long most_lines = 60;
  double const left = margin + 75;
  double const width = page_width - margin - left - 10;
  double const count = static_cast<double>(waves.waves());
  double const seen_width = waves.tail_blocks > 0 ? 2 : 0;  // at least, however many full waves there are
  double const tail_at =
      std::min(left + width * static_cast<double>(waves.full_waves) / count, left + width - seen_width);
  double const tail_height = height * static_cast<double>(waves.tail_blocks) / static_cast<double>(waves.slots);
  page.begin_group("panel");
  if (waves.full_waves > 0) page.rectangle("wave", left, top, tail_at - left, height);
  if (waves.tail_blocks > 0) {
    page.rectangle("idle", tail_at, top, left + width - tail_at, height);
    // A short tail is still seen above the axis.
    double const seen = std::max(tail_height, 3.0);
    page.rectangle("tail", tail_at, top + height - seen, left + width - tail_at, seen);
  }
  bool const shows_each = waves.waves() <= most_lines;
  for (long long wave = 1; shows_each && wave < waves.waves(); ++wave) {
    double const x = left + width * static_cast<double>(wave) / count;
    page.rectangle("paper", x - 1, top, 2, height);
  }
  page.text(left - 7, top + 11, "tick left", std::to_string(waves.slots));
  page.text(left - 7, top + height, "tick left", "0");
  page.line("axis", left, top + height, left + width, top + height);
  long long const distance = distance_of_ticks(waves.waves());
  for (long long wave = 0; wave <= waves.waves(); wave += distance) {
    double const x = left + width * static_cast<double>(wave) / count;
    page.line("axis", x, top + height, x, top + height + 5);
    if (waves.waves() < 1000000) page.text(x, top + height + 19, "tick below", std::to_string(wave));
  }
  double note = top + height + 46;
  auto const explain = [&](char const* classes, std::string const& words) {
    page.rectangle(classes, left, note - 12, 14, 14);
    page.text(left + 22, note, "", words);
    note += 22;
  };
  if (waves.full_waves > 0) {
    explain("wave", fmt::format("{} full wave{} of {}", waves.full_waves, waves.full_waves == 1 ? "" : "s",
                                blocks(waves.slots)));
  }
  if (waves.tail_blocks > 0) {
    explain("tail", "tail: " + blocks(waves.tail_blocks) + ", " +
                        percent(static_cast<unsigned long long>(waves.tail_blocks),
                                static_cast<unsigned long long>(waves.slots)) +
                        " of the slots");
    explain("idle", fmt::format("{} idle slots in the tail", waves.idle_slots));
  }
  page.end_group();
}

}  // namespace

std::string picture_of_curves(std::string const& title, std::vector<pictured_kernel> const& kernels) {
  constexpr double panel_width = 318;
  svg::drawing page;
  page.text(margin, 32, "heading", svg::shortened(title, heading_characters));
  page.text(margin, 54, "tick",
            "The height of a curve is the resident warps per SM. A circle marks the kernel, a triangle the next step.");
  double top = 68;
  std::string description =
      "Curves of the resident warps over threads per block, registers per thread and bytes of "
      "shared memory, with the kernel's point.";
  for (pictured_kernel const& of : kernels) {
    page.text(margin, top + 16, "name", svg::shortened(of.heading, heading_characters));
    page.text(margin, top + 37, "", svg::shortened(of.sentence, 2 * heading_characters));
    double left = margin;
    description += " " + of.heading + ": " + of.sentence + ".";
    for (curve const& each : curves_of(of)) {
      draw_curve(page, each, of, left, top + 52);
      left += panel_width;
      for (auto const& [step, direction] : each.steps) {
        if (!step.exists()) continue;
        description += " With " + words_of(step.amount, each.unit, step.warps_per_sm, of.arch->max_warps_per_sm) + ".";
      }
    }
    top += 320;
  }
  return page.file(page_width, top, "Resident warps per SM: " + title, description);
}

std::string picture_of_waves(std::string const& title, std::vector<pictured_kernel> const& kernels, long long grid) {
  svg::drawing page;
  page.text(margin, 32, "heading",
            svg::shortened(title, heading_characters - 30) + fmt::format(", a grid of {}", blocks(grid)));
  page.text(margin, 54, "tick",
            "The width is time, in waves: all blocks last equally long. The height is slots for blocks, on all SMs.");
  double top = 70;
  std::string description;
  for (pictured_kernel const& of : kernels) {
    int const blocks_per_sm = wg::occupancy_of(*of.arch, of.kernel, of.config).blocks_per_sm;
    wg::grid_waves const waves = wg::waves_of(of.product->sms, blocks_per_sm, grid);
    std::string const heading = fmt::format("{}, {} SMs", of.heading, of.product->sms);
    std::string const sentence = waves.holds() ? sentence_of(waves) : of.sentence;
    page.text(margin, top + 16, "name", svg::shortened(heading, heading_characters));
    page.text(margin, top + 37, "", svg::shortened(sentence, 2 * heading_characters));
    description += heading + ": " + sentence + ". ";
    if (waves.tail_blocks > 0) {
      description += fmt::format("The last wave has {} of {} blocks. ", waves.tail_blocks, waves.slots);
    }
    if (waves.holds()) draw_waves(page, waves, top + 52);
    int const notes = (waves.full_waves > 0 ? 1 : 0) + (waves.tail_blocks > 0 ? 2 : 0);
    top += waves.holds() ? 190 + 22 * notes : 60;
  }
  return page.file(page_width, top, fmt::format("Waves of a grid of {}: {}", blocks(grid), title), description);
}

}  // namespace measure
