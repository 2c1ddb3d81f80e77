// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the grid, the block and the bytes that a launch gives, over fake_runtime.hpp.

#include <doctest/doctest.h>

#include <climits>
#include <cstddef>
#include <cstdint>

#include "fake_launches.hpp"

namespace {

using why = wg::launch_refusal;

struct fixed_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<80>, wg::threads_per_block<128>>> {};
struct fixed_bytes_contract : wg::contract<wg::threads_per_block<32, 4, 2>, wg::dynamic_shared_memory<1024>> {};
struct cluster_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::cluster_size<4, 2>>> {};
struct thread_cluster_contract : wg::contract<wg::threads_per_block<1>, wg::on<wg::sm<90>, wg::cluster_size<7>>> {};
struct block_contract : wg::contract<wg::max_threads_per_block<512>, wg::min_threads_per_block<48>> {};
struct per_thread_contract : wg::contract<wg::max_threads_per_block<1024>, wg::dynamic_shared_memory<16>,
                                          wg::dynamic_shared_memory_per_thread<8>> {};
struct bytes_contract : wg::contract<wg::threads_per_block<256>, wg::max_dynamic_shared_memory<100 * 1024>> {};
struct any_contract : wg::contract<wg::max_threads_per_block<1024>, wg::max_dynamic_shared_memory<64 * 1024>> {};

template <class Contract>
cudaError_t launch_with(wg::launch_options const& options) {
  return wg::launch<Contract>(kernel, options, 1, 2.0f);
}

/// Returns why a launch is refused, and checks that it is, in the usual way.
template <class Contract>
why refusal_of(wg::launch_options const& options) {
  start();
  cudaError_t const status = launch_with<Contract>(options);
  CHECK(status == (wg::why_refused() == why::none ? cudaSuccess : cudaErrorInvalidConfiguration));
  CHECK(runtime.launches == (status == cudaSuccess ? 1 : 0));
  return wg::why_refused();
}

bool is_shape(dim3 shape, unsigned x, unsigned y, unsigned z) { return shape.x == x && shape.y == y && shape.z == z; }

/// A stream as CCCL's: it does not convert, but get() returns it.
struct stream_reference {
  cudaStream_t get() const { return reinterpret_cast<cudaStream_t>(0x40); }
};
struct extents {
  operator dim3() const { return dim3(2, 3, 4); }
};
enum unscoped { seven = 7 };

}  // namespace

TEST_CASE("a grid is made from any integer without cutting it") {
  auto const refusal = [](wg::grid_size grid) { return refusal_of<fixed_contract>(grid); };
  CHECK(refusal(std::size_t{1} << 31) == why::grid_too_large);
  CHECK(refusal((std::size_t{1} << 32) + 1) == why::grid_too_large);
  CHECK(refusal(SIZE_MAX) == why::grid_too_large);
  CHECK(refusal(LLONG_MAX) == why::grid_too_large);
  CHECK(refusal(std::int64_t{1} << 40) == why::grid_too_large);
  CHECK(refusal({1, std::size_t{65536}}) == why::grid_too_large);
  CHECK(refusal({1, 1, (std::int64_t{1} << 32) + 1}) == why::grid_too_large);
  CHECK(refusal(-1) == why::empty_grid);
  CHECK(refusal(LLONG_MIN) == why::empty_grid);
  CHECK(refusal({4, -4}) == why::empty_grid);
  CHECK(refusal(0) == why::empty_grid);
  CHECK(refusal({}) == why::empty_grid);
  CHECK(refusal(dim3(4, 0)) == why::empty_grid);

  CHECK(refusal(2147483647u) == why::none);
  CHECK(is_shape(runtime.config.gridDim, 2147483647u, 1, 1));
  CHECK(refusal(static_cast<unsigned char>(200)) == why::none);
  CHECK(is_shape(runtime.config.gridDim, 200, 1, 1));
  CHECK(refusal({std::int16_t{5}, 6ull, 7l}) == why::none);
  CHECK(is_shape(runtime.config.gridDim, 5, 6, 7));
  CHECK(refusal(seven) == why::none);
  CHECK(is_shape(runtime.config.gridDim, 7, 1, 1));
  CHECK(refusal(extents{}) == why::none);
  CHECK(is_shape(runtime.config.gridDim, 2, 3, 4));
  // Also where there are no options.
  start();
  CHECK(wg::launch<fixed_contract>(kernel, (std::size_t{1} << 32) + 1, no_stream, 1, 2.0f) ==
        cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::grid_too_large);
}

