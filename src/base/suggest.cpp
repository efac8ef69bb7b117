#include "base/suggest.h"

#include <algorithm>

namespace sunder {

namespace {

constexpr size_t kLongestWord = 200;  // beyond, nothing is near
constexpr size_t kMostListed = 40;

/// Letters to insert, drop, replace or swap with the next to get from one word to the other.
size_t editDistance(const std::string& a, const std::string& b) {
    std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) {
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

/// The first of the nearest words, or null when none is near enough to be meant.
const std::string* nearest(const std::string& word, const std::vector<std::string>& known) {
    const size_t enough = std::max<size_t>(1, word.size() / 3);
    const std::string* best = nullptr;
    size_t least = enough + 1;
    for (const std::string& candidate : known) {
        const size_t shorter = std::min(word.size(), candidate.size()),
                     longer = std::max(word.size(), candidate.size());
        if (longer > kLongestWord || longer - shorter >= least) continue;
        const size_t distance = editDistance(word, candidate);
        if (distance >= least) continue;
        least = distance;
        best = &candidate;
    }
    return best;
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    if (const std::string* meant = nearest(word, known)) return "; did you mean '" + *meant + "'?";
    std::string list = known.empty() ? "; there are none" : "; known: ";
    for (size_t i = 0; i < std::min(known.size(), kMostListed); ++i) list += (i ? ", " : "") + known[i];
    if (known.size() > kMostListed) list += ", ... (" + std::to_string(known.size()) + " in all)";
    return list;
}

}  // namespace sunder
