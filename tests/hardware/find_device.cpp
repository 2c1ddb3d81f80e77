// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

#include <warpguard/hardware/find_device.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <vector>

namespace wg = warpguard;

namespace {

using names = std::vector<std::string>;

names names_of(wg::device_matches const& matches) {
  names result;
  for (int i = 0; i < matches.count; ++i) result.push_back(matches.devices[i]->name);
  return result;
}

/// Every name of a product.
names all_names_of(wg::product const& device) {
  names result{device.name};
  std::string rest = device.other_names;
  while (!rest.empty()) {
    std::string::size_type const comma = rest.find(", ");
    result.push_back(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
  }
  return result;
}

std::string without_separators(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char sign) { return sign == ' ' || sign == '-'; }),
             text.end());
  return text;
}

std::string in_lower_case(std::string text) {
  for (char& sign : text) sign = static_cast<char>(std::tolower(static_cast<unsigned char>(sign)));
  return text;
}

// ---- as a constant --------------------------------------------------------------------------------------------------

static_assert(wg::find_device("H100 SXM")->sms == 132);
static_assert(wg::find_device("h100sxm") == wg::find_device("NVIDIA H100-SXM"));
static_assert(wg::find_device("H100") == nullptr);
static_assert(wg::find_devices("H100").count == 3);
static_assert(wg::similar_devices("H100 SMX").count > 0);
static_assert(wg::architecture_named("sm_86") == &wg::sm_86);
static_assert(wg::architecture_named("H100") == nullptr);

}  // namespace

TEST_CASE("each name of a product finds it") {
  for (wg::product const& device : wg::products) {
    for (std::string const& name : all_names_of(device)) {
      INFO(name);
      REQUIRE_FALSE(name.empty());
      std::string const written[] = {name,
                                     in_lower_case(name),
                                     without_separators(name),
                                     in_lower_case(without_separators(name)),
                                     "NVIDIA " + name,
                                     "nvidia-" + name,
                                     " " + name + " "};
      for (std::string const& text : written) {
        INFO(text);
        CHECK(wg::find_device(text.c_str()) == &device);
      }
    }
  }
}

TEST_CASE("the names of drivers find the product") {
  CHECK(std::string(wg::find_device("Tesla P100-SXM2-16GB")->name) == "P100 SXM");
  CHECK(std::string(wg::find_device("Tesla V100-SXM2-16GB")->name) == "V100 SXM2");
  CHECK(std::string(wg::find_device("NVIDIA A100-SXM4-80GB")->name) == "A100 SXM 80GB");
  CHECK(std::string(wg::find_device("NVIDIA A100-PCIE-40GB")->name) == "A100 PCIe 40GB");
  CHECK(std::string(wg::find_device("NVIDIA A100 80GB PCIe")->name) == "A100 PCIe 80GB");
  CHECK(std::string(wg::find_device("NVIDIA H100 80GB HBM3")->name) == "H100 SXM");
  CHECK(std::string(wg::find_device("NVIDIA H200")->name) == "H200");
  CHECK(std::string(wg::find_device("NVIDIA GH200 480GB")->name) == "GH200");
  CHECK(std::string(wg::find_device("NVIDIA GeForce RTX 5090")->name) == "RTX 5090");
  CHECK(std::string(wg::find_device("NVIDIA GB10")->name) == "DGX Spark");
  CHECK(std::string(wg::find_device("NVIDIA Thor")->name) == "Jetson AGX Thor");
}

TEST_CASE("a name that several products share finds all of them") {
  CHECK(names_of(wg::find_devices("H100")) == names{"H100 SXM", "H100 PCIe", "H100 NVL"});
  CHECK(names_of(wg::find_devices("nvidia h100")) == names{"H100 SXM", "H100 PCIe", "H100 NVL"});
  CHECK(names_of(wg::find_devices("H100 80GB")) == names{"H100 SXM", "H100 PCIe"});
  CHECK(names_of(wg::find_devices("P100")) == names{"P100 SXM", "P100 PCIe"});
  CHECK(names_of(wg::find_devices("V100")) == names{"V100 SXM2", "V100 PCIe"});
  CHECK(names_of(wg::find_devices("A100 SXM")) == names{"A100 SXM 40GB", "A100 SXM 80GB"});
  CHECK(names_of(wg::find_devices("A100-80GB")) == names{"A100 SXM 80GB", "A100 PCIe 80GB"});
  CHECK(wg::find_devices("A100").count == 4);
  CHECK(names_of(wg::find_devices("Jetson Orin")) ==
        names{"Jetson AGX Orin 64GB", "Jetson AGX Orin 32GB", "Jetson Orin NX 16GB"});
  CHECK(wg::find_devices("RTX").count == 6);
  for (char const* text :
       {"H100", "P100", "V100", "A100", "A100 SXM", "Jetson", "Jetson Orin", "RTX", "Tesla", "DGX"}) {
    CHECK(wg::find_device(text) == nullptr);
  }
  // One product can be meant, and the program may ask; but an RTX 2080 exists too.
  CHECK(names_of(wg::find_devices("RTX 2080")) == names{"RTX 2080 Ti"});
}

TEST_CASE("a whole name is not the beginning of another") {
  CHECK(names_of(wg::find_devices("A10")) == names{"A10"});  // not A100
  CHECK(names_of(wg::find_devices("L4")) == names{"L4"});    // not L40S
  CHECK(names_of(wg::find_devices("H200")) == names{"H200"});
  CHECK(names_of(wg::find_devices("B200")) == names{"B200"});  // not GB200
}

