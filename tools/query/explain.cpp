// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include "explain.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <system_error>
#include <vector>

#include "../text.hpp"
#include "error_page.hpp"
#include "input.hpp"

namespace measure {

namespace {

/// A message of the page, and what the page says about it.
struct explanation {
  std::string message;
  std::string anchor;    // at the end of the message in brackets; empty for the compilers' own messages
  std::string sentence;  // the message without the anchor
  std::vector<std::string> lines;
};

/// A row of the tables at the beginning of the page: the meaning of words that occur in many messages.
struct known_word {
  std::vector<std::string> names;
  std::string row;
};

struct explained_page {
  std::vector<explanation> messages;
  std::vector<known_word> words;
};

/// The name in "`shared_memory_at_most<Bytes>`": up to what is no letter, digit or underscore.
std::string name_of(std::string const& code) {
  auto const end =
      std::find_if_not(code.begin(), code.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return {code.begin(), end};
}

/// Reads the row of a table whose first cell names code. Another line has no names.
known_word word_of(std::string const& line) {
  known_word word;
  if (!begins(line, "| `")) return word;
  std::string const cell = line.substr(0, line.find(" | "));
  std::vector<std::string> const parts = split(cell, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2) word.names.push_back(name_of(parts[i]));
  word.row = line.substr(2, line.size() > 4 ? line.size() - 4 : 0);
  return word;
}

/// Takes the anchor off the end of a message: "... is out of reach [residency]".
explanation explanation_of(std::string const& message) {
  std::size_t const at = message.rfind(" [");
  if (at == std::string::npos || message.back() != ']') return {message, "", message, {}};
  return {message, message.substr(at + 2, message.size() - at - 3), message.substr(0, at), {}};
}

/// Reads the page. Outputs of compilers that it shows are of other contracts, so they are left out.
explained_page read_page() {
  explained_page page;
  bool is_code = false;
  bool is_output = false;
  for (char const* const* next = error_page; *next != nullptr; ++next) {
    std::string const line = *next;
    bool const is_fence = begins(line, "```");
    if (begins(line, "<!-- output")) is_output = true;
    if (begins(line, "<!--") || begins(line, "<a id=")) continue;
    if (!is_code && begins(line, "#")) {
      bool const is_message = begins(line, "### `") && line.back() == '`';
      page.messages.push_back(explanation_of(is_message ? line.substr(5, line.size() - 6) : ""));
    } else if (!page.messages.empty() && !page.messages.back().message.empty() && !is_output) {
      page.messages.back().lines.push_back(line);
    } else if (page.messages.size() == 2) {
      bool const is_heading = next[1] != nullptr && begins(next[1], "|---");
      known_word const word = word_of(line);
      if (!is_heading && !word.names.empty()) page.words.push_back(word);
    }
    if (!is_fence) continue;
    is_code = !is_code;
    if (!is_code) is_output = false;
  }
  return page;
}

/// The text without colours and without backslashes, which some compilers double; line ends and spaces are one space.
/// So a sentence is found however it is wrapped.
std::string plain(std::string const& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) == 0) ++i;
    } else if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else if (text[i] != '\\') {
      result += text[i];
    }
  }
  return result;
}

/// Whether a text has a name that is not a part of a longer one.
bool has_word(std::string const& text, std::string const& word) {
  auto const continues = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
    if (!continues(at + word.size()) && (at == 0 || !continues(at - 1))) return true;
  }
  return false;
}

struct found_message {
  std::size_t first;  // where it stands in the text
  int count;
  explanation const* what;
};

/// The messages in a text, in their order. Where a message begins with another one, only the longer is found.
std::vector<found_message> find_messages(explained_page const& page, std::string const& text) {
  struct match {
    std::size_t at;
    std::size_t length;
    explanation const* what;
  };
  std::vector<match> matches;
  for (explanation const& each : page.messages) {
    std::string const sentence = plain(each.sentence);
    if (sentence.empty()) continue;
    for (std::size_t at = 0; (at = text.find(sentence, at)) != std::string::npos; at += sentence.size()) {
      matches.push_back({at, sentence.size(), &each});
    }
  }
  std::sort(matches.begin(), matches.end(), [](match const& one, match const& two) {
    return one.at != two.at ? one.at < two.at : one.length > two.length;
  });
  std::vector<found_message> found;
  std::size_t end = 0;
  for (match const& each : matches) {
    if (each.at < end) continue;
    end = each.at + each.length;
    auto const known =
        std::find_if(found.begin(), found.end(), [&](found_message const& one) { return one.what == each.what; });
    if (known != found.end()) {
      ++known->count;
    } else {
      found.push_back({each.at, 1, each.what});
    }
  }
  return found;
}

