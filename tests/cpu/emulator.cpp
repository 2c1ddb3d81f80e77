// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The threads of a kernel as fibers of Boost.Context.
///
/// The blocks of a cooperative grid are all alive at once; of other grids, a few clusters or blocks at a time. Rounds
/// go through all living threads, in the order of the program's argument. A thread runs until it waits for others, or
/// ends. If a round finds no thread that can run, the kernel has a deadlock.
///
/// EMULATOR_ADDRESS tells the address sanitizer about the stacks of the fibers. EMULATOR_THREAD tells the thread
/// sanitizer that each fiber is a thread, and that barriers order them. It then finds races that no order of the
/// fibers shows: two threads access the same memory, one of them writes, and no barrier is between them.

#include "emulator.hpp"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "shims/cuda_runtime.h"

#ifdef EMULATOR_ADDRESS
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef EMULATOR_THREAD
#include <sanitizer/tsan_interface.h>
extern "C" void AnnotateIgnoreReadsBegin(char const* file, int line);
extern "C" void AnnotateIgnoreReadsEnd(char const* file, int line);
extern "C" void AnnotateIgnoreWritesBegin(char const* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(char const* file, int line);
#endif

// The options of the sanitizers: they stop at the first fault.
extern "C" char const* __asan_default_options() { return "abort_on_error=0:detect_leaks=0"; }
extern "C" char const* __tsan_default_options() { return "halt_on_error=1"; }

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

/// A variable that is `__shared__` in a kernel, or `thread_local` outside of kernels: the compiler's description.
struct emulated_variable {
  std::size_t size;
  std::size_t alignment;
  void* object;
  void const* initial_value;  ///< nullptr: zeros
};

namespace emulator {

namespace {

constexpr std::size_t stack_bytes = 128 * 1024;
constexpr unsigned warp_threads = 32;
constexpr unsigned blocks_at_once = 4;  ///< of grids that are not cooperative; at least two clusters
constexpr int named_barriers = 16;
/// The pattern of unwritten memory: a NaN as float and double, -1 as int.
constexpr int unwritten = 0xff;

void release(void* at) {
#ifdef EMULATOR_THREAD
  __tsan_release(at);
#else
  static_cast<void>(at);
#endif
}
void acquire(void* at) {
#ifdef EMULATOR_THREAD
  __tsan_acquire(at);
  // The sanitizer has 255 clocks, which the fibers lend each other. After it has taken another clock, a fiber must also
  // release something, which nobody acquires, or the sanitizer finds races but reports none.
  char nobody = 0;
  __tsan_release(&nobody);
#else
  static_cast<void>(at);
#endif
}

/// While it lives, what the running thread does to memory is the emulator's work, not the kernel's.
struct unwatched {
  unwatched() {
#ifdef EMULATOR_THREAD
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
  }
  ~unwatched() {
#ifdef EMULATOR_THREAD
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
  }
  unwatched(unwatched const&) = delete;
  unwatched& operator=(unwatched const&) = delete;
};

void* allocate_aligned(std::size_t bytes, std::size_t alignment) {
  unwatched const here;
  void* memory = nullptr;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), bytes) != 0) std::abort();
  std::memset(memory, unwritten, bytes);
  return memory;
}

struct block;
struct running_thread;

/// Where threads wait for each other. A thread may come again before all have left, but not twice, so two places for
/// the sanitizer's ordering suffice.
struct barrier {
  explicit barrier(char const* name_) : name(name_) {}

  char const* name;
  unsigned arrived = 0;
  unsigned phase = 0;
  unsigned expected = 0;  ///< of named barriers, whose first thread sets it
  std::vector<running_thread*> waiting;
  char ordering[2] = {};
};

/// The values that lanes of a warp pass to each other, of this phase and of the next.
struct exchange_place {
  barrier lanes{"lanes of a warp"};
  unsigned long long bits[2][warp_threads] = {};
};

struct warp {
  std::map<unsigned, exchange_place> of_mask;
};

struct cluster {
  barrier all{"cluster"};
  unsigned living = 0;
  std::vector<std::unique_ptr<block>> blocks;
};

