#include "schema/issues.h"

#include <algorithm>

namespace sunder::schema {

namespace {

std::string placeOf(const Issues& issues, const Issue& issue) {
    return issue.pointer.empty() ? issues.file() : issues.file() + ": " + issue.pointer;
}

const Issue& firstError(const Issues& issues) {
    return *std::find_if(issues.list().begin(), issues.list().end(),
                         [](const Issue& issue) { return issue.severity == Issue::Severity::Error; });
}

/// All but the first error, which InputError itself writes.
std::string messageOf(const Issues& issues) {
    const Issue& first = firstError(issues);
    std::string text = first.message;
    for (const Issue& issue : issues.list()) {
        if (&issue == &first || issue.severity != Issue::Severity::Error) continue;
        text += "\n" + placeOf(issues, issue) + ": " + issue.message;
    }
    const size_t kept = std::min(issues.errors(), Issues::kMost);
    if (issues.errors() > kept)
        text += "\n" + issues.file() + ": and " + std::to_string(issues.errors() - kept) + " more";
    return text;
}

}  // namespace

void Issues::add(Issue issue) {
    size_t& count = issue.severity == Issue::Severity::Error ? errors_ : warnings_;
    if (count++ < kMost) list_.push_back(std::move(issue));
}

std::string Issues::describe() const {
    std::string text;
    for (const Issue& issue : list_) {
        const bool warning = issue.severity == Issue::Severity::Warning;
        text += placeOf(*this, issue) + ": " + (warning ? "warning: " : "") + issue.message + "\n";
    }
    if (errors_ > kMost) text += file_ + ": and " + std::to_string(errors_ - kMost) + " more errors\n";
    return text;
}

void Issues::throwIfFailed() const {
    if (failed()) throw SceneError(*this);
}

SceneError::SceneError(Issues issues)
    : InputError(placeOf(issues, firstError(issues)), messageOf(issues)), issues_(std::move(issues)) {}

}  // namespace sunder::schema
