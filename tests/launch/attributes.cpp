// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// Tests the attributes of launches and the descriptions of launches, over fake_runtime.hpp.

#include <doctest/doctest.h>

#include "fake_launches.hpp"

namespace {

using why = wg::launch_refusal;

struct plain_contract : wg::contract<wg::threads_per_block<256>, wg::dynamic_shared_memory<1024>> {};
struct cluster_contract : wg::contract<wg::threads_per_block<256>, wg::on<wg::sm<90>, wg::cluster_size<4>>> {};
struct chosen_contract : wg::contract<wg::max_threads_per_block<1024>, wg::max_dynamic_shared_memory<48 * 1024>> {};

template <class Contract = plain_contract>
cudaError_t launch_with(wg::launch_options const& options) {
  start();
  return wg::launch<Contract>(kernel, options, 1, 2.0f);
}

/// Returns the attribute of the last launch, or one without an id.
cudaLaunchAttribute attribute(cudaLaunchAttributeID id) {
  for (cudaLaunchAttribute const& one : runtime.attributes) {
    if (one.id == id) return one;
  }
  cudaLaunchAttribute none{};
  none.id = cudaLaunchAttributeIgnore;
  return none;
}

}  // namespace

TEST_CASE("attributes by name reach the runtime") {
  auto const event = reinterpret_cast<cudaEvent_t>(0x60);
  wg::launch_options options{dim3(8)};
  cudaAccessPolicyWindow window{};
  window.num_bytes = 4096;
  options.attributes.priority(-3).access_policy_window(window);
  options.attributes.cluster_scheduling_policy(cudaClusterSchedulingPolicySpread);
  options.attributes.programmatic_event(event, true);
  CHECK(launch_with(options) == cudaSuccess);
  CHECK(attribute(cudaLaunchAttributePriority).val.priority == -3);
  CHECK(attribute(cudaLaunchAttributeAccessPolicyWindow).val.accessPolicyWindow.num_bytes == 4096);
  CHECK(attribute(cudaLaunchAttributeClusterSchedulingPolicyPreference).val.clusterSchedulingPolicyPreference ==
        cudaClusterSchedulingPolicySpread);
  CHECK(attribute(cudaLaunchAttributeProgrammaticEvent).val.programmaticEvent.event == event);
  CHECK(attribute(cudaLaunchAttributeProgrammaticEvent).val.programmaticEvent.triggerAtBlockStart == 1);
  CHECK(runtime.attributes.size() == (has_launch_carveout ? 5 : 4));
}

#if CUDART_VERSION >= 12080
TEST_CASE("so do those that came with CUDA 12") {
  auto const event = reinterpret_cast<cudaEvent_t>(0x60);
  wg::launch_options options{dim3(8)};
  cudaGraphDeviceNode_t node{};
  options.attributes.memory_sync_domain(cudaLaunchMemSyncDomainRemote).memory_sync_domain_map(1, 2);
  options.attributes.launch_completion_event(event).device_updatable_node(node);
  options.attributes.preferred_cluster(dim3(8, 1, 1)).shared_memory_carveout(77);
  CHECK(launch_with<cluster_contract>(options) == cudaSuccess);
  CHECK(attribute(cudaLaunchAttributeMemSyncDomain).val.memSyncDomain == cudaLaunchMemSyncDomainRemote);
  CHECK(attribute(cudaLaunchAttributeMemSyncDomainMap).val.memSyncDomainMap.default_ == 1);
  CHECK(attribute(cudaLaunchAttributeMemSyncDomainMap).val.memSyncDomainMap.remote == 2);
  CHECK(attribute(cudaLaunchAttributeLaunchCompletionEvent).val.launchCompletionEvent.event == event);
  CHECK(attribute(cudaLaunchAttributePreferredClusterDimension).val.preferredClusterDim.x == 8);
  CHECK(attribute(cudaLaunchAttributeDeviceUpdatableKernelNode).val.deviceUpdatableKernelNode.deviceUpdatable == 1);
  CHECK(node == reinterpret_cast<cudaGraphDeviceNode_t>(0x50));
  CHECK(runtime.cluster.x == 4);
  CHECK(runtime.launch_carveout == 77);  // instead of the contract's
  CHECK(runtime.attributes.size() == 7);
  options.attributes = {};
  options.attributes.shared_memory_carveout(10).shared_memory_carveout(10);
  CHECK(launch_with(options) == cudaErrorInvalidValue);
  CHECK(wg::why_refused() == why::repeated_attribute);
}
#endif

TEST_CASE("the caller's own attributes are passed on") {
  cudaLaunchAttribute own[3] = {};
  own[0].id = cudaLaunchAttributePriority;
  own[0].val.priority = 5;
  own[1].id = cudaLaunchAttributeIgnore;
  own[2].id = cudaLaunchAttributeMemSyncDomain;
  own[2].val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  wg::launch_options options{dim3(8)};
  options.attributes.add(own, 3);
  CHECK(options.attributes.count() == 2);
  CHECK(launch_with(options) == cudaSuccess);
  CHECK(attribute(cudaLaunchAttributePriority).val.priority == 5);
  CHECK(attribute(cudaLaunchAttributeMemSyncDomain).val.memSyncDomain == cudaLaunchMemSyncDomainRemote);
}

