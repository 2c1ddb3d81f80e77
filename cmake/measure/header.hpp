// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Writes `<target>.measured.hpp`.

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "build.hpp"

namespace measure {

struct header_writer {
  struct instance {
    std::string identifier;
    std::vector<row const*> rows;
    std::set<int> architectures;
  };
  struct kernel {
    std::vector<std::string> path;
    std::map<std::string, instance> instances;  // by key
  };

  std::string text;
  std::vector<std::string> every;  // instance, spelled within measured::<target>

  static std::string quoted(std::string const& plain) {
    std::string result = "\"";
    for (char c : plain) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + "\"";
  }

  void write_instance(instance const& each, std::string const& key, std::string const& indent) {
    std::set<std::string> lines;
    for (row const* r : each.rows) {
      char buffer[200];
      std::snprintf(buffer, sizeof buffer, "{%d, %d, %d, %d, %d, %d, %d, %d, %s}", r->compute_capability, r->registers,
                    r->static_shared_memory, r->spill_stores, r->spill_loads, r->stack, r->barriers, r->constant_memory,
                    r->bounds_ignored ? "true" : "false");
      lines.insert(buffer);
    }
    std::string architectures;
    for (int capability : each.architectures) architectures += std::to_string(capability) + ", ";
    text += indent + "static constexpr char const* name = " + quoted(key) + ";\n";
    text += indent + "static constexpr int architecture_count = " + std::to_string(each.architectures.size()) + ";\n";
    text += indent + "static constexpr int architectures[] = {" + architectures + "0};\n";
    text += indent + "static constexpr int measurement_count = " + std::to_string(lines.size()) + ";\n";
    text += indent + "static constexpr ::warpguard::measurement measurements[] = {\n";
    for (std::string const& line : lines) text += indent + "    " + line + ",\n";
    text += indent + "};\n";
  }

  void open(std::string const& target, std::vector<std::string> const& path) {
    text += "namespace warpguard::measured::" + target;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) text += "::" + path[i];
    text += " {\n";
  }

  void write_kernel(std::string const& target, kernel const& each, std::vector<std::string> const& absent) {
    std::string const& name = each.path.back();
    std::string const spelled = spelled_of(each.path);
    open(target, each.path);
    text += "struct " + name + " : ::warpguard::measured_kernel {\n";
    auto const& only = *each.instances.begin();
    if (each.instances.size() == 1 && only.second.identifier.empty()) {
      write_instance(only.second, only.first, "  ");
      text += "  using instances = ::boost::hana::tuple<" + name + ">;\n";
      every.push_back(spelled);
    } else {
      std::string list;
      std::set<std::string> taken{name};  // a member cannot have its class's name
      for (auto const& [key, one] : each.instances) {
        // An overload is named by its parameters; extern "C" has none in its name.
        std::size_t const parameters = key.find('(');
        std::string const wanted = !one.identifier.empty()           ? one.identifier
                                   : parameters != std::string::npos ? as_identifier(key.substr(parameters))
                                                                     : "of_c";
        std::string identifier = wanted;
        for (int count = 2; !taken.insert(identifier).second; ++count) {
          identifier = wanted + "_" + std::to_string(count);
        }
        text += "  struct " + identifier + " : ::warpguard::measured_kernel {\n";
        write_instance(one, key, "    ");
        text += "    using instances = ::boost::hana::tuple<" + identifier + ">;\n  };\n";
        list += (list.empty() ? "" : ", ") + identifier;
        every.push_back(spelled + "::" + identifier);
      }
      text += "  using instances = ::boost::hana::tuple<" + list + ">;\n";
      for (std::string const& missing : absent) {
        if (taken.count(missing) == 0) text += "  struct " + missing + " : ::warpguard::absent_kernel {};\n";
      }
    }
    text += "};\n}\n";
  }
};

/// What every measured header has beside its kernels.
inline bool is_own_name(std::vector<std::string> const& path) {
  return !path.empty() &&
         (path[0] == "every_kernel" || path[0] == "unmapped_kernel_count" || path[0] == "not_understood_line_count");
}

/// Names below measured::<target> that the CHECKS files mention: `sum` for `wg::measured::app::sum`, and for `m::sum`
/// after `namespace m = wg::measured::app;`. So a kernel that vanished has a type that says so.
inline std::set<std::vector<std::string>> mentioned_kernels(request const& asked, std::string const& target) {
  std::set<std::vector<std::string>> found;
  for (std::string const& path : asked.checks) {
    std::string text;
    if (!read_file(path, text)) continue;
    auto const is_word = [](char c) { return is_letter(c) || is_digit(c); };
    auto const read_path = [&](std::size_t at) {
      std::vector<std::string> parts;
      while (text.compare(at, 2, "::") == 0) {
        std::size_t const begin = at + 2;
        std::size_t end = begin;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == begin) break;
        parts.push_back(text.substr(begin, end - begin));
        at = end;
      }
      return parts;
    };
    std::vector<std::pair<std::string, std::vector<std::string>>> aliases;  // what is written, what stands before it
    std::string const root = "measured::" + target;
    aliases.push_back({root, {}});
    for (std::size_t a = 0; a < aliases.size(); ++a) {
      auto const [written, prefix] = aliases[a];
      for (std::size_t at = text.find(written); at != std::string::npos; at = text.find(written, at + 1)) {
        if (at > 0 && (is_word(text[at - 1]) || (a > 0 && text[at - 1] == ':'))) continue;
        std::size_t const after = at + written.size();
        if (after < text.size() && is_word(text[after])) continue;
        std::vector<std::string> parts = prefix;
        for (std::string const& part : read_path(after)) parts.push_back(part);
        std::size_t const line = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
        std::string const before = text.substr(line, at - line);
        std::size_t const word = before.find("namespace ");
        std::size_t const equals = before.find('=');
        if (word != std::string::npos && equals != std::string::npos && word < equals) {
          std::string alias = before.substr(word + 10, equals - word - 10);
          while (!alias.empty() && alias.back() == ' ') alias.pop_back();
          bool known = false;
          for (auto const& each : aliases) known = known || each.first == alias;
          if (!known && is_identifier(alias)) aliases.push_back({alias, parts});
        } else if (!has(before, "using namespace ") && !parts.empty()) {
          found.insert(parts);
        }
      }
    }
  }
  return found;
}

