#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "studio/json.h"

namespace sunder::studio {

enum class MessageLevel { Info, Warning, Error };

struct Message {
    MessageLevel level = MessageLevel::Info;
    std::string text;
    std::optional<uint64_t> frame = {};
    std::string pointer = {};  // into the scene; empty: none
};

/// What Studio has to say to its user, numbered from 0. Old messages go when there are too many. From any thread.
class MessageLog {
public:
    static constexpr size_t kMost = 2000;

    void add(Message message);
    uint64_t count() const;  // so far, those that are gone included
    /// {from, messages: [{time, level, text, frame?, pointer?}]}: those that are still there.
    Json since(uint64_t from) const;

private:
    struct Entry {
        int64_t time = 0;  // ms since 1970
        Message message;
    };
    mutable std::mutex mutex_;
    std::deque<Entry> entries_;
    uint64_t gone_ = 0;
};

}  // namespace sunder::studio
