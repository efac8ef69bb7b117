#include "base/stopwatch.h"

#include <ctime>

namespace sunder {

namespace {

double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int64_t secondsSinceEpoch() { return static_cast<int64_t>(std::time(nullptr)); }

Stopwatch::Stopwatch() : wallStart_(secondsOf(CLOCK_MONOTONIC)), cpuStart_(secondsOf(CLOCK_PROCESS_CPUTIME_ID)) {}

double Stopwatch::wallSeconds() const { return secondsOf(CLOCK_MONOTONIC) - wallStart_; }

double Stopwatch::cpuSeconds() const { return secondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpuStart_; }

}  // namespace sunder
