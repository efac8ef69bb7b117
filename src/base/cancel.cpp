#include "base/cancel.h"

#include "base/error.h"
#include "base/progress.h"

namespace sunder {

namespace {
thread_local const Progress* watched = nullptr;
}

CancelScope::CancelScope(const Progress* progress) : before_(watched) { watched = progress; }
CancelScope::~CancelScope() { watched = before_; }

void cancelPoint() {
    if (watched != nullptr && watched->cancelled()) throw Cancelled();
}

const Progress* detail::watchedProgress() { return watched; }

}  // namespace sunder
