# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# cmake -DPROGRAM=... -DROOT=<repository> -DWORK=<folder> -P peak.cmake
# Tests `warpguard peak` against the figures of NVIDIA's datasheets, as far as their last digit goes.

cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/harness.cmake)

# GPU, precision, 10^12 operations per second in the datasheet
foreach(figure "A100 SXM 40GB|fp32|19.5" "A100 SXM 40GB|tensor-tf32|156" "A100 SXM 40GB|tensor-fp16|312"
    "P100 SXM|fp32|10.6" "P100 SXM|fp16|21.2" "V100 SXM2|fp32|15.7" "V100 SXM2|fp64|7.8" "V100 SXM2|tensor-fp16|125"
    "T4|fp32|8.1" "T4|tensor-fp16|65" "T4|tensor-int8|130" "H100 SXM|fp32|67" "H100 SXM|tensor-fp16|989")
  string(REPLACE "|" ";" figure "${figure}")
  list(POP_FRONT figure gpu precision published)
  ask(peak --gpu "${gpu}" --precision ${precision} --json)
  string(JSON peak GET "${out}" peaks 0 operations_per_second)
  set(unit 1000000000000)
  if(published MATCHES "\\.")
    set(unit 100000000000)
  endif()
  math(EXPR rounded "(${peak} + ${unit} / 2) / ${unit}")
  string(REPLACE "." "" digits "${published}")
  expect_equal("${gpu}, ${precision}" "${rounded}" "${digits}")
endforeach()

# NVIDIA's two clocks of the H100, and what 132 SMs x 2048 x 2 give at another clock.
ask(peak --gpu "H100 SXM")
expect_in("two clocks" "${out}" "1830 MHz for tensor cores, 1980 MHz for FP64 and all else\n")
expect_in("two clocks" "${out}" " 989.43 TFLOPS\n")
expect_in("no unit" "${out}" "tensor-fp4                    -  no such unit\n")
expect_in("integers" "${out}" " 1978.86 TOPS\n")
ask(peak --gpu "H100 SXM" --precision fp16-tensor --clock boost --json)
math(EXPR expected "132 * 2048 * 2 * 1980 * 1000000")
expect_json(${expected} peaks 0 operations_per_second)
expect_json(1980 peaks 0 clock_mhz)
ask(peak --gpu "H100 SXM" --precision fp32 --clock base --json)
math(EXPR expected "132 * 128 * 2 * 1590 * 1000000")
expect_json(${expected} peaks 0 operations_per_second)

# Sums in FP32 take twice as long on a GeForce; zeros make it twice as fast.
ask(peak --gpu "RTX 4090" --precision tensor-fp16 --precision tensor-fp16-sum-fp16 --json)
math(EXPR half "128 * 256 * 2 * 2520 * 1000000")
math(EXPR whole "2 * ${half}")
expect_json(${half} peaks 0 operations_per_second)
expect_json(256 peaks 0 fma_per_clock_and_sm)
expect_json(${whole} peaks 1 operations_per_second)
ask(peak --gpu "RTX 4090" --precision tensor-fp16 --precision fp32 --sparse --json)
expect_json(${whole} peaks 0 operations_per_second)
expect_json("sparsity brings nothing" peaks 1 reason)

# What has no source is absent.
ask(peak --gpu B200 --precision tensor-fp4 --json)
string(JSON type TYPE "${out}" peaks 0 operations_per_second)
expect_equal("an unknown peak" "${type}" NULL)
expect_json("no source for the clock" peaks 0 reason)
ask(peak --gpu B200 --precision tensor-fp4)
expect_in("an unknown peak" "${out}" "?  no source for the clock\n")
ask(peak --gpu B300 --precision tensor-fp4)
expect_in("an unknown rate" "${out}" "?  no source for the rate\n")

# Formats have the same columns and rows: 13 precisions of two GPUs.
ask(peak --gpu T4 --gpu B200 --csv)
read_csv()
list(LENGTH lines count)
expect_equal("rows of CSV" ${count} 26)
list(GET lines 1 line)
cell_in(precision "${line}" precision)
cell_in(peak "${line}" operations_per_second)
math(EXPR expected "40 * 64 * 2 * 1590 * 1000000")
expect_equal("a row of CSV" "${precision} ${peak}" "fp32 ${expected}")
ask(peak --gpu T4 --markdown)
list(JOIN columns " | " heading)
expect_in("markdown" "${out}" "| ${heading} |\n|---|---|")

must_refuse(2 "--gpu: state at least one GPU" peak)
must_refuse(2 "H100 (sm_90) is no single product, and a peak depends on" peak --gpu H100)
must_refuse(2 "write one of H100 SXM, H100 PCIe, H100 NVL" peak --gpu H100)
must_refuse(2 "--gpu: sm_90 is no single product" peak --gpu sm_90)
must_refuse(2 "--gpu: `RTX 4091` is no known GPU. Similar: RTX 4090" peak --gpu "RTX 4091")
must_refuse(2 "--precision: `fp17` is no known precision: write one of fp64, fp32," peak --gpu T4 --precision fp17)
must_refuse(2 "--clock: `2 GHz` is no clock: write peak, boost or base" peak --gpu T4 --clock "2 GHz")
must_refuse(2 "--json" peak --gpu T4 --json --csv)
