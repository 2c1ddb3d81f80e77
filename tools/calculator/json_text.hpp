// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Writes JSON into a buffer, without a library.

#pragma once

namespace calculator {

/// JSON as text that ends in a zero. What does not fit is left out, so that a reader refuses the text.
class json_text {
 public:
  char const* c_str() const { return text_; }

  void clear() {
    length_ = 0;
    put_zero();
  }

  void open(char bracket) {
    separate();
    put(bracket);
  }
  void close(char bracket) { put(bracket); }

  void key(char const* name) {
    value(name);
    put(':');
  }

  void value(char const* words) {
    separate();
    put('"');
    for (; *words != '\0'; ++words) {
      if (*words == '"' || *words == '\\') put('\\');
      put(*words);
    }
    put('"');
  }
  void value(bool holds) {
    separate();
    put_all(holds ? "true" : "false");
  }
  void value(long long number) {
    separate();
    put_number(number);
  }
  void value(int number) { value(static_cast<long long>(number)); }
  void null() {
    separate();
    put_all("null");
  }
  /// Writes hundredths as a number with two decimals. Needs a number that is not negative.
  void hundredths(long long number) {
    value(number / 100);
    put('.');
    put(static_cast<char>('0' + number / 10 % 10));
    put(static_cast<char>('0' + number % 10));
  }

  template <class Value>
  void member(char const* name, Value const& of) {
    key(name);
    value(of);
  }

 private:
  static constexpr int size = 1 << 16;

  void put_zero() { text_[length_] = '\0'; }
  void put(char sign) {
    if (length_ < size - 1) text_[length_++] = sign;
    put_zero();
  }
  void put_all(char const* words) {
    for (; *words != '\0'; ++words) put(*words);
  }
  void put_number(long long number) {
    char digits[20];
    int count = 0;
    unsigned long long rest = static_cast<unsigned long long>(number);
    if (number < 0) {
      put('-');
      rest = 0 - rest;
    }
    do {
      digits[count++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    while (count > 0) put(digits[--count]);
  }
  /// Puts a comma between two values.
  void separate() {
    char const last = length_ > 0 ? text_[length_ - 1] : '[';
    if (last != '[' && last != '{' && last != ':') put(',');
  }

  char text_[size] = {};
  int length_ = 0;
};

}  // namespace calculator