struct block {
  uint3 index{};
  unsigned rank = 0;
  cluster* in = nullptr;
  unsigned living = 0;
  std::vector<barrier> named{named_barriers, barrier{"barrier of a block"}};
  std::vector<warp> warps;
  struct variable {
    emulated_variable* what;  ///< nullptr: the dynamic shared memory
    unsigned char* memory;
    std::size_t size;
  };
  std::vector<variable> shared;
  char end = 0;

  /// Returns the block's memory for a variable.
  variable& find(emulated_variable* what) {
    for (variable& each : shared) {
      if (each.what == what) return each;
    }
    auto* const memory = static_cast<unsigned char*>(allocate_aligned(what->size, what->alignment));
    return shared.emplace_back(variable{what, memory, what->size});
  }
  void free_shared() {
    for (variable& each : shared) std::free(each.memory);
    shared.clear();
  }
};

/// A stack, as the address sanitizer knows it.
struct watched_stack {
#ifdef EMULATOR_ADDRESS
  void* fake_stack = nullptr;
  void const* stack = nullptr;
  std::size_t size = 0;
#endif
};

/// A fiber that runs one thread after the other.
struct fiber : watched_stack {
  boost::context::fiber context;
#ifdef EMULATOR_THREAD
  void* thread = __tsan_create_fiber(0);
#endif
};

struct running_thread {
  fiber* on = nullptr;
  block* in = nullptr;
  uint3 index{};
  unsigned number = 0;  ///< in the block
  bool can_run = true;
  bool has_ended = false;
  barrier* waits_at = nullptr;
};

/// What is running, and the stack of the scheduler.
struct state : watched_stack {
  launch const* what = nullptr;
  caller call = nullptr;
  running_thread* current = nullptr;
  boost::context::fiber scheduler;
  barrier grid{"grid"};
  char start = 0;
  char end = 0;
#ifdef EMULATOR_THREAD
  void* thread = nullptr;
#endif
};
state now;

enum class order { forward, reversed, shuffled };
order threads_order = order::forward;
std::mt19937 random_numbers;

template <class Values>
void put_in_order(Values& values) {
  if (threads_order == order::shuffled) std::shuffle(values.begin(), values.end(), random_numbers);
}

std::map<void const*, caller>& callers() {
  static std::map<void const*, caller> all;
  return all;
}

// ---- Switching ------------------------------------------------------------------------------------------------------

/// Goes back to the scheduler until the thread is chosen again.
void leave() {
  [[maybe_unused]] fiber& own = *now.current->on;
#ifdef EMULATOR_ADDRESS
  __sanitizer_start_switch_fiber(&own.fake_stack, now.stack, now.size);
#endif
#ifdef EMULATOR_THREAD
  __tsan_switch_to_fiber(now.thread, __tsan_switch_to_fiber_no_sync);
#endif
  now.scheduler = std::move(now.scheduler).resume();
#ifdef EMULATOR_ADDRESS
  __sanitizer_finish_switch_fiber(own.fake_stack, nullptr, nullptr);
#endif
}

/// What a fiber does: the threads that it is given.
void run_threads() {
#ifdef EMULATOR_ADDRESS
  __sanitizer_finish_switch_fiber(nullptr, &now.stack, &now.size);
#endif
  for (;;) {
    acquire(&now.start);
    now.call(now.what->kernel, now.what->arguments);
    now.current->has_ended = true;
    release(&now.current->in->end);
    release(&now.end);
    leave();
  }
}

/// Fibers are kept for later launches, and never end: their stacks hold nothing that has to be destroyed.
fiber& fiber_number(std::size_t number) {
  static auto& all = *new std::vector<std::unique_ptr<fiber>>;
  while (all.size() <= number) {
    auto created = std::make_unique<fiber>();
    boost::context::protected_fixedsize_stack allocator(stack_bytes);
    boost::context::stack_context const memory = allocator.allocate();
#ifdef EMULATOR_ADDRESS
    created->stack = static_cast<char*>(memory.sp) - memory.size;
    created->size = memory.size;
#endif
    created->context =
        boost::context::fiber(std::allocator_arg, boost::context::preallocated(memory.sp, memory.size, memory),
                              allocator, [](boost::context::fiber&& scheduler) {
                                now.scheduler = std::move(scheduler);
                                run_threads();
                                return std::move(now.scheduler);
                              });
    all.push_back(std::move(created));
  }
  return *all[number];
}

