#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace sunder::studio {

/// Once it is armed, the program ends within a time, whatever else does not: a file system that hangs, a frame that
/// takes long. What is to be kept must be kept before, or be such that a kill does it no harm, as recordings are.
class EndWatch {
public:
    static constexpr std::chrono::milliseconds kWithin{1800};

    /// `leave` ends the program; without: at once, with exit code 0 and a line on stderr.
    explicit EndWatch(std::chrono::milliseconds within = kWithin, std::function<void()> leave = {});
    /// Everything has ended in time.
    ~EndWatch();
    EndWatch(const EndWatch&) = delete;
    EndWatch& operator=(const EndWatch&) = delete;

    void arm();  // from any thread; the first time counts

private:
    void watch();

    const std::chrono::milliseconds within_;
    const std::function<void()> leave_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool armed_ = false, done_ = false;
    std::thread thread_;  // the last to come
};

}  // namespace sunder::studio
