// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Writes `<target>.measured.hpp`: all kernels as one array of values, every_kernel, and a type for each kernel and
/// each instance of a kernel template.

#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "measured_build.hpp"
#include "mentioned_kernels.hpp"
#include "names.hpp"
#include "request.hpp"

namespace measure {

namespace detail {

/// A kernel without template parameters, or one instance of a kernel template.
struct header_instance {
  std::string symbol;
  std::set<std::pair<int, std::string>> measurements;  // compute capability, initializer
  std::set<int> architectures;
};

/// All kernels with one path: one kernel, or the instances and overloads of one name.
struct header_kernel {
  std::map<std::string, header_instance> instances;  // by key
};

struct header_contents {
  std::map<kernel_path, header_kernel> kernels;
  std::set<kernel_path> namespaces;
  std::vector<std::pair<std::string, std::string>> not_mapped;  // key, reason
};

/// Whether the header uses this name for itself.
inline bool is_reserved(kernel_path const& path) {
  return !path.empty() &&
         (path[0] == "every_kernel" || path[0] == "unmapped_kernel_count" || path[0] == "not_understood_line_count");
}

inline header_contents collect(measured_build const& build) {
  header_contents contents;
  std::map<std::string, object_facts const*> objects;
  for (object_facts const& object : build.objects) objects[object.path] = &object;

  for (auto const& [symbol, name] : build.names) {
    if (is_reserved(name.path)) continue;
    for (std::size_t length = 1; length < name.path.size(); ++length) {
      contents.namespaces.insert(kernel_path(name.path.begin(), name.path.begin() + static_cast<long>(length)));
    }
  }
  std::set<std::string> seen;
  for (row const& each : build.ptxas.rows) {
    kernel_name const& name = build.names.at(each.symbol);
    char const* const why_not = name.path.empty()                           ? "no C++ type can have this name"
                                : is_reserved(name.path)                    ? "this header uses the name itself"
                                : contents.namespaces.count(name.path) != 0 ? "a namespace has this name"
                                                                            : nullptr;
    if (why_not != nullptr) {
      if (seen.insert(each.symbol).second) contents.not_mapped.push_back({each.key, why_not});
      continue;
    }
    header_instance& instance = contents.kernels[name.path].instances[each.key];
    instance.symbol = each.symbol;
    instance.measurements.insert({each.compute_capability, initializer_of(each.compute_capability, each)});
    instance.architectures.insert(objects[each.object]->real.begin(), objects[each.object]->real.end());
  }
  return contents;
}

/// The kernels that CHECKS name but ptxas did not compile: whole kernels, and instances of an existing template.
struct absent_kernels {
  std::set<kernel_path> kernels;
  std::map<kernel_path, std::set<std::string>> instances;
};

/// Whether a name below a kernel is a member of its type; see measured_kernel_of.
inline bool is_member_of_kernel(std::string const& name) {
  for (char const* const member :
       {"name", "measurements", "measurement_count", "architectures", "architecture_count", "hana_tag"}) {
    if (name == member) return true;
  }
  return false;
}

inline absent_kernels find_absent(std::set<kernel_path> const& mentioned, header_contents const& contents) {
  absent_kernels absent;
  for (kernel_path const& path : mentioned) {
    if (contents.kernels.count(path) != 0 || contents.namespaces.count(path) != 0 || is_reserved(path)) continue;
    if (!is_identifier(path.back())) continue;
    kernel_path const parent(path.begin(), path.end() - 1);
    if (contents.kernels.count(parent) != 0) {
      if (!is_member_of_kernel(path.back())) absent.instances[parent].insert(path.back());
      continue;
    }
    bool is_inside_kernel = false;
    for (std::size_t length = 1; length < path.size(); ++length) {
      kernel_path const prefix(path.begin(), path.begin() + static_cast<long>(length));
      is_inside_kernel = is_inside_kernel || contents.kernels.count(prefix) != 0 || absent.kernels.count(prefix) != 0;
    }
    if (!is_inside_kernel) absent.kernels.insert(path);
  }
  return absent;
}

inline std::string quoted(std::string const& plain) {
  std::string result = "\"";
  for (char c : plain) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

/// The names of the types of instances and overloads. A name that several of them want stands for none.
struct instance_identifiers {
  std::map<std::string, std::string> of_key;
  std::set<std::string> ambiguous;
};

/// A type's name that no other kernel can get, for an instance that can be chosen only by its text.
inline std::string unique_identifier(std::string const& key, kernel_name const& name) {
  constexpr std::size_t readable = 60;
  return as_identifier(name.arguments).substr(0, readable) + "_" + hash_of(key);
}

/// Instances are named after their template arguments, overloads after their parameters. The name of an extern "C"
/// kernel has no parameters.
inline instance_identifiers identifiers_of(std::string const& kernel, std::map<std::string, header_instance> const& all,
                                           std::map<std::string, kernel_name> const& names) {
  std::map<std::string, std::vector<std::string>> wanted;  // keys
  instance_identifiers result;
  for (auto const& [key, instance] : all) {
    kernel_name const& name = names.at(instance.symbol);
    std::string const identifier = name.arguments.empty() ? "of_c" : as_identifier(name.arguments);
    result.of_key[key] = unique_identifier(key, name);
    bool const can_be_spelled = identifier.size() <= longest_name && !has_operator(name.arguments);
    // A member cannot have its class's name.
    if (can_be_spelled && identifier != kernel) wanted[identifier].push_back(key);
  }
  for (auto const& [identifier, keys] : wanted) {
    if (keys.size() == 1) {
      result.of_key[keys.front()] = identifier;
    } else {
      result.ambiguous.insert(identifier);
    }
  }
  return result;
}

/// Writes the namespace of a target's kernels.
class header_writer {
 public:
  explicit header_writer(std::string const& target) : root_("warpguard::measured::" + target) {}

  /// Writes all kernels as values, in the order in which write_kernel() will be called.
  void write_list(std::map<kernel_path, header_kernel> const& kernels) {
    std::string measurements;
    std::string architectures;
    std::string values;
    std::string hashes;
    int measurement_count = 0;
    int architecture_count = 0;
    int count = 0;
    std::map<std::set<int>, int> lists;  // the index at which each list of architectures begins
    for (auto const& [path, kernel] : kernels) {
      for (auto const& [key, instance] : kernel.instances) {
        auto const [list, is_new] = lists.insert({instance.architectures, architecture_count});
        if (is_new) {
          for (int capability : instance.architectures) architectures += std::to_string(capability) + ", ";
          architecture_count += static_cast<int>(instance.architectures.size());
        }
        values += "      {" + quoted(key) + ", measurements + " + std::to_string(measurement_count) + ", " +
                  std::to_string(instance.measurements.size()) + ", architectures + " + std::to_string(list->second) +
                  ", " + std::to_string(instance.architectures.size()) + "},\n";
        hashes += "0x" + hash_of(key) + "u, ";
        for (auto const& [capability, initializer] : instance.measurements)
          measurements += "      " + initializer + ",\n";
        measurement_count += static_cast<int>(instance.measurements.size());
        ++count;
      }
    }
    if (count == 0) values = measurements = "      {},\n";  // C++ has no empty arrays
    enter(root_);
    text += "struct every_kernel {\n";
    text += "  using hana_tag = ::warpguard::measured_kernels_tag;\n";
    text += "  static constexpr int count = " + std::to_string(count) + ";\n";
    text += "  static constexpr ::warpguard::measurement measurements[] = {\n" + measurements + "  };\n";
    text += "  static constexpr int architectures[] = {" + architectures + "0};\n";
    text += "  static constexpr ::warpguard::measured_kernel_ref values[] = {\n" + values + "  };\n";
    text += "  static constexpr unsigned long long hashes[] = {" + hashes + "0};\n";
    text +=
        "  static constexpr int find(char const* name) { return ::warpguard::find_kernel(values, hashes, count, name); "
        "}\n";
    text += "  static constexpr ::warpguard::measured_kernel_ref const* begin() { return values; }\n";
    text += "  static constexpr ::warpguard::measured_kernel_ref const* end() { return values + count; }\n";
    text += "  template <int Index>\n  struct type_at;\n";
    text += "  template <int Index>\n  using at = typename type_at<Index>::type;\n";
    text += "};\n";
  }

  void write_kernel(kernel_path const& path, header_kernel const& kernel,
                    std::map<std::string, kernel_name> const& names, std::set<std::string> absent) {
    enter(namespace_of(path));
    std::string const& name = path.back();
    std::string const spelled = join_path(path);
    auto const& instances = kernel.instances;
    text += "struct " + name + base(static_cast<int>(types_.size()), instances.size()) + " {";
    bool const has_instances = instances.size() > 1 || names.at(instances.begin()->second.symbol).is_template;
    instance_identifiers identifiers;
    if (has_instances) identifiers = identifiers_of(name, instances, names);
    if (!has_instances) types_.push_back(spelled);
    absent.erase(name);
    std::string members;
    for (auto const& [key, identifier] : identifiers.of_key) {
      members += "  struct " + identifier + base(static_cast<int>(types_.size()), 1) + " {};\n";
      types_.push_back(spelled + "::" + identifier);
      absent.erase(identifier);
    }
    for (std::string const& identifier : identifiers.ambiguous) {
      members += "  struct " + identifier + " : ::warpguard::ambiguous_kernel {};\n";
      absent.erase(identifier);
    }
    for (std::string const& missing : absent) members += "  struct " + missing + " : ::warpguard::absent_kernel {};\n";
    text += (members.empty() ? "" : "\n" + members) + "};\n";
  }

  void write_absent(kernel_path const& path, bool is_report_empty) {
    enter(namespace_of(path));
    text +=
        "struct " + path.back() + " : ::warpguard::" + (is_report_empty ? "absent_report" : "absent_kernel") + " {};\n";
  }

  /// Writes the type of each value of the list.
  void write_types() {
    enter(root_);
    text += "template <>\nstruct every_kernel::type_at<-1> {\n  using type = ::warpguard::kernel_not_found;\n};\n";
    for (std::size_t i = 0; i < types_.size(); ++i) {
      text += "template <>\nstruct every_kernel::type_at<" + std::to_string(i) + "> {\n  using type = ::" + root_ +
              "::" + types_[i] + ";\n};\n";
    }
  }

  void write_counts(std::size_t unmapped_kernels, std::size_t not_understood_lines) {
    enter(root_);
    text += "inline constexpr int unmapped_kernel_count = " + std::to_string(unmapped_kernels) + ";\n";
    text += "inline constexpr int not_understood_line_count = " + std::to_string(not_understood_lines) + ";\n";
  }

  /// Closes the last namespace.
  void finish() { enter(""); }

  std::string text;

 private:
  std::string base(int first, std::size_t count) const {
    return " : ::warpguard::measured_kernel_of<::" + root_ + "::every_kernel, " + std::to_string(first) +
           (count == 1 ? "" : ", " + std::to_string(count)) + ">";
  }

  std::string namespace_of(kernel_path const& path) const {
    return join_path({root_, join_path({path.begin(), path.end() - 1})});
  }

  /// Closes the namespace that is open, and opens another one, unless it is the same.
  void enter(std::string const& name) {
    if (name == open_) return;
    if (!open_.empty()) text += "}\n";
    if (!name.empty()) text += "namespace " + name + " {\n";
    open_ = name;
  }

  std::string root_;
  std::string open_;                // the namespace that the text is in
  std::vector<std::string> types_;  // below root_, in the order of the list
};

}  // namespace detail

inline std::string write_header(measure_request const& request, measured_build const& build) {
  detail::header_contents const contents = detail::collect(build);
  detail::absent_kernels const absent =
      detail::find_absent(mentioned_kernels(request.checks, request.target), contents);

  detail::header_writer writer(request.target);
  std::string& text = writer.text;
  text = "// Written by warpguard_measure(); do not edit. The kernels of " + request.name + ", compiled by " +
         request.compiler + ".\n";
  text += "// kernels: " + std::to_string(contents.kernels.size()) +
          ", measurements: " + std::to_string(build.ptxas.rows.size()) +
          ", lines of ptxas that are not understood: " + std::to_string(build.ptxas.unknown_lines.size()) + "\n";
  for (std::string const& line : build.ptxas.unknown_lines) text += "// not understood: " + line + "\n";
  for (int capability : build.not_measurable()) {
    text += "// not measurable: compute_" + std::to_string(capability) + " has only PTX\n";
  }
  for (auto const& [name, why] : contents.not_mapped) text += "// not mapped: " + name + " (" + why + ")\n";
  text += "\n#pragma once\n\n#include <warpguard/measured/measured_guarantee.hpp>\n\n";

  writer.write_list(contents.kernels);
  for (auto const& [path, kernel] : contents.kernels) {
    auto const instances = absent.instances.find(path);
    writer.write_kernel(path, kernel, build.names,
                        instances != absent.instances.end() ? instances->second : std::set<std::string>{});
  }
  for (kernel_path const& path : absent.kernels) writer.write_absent(path, build.ptxas.rows.empty());
  writer.write_types();
  writer.write_counts(contents.not_mapped.size(), build.ptxas.unknown_lines.size());
  writer.finish();
  return writer.text;
}

}  // namespace measure
