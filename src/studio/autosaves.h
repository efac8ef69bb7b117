#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "studio/project.h"

namespace sunder::studio {

/// Changes of a scene that are not saved.
struct UnsavedWork {
    std::string scene;  // the name of its file in the project; empty: it has none
    std::string base;   // contentHash of the file that the changes were made on; empty: none, or not known
    std::string text;   // of the scene with the changes
    uint64_t edits = 0;
};

/// Unsaved work that an earlier session left, or an earlier scene of this one.
struct Recovery {
    std::string id;
    int64_t time = 0;  // s since 1970, when it was kept
    UnsavedWork work;
};

/// Unsaved work in files of the project's own. Each sitting at a scene has one of its own name, so nothing that is kept
/// is ever written over by other work; it stays until it is saved, taken up and saved, or dropped by its user.
class Autosaves {
public:
    static constexpr size_t kMostOffered = 20;

    explicit Autosaves(const Project& project) : project_(project) {}

    /// A name for the work of one sitting, to be kept under it at once and from then on. Throws InputError.
    std::string begin(const std::string& scene) const;
    void keep(const std::string& id, const UnsavedWork& work) const;
    void forget(const std::string& id) const;  // if it is there
    /// What is kept of a scene, the newest first.
    std::vector<Recovery> of(const std::string& scene) const;

private:
    const Project& project_;
};

}  // namespace sunder::studio