inline std::string write_header(request const& asked, measured_build const& build) {
  std::map<std::vector<std::string>, header_writer::kernel> kernels;
  std::set<std::vector<std::string>> namespaces;
  std::vector<std::pair<std::string, std::string>> unmapped;  // name, why
  std::map<std::string, object_facts const*> objects;
  for (object_facts const& object : build.objects) objects[object.path] = &object;

  std::map<std::string, kernel_name> names;
  std::map<std::string, std::string> keys;
  for (row const& each : build.said.rows) {
    if (names.count(each.symbol) != 0) continue;
    kernel_name const& name = names[each.symbol] = name_of(each.symbol);
    keys[each.symbol] = key_of(each.symbol);
    if (is_own_name(name.path)) continue;
    for (std::size_t length = 1; length < name.path.size(); ++length) {
      namespaces.insert(std::vector<std::string>(name.path.begin(), name.path.begin() + static_cast<long>(length)));
    }
  }
  std::set<std::string> said;
  for (row const& each : build.said.rows) {
    kernel_name const& name = names[each.symbol];
    bool const is_namespace = namespaces.count(name.path) != 0;
    bool const is_own = is_own_name(name.path);
    if (name.path.empty() || is_namespace || is_own) {
      if (said.insert(each.symbol).second) {
        unmapped.push_back({keys[each.symbol], is_own         ? "this header has the name for itself"
                                               : is_namespace ? "a namespace has this name"
                                                              : "no C++ type can have it"});
      }
      continue;
    }
    header_writer::kernel& kernel = kernels[name.path];
    kernel.path = name.path;
    header_writer::instance& instance = kernel.instances[keys[each.symbol]];
    instance.identifier = name.instance;
    instance.rows.push_back(&each);
    instance.architectures.insert(objects[each.object]->real.begin(), objects[each.object]->real.end());
  }

  std::string const& target = asked.target;
  header_writer writer;
  writer.text =
      "// Written by warpguard_measure(); do not edit. What " + asked.compiler + " made of " + asked.name + ".\n";
  writer.text += "// kernels: " + std::to_string(kernels.size()) +
                 ", measurements: " + std::to_string(build.said.rows.size()) +
                 ", lines of ptxas that are not understood: " + std::to_string(build.said.unknown_lines.size()) + "\n";
  for (std::string const& line : build.said.unknown_lines) writer.text += "// not understood: " + line + "\n";
  for (int capability : build.unmeasurable) {
    if (build.real.count(capability) == 0) {
      writer.text += "// not measurable: compute_" + std::to_string(capability) + " has only PTX\n";
    }
  }
  for (auto const& [name, why] : unmapped) writer.text += "// not mapped: " + name + " (" + why + ")\n";
  writer.text += "\n#pragma once\n\n#include <boost/hana/tuple.hpp>\n#include <warpguard/measured/measured_guarantee.hpp>\n\n";
  writer.text += "namespace warpguard::measured::" + target + " {}\n";

  std::map<std::vector<std::string>, std::vector<std::string>> absent_instances;
  std::set<std::vector<std::string>> absent;
  for (std::vector<std::string> const& path : mentioned_kernels(asked, target)) {
    if (kernels.count(path) != 0 || namespaces.count(path) != 0 || is_own_name(path)) continue;
    std::vector<std::string> const parent(path.begin(), path.end() - 1);
    if (kernels.count(parent) != 0) {
      if (is_identifier(path.back())) absent_instances[parent].push_back(path.back());
    } else if (is_identifier(path.back())) {
      bool inside = false;  // a kernel
      for (std::size_t length = 1; length < path.size(); ++length) {
        std::vector<std::string> const prefix(path.begin(), path.begin() + static_cast<long>(length));
        inside = inside || kernels.count(prefix) != 0 || absent.count(prefix) != 0;
      }
      if (!inside) absent.insert(path);
    }
  }
  for (auto const& [path, each] : kernels) writer.write_kernel(target, each, absent_instances[path]);
  for (std::vector<std::string> const& path : absent) {
    writer.open(target, path);
    writer.text += "struct " + path.back() +
                   " : ::warpguard::" + (build.said.rows.empty() ? "absent_report" : "absent_kernel") + " {};\n}\n";
  }
  std::string every;
  for (std::string const& instance : writer.every) every += (every.empty() ? "\n    " : ",\n    ") + instance;
  writer.text += "namespace warpguard::measured::" + target + " {\n";
  writer.text += "using every_kernel = ::boost::hana::tuple<" + every + ">;\n";
  // A name that cannot be mapped is data too.
  writer.text += "inline constexpr int unmapped_kernel_count = " + std::to_string(unmapped.size()) + ";\n";
  writer.text +=
      "inline constexpr int not_understood_line_count = " + std::to_string(build.said.unknown_lines.size()) + ";\n}\n";
  return writer.text;
}

}  // namespace measure
