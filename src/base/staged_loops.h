#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder {

/// Many short loops one after the other, shared by threads that stay together: while it lives, helpers watch for the
/// next loop instead of going to sleep. For loops of a few microseconds each, where starting a parallelFor costs more
/// than the work. What a loop wrote the next one may read; results do not depend on who ran what. A helper that never
/// gets a processor is not waited for: the others take all blocks that nobody has begun.
///
///     StagedLoops loops;
///     for (...) loops.parallelFor(count, grain, [&](const BlockRange& block) { ... });
///
/// For one thread, and to be destroyed on it. Ordinary parallel loops that are met meanwhile run on the thread that
/// meets them, so helpers cannot be called away.
class StagedLoops {
public:
    StagedLoops();
    ~StagedLoops();
    StagedLoops(const StagedLoops&) = delete;
    StagedLoops& operator=(const StagedLoops&) = delete;

    /// As sunder::parallelFor: fixed blocks, the same for any number of threads.
    template <class Body>
    void parallelFor(size_t count, size_t grain, Body&& body) {
        ASSERT(grain > 0);
        const size_t blocks = (count + grain - 1) / grain;
        const auto task = [&](size_t block) {
            body(BlockRange{block * grain, std::min(count, (block + 1) * grain), block});
        };
        if (blocks <= 1 || !crew_) {
            for (size_t block = 0; block < blocks; ++block) task(block);
            return;
        }
        run({blocks, &task, [](const void* self, size_t block) { (*static_cast<decltype(&task)>(self))(block); }});
    }

private:
    struct Stage {
        size_t blocks = 0;
        const void* task = nullptr;
        void (*call)(const void* task, size_t block) = nullptr;
    };
    struct Crew;

    void run(const Stage& stage);

    std::unique_ptr<Crew> crew_;  // none when there is only this thread
    uint64_t stages_ = 0;         // so far
};

}  // namespace sunder
