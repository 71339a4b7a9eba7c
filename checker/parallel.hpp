// The only file that starts work on other cores.
//
// Workers::for_each calls work(0) ... work(count - 1), each exactly once, on up to `workers`
// threads, and returns when all are done. Who writes what is then simple to say: in every phase of
// the search each index owns its own memory (a chunk its buffers, a shard its table), everything
// else is read-only, and the return of for_each orders the phases. There is no atomic and no lock
// outside this file, and results do not depend on the number of workers: no index sees what another
// one left behind.
//
// RINGFENCE_STD_THREADS swaps oneTBB for std::thread: Debian's libtbb is not built for the thread
// sanitizer and floods it with false reports.
#pragma once

#include <cstddef>

#ifdef RINGFENCE_STD_THREADS
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#else
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace ringfence::checker {

class Workers {
  public:
    explicit Workers(unsigned count);

    [[nodiscard]] std::size_t count() const { return count_; }

    // An exception thrown by `work` comes out here, after all running calls have ended.
    template <class Work>
    void for_each(std::size_t count, const Work& work) {
        for_each_with_worker(count, [&](std::size_t index, std::size_t) { work(index); });
    }
    // Calls work(index, worker). A worker, a number below count(), is at one index at a time: what
    // it has at hand must be cleared for each.
    template <class Work>
    void for_each_with_worker(std::size_t count, const Work& work) {
        if (count_ > 1 && count > 1) {
            run_in_parallel(count, work);
        } else {
            for (std::size_t index = 0; index < count; ++index) { work(index, 0); }
        }
    }

  private:
    template <class Work>
    void run_in_parallel(std::size_t count, const Work& work);

    unsigned count_;
#ifndef RINGFENCE_STD_THREADS
    // oneTBB starts no more threads than there are cores unless it is told to.
    tbb::global_control control_;
    tbb::task_arena arena_;
#endif
};

#ifdef RINGFENCE_STD_THREADS

inline Workers::Workers(unsigned count) : count_(count == 0 ? 1 : count) {}

template <class Work>
void Workers::run_in_parallel(std::size_t count, const Work& work) {
    // Relaxed is enough: the counter only hands out distinct numbers. What the calls wrote becomes
    // visible to the caller by join().
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto loop = [&](std::size_t worker) {
        try {
            for (std::size_t index = next.fetch_add(1, std::memory_order_relaxed); index < count;
                 index = next.fetch_add(1, std::memory_order_relaxed)) {
                work(index, worker);
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned other = 1; other < count_; ++other) { threads.emplace_back(loop, other); }
    loop(0);
    threads.clear();  // joins
    if (failure) { std::rethrow_exception(failure); }
}

#else

inline Workers::Workers(unsigned count)
    : count_(count == 0 ? 1 : count),
      control_(tbb::global_control::max_allowed_parallelism, count_),
      arena_(static_cast<int>(count_)) {}

template <class Work>
void Workers::run_in_parallel(std::size_t count, const Work& work) {
    const auto loop = [&](const tbb::blocked_range<std::size_t>& range) {
        const auto worker = static_cast<std::size_t>(tbb::this_task_arena::current_thread_index());
        for (std::size_t index = range.begin(); index < range.end(); ++index) {
            work(index, worker);
        }
    };
    arena_.execute([&] {
        const tbb::blocked_range<std::size_t> all(0, count, 1);
        tbb::parallel_for(all, loop, tbb::simple_partitioner{});
    });
}

#endif

}  // namespace ringfence::checker
