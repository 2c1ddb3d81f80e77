// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Functions of the program for text files, lines and error messages, and its exit codes.

#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace measure {

namespace exit_code {
inline constexpr int fine = 0;
inline constexpr int broken = 1;      // a kernel is worse than its lock allows
inline constexpr int wrong_use = 2;   // the command line is wrong
inline constexpr int unreadable = 3;  // an input cannot be read, or an output cannot be written
}  // namespace exit_code

inline bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }
inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline bool read_file(std::string const& path, std::string& text) {
  text.clear();
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  char buffer[65536];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, count);
  bool const good = std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

/// Ends the program if the file cannot be written.
inline void write_file(std::string const& path, std::string const& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr) good = std::fclose(file) == 0 && good;
  if (!good) {
    std::fprintf(stderr, "warpguard: cannot write %s\n", path.c_str());
    std::exit(exit_code::unreadable);
  }
}

/// Replaces a file as a whole: if this fails, the old file stays as it is. A device or a pipe, such as /dev/null or
/// /dev/stdout, is written to and never replaced. Returns an error message, or an empty string.
inline std::string replace_file(std::string const& path, std::string const& text) {
  char* const resolved = realpath(path.c_str(), nullptr);  // writes the file that a symbolic link names
  std::string const real = resolved != nullptr ? resolved : path;
  std::free(resolved);
  struct stat status;
  bool const in_place = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  std::string const temporary = in_place ? path : real + "." + std::to_string(getpid()) + ".tmp";
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  bool good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
              std::fflush(file) == 0 && (in_place || fsync(fileno(file)) == 0);
  int error = good ? 0 : errno;
  if (file != nullptr && std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && !in_place && std::rename(temporary.c_str(), real.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (good) return "";
  if (file != nullptr && !in_place) std::remove(temporary.c_str());
  return path + ": cannot be written, and stays as it was: " + std::strerror(error);
}

/// An argument as a shell takes it.
inline std::string in_shell(std::string const& argument) {
  bool const is_plain = argument.find_first_not_of(
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_./+:,=@%-") == std::string::npos;
  if (is_plain && !argument.empty()) return argument;
  std::string text = "'";
  for (char c : argument) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// Splits a text into lines that end with LF or CRLF, and removes the line ends.
inline std::vector<std::string> lines_of(std::string const& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    std::size_t last = end;
    while (last > begin && text[last - 1] == '\r') --last;
    lines.push_back(text.substr(begin, last - begin));
    begin = end + 1;
  }
  return lines;
}

inline std::vector<std::string> split(std::string const& line, char separator) {
  std::vector<std::string> parts(1);
  for (char c : line) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// Appends `item` to a list in a string: "a, b".
inline void append(std::string& list, std::string const& separator, std::string const& item) {
  if (!list.empty()) list += separator;
  list += item;
}

/// Reads a number of at most nine digits. Returns false if the text is anything else.
inline bool read_number(std::string const& text, int& number) {
  if (text.empty() || text.size() > 9) return false;
  number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    number = 10 * number + (c - '0');
  }
  return true;
}

/// "error: ", in red on a terminal, unless the variable NO_COLOR is set.
inline char const* error_word() {
  char const* const no_color = std::getenv("NO_COLOR");
  bool const in_colour = isatty(2) == 1 && (no_color == nullptr || *no_color == '\0');
  return in_colour ? "\033[1;31merror:\033[0m " : "error: ";
}

/// Prints errors and counts them. The program continues after an error, so that one run reports all of them.
struct failures {
  int count = 0;
  bool silent = false;
  void add(std::string const& error) {
    ++count;
    if (!silent) std::fprintf(stderr, "warpguard: %s%s\n", error_word(), error.c_str());
  }
};

}  // namespace measure
