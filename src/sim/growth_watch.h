#pragma once

#include <cstdint>
#include <deque>
#include <string>

namespace sunder::sim {

/// Notices a run whose bodies become many times more again and again. That is seldom wanted: fragments break under each
/// other, and every frame takes longer than all before. One blow into very many pieces is none.
class GrowthWatch {
public:
    /// After a frame; empty, or a sentence for people, once. Frames are told in their order.
    std::string after(uint64_t frame, size_t bodies);

private:
    struct Count {
        uint64_t frame = 0;
        size_t bodies = 0;
    };
    std::deque<Count> counts_;  // of the last frames
    bool told_ = false;
};

}  // namespace sunder::sim
