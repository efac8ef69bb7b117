#include "base/staged_loops.h"

#include <thread>

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

/// The caller publishes a stage by one number: which stage it is, and how many of its blocks nobody has claimed yet.
/// Whoever lowers it by one has claimed a block of that very stage, so a helper that comes late can neither run a block
/// twice nor look at a stage that is over: the caller waits for every block that was claimed.
struct StagedLoops::Crew {
    static constexpr uint64_t kUnclaimed = 0xffffffffu;

    std::atomic<uint64_t> claims{0};           // stage number << 32 | unclaimed blocks
    std::atomic<const Stage*> stage{nullptr};  // to be read only with a block in hand
    std::atomic<size_t> unfinished{0};         // blocks
    std::atomic<bool> over{false};
    detail::FirstFailure failure;
    detail::Helpers helpers;  // last: they use all of the above

    explicit Crew(int count) : helpers(count, [this] { help(); }) {}

    void help() {
        Patience patience;
        while (!over.load(std::memory_order_acquire)) {
            if (runBlock()) {
                patience = {};
            } else {
                patience.wait();
            }
        }
    }

    /// Claims one block and runs it; false when there is none.
    bool runBlock() {
        uint64_t seen = claims.load(std::memory_order_acquire);
        do {
            if ((seen & kUnclaimed) == 0) return false;
        } while (!claims.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire));
        const Stage& now = *stage.load(std::memory_order_relaxed);
        const size_t block = now.blocks - static_cast<size_t>(seen & kUnclaimed);
        try {
            now.call(now.task, block);
        } catch (...) {
            failure.keep(block, std::current_exception());
        }
        unfinished.fetch_sub(1, std::memory_order_release);
        return true;
    }
};

StagedLoops::StagedLoops() {
    const int threads = detail::loopsMayFork() ? threadCount() : 1;
    if (threads > 1) crew_ = std::make_unique<Crew>(threads - 1);
}

StagedLoops::~StagedLoops() {
    if (crew_) crew_->over.store(true, std::memory_order_release);
}

void StagedLoops::run(const Stage& stage) {
    Crew& crew = *crew_;
    ASSERT(stage.blocks <= Crew::kUnclaimed);
    crew.stage.store(&stage, std::memory_order_relaxed);
    crew.unfinished.store(stage.blocks, std::memory_order_relaxed);
    const uint64_t number = (crew.claims.load(std::memory_order_relaxed) >> 32) + 1;
    crew.claims.store(number << 32 | stage.blocks, std::memory_order_release);

    while (crew.runBlock()) {
    }
    for (Patience patience; crew.unfinished.load(std::memory_order_acquire) > 0;) patience.wait();
    crew.failure.rethrow();
}

}  // namespace sunder
