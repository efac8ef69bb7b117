#pragma once

#include <cstdint>

namespace sunder {

/// Of the clock of the machine, since 1970, UTC: when something was written, never how long it took.
int64_t secondsSinceEpoch();

/// Wall and CPU seconds since it was made.
class Stopwatch {
public:
    Stopwatch();
    double wallSeconds() const;  // by a clock that nobody sets back
    /// CPU time of the whole process (all threads).
    double cpuSeconds() const;

private:
    double wallStart_;
    double cpuStart_;
};

}  // namespace sunder
