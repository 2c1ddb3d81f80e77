// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Writes SVG: elements with escaped texts, in colours for light and dark screens. A file loads no font and no script.

#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "../markup.hpp"

namespace measure::svg {

/// A text that is safe in XML, also within quotes. Bytes that are no UTF-8, and characters that XML does not allow,
/// become U+FFFD.
inline std::string escaped(std::string const& plain) {
  nlohmann::json const json = plain;
  std::string const valid =
      nlohmann::json::parse(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).get<std::string>();
  std::string text = without_markup(valid);
  for (std::string const refused : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = 0; (at = text.find(refused, at)) != std::string::npos;) text.replace(at, 3, "\xEF\xBF\xBD");
  }
  return text;
}

/// At most `most` characters of a text; what is cut is marked with an ellipsis.
inline std::string shortened(std::string const& text, std::size_t most) {
  std::size_t count = 0;
  std::size_t last = 0;  // where the last character begins that has room before an ellipsis
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;  // within a character of UTF-8
    ++count;
    if (count == most) last = at;
    if (count > most) return text.substr(0, last) + "\xE2\x80\xA6";
  }
  return text;
}

/// A coordinate, in hundredths of a pixel.
inline std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

constexpr char style[] = R"(
text { font: 14px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1f2328; }
.heading { font-size: 17px; font-weight: 600; }
.name { font-weight: 600; }
.tick { font-size: 13px; fill: #57606a; }
.left { text-anchor: end; }
.below { text-anchor: middle; }
.paper { fill: #ffffff; }
.grid { stroke: #d8dee4; }
.axis { stroke: #6e7781; stroke-width: 1.5; }
.curve { fill: none; stroke: #0a5fb4; stroke-width: 2.5; }
.area, .wave { fill: #0a5fb4; }
.area { fill-opacity: .13; }
.point, .tail { fill: #c2410c; }
.point { stroke: #ffffff; stroke-width: 2; }
.step { fill: #ffffff; stroke: #c2410c; stroke-width: 2; }
.idle { fill: none; stroke: #57606a; stroke-width: 1.5; stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.tick { fill: #a5aeb8; }
.paper { fill: #0d1117; }
.grid { stroke: #2d333b; }
.axis { stroke: #8b949e; }
.curve { stroke: #58a6ff; }
.area, .wave { fill: #58a6ff; }
.point, .tail { fill: #ff9e4a; }
.point { stroke: #0d1117; }
.step { fill: #0d1117; stroke: #ff9e4a; }
.idle { stroke: #a5aeb8; }
}
)";

/// A picture that grows as elements are added to it.
class drawing {
 public:
  /// Text with its base line at `y`. `classes` are those of `style`, and may be empty.
  void text(double x, double y, std::string const& classes, std::string const& plain) {
    elements_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"" + class_of(classes) + ">" + escaped(plain) +
                 "</text>\n";
  }
  void line(std::string const& classes, double from_x, double from_y, double to_x, double to_y) {
    elements_ += "<line" + class_of(classes) + " x1=\"" + number(from_x) + "\" y1=\"" + number(from_y) + "\" x2=\"" +
                 number(to_x) + "\" y2=\"" + number(to_y) + "\"/>\n";
  }
  void rectangle(std::string const& classes, double x, double y, double width, double height) {
    elements_ += "<rect" + class_of(classes) + " x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
                 number(width) + "\" height=\"" + number(height) + "\"/>\n";
  }
  void path(std::string const& classes, std::string const& commands) {
    elements_ += "<path" + class_of(classes) + " d=\"" + commands + "\"/>\n";
  }
  void circle(std::string const& classes, double x, double y) {
    elements_ += "<circle" + class_of(classes) + " cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"6.5\"/>\n";
  }
  /// A triangle around a place that points up if `direction` is 1, and down if it is -1.
  void triangle(std::string const& classes, double x, double y, int direction) {
    std::string const base = number(y + 4.5 * direction);
    path(classes, "M" + number(x - 6) + " " + base + "L" + number(x + 6) + " " + base + "L" + number(x) + " " +
                      number(y - 6 * direction) + "Z");
  }
  void begin_group(std::string const& classes) { elements_ += "<g" + class_of(classes) + ">\n"; }
  void end_group() { elements_ += "</g>\n"; }

  /// The whole file. `title` and `description` are read aloud in place of the picture.
  std::string file(int width, double height, std::string const& title, std::string const& description) const {
    std::string const size_x = number(width);
    std::string const size_y = number(std::ceil(height));
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size_x + "\" height=\"" + size_y +
           "\" viewBox=\"0 0 " + size_x + " " + size_y + "\" role=\"img\" aria-labelledby=\"title description\">\n" +
           "<title id=\"title\">" + escaped(title) + "</title>\n<desc id=\"description\">" + escaped(description) +
           "</desc>\n<style>" + style + "</style>\n<rect class=\"paper\" width=\"" + size_x + "\" height=\"" + size_y +
           "\"/>\n" + elements_ + "</svg>\n";
  }

 private:
  static std::string class_of(std::string const& classes) {
    return classes.empty() ? "" : " class=\"" + classes + "\"";
  }

  std::string elements_;
};

}  // namespace measure::svg
