#include "base/progress.h"

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.h"

namespace sunder {

namespace {

constexpr double kShowInterval = 0.1;  // s
constexpr double kTrustAfter = 0.3;    // s of work before an estimate means anything

std::string describeSeconds(double seconds) {
    if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
    if (seconds < 120) return fmt::format("{:.0f} s", seconds);
    if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

/// Inside a JSON string: quotes and backslashes escaped, control characters dropped.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
    return result;
}

}  // namespace

std::string describe(const ProgressState& state) {
    std::string line = state.job;
    if (state.total > 0)
        line += fmt::format(" {:.0f} % ({:.0f}/{:.0f})", 100 * state.fraction(), state.done, state.total);
    line += ", " + describeSeconds(state.elapsedSeconds);
    if (!state.finished && state.remainingSeconds >= 0)
        line += ", " + describeSeconds(state.remainingSeconds) + " to go";
    if (!state.note.empty()) line += ", " + state.note;
    return line;
}

TerminalProgress::TerminalProgress(std::FILE* stream) : stream_(stream), isTerminal_(isatty(fileno(stream)) != 0) {}

void TerminalProgress::show(const ProgressState& state) {
    if (!isTerminal_) return;
    std::string line = describe(state);
    winsize window{};  // a line that is too long would not be rewritten in place
    if (ioctl(fileno(stream_), TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        line.resize(std::min<size_t>(line.size(), window.ws_col - 1u));
    std::fprintf(stream_, "\r\033[K%s%s", line.c_str(), state.finished ? "\n" : "");
    std::fflush(stream_);
}

void FileProgress::show(const ProgressState& state) {
    const std::string line = fmt::format(
        "{{\"job\":\"{}\",\"done\":{},\"total\":{},\"elapsed\":{:.3f},\"remaining\":{:.3f},\"finished\":{}}}\n",
        escaped(state.job), state.done, state.total, state.elapsedSeconds, state.remainingSeconds, state.finished);
    std::fputs(line.c_str(), stream_);
    std::fflush(stream_);
}

void Progress::start(std::string job, double total) {
    const std::lock_guard lock(mutex_);
    job_ = std::move(job);
    note_.clear();
    total_ = total;
    done_ = 0;
    finished_ = false;
    lastShown_ = -1;
    watch_ = Stopwatch();
    if (sink_ != nullptr) sink_->show(stateLocked());  // the first unit of work may take long
}

void Progress::note(std::string text) {
    const std::lock_guard lock(mutex_);
    note_ = std::move(text);
    showIfDue();
}

void Progress::advance(double units) {
    if (cancelled()) throw Cancelled();
    const std::lock_guard lock(mutex_);
    done_ += units;
    showIfDue();
}

void Progress::showIfDue() {
    const double now = watch_.wallSeconds();
    if (sink_ == nullptr || now - lastShown_ < kShowInterval) return;
    lastShown_ = now;
    sink_->show(stateLocked());
}

void Progress::finish() {
    const std::lock_guard lock(mutex_);
    if (finished_) return;
    finished_ = true;
    if (sink_ != nullptr) sink_->show(stateLocked());
}

ProgressState Progress::state() const {
    const std::lock_guard lock(mutex_);
    return stateLocked();
}

ProgressState Progress::stateLocked() const {
    ProgressState state{job_, done_, total_, watch_.wallSeconds(), -1, finished_, note_};
    if (finished_) {
        state.remainingSeconds = 0;
    } else if (total_ > 0 && done_ > 0 && state.elapsedSeconds > kTrustAfter) {
        state.remainingSeconds = state.elapsedSeconds * std::max(0.0, total_ - done_) / done_;
    }
    return state;
}

}  // namespace sunder
