#include "studio/end_watch.h"

#include <cstdio>
#include <cstdlib>

namespace sunder::studio {

namespace {

void leaveAtOnce() {
    std::fputs("what was at work did not end in time and is left; recordings hold every frame that was made\n", stderr);
    std::_Exit(0);
}

}  // namespace

EndWatch::EndWatch(std::chrono::milliseconds within, std::function<void()> leave)
    : within_(within), leave_(leave ? std::move(leave) : leaveAtOnce), thread_([this] { watch(); }) {}

EndWatch::~EndWatch() {
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void EndWatch::arm() {
    {
        const std::lock_guard lock(mutex_);
        armed_ = true;
    }
    wake_.notify_all();
}

void EndWatch::watch() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return armed_ || done_; });
    if (!done_ && !wake_.wait_for(lock, within_, [&] { return done_; })) leave_();
}

}  // namespace sunder::studio
