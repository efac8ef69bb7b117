#pragma once

namespace sunder {

class Progress;

/// While it lives, long work on this thread, and on the threads that help its parallel loops, ends with Cancelled soon
/// after `progress` is cancelled; null: it cannot be stopped. Scopes may nest; the innermost rules. To be opened only
/// around work that returns a value and changes nothing else.
class CancelScope {
public:
    explicit CancelScope(const Progress* progress);  // outlives the scope
    ~CancelScope();
    CancelScope(const CancelScope&) = delete;
    CancelScope& operator=(const CancelScope&) = delete;

private:
    const Progress* before_;
};

/// Throws Cancelled when the scope around it was cancelled. Every block of a parallel loop begins with one; serial work
/// of more than a few tenths of a second has its own.
void cancelPoint();

namespace detail {
/// What the scope around this thread watches; null: nothing.
const Progress* watchedProgress();
}  // namespace detail

}  // namespace sunder
