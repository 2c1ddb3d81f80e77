# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

# Faults in the examples. Each is one edit, which is made in a copy; tests/cpu/run.cmake compiles the copy and runs it.
# The third word says who must notice:
#   result      the example's own comparison with the CPU's result
#   bounds      the address or the undefined-behaviour sanitizer
#   race        the thread sanitizer: no barrier between two threads that access the same memory
#   deadlock    the emulator: every thread waits for another
#   emulator    the emulator, for another reason
#   nobody      the test then expects that the copy passes; the reason is beside the fault

# ---- Barriers removed -----------------------------------------------------------------------------------------------

fault(reduce no_barrier race "  __syncthreads();\n" "")
fault(tiled_matmul no_barrier_after_load race "    __syncthreads();\n    for (int l" "    for (int l")
fault(tiled_matmul no_barrier_before_next_load race "    __syncthreads();\n  }" "  }")
fault(two_tiles no_barrier_after_load race "    __syncthreads();\n    for (int k" "    for (int k")
fault(two_tiles no_barrier_before_next_load race "    __syncthreads();\n  }" "  }")
fault(transpose no_barrier race "  __syncthreads();\n" "")
fault(softmax no_barrier_before_read race "  __syncthreads();\n" "")
fault(softmax no_barrier_before_next_use race "  __syncthreads();  // all threads" "  // all threads")
fault(row_sums no_barrier_after_load race "  __syncthreads();\n  for" "  for")
fault(row_sums no_barrier_after_step race "    __syncthreads();\n  }" "  }")
fault(tuned_reduce no_barrier result "  __syncthreads();\n" "")
fault(histogram no_barrier_after_clear race "= 0;\n  __syncthreads();" "= 0;")
fault(histogram no_barrier_before_sum race "  __syncthreads();\n  unsigned sum" "  unsigned sum")
fault(stencil no_barrier_after_load race "    __syncthreads();\n    for" "    for")
fault(stencil no_barrier_before_next_load race "    __syncthreads();\n  }" "  }")
fault(persistent no_barrier_after_take race "    __syncthreads();\n    unsigned" "    unsigned")
fault(persistent no_barrier_before_next_take race "    __syncthreads();\n    if" "    if")
fault(cooperative_reduce no_barrier_after_write race "  __syncthreads();\n  for" "  for")
fault(cooperative_reduce no_barrier_after_step race "    __syncthreads();\n  }" "  }")
fault(cooperative_reduce no_grid_barrier race "  cooperative_groups::this_grid().sync();\n" "")
fault(cluster_histogram no_cluster_barrier_after_clear race "= 0;\n  cluster.sync();" "= 0;")
fault(cluster_histogram no_cluster_barrier_before_sum race "  cluster.sync();\n  unsigned" "  unsigned")
fault(warp_specialised no_wait_for_full_stage race "      wait_for(1 + stage);\n" "      arrive_at(1 + stage);\n")
fault(warp_specialised no_wait_for_empty_stage deadlock "      if (step >= stages) wait_for(5 + stage);\n" "")
fault(warp_specialised waits_for_next_stage deadlock "wait_for(1 + stage);" "wait_for(1 + (stage + 1) % stages);")
fault(warp_specialised no_wait_at_end emulator
  "    for (int i = step < stages ? 0 : step - stages; i < step; ++i) wait_for(5 + i % stages);\n" "")

# The emulator's barriers order all memory, and so does bar.arrive of PTX.
fault(warp_specialised no_fence nobody "      __threadfence_block();\n" "")

# ---- Barriers that others cannot reach ------------------------------------------------------------------------------

fault(reduce lanes_end_before_shuffle deadlock "if (warp != 0) return;" "if (threadIdx.x != 0) return;")
fault(softmax barrier_in_a_branch deadlock "  __syncthreads();  // all"
  "  if (threadIdx.x != 0) __syncthreads();  // all")
fault(reduce mask_lacks_a_lane emulator "all_lanes = 0xffffffff" "all_lanes = 0x7fffffff")
fault(cooperative_reduce not_cooperative emulator "options.cooperative = true" "options.cooperative = false")
fault(cooperative_reduce blocks_end_before_grid_barrier deadlock "  cooperative_groups::this_grid().sync();\n"
  "  if (blockIdx.x != 0) return;\n  cooperative_groups::this_grid().sync();\n")
fault(warp_specialised no_arrival deadlock "      arrive_at(5 + stage);\n" "")
fault(cluster_histogram blocks_end_before_others_write emulator "  cluster.sync();\n  unsigned" "  unsigned")

# ---- Shared memory smaller than the kernel needs ---------------------------------------------------------------------

fault(softmax smaller_layout bounds "softmax_scratch, float, softmax_block_threads / 32>"
  "softmax_scratch, float, softmax_block_threads / 64>")
fault(histogram smaller_layout bounds "unsigned[histogram_bins], histogram_warps>"
  "unsigned[histogram_bins], histogram_warps - 1>")
fault(cluster_histogram smaller_layout bounds "unsigned, cluster_histogram_bins_per_block>"
  "unsigned, cluster_histogram_bins_per_block - 1>")

# ---- Atomics made plain ---------------------------------------------------------------------------------------------

fault(histogram plain_increment_in_block race "atomicAdd(&mine[threadIdx.x / 32][values[i]], 1u)"
  "++mine[threadIdx.x / 32][values[i]]")
fault(histogram plain_store_in_grid result "atomicAdd(&counts[threadIdx.x], sum)" "counts[threadIdx.x] = sum")
fault(histogram plain_addition_in_grid race "atomicAdd(&counts[threadIdx.x], sum)" "counts[threadIdx.x] += sum")
fault(persistent plain_take race "atomicAdd(next, static_cast<unsigned>(block_threads))"
  "*next, *next += block_threads")
