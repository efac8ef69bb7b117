#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"

namespace sunder::schema {

/// One thing that is wrong in a scene, or odd.
struct Issue {
    /// Errors: the scene cannot be used. Warnings: it can, but something in it may not be what was meant.
    enum class Severity { Error, Warning };

    std::string pointer;                  // JSON pointer, "/bodies/0/material/density"; empty: the whole file
    std::string message;                  // a sentence with all of the below
    std::string found;                    // as it stands in the file, shortened
    std::string allowed;                  // "a number from 0 to 1"
    Severity severity = Severity::Error;  // a warning does not fail the scene
};

/// All that was found wrong with a scene, in the order of the file.
class Issues {
public:
    static constexpr size_t kMost = 20;  // errors kept; the others are counted

    explicit Issues(std::string file = "scene") : file_(std::move(file)) {}  // its name, as messages have it

    /// Keeps the first kMost errors and as many warnings; what comes later is only counted.
    void add(Issue issue);
    bool failed() const { return errors_ > 0; }               // there are errors; warnings do not count
    size_t errors() const { return errors_; }                 // all that were found, kept or not
    const std::string& file() const { return file_; }         // its name
    const std::vector<Issue>& list() const { return list_; }  // what was kept, warnings too

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
    /// One of the issues at least is an error. what() has all errors that were kept, one on each line.
    explicit SceneError(Issues issues);
    const Issues& issues() const { return issues_; }  // warnings too

private:
    Issues issues_;
};

}  // namespace sunder::schema