TEST_CASE("other GPUs, and what is no name, find nothing") {
  // Each of these is like a name in the table, and means another GPU or none.
  for (char const* text : {"",
                           " ",
                           "-",
                           ",",
                           "NVIDIA",
                           "NVIDIA ",
                           "H",
                           "H1",
                           "H10",
                           "H100 ",
                           "H1000",
                           "100",
                           "L40",
                           "A10G",
                           "A100X",
                           "H800",
                           "RTX 6000",
                           "RTX 6000 Ada",
                           "RTX 4090 Laptop",
                           "RTX 2080",
                           "RTX 2080 Ti 12GB",
                           "RTX 2060",
                           "RTX 509",
                           "GB20",
                           "H200 NVL",
                           "P100 PCIe 12GB",
                           "V100S",
                           "V100 SXM3",
                           "RTX PRO 6000 Blackwell Max-Q Workstation Edition",
                           "B100",
                           "GB300",
                           "SXM",
                           "PCIe",
                           "80GB",
                           "Ti",
                           "H100 SXM, H100 PCIe",
                           "H100/SXM",
                           "H100 SXM!",
                           "H.100 SXM",
                           "sm_90",
                           "9.0",
                           "T4,",
                           ",T4",
                           "\n",
                           "T4\n",
                           "\xc3\xa9",
                           "T4\xc3\xa9"}) {
    INFO(text);
    CHECK(wg::find_device(text) == nullptr);
  }
  for (char const* text : {"", "H10", "L40", "RTX 6000", "SXM", "80GB", "GB20", "NVIDIA", "H100/SXM", "sm_90"}) {
    INFO(text);
    CHECK(wg::find_devices(text).count == 0);
  }
  std::string const long_name(100000, 'H');
  CHECK(wg::find_devices(long_name.c_str()).count == 0);
  CHECK(wg::similar_devices(long_name.c_str()).count == 0);
}

TEST_CASE("no two products share a name") {
  for (wg::product const& device : wg::products) {
    for (wg::product const& other : wg::products) {
      if (&device == &other) continue;
      for (std::string const& name : all_names_of(device)) {
        for (std::string const& shared : all_names_of(other)) {
          CHECK(in_lower_case(without_separators(name)) != in_lower_case(without_separators(shared)));
        }
      }
    }
  }
}

TEST_CASE("similar names") {
  CHECK(names_of(wg::similar_devices("H100 SMX")).front() == "H100 SXM");
  CHECK(names_of(wg::similar_devices("RTX 509")).front() == "RTX 5090");
  CHECK(names_of(wg::similar_devices("L40")) == names{"A40", "L4", "L40S"});
  CHECK(names_of(wg::similar_devices("NVIDIA H200 NVL")).front() == "H100 NVL");
  CHECK(names_of(wg::similar_devices("GeForce RTX 4090 Laptop")).front() == "RTX 4090");
  CHECK(names_of(wg::similar_devices("")).empty());
  CHECK(names_of(wg::similar_devices("MI300X")).empty());
  CHECK(names_of(wg::similar_devices("quantum computer")).empty());
}

namespace {

/// The distance by its definition: the first signs are equal, or one of them is inserted, removed or replaced.
int distance_by_definition(std::string const& first, std::string const& other) {
  if (first.empty() || other.empty()) return static_cast<int>(first.size() + other.size());
  std::string const first_rest = first.substr(1);
  std::string const other_rest = other.substr(1);
  if (first[0] == other[0]) return distance_by_definition(first_rest, other_rest);
  return 1 + std::min({distance_by_definition(first_rest, other), distance_by_definition(first, other_rest),
                       distance_by_definition(first_rest, other_rest)});
}

}  // namespace

TEST_CASE("the distance between names is that of its definition") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string texts[2];
    for (std::string& text : texts) {
      text.resize(random() % 7);
      for (char& sign : text) sign = "ab0"[random() % 3];
    }
    INFO(texts[0], " ", texts[1]);
    CHECK(wg::detail::distance_between(wg::detail::plain_name_of(texts[0].c_str()),
                                       wg::detail::plain_name_of(texts[1].c_str())) ==
          distance_by_definition(texts[0], texts[1]));
  }
}

TEST_CASE("architectures by name") {
  for (wg::architecture const* row : wg::architectures) {
    std::string const digits = std::to_string(row->compute_capability);
    std::string const with_dot = digits.substr(0, digits.size() - 1) + "." + digits.back();
    for (std::string const& text : {digits, with_dot, "sm_" + digits, "compute_" + digits, "SM_" + digits,
                                    "sm" + digits, "sm_" + digits + "a", "sm_" + digits + "f"}) {
      INFO(text);
      CHECK(wg::architecture_named(text.c_str()) == row);
    }
  }
  for (char const* text :
       {"",       "sm",     "sm_",    "sm_9",        "9",       "9.",     ".9",      "9.0.",          "9.00",
        "90.",    "8.6a",   "86a",    "sm_8.6",      "sm_95",   "sm_900", "sm_0090", "sm_90b",        "sm_90aa",
        "sm__90", "sm_ 90", "-90",    "+90",         "90 ",     "0x5a",   "compute", "1000000000090", "T4",
        "A100",   "H100",   "sm_86,", "sm_86 sm_90", "\xc2\xb2"}) {
    INFO(text);
    CHECK(wg::architecture_named(text) == nullptr);
  }
}

TEST_CASE("no name of a product names an architecture") {
  for (wg::product const& device : wg::products) {
    for (std::string const& name : all_names_of(device)) CHECK(wg::architecture_named(name.c_str()) == nullptr);
  }
}
