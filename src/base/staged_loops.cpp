#include "base/staged_loops.h"

#include <thread>
#include <vector>

namespace sunder {

namespace {

/// Waiting for microseconds: spins, and after a while lets others have the processor.
class Patience {
public:
    void wait() {
        if (++spins_ < kSpins) {
#if defined(__x86_64__) || defined(__i386__)
            __builtin_ia32_pause();
#endif
        } else {
            std::this_thread::yield();
        }
    }

private:
    static constexpr int kSpins = 2000;
    int spins_ = 0;
};

}  // namespace

/// The blocks of a stage are dealt out in ranges, one for each thread: from stage to stage a thread works on the same
/// part of the data, which is in its cache, and whoever is done takes what others have not begun.
///
/// A range is published by one number: which stage it is of, and how many of its blocks nobody has claimed yet. Whoever
/// lowers it by one has claimed a block of that very stage, so a helper that comes late can neither run a block twice
/// nor look at a stage that is over: the caller waits for every block that was claimed.
struct StagedLoops::Crew {
    static constexpr uint64_t kUnclaimed = 0xffffffffu;

    struct alignas(64) Range {
        std::atomic<uint64_t> claims{0};  // stage number << 32 | unclaimed blocks
    };
    std::vector<Range> ranges;                             // the caller's is the first
    alignas(64) std::atomic<const Stage*> stage{nullptr};  // to be read only with a block in hand
    std::atomic<size_t> unfinished{0};                     // blocks
    alignas(64) std::atomic<bool> over{false};
    std::atomic<size_t> helpersSoFar{0};
    detail::FirstFailure failure;
    detail::Helpers helpers;  // last: they use all of the above

    explicit Crew(int threads) : ranges(static_cast<size_t>(threads)), helpers(threads - 1, [this] { help(); }) {}

    size_t firstBlockOf(size_t range, size_t blocks) const { return blocks * range / ranges.size(); }

    void help() {
        const size_t own = ++helpersSoFar;
        Patience patience;
        while (!over.load(std::memory_order_acquire)) {
            if ((ranges[own].claims.load(std::memory_order_relaxed) & kUnclaimed) == 0) {
                patience.wait();
            } else {
                runBlocks(own);
                patience = {};
            }
        }
    }

    /// Claims and runs blocks until there are none: those of the own range, then those of others.
    void runBlocks(size_t own) {
        size_t done = 0;
        for (size_t i = 0; i < ranges.size(); ++i) {
            while (runBlock((own + i) % ranges.size())) ++done;
        }
        if (done > 0) unfinished.fetch_sub(done, std::memory_order_release);
    }

    bool runBlock(size_t range) {
        std::atomic<uint64_t>& claims = ranges[range].claims;
        uint64_t seen = claims.load(std::memory_order_acquire);
        do {
            if ((seen & kUnclaimed) == 0) return false;
        } while (!claims.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire));
        const Stage& now = *stage.load(std::memory_order_relaxed);
        const size_t block = firstBlockOf(range + 1, now.blocks) - static_cast<size_t>(seen & kUnclaimed);
        try {
            now.call(now.task, block);
        } catch (...) {
            failure.keep(block, std::current_exception());
        }
        return true;
    }
};

StagedLoops::StagedLoops() {
    const int threads = detail::loopsMayFork() ? threadCount() : 1;
    if (threads > 1) crew_ = std::make_unique<Crew>(threads);
}

StagedLoops::~StagedLoops() {
    if (crew_) crew_->over.store(true, std::memory_order_release);
}

void StagedLoops::run(const Stage& stage) {
    Crew& crew = *crew_;
    ASSERT(stage.blocks <= Crew::kUnclaimed);
    crew.stage.store(&stage, std::memory_order_relaxed);
    crew.unfinished.store(stage.blocks, std::memory_order_relaxed);
    ++stages_;
    // our own first: who sees a range of this stage may look for work in any before it
    for (size_t range = 0; range < crew.ranges.size(); ++range) {
        const size_t blocks = crew.firstBlockOf(range + 1, stage.blocks) - crew.firstBlockOf(range, stage.blocks);
        crew.ranges[range].claims.store(stages_ << 32 | blocks, std::memory_order_release);
    }
    crew.runBlocks(0);
    for (Patience patience; crew.unfinished.load(std::memory_order_acquire) > 0;) patience.wait();
    crew.failure.rethrow();
}

}  // namespace sunder