TEST_CASE("an attribute that is given twice is refused") {
  auto const is_refused = [](cudaError_t status) {
    return status == cudaErrorInvalidValue && wg::why_refused() == why::repeated_attribute && runtime.launches == 0;
  };
  cudaLaunchAttribute own{};
  own.id = cudaLaunchAttributePriority;
  wg::launch_options options{dim3(8)};
  options.attributes.priority(1).priority(1);
  CHECK(is_refused(launch_with(options)));
  options.attributes = {};
  options.attributes.priority(1).add(own);
  CHECK(is_refused(launch_with(options)));
  options.attributes = {};
  options.attributes.add(own).add(own);
  CHECK(is_refused(launch_with(options)));
  options.attributes = {};
  own.id = cudaLaunchAttributeClusterDimension;
  options.attributes.add(own);
  CHECK(is_refused(launch_with<cluster_contract>(options)));
  options.attributes = {};
  own.id = cudaLaunchAttributeCooperative;
  options.attributes.add(own);
  options.cooperative = true;
  CHECK(is_refused(launch_with(options)));
  options.attributes = {};
  own.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  options.attributes.add(own);
  options.programmatic_dependent_launch = true;
  CHECK(is_refused(launch_with(options)));
  // More than there is room for.
  options = {dim3(8)};
  for (int id = 1; options.attributes.count() < wg::launch_attributes::capacity; ++id) {
    own.id = static_cast<cudaLaunchAttributeID>(id);
    bool const is_contracts = id == cudaLaunchAttributeClusterDimension || id == 14;  // 14: the carve-out
    if (!is_contracts) options.attributes.add(own);
  }
  CHECK(launch_with<cluster_contract>(options) == cudaSuccess);
  own.id = static_cast<cudaLaunchAttributeID>(31);
  options.attributes.add(own);
  CHECK(is_refused(launch_with(options)));
}

#if CUDART_VERSION >= 12050
TEST_CASE("the carve-out follows the block that a launch chooses") {
  start();
  auto const carveout_of = [](int threads, int bytes) {
    CHECK(wg::launch<chosen_contract>(kernel, {1, threads, bytes}, 1, 2.0f) == cudaSuccess);
    return runtime.launch_carveout;
  };
  // 2 blocks of 1024 threads, and 4 of 48 KiB; of each 1 KiB is static and 1 KiB the driver's.
  CHECK(228 * carveout_of(1024, 0) <= 8 * 100);
  CHECK(228 * carveout_of(1024, 48 * 1024) > 64 * 100);
  CHECK(228 * carveout_of(128, 48 * 1024) > 164 * 100);
  CHECK(228 * carveout_of(1024, 0) <= 8 * 100);
}
#endif

TEST_CASE("describe_launch gives what the launch would give the runtime") {
  start();
  wg::launch_options options{{8, 2}, 128, 2048, reinterpret_cast<cudaStream_t>(0x10)};
  options.attributes.priority(4);
  wg::launch_description original;
  CHECK(wg::describe_launch<chosen_contract>(kernel, options, original) == cudaSuccess);
  wg::launch_description copy = original;
  original = {};
  cudaLaunchConfig_t const config = copy.config();
  CHECK(config.gridDim.x == 8);
  CHECK(config.gridDim.y == 2);
  CHECK(config.blockDim.x == 128);
  CHECK(config.dynamicSmemBytes == 2048);
  CHECK(config.stream == reinterpret_cast<cudaStream_t>(0x10));
  REQUIRE(config.numAttrs == (has_launch_carveout ? 2 : 1));
  CHECK(config.attrs[config.numAttrs - 1].id == cudaLaunchAttributePriority);
  CHECK(config.attrs[config.numAttrs - 1].val.priority == 4);
  int number = 1;
  float value = 2.0f;
  void* arguments[] = {&number, &value};
  cudaKernelNodeParams const node = copy.node_params(arguments);
  CHECK(node.func == reinterpret_cast<void*>(kernel));
  CHECK(node.gridDim.y == 2);
  CHECK(node.blockDim.x == 128);
  CHECK(node.sharedMemBytes == 2048);
  CHECK(node.kernelParams == arguments);
  CHECK(runtime.launches == 0);

  CHECK(wg::describe_launch<cluster_contract>(kernel, {8}, copy) == cudaSuccess);
  REQUIRE(copy.config().numAttrs == (has_launch_carveout ? 2 : 1));
  CHECK(copy.config().attrs[0].id == cudaLaunchAttributeClusterDimension);
  CHECK(wg::describe_launch<cluster_contract>(kernel, {7}, copy) == cudaErrorInvalidConfiguration);
  CHECK(wg::why_refused() == why::partial_cluster);
}
