// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Reads the device code in an object file, an executable, a cubin or a fatbin: a digest of it, and what it says about
/// kernels that ptxas does not print. The bytes may be anything: nothing outside of them is read, and what cannot be
/// read is unknown.

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace measure {

/// What the device code says about one kernel on one architecture.
struct kernel_facts {
  std::string symbol;
  int compute_capability = 0;
  int max_threads = 0;       // per block, from the kernel's own launch bounds; 0: it has none, or unknown
  bool is_internal = false;  // static or in an anonymous namespace: each object may have its own kernel of this name
};

/// Identifies device code. It notices that code was compiled anew or replaced; it is no protection against forgery.
struct code_digest {
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0xcbf29ce484222325;

  friend bool operator==(code_digest const& a, code_digest const& b) { return a.bytes == b.bytes && a.hash == b.hash; }

  /// FNV-1a over words of eight bytes instead of bytes, with a shift that brings the upper bits down.
  void add(std::string_view text) {
    std::size_t at = 0;
    for (; text.size() - at >= 8; at += 8) {
      std::uint64_t word;
      std::memcpy(&word, text.data() + at, 8);
      add_word(word);
    }
    std::uint64_t rest = 0;
    if (at < text.size()) std::memcpy(&rest, text.data() + at, text.size() - at);
    if (at < text.size()) add_word(rest);
    bytes += text.size();
  }

 private:
  void add_word(std::uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 32;
  }
};

struct device_code {
  bool is_known_format = false;  // if not, the digest is that of the whole file
  bool is_present = false;
  code_digest digest;
  std::vector<kernel_facts> kernels;  // only those whose code is not compressed
};

namespace detail {

/// Reads a number of the host's byte order, which is that of all systems with nvcc. Returns 0 outside of the bytes.
template <class Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  if (at <= bytes.size() && bytes.size() - at >= sizeof number) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// The part of the bytes that begins at `at`; empty if it is not whole.
inline std::string_view part_of(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
  return at <= bytes.size() && bytes.size() - at >= size ? bytes.substr(at, size) : std::string_view{};
}

/// A name in a table of names, which ends with a zero.
inline std::string_view name_at(std::string_view names, std::uint64_t at) {
  constexpr std::size_t longest = 100000;
  if (at >= names.size()) return {};
  std::string_view const rest = names.substr(at, longest);
  std::size_t const end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

inline bool begins_with(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// ---- ELF ------------------------------------------------------------------------------------------------------------

constexpr int machine_cuda = 190;

inline bool is_elf64(std::string_view bytes) {
  constexpr char little_endian_64_bits[] = {0x7f, 'E', 'L', 'F', 2, 1};
  return bytes.size() >= 64 && begins_with(bytes, {little_endian_64_bits, sizeof little_endian_64_bits});
}
inline int machine_of(std::string_view elf) { return number_at<std::uint16_t>(elf, 18); }

struct elf_section {
  std::string_view name;
  std::string_view bytes;
  std::uint32_t link = 0;  // for a table of symbols: the section with their names
};

inline std::vector<elf_section> sections_of(std::string_view elf) {
  constexpr std::uint64_t header_size = 64;
  constexpr std::uint32_t without_bytes = 8;  // SHT_NOBITS
  std::uint64_t const table = number_at<std::uint64_t>(elf, 40);
  std::string_view const first = part_of(elf, table, header_size);
  std::uint64_t count = number_at<std::uint16_t>(elf, 60);
  std::uint64_t names_index = number_at<std::uint16_t>(elf, 62);
  if (count == 0) count = number_at<std::uint64_t>(first, 32);  // too many for 16 bits
  if (names_index == 0xffff) names_index = number_at<std::uint32_t>(first, 40);
  if (count > elf.size() / header_size || names_index >= count) return {};
  std::string_view const headers = part_of(elf, table, count * header_size);
  if (headers.empty()) return {};
  auto const bytes_of = [&](std::string_view header) {
    if (number_at<std::uint32_t>(header, 4) == without_bytes) return std::string_view{};
    return part_of(elf, number_at<std::uint64_t>(header, 24), number_at<std::uint64_t>(header, 32));
  };
  std::string_view const names = bytes_of(headers.substr(names_index * header_size, header_size));
  std::vector<elf_section> sections;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string_view const header = headers.substr(i * header_size, header_size);
    sections.push_back(
        {name_at(names, number_at<std::uint32_t>(header, 0)), bytes_of(header), number_at<std::uint32_t>(header, 40)});
  }
  return sections;
}

// ---- cubins ---------------------------------------------------------------------------------------------------------

/// The threads of a block in a kernel's launch bounds. Its section .nv.info.<symbol> has records of a format, an
/// attribute, and 16 bits: the size of what follows, or for the formats before 4 the value itself.
inline int max_threads_in(std::string_view info) {
  constexpr int with_bytes = 4;
  constexpr int max_threads = 0x05;
  constexpr int required_threads = 0x10;  // __block_size__
  int found = 0;
  for (std::size_t at = 0; info.size() - at >= 4;) {
    int const format = number_at<std::uint8_t>(info, at);
    int const attribute = number_at<std::uint8_t>(info, at + 1);
    std::size_t const size = format == with_bytes ? number_at<std::uint16_t>(info, at + 2) : 0;
    if (format < 1 || format > with_bytes || size > info.size() - at - 4) return 0;
    if (size == 12 && (attribute == max_threads || attribute == required_threads)) {
      std::uint64_t product = 1;
      for (std::size_t i = 0; i < 3; ++i) {
        std::uint64_t const length = number_at<std::uint32_t>(info, at + 4 + 4 * i);
        product = length > 1024 ? 0 : product * length;
      }
      if (product < 1 || product > 1024) return 0;
      found = static_cast<int>(product);
    }
    at += 4 + size;
  }
  return found;
}

/// The compute capability of a cubin; 0 if unknown. Since CUDA 13 it is in other bits.
inline int capability_of(std::string_view cubin) {
  std::uint32_t const flags = number_at<std::uint32_t>(cubin, 48);
  int const abi_version = number_at<std::uint8_t>(cubin, 8);
  if (abi_version == 7) return static_cast<int>(flags & 0xff);
  if (abi_version == 8) return static_cast<int>(flags >> 8 & 0xff);
  return 0;
}

using facts_map = std::map<std::pair<std::string_view, int>, kernel_facts>;

/// Adds the kernels of a cubin. If a kernel has different launch bounds in two cubins for one architecture, such as
/// sm_90 and sm_90a, they are unknown.
inline void read_cubin(std::string_view cubin, facts_map& kernels) {
  constexpr std::string_view info = ".nv.info.";
  constexpr std::size_t symbol_size = 24;
  constexpr int is_kernel = 0x10;  // STO_CUDA_ENTRY
  int const capability = capability_of(cubin);
  if (capability == 0) return;
  std::vector<elf_section> const sections = sections_of(cubin);
  std::map<std::string_view, int> max_threads;
  for (elf_section const& section : sections) {
    if (begins_with(section.name, info)) max_threads[section.name.substr(info.size())] = max_threads_in(section.bytes);
  }
  for (elf_section const& section : sections) {
    if (section.name != ".symtab" || section.link >= sections.size()) continue;
    for (std::size_t at = 0; section.bytes.size() - at >= symbol_size; at += symbol_size) {
      std::string_view const symbol =
          name_at(sections[section.link].bytes, number_at<std::uint32_t>(section.bytes, at));
      int const binding = number_at<std::uint8_t>(section.bytes, at + 4) >> 4;
      auto const found = max_threads.find(symbol);
      if ((number_at<std::uint8_t>(section.bytes, at + 5) & is_kernel) == 0 || found == max_threads.end()) continue;
      auto const [known, is_new] =
          kernels.insert({{symbol, capability}, {std::string(symbol), capability, found->second, binding == 0}});
      if (!is_new && known->second.max_threads != found->second) known->second.max_threads = 0;
    }
  }
}

/// Adds the kernels of fatbins that follow each other, with zeros between them. A compressed cubin is skipped.
inline void read_fatbins(std::string_view bytes, facts_map& kernels) {
  constexpr std::uint32_t magic = 0xba55ed50;
  while (bytes.size() >= 16) {
    if (number_at<std::uint32_t>(bytes, 0) == 0) {
      bytes.remove_prefix(8);
      continue;
    }
    std::uint64_t const header = number_at<std::uint16_t>(bytes, 6);
    std::uint64_t const size = number_at<std::uint64_t>(bytes, 8);
    if (number_at<std::uint32_t>(bytes, 0) != magic || header < 16 || header > bytes.size() ||
        size > bytes.size() - header) {
      return;
    }
    std::string_view entries = bytes.substr(header, size);
    while (entries.size() >= 64) {
      std::uint64_t const entry_header = number_at<std::uint32_t>(entries, 4);
      std::uint64_t const entry_size = number_at<std::uint64_t>(entries, 8);
      if (entry_header < 64 || entry_header > entries.size() || entry_size > entries.size() - entry_header) return;
      std::string_view const code = entries.substr(entry_header, entry_size);
      if (is_elf64(code) && machine_of(code) == machine_cuda) read_cubin(code, kernels);
      entries.remove_prefix(entry_header + entry_size);
    }
    bytes.remove_prefix(header + size);
  }
}

}  // namespace detail

/// Reads the device code in the bytes of a file.
inline device_code read_device_code(std::string_view bytes) {
  device_code code;
  detail::facts_map kernels;
  bool const is_elf = detail::is_elf64(bytes);
  bool const is_cubin = is_elf && detail::machine_of(bytes) == detail::machine_cuda;
  bool const is_fatbin = detail::number_at<std::uint32_t>(bytes, 0) == 0xba55ed50;
  std::vector<detail::elf_section> sections;
  if (is_elf && !is_cubin) sections = detail::sections_of(bytes);  // empty if the file is cut
  code.is_known_format = is_cubin || is_fatbin || !sections.empty();
  if (!sections.empty()) {
    for (detail::elf_section const& section : sections) {
      if (section.name != ".nv_fatbin" && section.name != "__nv_relfatbin") continue;
      code.is_present = true;
      code.digest.add(section.bytes);
      detail::read_fatbins(section.bytes, kernels);
    }
  } else {
    code.is_present = is_cubin || is_fatbin;
    code.digest.add(bytes);
    if (is_cubin) detail::read_cubin(bytes, kernels);
    if (is_fatbin) detail::read_fatbins(bytes, kernels);
  }
  for (auto& [key, facts] : kernels) code.kernels.push_back(std::move(facts));
  return code;
}

}  // namespace measure
