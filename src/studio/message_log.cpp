#include "studio/message_log.h"

#include <algorithm>
#include <chrono>

#include "base/assert.h"

namespace sunder::studio {

namespace {

int64_t millisecondsNow() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

const char* nameOf(MessageLevel level) {
    switch (level) {
        case MessageLevel::Warning:
            return "warning";
        case MessageLevel::Error:
            return "error";
        case MessageLevel::Info:
            break;
    }
    return "info";
}

}  // namespace

void MessageLog::add(Message message) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({millisecondsNow(), std::move(message)});
    if (entries_.size() <= kMost) return;
    ASSERT(entries_.size() == kMost + 1);
    entries_.pop_front();
    ++gone_;
}

uint64_t MessageLog::count() const {
    const std::lock_guard lock(mutex_);
    return gone_ + entries_.size();
}

Json MessageLog::since(uint64_t from) const {
    const std::lock_guard lock(mutex_);
    const uint64_t first = std::clamp(from, gone_, gone_ + entries_.size());
    Json list = Json::array();
    for (size_t i = first - gone_; i < entries_.size(); ++i) {
        const Message& message = entries_[i].message;
        Json json{{"time", entries_[i].time}, {"level", nameOf(message.level)}, {"text", message.text}};
        if (message.frame) json["frame"] = *message.frame;
        if (!message.pointer.empty()) json["pointer"] = message.pointer;
        list.push_back(std::move(json));
    }
    return {{"from", first}, {"messages", std::move(list)}};
}

}  // namespace sunder::studio
