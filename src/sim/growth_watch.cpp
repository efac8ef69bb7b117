#include "sim/growth_watch.h"

#include <fmt/format.h>

namespace sunder::sim {

namespace {

constexpr size_t kWindow = 10;     // frames that are looked at together
constexpr double kGrown = 1.5;     // times as many bodies as in the frame before: that frame made many
constexpr int kAgainAndAgain = 2;  // such frames of the window
constexpr size_t kSome = 100;      // bodies: growth from fewer is an ordinary break
constexpr size_t kMany = 2000;     // bodies: fewer do no harm

}  // namespace

std::string GrowthWatch::after(uint64_t frame, size_t bodies) {
    counts_.push_back({frame, bodies});
    if (counts_.size() > kWindow) counts_.pop_front();
    if (told_ || bodies < kMany) return {};

    // frames that made many out of not so few
    int grown = 0;
    std::string numbers = fmt::format("{}", counts_.front().bodies);
    for (size_t i = 1; i < counts_.size(); ++i) {
        const size_t before = counts_[i - 1].bodies, now = counts_[i].bodies;
        if (before >= kSome && static_cast<double>(now) >= kGrown * static_cast<double>(before)) ++grown;
        numbers += fmt::format(", {}", now);
    }
    if (grown < kAgainAndAgain) return {};
    told_ = true;
    return fmt::format(
        "bodies become more and more: {} in frames {} to {}; most likely fragments break each other again and again "
        "(a higher threshold, fewer max_generations or a larger smallest_piece end that)",
        numbers, counts_.front().frame, frame);
}

}  // namespace sunder::sim