/// Runs a thread until it waits or ends.
void go_on_with(running_thread& next) {
  now.current = &next;
  threadIdx = next.index;
  blockIdx = next.in->index;
#ifdef EMULATOR_ADDRESS
  __sanitizer_start_switch_fiber(&now.fake_stack, next.on->stack, next.on->size);
#endif
#ifdef EMULATOR_THREAD
  now.thread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(next.on->thread, __tsan_switch_to_fiber_no_sync);
#endif
  next.on->context = std::move(next.on->context).resume();
#ifdef EMULATOR_ADDRESS
  __sanitizer_finish_switch_fiber(now.fake_stack, nullptr, nullptr);
#endif
  now.current = nullptr;
}

// ---- Waiting --------------------------------------------------------------------------------------------------------

void complete(barrier& at) {
  for (running_thread* each : at.waiting) {
    each->can_run = true;
    each->waits_at = nullptr;
  }
  at.waiting.clear();
  at.arrived = 0;
  at.expected = 0;
  ++at.phase;
}

void arrive(barrier& at) {
  release(&at.ordering[at.phase % 2]);
  ++at.arrived;
}

/// Leaves until all have arrived. The last one does not leave.
void stay(barrier& at, unsigned expected) {
  if (at.arrived == expected) {
    complete(at);
  } else {
    now.current->can_run = false;
    now.current->waits_at = &at;
    at.waiting.push_back(now.current);
    leave();
  }
}

/// Waits until `expected` threads have arrived.
void wait(barrier& at, unsigned expected) {
  char* const ordering = &at.ordering[at.phase % 2];
  arrive(at);
  stay(at, expected);
  acquire(ordering);
}

/// Threads that have ended are no longer waited for.
void remove_ended(running_thread const& ended) {
  block& own = *ended.in;
  --own.living;
  --own.in->living;
  barrier& all = own.named[0];
  if (all.expected == 0 && all.arrived > 0 && all.arrived == own.living) complete(all);
  if (own.in->all.arrived > 0 && own.in->all.arrived == own.in->living) complete(own.in->all);
  if (own.living > 0) return;
  acquire(&own.end);
  for (barrier const& each : own.named) {
    if (each.arrived > 0) fail("the block has ended, and a named barrier is incomplete");
  }
  own.free_shared();
}

barrier& find_barrier(int number, int threads) {
  if (number < 0 || number >= named_barriers) fail("a block has the named barriers 0 to 15");
  if (threads <= 0 || threads % static_cast<int>(warp_threads) != 0) fail("a barrier waits for whole warps");
  barrier& found = now.current->in->named[static_cast<std::size_t>(number)];
  if (found.arrived > 0 && found.expected != static_cast<unsigned>(threads)) {
    fail("threads at the same barrier expect different numbers of threads");
  }
  found.expected = static_cast<unsigned>(threads);
  return found;
}

exchange_place& find_place(unsigned mask) {
  running_thread& own = *now.current;
  if ((mask >> own.number % warp_threads & 1u) == 0) fail("the mask lacks the lane that passes it");
  return own.in->warps[own.number / warp_threads].of_mask[mask];
}

