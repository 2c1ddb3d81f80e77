// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// GPUs that one can buy: how many SMs, at which clocks, with which memory. docs/products.md has the source of each
/// number. find_device.hpp finds a product by its name; peak.hpp calculates what it can reach.
///
/// To add a product: add its row, its line in the second table of tests/hardware/products.cpp, its lines in
/// docs/products.md, and NVIDIA's figures in tests/hardware/peak.cpp.

#pragma once

#include "host_device.hpp"

namespace warpguard {

/// One GPU. An aggregate: copy a row and change a member to ask a what-if question. A number is 0 if it has no source,
/// or if the product is sold with more than one.
struct product {
  char const* name;           ///< without NVIDIA: "H100 SXM"
  char const* other_names;    ///< what else it is called, separated by commas; the driver's name is among them
  int compute_capability;     ///< 10 * major + minor
  int sms;                    ///< multiprocessors that are enabled
  int base_clock_mhz;         ///< MHz
  int boost_clock_mhz;        ///< MHz: the highest clock that NVIDIA states, or that the driver reports
  int peak_clock_mhz;         ///< MHz: the clock of NVIDIA's figures for FP64 and for all outside tensor cores
  int tensor_peak_clock_mhz;  ///< MHz: the clock of NVIDIA's figures for tensor cores, but FP64
  /// 1; 2 if tensor cores are half as fast when FP16, BF16 or TF32 are summed in FP32, as on a GeForce
  int fp32_sum_divisor;
  int memory_bandwidth_mb;  ///< 10^6 bytes per second
  int memory_gb;            ///< GB as NVIDIA sells it; a program gets less
  int l2_cache_kb;          ///< KiB
};

/// How functions take a row; `architecture_ref` explains why.
#if defined(__CUDA_ARCH__)
using product_ref = product;
#else
using product_ref = product const&;
#endif

// clang-format off
/// Every product, ascending by compute capability.
inline constexpr product products[] = {
//                                                                                                                                             ------------ MHz -----------  FP32  memory         L2
//  name                   other names                                                                                         cc  SMs  base  boost   peak tensor  sum  MB/s       GB    KiB
  {"P100 SXM",             "P100 SXM2, Tesla P100 SXM2, Tesla P100-SXM2-16GB",                                                  60,  56, 1328,  1480,  1480,     0,  1,   732160,  16,   4096},
  {"P100 PCIe",            "P100 PCIe 16GB, Tesla P100 PCIe, Tesla P100-PCIE-16GB",                                             60,  56, 1190,  1329,  1303,     0,  1,   732160,  16,   4096},
  {"V100 SXM2",            "V100 SXM, Tesla V100 SXM2, Tesla V100-SXM2-16GB, Tesla V100-SXM2-32GB",                             70,  80,    0,  1530,  1530,  1530,  1,   898048,   0,   6144},
  {"V100 PCIe",            "Tesla V100 PCIe, Tesla V100-PCIE-16GB, Tesla V100-PCIE-32GB",                                       70,  80,    0,  1380,  1370,  1370,  1,   897024,   0,   6144},
  {"T4",                   "Tesla T4",                                                                                          75,  40,  585,  1590,  1590,  1590,  1,   320000,  16,   4096},
  {"RTX 2060 SUPER",       "GeForce RTX 2060 SUPER, 2060 SUPER",                                                                75,  34, 1470,  1650,  1650,  1650,  2,   448000,   8,   4096},
  {"RTX 2080 Ti",          "GeForce RTX 2080 Ti, 2080 Ti",                                                                      75,  68, 1350,  1545,  1545,  1545,  2,   616000,  11,   5632},
  {"A100 SXM 40GB",        "A100-SXM4-40GB, A100 40GB SXM",                                                                     80, 108, 1095,  1410,  1410,  1410,  1,  1555200,  40,  40960},
  {"A100 SXM 80GB",        "A100-SXM4-80GB, A100 80GB SXM",                                                                     80, 108, 1275,  1410,  1410,  1410,  1,  2039040,  80,  40960},
  {"A100 PCIe 40GB",       "A100 40GB PCIe",                                                                                    80, 108,  765,  1410,  1410,  1410,  1,  1555200,  40,  40960},
  {"A100 PCIe 80GB",       "A100 80GB PCIe",                                                                                    80, 108, 1065,  1410,  1410,  1410,  1,  1935360,  80,  40960},
  {"A30",                  "A30 PCIe",                                                                                          80,  56,  930,  1440,  1440,  1440,  1,   933120,  24,  24576},
  {"A10",                  "A10 PCIe",                                                                                          86,  72,  885,  1695,  1695,  1695,  1,   600000,  24,   6144},
  {"A40",                  "A40 PCIe",                                                                                          86,  84, 1305,  1740,  1740,  1740,  1,   696000,  48,   6144},
  {"RTX 3090",             "GeForce RTX 3090, 3090",                                                                            86,  82, 1395,  1695,  1695,  1695,  2,   936000,  24,   6144},
  {"Jetson AGX Orin 64GB", "Jetson Orin AGX 64GB, AGX Orin 64GB, Orin AGX 64GB",                                                87,  16,    0,  1300,  1300,  1300,  1,   204800,  64,   4096},
  {"Jetson AGX Orin 32GB", "Jetson Orin AGX 32GB, AGX Orin 32GB, Orin AGX 32GB",                                                87,  14,    0,   930,     0,     0,  1,   204800,  32,      0},
  {"Jetson Orin NX 16GB",  "Orin NX 16GB",                                                                                      87,   8,    0,   918,     0,     0,  1,   102400,  16,   2048},
  {"L4",                   "",                                                                                                  89,  58,  795,  2040,  2040,  2040,  1,   300000,  24,  49152},
  {"L40S",                 "",                                                                                                  89, 142, 1110,  2520,  2520,  2520,  1,   864000,  48,  98304},
  {"RTX 4090",             "GeForce RTX 4090, 4090",                                                                            89, 128, 2235,  2520,  2520,  2520,  2,  1008000,  24,  73728},
  {"H100 SXM",             "H100 SXM5, H100 SXM5 80GB, H100 80GB HBM3",                                                         90, 132, 1590,  1980,  1980,  1830,  1,  3352320,  80,  51200},
  {"H100 PCIe",            "H100 PCIe 80GB, H100 80GB PCIe",                                                                    90, 114, 1095,  1755,  1755,  1620,  1,  2039040,  80,  51200},
  {"H100 NVL",             "H100 NVL 94GB",                                                                                     90, 132, 1080,  1785,  1785,     0,  1,  3938000,  94,      0},
  {"H200",                 "H200 SXM, H200 SXM5, H200 SXM 141GB, H200 141GB HBM3e",                                             90, 132, 1500,  1980,  1980,  1830,  1,  4800000, 141,      0},
  {"GH200",                "GH200 96GB, GH200 120GB, GH200 480GB",                                                              90, 132,    0,  1980,     0,     0,  1,  4022784,  96,  61440},
  {"B200",                 "B200 SXM",                                                                                         100, 148,    0,  1965,  1965,     0,  1,  7672320, 180, 129536},
  {"GB200",                "",                                                                                                 100, 152,    0,  2062,  2062,     0,  1,  7928064, 186, 132352},
  {"B300",                 "B300 SXM6, B300 SXM6 AC",                                                                          103, 148,    0,  2032,     0,     0,  1,  7700000, 270,      0},
  {"Jetson AGX Thor",      "Jetson Thor, Jetson T5000, AGX Thor, Thor, T5000",                                                 110,  20,    0,     0,     0,     0,  1,   273000, 128,  32768},
  {"RTX 5090",             "GeForce RTX 5090, 5090",                                                                           120, 170, 2017,  2407,  2407,  2407,  2,  1792000,  32,  98304},
  {"RTX PRO 6000",         "RTX PRO 6000 Blackwell Workstation Edition, RTX PRO 6000 Blackwell Server Edition",                120, 188, 1590,  2617,  2617,  2617,  1,  1792000,  96, 131072},
  {"DGX Spark",            "GB10",                                                                                             121,  48,    0,  2418,     0,     0,  1,   273000, 128,  24576},
};
// clang-format on

}  // namespace warpguard
