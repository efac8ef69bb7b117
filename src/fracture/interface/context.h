#pragma once

#include "base/cancel.h"
#include "base/progress.h"

namespace sunder::fracture {

class AssetStore;

/// What a method is lent while it answers. No answer depends on it.
struct Context {
    Progress* progress = nullptr;  // carries the wish to stop, and is told the stage; null: nothing watches
    AssetStore* assets = nullptr;  // what takes long to make is kept there from run to run; null: nowhere

    /// What the next part of a long answer does: "filling with tets". A place to stop at.
    void stage(const char* name) const {
        if (progress != nullptr) progress->note(name);
        cancelPoint();
    }
};

}  // namespace sunder::fracture