unsigned lanes_in(unsigned mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

// ---- Launching ------------------------------------------------------------------------------------------------------

std::unique_ptr<block> make_block(cluster& in, uint3 index, unsigned rank) {
  launch const& what = *now.what;
  auto made = std::make_unique<block>();
  made->index = index;
  made->rank = rank;
  made->in = &in;
  made->living = what.block.count();
  made->warps.resize((made->living + warp_threads - 1) / warp_threads);
  // The dynamic shared memory begins at a multiple of 1024, or of less if the block also has static shared memory.
  auto* const memory = static_cast<unsigned char*>(allocate_aligned(what.dynamic_bytes, 1024));
  made->shared.push_back({nullptr, memory, what.dynamic_bytes});
  in.living += made->living;
  return made;
}

/// Makes cluster `number` of the grid; clusters count along x first, as blocks do within a cluster.
std::unique_ptr<cluster> make_cluster(unsigned number) {
  launch const& what = *now.what;
  unsigned const across = what.grid.x / what.cluster.x;
  unsigned const down = what.grid.y / what.cluster.y;
  uint3 const first{number % across * what.cluster.x, number / across % down * what.cluster.y,
                    number / across / down * what.cluster.z};
  auto made = std::make_unique<cluster>();
  for (unsigned rank = 0; rank < what.cluster.count(); ++rank) {
    uint3 const index{first.x + rank % what.cluster.x, first.y + rank / what.cluster.x % what.cluster.y,
                      first.z + rank / what.cluster.x / what.cluster.y};
    made->blocks.push_back(make_block(*made, index, rank));
  }
  return made;
}

void add_threads(block& of, std::vector<running_thread>& threads) {
  extent const& shape = now.what->block;
  for (unsigned number = 0; number < shape.count(); ++number) {
    running_thread& each = threads.emplace_back();
    each.in = &of;
    each.number = number;
    each.index = {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
  }
}

[[noreturn]] void fail_at_deadlock(std::vector<running_thread*> const& living) {
  std::map<std::pair<barrier*, char const*>, unsigned> waiting;
  for (running_thread const* each : living) ++waiting[{each->waits_at, each->waits_at->name}];
  for (auto const& [where, count] : waiting) {
    std::fprintf(stderr, "%u threads wait at: %s; %u have arrived\n", count, where.second, where.first->arrived);
  }
  fail("deadlock: every thread waits for another");
}

/// Runs some clusters of the grid, all at once.
void run_together(unsigned const* first, unsigned const* last) {
  std::vector<std::unique_ptr<cluster>> clusters;
  std::vector<running_thread> threads;
  threads.reserve(static_cast<std::size_t>(last - first) * now.what->cluster.count() * now.what->block.count());
  for (; first != last; ++first) {
    clusters.push_back(make_cluster(*first));
    for (auto const& each : clusters.back()->blocks) add_threads(*each, threads);
  }
  std::vector<running_thread*> living;
  for (running_thread& each : threads) {
    each.on = &fiber_number(living.size());
    living.push_back(&each);
  }
  if (threads_order == order::reversed) std::reverse(living.begin(), living.end());
  while (!living.empty()) {
    put_in_order(living);
    bool has_run = false;
    for (running_thread* each : living) {
      if (!each->can_run) continue;
      has_run = true;
      go_on_with(*each);
      if (each->has_ended) remove_ended(*each);
    }
    if (!has_run) fail_at_deadlock(living);
    living.erase(std::remove_if(living.begin(), living.end(), [](running_thread* each) { return each->has_ended; }),
                 living.end());
  }
}

}  // namespace

void fail(char const* reason) {
  std::fflush(stdout);
  std::fprintf(stderr, "emulator: %s", reason);
  if (now.current != nullptr) {
    std::fprintf(stderr, " (block %u,%u,%u thread %u,%u,%u)", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
                 threadIdx.y, threadIdx.z);
  }
  std::fprintf(stderr, "\n");
  std::_Exit(1);
}

void set_order(char const* name) {
  std::string const text = name;
  if (text == "forward") {
    threads_order = order::forward;
  } else if (text == "reversed") {
    threads_order = order::reversed;
  } else if (text.rfind("shuffled:", 0) == 0) {
    threads_order = order::shuffled;
    random_numbers.seed(static_cast<unsigned>(std::stoul(text.substr(9))));
  } else {
    fail("orders are forward, reversed and shuffled:SEED");
  }
}

void add_kernel(void const* kernel, caller call) { callers()[kernel] = call; }
bool knows(void const* kernel) { return callers().count(kernel) == 1; }

void run(launch const& what) {
  now.what = &what;
  now.call = callers().at(what.kernel);
  now.grid = barrier{"grid"};
  blockDim = dim3(what.block.x, what.block.y, what.block.z);
  gridDim = dim3(what.grid.x, what.grid.y, what.grid.z);

  unsigned const clusters = what.grid.count() / what.cluster.count();
  std::vector<unsigned> numbers(clusters);
  for (unsigned i = 0; i < clusters; ++i) numbers[i] = threads_order == order::reversed ? clusters - 1 - i : i;
  put_in_order(numbers);
  unsigned const together = what.is_cooperative ? clusters : std::max(blocks_at_once / what.cluster.count(), 2u);
  release(&now.start);
  for (unsigned i = 0; i < clusters; i += together) {
    run_together(&numbers[i], numbers.data() + std::min(i + together, clusters));
  }
  acquire(&now.end);
}

void* allocate(std::size_t bytes) { return allocate_aligned(bytes, 256); }

// ---- What threads call ----------------------------------------------------------------------------------------------

void wait_for_block() {
  unwatched const here;
  block& own = *now.current->in;
  if (own.named[0].expected != 0) fail("__syncthreads() meets a bar.sync 0 of other threads");
  wait(own.named[0], own.living);
}

void wait_for_cluster() {
  unwatched const here;
  cluster& own = *now.current->in->in;
  wait(own.all, own.living);
}

void wait_for_grid() {
  unwatched const here;
  if (!now.what->is_cooperative) fail("grid.sync() in a launch that is not cooperative");
  wait(now.grid, now.what->grid.count() * now.what->block.count());
}

void wait_at_barrier(int number, int threads) {
  unwatched const here;
  wait(find_barrier(number, threads), static_cast<unsigned>(threads));
}

void arrive_at_barrier(int number, int threads) {
  unwatched const here;
  barrier& at = find_barrier(number, threads);
  arrive(at);
  if (at.arrived == static_cast<unsigned>(threads)) complete(at);
}

void wait_for_warp(unsigned mask) {
  unwatched const here;
  exchange_place& place = find_place(mask);
  wait(place.lanes, lanes_in(mask));
}

unsigned long long exchange_in_warp(unsigned mask, unsigned long long bits, unsigned source) {
  unwatched const here;
  exchange_place& place = find_place(mask);
  if (source >= warp_threads || (mask >> source & 1u) == 0) fail("a shuffle reads from a lane outside of its mask");
  // No ordering: a shuffle passes its value, but does not order other memory.
  unsigned const phase = place.lanes.phase % 2;
  place.bits[phase][lane_in_warp()] = bits;
  ++place.lanes.arrived;
  stay(place.lanes, lanes_in(mask));
  return place.bits[phase][source];
}

void before_atomic() {
  if (threads_order == order::shuffled && now.current != nullptr && random_numbers() % 16 == 0) leave();
}

unsigned lane_in_warp() { return now.current->number % warp_threads; }
unsigned rank_in_cluster() { return now.current->in->rank; }
unsigned blocks_in_cluster() { return now.what->cluster.count(); }

void* in_block_of_cluster(void const* shared, unsigned rank) {
  unwatched const here;
  block& own = *now.current->in;
  if (rank >= own.in->blocks.size()) fail("map_shared_rank() of a block that the cluster does not have");
  block& other = *own.in->blocks[rank];
  if (other.living == 0) fail("map_shared_rank() of a block that has ended");
  auto const address = reinterpret_cast<std::uintptr_t>(shared);
  for (block::variable const& each : own.shared) {
    auto const start = reinterpret_cast<std::uintptr_t>(each.memory);
    if (address >= start && address < start + each.size) return other.find(each.what).memory + (address - start);
  }
  fail("map_shared_rank() of an address that is not in shared memory");
}

}  // namespace emulator

/// The compiler calls this for the address of each `thread_local` variable. In a kernel these are `__shared__`. The
/// linker leaves the variable of `extern __shared__` undefined, so its address is null.
extern "C" void* __emutls_get_address(emulated_variable* variable) {
  using emulator::now;
  emulator::unwatched const here;
  if (now.current != nullptr) return now.current->in->find(variable).memory;
  if (variable->object == nullptr) {
    variable->object = std::malloc(variable->size);
    if (variable->initial_value != nullptr) {
      std::memcpy(variable->object, variable->initial_value, variable->size);
    } else {
      std::memset(variable->object, 0, variable->size);
    }
  }
  return variable->object;
}