TEST_CASE("for_items covers the items with the block of the device") {
  start();
  CHECK(wg::launch<fixed_contract>(kernel, wg::for_items(1000), no_stream, 1, 2.0f) == cudaSuccess);
  CHECK(runtime.config.gridDim.x == 4);
  CHECK(runtime.config.blockDim.x == 256);
  // On 8.0 the block is another one than the contract's `threads`.
  fake_runtime answers;
  answers.device = 1;
  answers.compiled_for = 80;
  start(answers);
  CHECK(wg::launch<fixed_contract>(kernel, wg::for_items(1000), no_stream, 1, 2.0f) == cudaSuccess);
  CHECK(runtime.config.gridDim.x == 8);
  CHECK(runtime.config.blockDim.x == 128);

  start();
  for (long long const items : {1LL, 95LL, 96LL, 97LL, 100000000000LL}) {
    CHECK(launch_with<block_contract>({wg::for_items(items), 96}) == cudaSuccess);
    long long const blocks = runtime.config.gridDim.x;
    CHECK(blocks * 96 >= items);
    CHECK((blocks - 1) * 96 < items);
  }
  CHECK(launch_with<block_contract>({wg::for_items(100, 30u, std::size_t{3}), {16, 8, 2}}) == cudaSuccess);
  CHECK(is_shape(runtime.config.gridDim, 7, 4, 2));
  CHECK(refusal_of<fixed_contract>(wg::for_items(0)) == why::empty_grid);
  CHECK(refusal_of<fixed_contract>(wg::for_items(-5)) == why::empty_grid);
  CHECK(refusal_of<fixed_contract>(wg::for_items(LLONG_MAX)) == why::grid_too_large);
  CHECK(refusal_of<fixed_contract>(wg::for_items(SIZE_MAX)) == why::grid_too_large);
  for (long long const items : {LLONG_MAX, LLONG_MAX - 1, LLONG_MAX / 2 + 1}) {
    CHECK(refusal_of<thread_cluster_contract>(wg::for_items(items)) == why::grid_too_large);  // nothing overflows
  }
  // Whole clusters of 4 x 2 blocks of 256 x 1 threads.
  CHECK(refusal_of<cluster_contract>(wg::for_items(256 * 5, 3)) == why::none);
  CHECK(is_shape(runtime.config.gridDim, 8, 4, 1));
}

TEST_CASE("options are written in the order of <<<grid, block, bytes, stream>>>") {
  cudaStream_t const stream = reinterpret_cast<cudaStream_t>(0x10);
  start();
  CHECK(launch_with<any_contract>({dim3(4), dim3(96), 100, stream}) == cudaSuccess);
  CHECK(is_shape(runtime.config.gridDim, 4, 1, 1));
  CHECK(is_shape(runtime.config.blockDim, 96, 1, 1));
  CHECK(runtime.config.dynamicSmemBytes == 100);
  CHECK(runtime.config.stream == stream);
  CHECK(launch_with<any_contract>({std::size_t{5}, 100, std::size_t{7}}) == cudaSuccess);
  CHECK(runtime.config.blockDim.x == 100);  // not a whole number of warps
  CHECK(runtime.config.dynamicSmemBytes == 7);
  CHECK(runtime.config.stream == nullptr);
  CHECK(wg::launch<any_contract>(kernel, {6, {8, 4}, 0, stream}, 1, 2.0f) == cudaSuccess);
  CHECK(is_shape(runtime.config.blockDim, 8, 4, 1));
  CHECK(wg::launch<any_contract>(kernel, {6, dim3(1, 2, 3), 0, stream_reference{}}, 1, 2.0f) == cudaSuccess);
  CHECK(is_shape(runtime.config.blockDim, 1, 2, 3));
  CHECK(runtime.config.stream == stream_reference{}.get());

  // A second 0 is a stream, another number the block.
  wg::launch_options const with_stream{4, 0};
  CHECK(!with_stream.block.is_given());
  CHECK(!with_stream.bytes.is_given());
  wg::launch_options const with_block{4, 256};
  CHECK(with_block.block.is_given());
  CHECK(!with_block.bytes.is_given());
  CHECK(wg::launch_options{4, stream_reference{}}.stream == stream_reference{}.get());
  CHECK(wg::launch_options{4, stream}.stream == stream);
}

TEST_CASE("a launch chooses the block where the contract leaves it to it") {
  auto const refusal = [](wg::given_block block) { return refusal_of<block_contract>({1, block}); };
  CHECK(refusal_of<block_contract>({1}) == why::missing_block);
  CHECK(refusal_of<block_contract>({1, nullptr}) == why::missing_block);
  CHECK(refusal(0) == why::empty_block);
  CHECK(refusal(-256) == why::empty_block);
  CHECK(refusal({256, 0}) == why::empty_block);
  CHECK(refusal(dim3(64, 1, 0)) == why::empty_block);
  CHECK(refusal(513) == why::block_too_large);
  CHECK(refusal({1, 1, 65}) == why::block_too_large);
  CHECK(refusal({32, 17}) == why::block_too_large);
  CHECK(refusal((std::size_t{1} << 32) + 256) == why::block_too_large);
  CHECK(refusal(SIZE_MAX) == why::block_too_large);
  CHECK(refusal({65536, 65536, 65536}) == why::block_too_large);
  CHECK(refusal(47) == why::block_too_small);
  CHECK(refusal(48) == why::none);
  CHECK(refusal(49) == why::none);  // not a whole number of warps
  CHECK(runtime.config.blockDim.x == 49);
  CHECK(refusal({8, 1, 64}) == why::none);
  CHECK(is_shape(runtime.config.blockDim, 8, 1, 64));
}

