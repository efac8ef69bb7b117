#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"

namespace sunder::schema {

/// One thing that is wrong in a scene, or odd.
struct Issue {
    enum class Severity { Error, Warning };

    std::string pointer;  // JSON pointer, "/bodies/0/material/density"; empty: the whole file
    std::string message;  // a sentence with all of the below
    std::string found;    // as it stands in the file, shortened
    std::string allowed;  // "a number from 0 to 1"
    Severity severity = Severity::Error;
};

/// All that was found wrong with a scene, in the order of the file.
class Issues {
public:
    static constexpr size_t kMost = 20;  // errors kept; the others are counted

    explicit Issues(std::string file = "scene") : file_(std::move(file)) {}

    void add(Issue issue);
    bool failed() const { return errors_ > 0; }
    size_t errors() const { return errors_; }
    const std::string& file() const { return file_; }
    const std::vector<Issue>& list() const { return list_; }

    /// "wall.json: /bodies/0/mass: must be ...", one line for each.
    std::string describe() const;
    /// Throws SceneError if anything is wrong.
    void throwIfFailed() const;

private:
    std::string file_;
    std::vector<Issue> list_;
    size_t errors_ = 0, warnings_ = 0;
};

/// A scene that cannot be used, with every reason.
class SceneError : public InputError {
public:
    explicit SceneError(Issues issues);
    const Issues& issues() const { return issues_; }

private:
    Issues issues_;
};

}  // namespace sunder::schema
