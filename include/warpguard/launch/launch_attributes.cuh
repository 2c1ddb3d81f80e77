// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The attributes of a launch: the common ones by name, and any other as the runtime defines it.

#pragma once

#include <cuda_runtime.h>

namespace warpguard {

/// Attributes of a launch, in any order. Those that the toolkit lacks are missing here too. A launch refuses an
/// attribute that is given twice, be it by name, as an attribute, by the contract or by launch_options:
///
///     options.attributes.priority(-1).memory_sync_domain(cudaLaunchMemSyncDomainRemote);
class launch_attributes {
 public:
  /// More than the runtime has.
  static constexpr unsigned capacity = 24;

  launch_attributes() {}  // leaves values_ as it is, because a launch should not fill it

  /// Adds an attribute as the runtime defines it.
  launch_attributes& add(cudaLaunchAttribute const& attribute) {
    if (attribute.id == cudaLaunchAttributeIgnore) return *this;
    if (count_ < capacity) values_[count_] = attribute;
    ++count_;
    return *this;
  }
  /// Adds `count` of them.
  launch_attributes& add(cudaLaunchAttribute const* attributes, unsigned count) {
    for (unsigned index = 0; index < count; ++index) add(attributes[index]);
    return *this;
  }

  /// The priority of the launch; lower numbers come first. cudaDeviceGetStreamPriorityRange() has the range.
  launch_attributes& priority(int value) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = value;
    return add(attribute);
  }
  /// Which part of the memory the kernel reuses, and how the L2 cache treats it.
  launch_attributes& access_policy_window(cudaAccessPolicyWindow const& window) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeAccessPolicyWindow;
    attribute.val.accessPolicyWindow = window;
    return add(attribute);
  }
  /// How clusters are distributed over the SMs (9.0 and later).
  launch_attributes& cluster_scheduling_policy(cudaClusterSchedulingPolicy policy) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    attribute.val.clusterSchedulingPolicyPreference = policy;
    return add(attribute);
  }
  /// Records an event when all blocks have triggered it, or begun if `at_block_start`. `flags` are those of
  /// cudaEventRecordWithFlags().
  launch_attributes& programmatic_event(cudaEvent_t event, bool at_block_start = false, unsigned flags = 0) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = event;
    attribute.val.programmaticEvent.flags = static_cast<int>(flags);
    attribute.val.programmaticEvent.triggerAtBlockStart = at_block_start ? 1 : 0;
    return add(attribute);
  }
#if CUDART_VERSION >= 12000
  /// Whose memory operations a fence of the kernel waits for (9.0 and later).
  launch_attributes& memory_sync_domain(cudaLaunchMemSyncDomain domain) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeMemSyncDomain;
    attribute.val.memSyncDomain = domain;
    return add(attribute);
  }
  /// The domains of the device that the two logical ones stand for.
  launch_attributes& memory_sync_domain_map(unsigned char of_default, unsigned char of_remote) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeMemSyncDomainMap;
    attribute.val.memSyncDomainMap.default_ = of_default;
    attribute.val.memSyncDomainMap.remote = of_remote;
    return add(attribute);
  }
#endif
#if CUDART_VERSION >= 12030
  /// Records an event when the last block has begun. `flags` are those of cudaEventRecordWithFlags().
  launch_attributes& launch_completion_event(cudaEvent_t event, unsigned flags = 0) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
    attribute.val.launchCompletionEvent.event = event;
    attribute.val.launchCompletionEvent.flags = static_cast<int>(flags);
    return add(attribute);
  }
#endif
#if CUDART_VERSION >= 12040
  /// For a launch into a stream that is captured: device code may update the node, by the handle that the launch
  /// writes to `node`.
  launch_attributes& device_updatable_node(cudaGraphDeviceNode_t& node) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    device_node_ = &node;
    return add(attribute);
  }
#endif
#if CUDART_VERSION >= 12050
  /// The carve-out in percent of the largest; instead of the one that the contract's blocks need.
  launch_attributes& shared_memory_carveout(unsigned percent) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attribute.val.sharedMemCarveout = percent;
    return add(attribute);
  }
#endif
#if CUDART_VERSION >= 12080
  /// The cluster that is preferred to the contract's where there is room: blocks, a multiple of the contract's
  /// (10.0 and later).
  launch_attributes& preferred_cluster(dim3 blocks) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributePreferredClusterDimension;
    attribute.val.preferredClusterDim.x = blocks.x;
    attribute.val.preferredClusterDim.y = blocks.y;
    attribute.val.preferredClusterDim.z = blocks.z;
    return add(attribute);
  }
#endif

  /// How many were added; more than `capacity` are not kept, and refused.
  unsigned count() const { return count_; }
  /// The attribute number `index`: below count() and `capacity`.
  cudaLaunchAttribute const& operator[](unsigned index) const { return values_[index]; }
  /// Whether an attribute of this kind was added.
  bool has(cudaLaunchAttributeID id) const {
    for (unsigned index = 0; index < count_ && index < capacity; ++index) {
      if (values_[index].id == id) return true;
    }
    return false;
  }

#if CUDART_VERSION >= 12040
  /// Where a launch writes the handle of a device-updatable node; null without one.
  cudaGraphDeviceNode_t* device_node() const { return device_node_; }
#endif

 private:
#if CUDART_VERSION >= 12040
  cudaGraphDeviceNode_t* device_node_ = nullptr;
#endif
  unsigned count_ = 0;
  cudaLaunchAttribute values_[capacity];
};

}  // namespace warpguard
