#pragma once

#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/progress.h"

namespace sunder::fracture {

class AssetStore;

/// What a method is lent while it answers. No answer depends on it.
struct Context {
    Progress* progress = nullptr;  // carries the wish to stop, and is told the stage; null: nothing watches
    AssetStore* assets = nullptr;  // what takes long to make is kept there from run to run; null: nowhere
    std::vector<std::string>* notes = nullptr;  // takes what warn() says; null: the program's log does
    std::string body = {};                      // what the answer is about, for people; empty: not known

    /// What the next part of a long answer does: "filling with 5000 tets". A place to stop at.
    void stage(const std::string& name) const;
    /// What people should know of an answer: "stays whole though it should have broken: ...". Of one thread at a time.
    void warn(const std::string& text) const;
};

}  // namespace sunder::fracture
