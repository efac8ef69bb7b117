#pragma once

#include <map>
#include <string>

namespace sunder {

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

/// Seconds per named stage. Not for several threads at once: one per thread or per stage list.
class StageTimes {
public:
    void add(const std::string& stage, double seconds) { seconds_[stage] += seconds; }  // a new stage begins at 0
    /// By the name of the stage, in alphabetical order.
    const std::map<std::string, double>& seconds() const { return seconds_; }

private:
    std::map<std::string, double> seconds_;
};

/// Adds the wall time of its scope to a stage: `TimeScope t(times, "collide");`
class TimeScope {
public:
    TimeScope(StageTimes& times, std::string stage) : times_(times), stage_(std::move(stage)) {}  // `times` outlives it
    ~TimeScope() { times_.add(stage_, watch_.wallSeconds()); }
    TimeScope(const TimeScope&) = delete;
    TimeScope& operator=(const TimeScope&) = delete;

private:
    StageTimes& times_;
    std::string stage_;
    Stopwatch watch_;
};

}  // namespace sunder