/// The lines of an explanation without empty ones at both ends.
std::string text_of(explanation const& what) {
  std::string text;
  for (std::string const& line : what.lines) {
    bool const follows_empty = text.size() < 2 || text.compare(text.size() - 2, 2, "\n\n") == 0;
    if (line.empty() && follows_empty) continue;
    text += line + "\n";
  }
  while (text.size() > 1 && text[text.size() - 2] == '\n') text.pop_back();
  return text;
}

/// Adds the meaning of the facts that a text names.
void append_words(std::string& output, explained_page const& page, std::string const& text) {
  std::string words;
  for (known_word const& word : page.words) {
    bool const is_used = std::any_of(word.names.begin(), word.names.end(),
                                     [&](std::string const& name) { return has_word(text, name); });
    if (is_used) words += "  " + word.row + "\n";
  }
  if (!words.empty()) output += "\nWhat the facts mean:\n\n" + words;
}

explanation const* find_anchor(explained_page const& page, std::string const& anchor) {
  if (anchor.empty()) return nullptr;
  auto const found = std::find_if(page.messages.begin(), page.messages.end(),
                                  [&](explanation const& each) { return each.anchor == anchor; });
  return found == page.messages.end() ? nullptr : &*found;
}

/// How many letters must be inserted, removed or replaced to make one text the other (Levenshtein).
std::size_t edits_between(std::string const& one, std::string const& other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < other.size(); ++j) {
      std::size_t const replaced = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The anchors that one may have meant: at most two letters are others, or one name has the other in it.
std::string similar_anchors(explained_page const& page, std::string const& name) {
  std::string similar;
  for (explanation const& each : page.messages) {
    std::string const& anchor = each.anchor;
    if (anchor.empty() || name.size() < 3) continue;
    if (anchor.find(name) != std::string::npos || name.find(anchor) != std::string::npos ||
        edits_between(name, anchor) <= 2) {
      append(similar, ", ", anchor);
    }
  }
  return similar;
}

bool ends(std::string const& text, std::string const& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether a text may be meant as an anchor. A hyphen is the most likely mistake.
bool is_name(std::string const& text) {
  return !text.empty() && text != "-" && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

}  // namespace

std::string read_explained(std::string const& text, explain_options& options) {
  bool const has_brackets = text.size() >= 2 && text.front() == '[' && text.back() == ']';
  std::string name = has_brackets ? text.substr(1, text.size() - 2) : text;
  if (ends(name, "_guard")) name.resize(name.size() - std::string("_guard").size());
  explained_page const page = read_page();
  if (find_anchor(page, name) != nullptr) {
    options.anchor = name;
    return "";
  }
  std::error_code ignored;
  if (!has_brackets && (!is_name(text) || std::filesystem::exists(text, ignored))) {
    options.path = text;
    return "";
  }
  std::string const similar = similar_anchors(page, name);
  return "`" + text + "` is neither an anchor nor a file" +
         (similar.empty() ? ". An anchor is the name in brackets at the end of a message, such as residency"
                          : ". Similar anchors: " + similar);
}

int print_explanation(explain_options const& options) {
  failures failed;
  explained_page const page = read_page();
  std::string output;
  if (explanation const* const what = find_anchor(page, options.anchor)) {
    std::string const text = text_of(*what);
    output = what->message + "\n\n" + text;
    append_words(output, page, text);
  } else {
    std::string input;
    if (!read_input(options.path, input, failed)) return exit_code::unreadable;
    std::string const text = plain(input);
    std::vector<found_message> const found = find_messages(page, text);
    if (found.empty()) {
      failed.add(input_name(options.path) +
                 ": no message of warpguard. A message begins with `warpguard:`, and is in the output of the compiler");
      return exit_code::unreadable;
    }
    for (found_message const& each : found) {
      if (!output.empty()) output += "\n";
      output += each.what->message + (each.count > 1 ? " (" + std::to_string(each.count) + " times)" : "") + "\n\n";
      output += text_of(*each.what);
    }
    append_words(output, page, text);
  }
  std::fputs(output.c_str(), stdout);
  if (std::fflush(stdout) == 0) return exit_code::fine;
  failed.add("cannot write standard output");
  return exit_code::unreadable;
}

}  // namespace measure