TEST_CASE("under a fixed block a launch may state that block and no other") {
  auto const refusal = [](wg::given_block block) { return refusal_of<fixed_bytes_contract>({1, block}); };
  CHECK(refusal({32, 4, 2}) == why::none);
  CHECK(refusal(dim3(32, 4, 2)) == why::none);
  CHECK(refusal(256) == why::other_block);
  CHECK(refusal({4, 32, 2}) == why::other_block);
  CHECK(refusal({32, 4}) == why::other_block);
  CHECK(refusal(0) == why::empty_block);
}

TEST_CASE("a launch chooses the bytes where the contract leaves them to it") {
  auto const refusal = [](wg::given_bytes bytes) { return refusal_of<bytes_contract>({1, 256, bytes}); };
  CHECK(refusal_of<bytes_contract>({1, no_stream}) == why::none);
  CHECK(runtime.config.dynamicSmemBytes == 100 * 1024);  // the most
  CHECK(refusal(0) == why::none);
  CHECK(runtime.config.dynamicSmemBytes == 0);
  CHECK(refusal(std::size_t{100 * 1024}) == why::none);
  CHECK(runtime.config.dynamicSmemBytes == 100 * 1024);
  CHECK(runtime.opt_in_bytes == 232448 - 1024);
  CHECK(refusal(100 * 1024 + 1) == why::too_many_bytes);
  CHECK(refusal((std::size_t{1} << 32) + 16) == why::too_many_bytes);
  CHECK(refusal(-1) == why::negative_bytes);
  CHECK(refusal(std::int64_t{-4096}) == why::negative_bytes);
  // The device has less left than the table says.
  fake_runtime answers;
  answers.opt_in[0] = 50000;
  start(answers);
  CHECK(launch_with<bytes_contract>({1, 256, 50001 - 1024}) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::kernel_shared_memory);
  CHECK(launch_with<bytes_contract>({1, 256, 50000 - 1024}) == cudaSuccess);
}

TEST_CASE("bytes that the contract fixes, or that follow from the block, may be stated") {
  CHECK(refusal_of<fixed_bytes_contract>({1, {32, 4, 2}, 1024}) == why::none);
  CHECK(refusal_of<fixed_bytes_contract>({1, {32, 4, 2}, 1023}) == why::other_bytes);
  CHECK(refusal_of<fixed_bytes_contract>({1, {32, 4, 2}, 1025}) == why::other_bytes);
  CHECK(refusal_of<fixed_bytes_contract>({1, {32, 4, 2}, -1}) == why::negative_bytes);
  CHECK(refusal_of<per_thread_contract>({1, 100}) == why::none);
  CHECK(runtime.config.dynamicSmemBytes == 16 + 8 * 100);
  CHECK(refusal_of<per_thread_contract>({1, 100, 16 + 8 * 100}) == why::none);
  CHECK(refusal_of<per_thread_contract>({1, 100, 16 + 8 * 128}) == why::other_bytes);
}

TEST_CASE("launch_shape_of tells block, bytes and cluster on this device") {
  start();
  wg::launch_shape shape;
  CHECK(wg::launch_shape_of<fixed_contract>(kernel, shape) == cudaSuccess);
  CHECK(is_shape(shape.block, 256, 1, 1));
  CHECK(shape.dynamic_bytes == 0);
  CHECK(is_shape(shape.cluster, 1, 1, 1));
  CHECK(shape.compiled_for == 90);
  CHECK(wg::launch_shape_of<cluster_contract>(kernel, shape) == cudaSuccess);
  CHECK(is_shape(shape.cluster, 4, 2, 1));
  CHECK(wg::launch_shape_of<per_thread_contract>(kernel, shape, {{}, 64}) == cudaSuccess);
  CHECK(is_shape(shape.block, 64, 1, 1));
  CHECK(shape.dynamic_bytes == 16 + 8 * 64);
  CHECK(wg::launch_shape_of<per_thread_contract>(kernel, shape) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::missing_block);
  runtime.device = 2;
  runtime.compiled_for = 80;
  CHECK(wg::launch_shape_of<fixed_contract>(kernel, shape) == cudaSuccess);
  CHECK(is_shape(shape.block, 128, 1, 1));
  CHECK(shape.compiled_for == 80);
  CHECK(runtime.launches == 0);
}
