// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Text within HTML and SVG.

#pragma once

#include <string>

namespace measure {

/// Returns a text that is no markup in HTML and XML, also within quotes. Control characters become spaces.
inline std::string without_markup(std::string const& plain) {
  std::string text;
  for (char c : plain) {
    switch (c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      case '\'': text += "&#39;"; break;
      default: text += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return text;
}

}  // namespace measure