fault(cluster_histogram plain_store_in_cluster result
  "atomicAdd(cluster.map_shared_rank(mine, owner) + values[i] % bins_per_block, 1u)"
  "cluster.map_shared_rank(mine, owner)[values[i] % bins_per_block] = 1u")
fault(cluster_histogram plain_increment_in_cluster race
  "atomicAdd(cluster.map_shared_rank(mine, owner) + values[i] % bins_per_block, 1u)"
  "++cluster.map_shared_rank(mine, owner)[values[i] % bins_per_block]")
fault(cluster_histogram plain_store_in_grid result "atomicAdd(&counts[first + i], mine[i])"
  "counts[first + i] = mine[i]")
fault(cluster_histogram plain_addition_in_grid race "atomicAdd(&counts[first + i], mine[i])"
  "counts[first + i] += mine[i]")

# ---- Bounds off by one ----------------------------------------------------------------------------------------------

fault(saxpy one_element_more bounds "i < n; i += stride" "i <= n; i += stride")
fault(saxpy one_element_less result "i < n; i += stride" "i < n - 1; i += stride")
fault(reduce one_element_more bounds "i < n; i += stride" "i <= n; i += stride")
fault(reduce one_warp_more bounds "lane < warps" "lane <= warps")
fault(tiled_matmul one_step_more bounds "l < Tile" "l <= Tile")
fault(tiled_matmul one_step_less result "l < Tile" "l < Tile - 1")
fault(tiled_matmul one_row_more bounds "row < m" "row <= m")
fault(two_tiles one_step_more bounds "k < tile" "k <= tile")
fault(two_tiles one_column_more bounds "step + j < n" "step + j <= n")
fault(transpose one_column_more bounds "first_column + x < columns" "first_column + x <= columns")
fault(softmax one_column_more bounds "i < columns; i += block_threads) {\n    values[i] = in"
  "i <= columns; i += block_threads) {\n    values[i] = in")
fault(softmax one_warp_less result "warp < block_threads / 32" "warp < block_threads / 32 - 1")
fault(histogram one_warp_more bounds "warp < warps; ++warp) sum" "warp <= warps; ++warp) sum")
fault(histogram one_warp_not_cleared result "warp < warps; ++warp) mine" "warp < warps - 1; ++warp) mine")
fault(stencil longer_tile bounds "i < tile + 2 * radius" "i <= tile + 2 * radius")
fault(stencil one_neighbour_less result "j <= 2 * radius" "j < 2 * radius")
fault(persistent one_element_more bounds "if (i < count)" "if (i <= count)")
fault(cooperative_reduce one_sum_less result "i < gridDim.x" "i < gridDim.x - 1")
fault(cooperative_reduce one_element_beyond bounds "shared[threadIdx.x + half]" "shared[threadIdx.x + half + 1]")
fault(row_sums one_element_beyond bounds "partial[threadIdx.x + half];" "partial[threadIdx.x + half + 1];")
fault(row_sums fewer_bytes bounds "partial[threadIdx.x] = sum;" "partial[threadIdx.x + blockDim.x / 2] = sum;")
fault(tuned_reduce one_element_more bounds "at < n ?" "at <= n ?")
fault(tuned_reduce one_warp_more bounds "warp < warps" "warp <= warps")
fault(built_for_8_0 one_element_more bounds "if (i < n)" "if (i <= n)")
fault(free_bound one_element_more bounds "i < n; i += stride" "i <= n; i += stride")
fault(cluster_histogram one_bin_more bounds "i < bins_per_block; i += block_threads) mine"
  "i <= bins_per_block; i += block_threads) mine")
fault(warp_specialised one_element_more bounds "i < tile && first + i < n; i += group_threads"
  "i < tile && first + i <= n; i += group_threads")
fault(warp_specialised one_stage_more bounds "get<tile_of_x>(memory, stage);\n      for (int i = lane"
  "get<tile_of_x>(memory, stage + stage / (stages - 1));\n      for (int i = lane")

# ---- Other numbers --------------------------------------------------------------------------------------------------

fault(saxpy other_sign result "a * x[i] + y[i]" "a * x[i] - y[i]")
fault(reduce shuffles_stop_early result "offset > 0" "offset > 1")
fault(softmax smaller_shuffle result "lanes = 16" "lanes = 8")
fault(softmax no_maximum result "largest = combine_block(largest, scratch, larger{});" "")
fault(transpose not_transposed result "values[x][y]" "values[y][x]")
fault(stencil other_mean result "= sum / (2 * radius + 1);\n    }" "= sum / (2 * radius);\n    }")
fault(cooperative_reduce steps_stop_early result "half > 0" "half > 1")
fault(row_sums steps_stop_early result "half > 0" "half > 1")
fault(tuned_reduce one_item_less result "i < items; ++i) sum" "i < items - 1; ++i) sum")
fault(tuned_reduce shuffles_stop_early result "lanes > 0" "lanes > 1")
fault(free_bound first_coefficient result "j >= 0; --j) sum" "j > 0; --j) sum")
fault(free_bound last_coefficient result "j = terms - 1; j >= 0; --j) sum" "j = terms - 2; j >= 0; --j) sum")
fault(free_bound stored_less result "y[i] = sum;" "if (i + 1 < n) y[i] = sum;")
fault(warp_specialised other_constant result "+ 1.0f;\n      }" "+ 1.5f;\n      }")
fault(warp_specialised other_stage result "get<tile_of_x>(memory, stage);\n      for (int i = lane"
  "get<tile_of_x>(memory, 0);\n      for (int i = lane")
