#include "math/sparse/dissection.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <numeric>

#include "base/assert.h"
#include "base/parallel.h"

namespace sunder {

namespace {

constexpr uint32_t kNobody = std::numeric_limits<uint32_t>::max();
constexpr size_t kForkFromNodes = 4000;  // nodes; smaller parts stay on one thread

/// A part of the whole graph, numbered by itself.
struct Piece {
    std::vector<uint32_t> nodes;  // in the whole graph, ascending
    NodeGraph graph;
};

struct Tree {
    std::vector<uint32_t> own;  // nodes of the whole graph
    std::vector<std::unique_ptr<Tree>> children;
};

enum class Side : uint8_t { Left, Right, Between };

/// The nodes given, with the edges among them.
Piece extract(const Piece& piece, const std::vector<Side>& sides, Side wanted) {
    std::vector<uint32_t> number(piece.nodes.size(), kNobody);
    Piece part;
    for (uint32_t n = 0; n < piece.nodes.size(); ++n) {
        if (sides[n] != wanted) continue;
        number[n] = static_cast<uint32_t>(part.nodes.size());
        part.nodes.push_back(piece.nodes[n]);
    }
    part.graph.first.reserve(part.nodes.size() + 1);
    part.graph.first.push_back(0);
    for (uint32_t n = 0; n < piece.nodes.size(); ++n) {
        if (sides[n] != wanted) continue;
        for (const uint32_t other : piece.graph.of(n)) {
            if (number[other] != kNobody) part.graph.neighbours.push_back(number[other]);
        }
        part.graph.first.push_back(static_cast<uint32_t>(part.graph.neighbours.size()));
    }
    return part;
}

/// Halves by a plane across one axis; equal places by number.
std::vector<Side> halves(const Piece& piece, std::span<const Vec3> positions, int axis) {
    std::vector<uint32_t> byPlace(piece.nodes.size());
    std::iota(byPlace.begin(), byPlace.end(), 0u);
    const auto middle = byPlace.begin() + static_cast<ptrdiff_t>(byPlace.size() / 2);
    std::nth_element(byPlace.begin(), middle, byPlace.end(), [&](uint32_t a, uint32_t b) {
        const double pa = positions[piece.nodes[a]][axis], pb = positions[piece.nodes[b]][axis];
        return pa < pb || (pa == pb && a < b);
    });
    std::vector<Side> sides(piece.nodes.size(), Side::Right);
    for (auto n = byPlace.begin(); n != middle; ++n) sides[*n] = Side::Left;
    return sides;
}

/// How many nodes of the side with fewer of them have neighbours on the other side.
size_t borderSize(const Piece& piece, const std::vector<Side>& sides) {
    std::array<size_t, 2> count{};
    for (uint32_t n = 0; n < piece.nodes.size(); ++n) {
        const auto around = piece.graph.of(n);
        const bool beside = std::any_of(around.begin(), around.end(), [&](uint32_t m) { return sides[m] != sides[n]; });
        if (beside) ++count[static_cast<size_t>(sides[n])];
    }
    return std::min(count[0], count[1]);
}

/// The edges between two sides: pairs as many nodes as can be, each with one of the other side.
class Matching {
public:
    Matching(const Piece& piece, const std::vector<Side>& sides)
        : piece_(piece), sides_(sides), mate_(piece.nodes.size(), kNobody), from_(piece.nodes.size(), kNobody) {
        for (uint32_t n = 0; n < piece.nodes.size(); ++n) {
            if (sides[n] == Side::Left && isBeside(n)) left_.push_back(n);
        }
        for (const uint32_t n : left_) pairGreedily(n);
        for (const uint32_t n : left_) {
            if (mate_[n] == kNobody) augment(n);
        }
    }

    /// The fewest nodes that touch all edges across: left ones that no alternating path from a lonely left node
    /// reaches, right ones that one does.
    std::vector<uint32_t> cover() {
        // from every left node without a mate along alternating paths
        std::vector<uint8_t> reached(piece_.nodes.size(), 0);
        std::vector<uint32_t> stack;
        for (const uint32_t n : left_) {
            if (mate_[n] == kNobody) stack.push_back(n);
        }
        for (const uint32_t n : stack) reached[n] = 1;
        std::vector<uint32_t> chosen;
        while (!stack.empty()) {
            const uint32_t n = stack.back();
            stack.pop_back();
            for (const uint32_t m : piece_.graph.of(n)) {
                if (sides_[m] != Side::Right || reached[m]) continue;
                reached[m] = 1;
                chosen.push_back(m);
                const uint32_t next = mate_[m];
                if (next != kNobody && !reached[next]) {
                    reached[next] = 1;
                    stack.push_back(next);
                }
            }
        }
        // left ones that are not reached are needed for their own edges
        for (const uint32_t n : left_) {
            if (!reached[n]) chosen.push_back(n);
        }
        return chosen;
    }

private:
    bool isBeside(uint32_t n) const {
        const auto around = piece_.graph.of(n);
        return std::any_of(around.begin(), around.end(), [&](uint32_t m) { return sides_[m] == Side::Right; });
    }
    void pairGreedily(uint32_t n) {
        for (const uint32_t m : piece_.graph.of(n)) {
            if (sides_[m] != Side::Right || mate_[m] != kNobody) continue;
            mate_[n] = m;
            mate_[m] = n;
            return;
        }
    }
    /// Breadth first to a right node without a mate; pairs along the way change.
    void augment(uint32_t start) {
        // alternating paths from the start: over an edge to the right, back over a pair
        std::vector<uint32_t> queue{start}, touched;
        uint32_t found = kNobody;
        for (size_t i = 0; i < queue.size() && found == kNobody; ++i) {
            const uint32_t n = queue[i];
            for (const uint32_t m : piece_.graph.of(n)) {
                if (sides_[m] != Side::Right || from_[m] != kNobody) continue;
                from_[m] = n;
                touched.push_back(m);
                if (mate_[m] == kNobody) {
                    found = m;
                    break;
                }
                queue.push_back(mate_[m]);
            }
        }
        // along the path found, each left node takes the right one it was reached by
        while (found != kNobody) {
            const uint32_t n = from_[found];
            const uint32_t next = mate_[n];
            mate_[n] = found;
            mate_[found] = n;
            found = next;
        }
        // as it was, for the next search
        for (const uint32_t m : touched) from_[m] = kNobody;
    }

    const Piece& piece_;
    const std::vector<Side>& sides_;
    std::vector<uint32_t> mate_, from_;
    std::vector<uint32_t> left_;
};

std::vector<Side> split(const Piece& piece, std::span<const Vec3> positions) {
    std::vector<Side> best;
    size_t fewest = std::numeric_limits<size_t>::max();
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<Side> sides = halves(piece, positions, axis);
        const size_t border = borderSize(piece, sides);
        if (border >= fewest) continue;
        fewest = border;
        best = std::move(sides);
    }
    for (const uint32_t n : Matching(piece, best).cover()) best[n] = Side::Between;
    return best;
}

std::unique_ptr<Tree> dissectPiece(Piece piece, std::span<const Vec3> positions, const DissectionOptions& options) {
    // small enough to be one dense part
    auto tree = std::make_unique<Tree>();
    if (piece.nodes.size() <= options.leaf) {
        tree->own = std::move(piece.nodes);
        return tree;
    }
    // what lies between goes to this part, and each side to a child
    const std::vector<Side> sides = split(piece, positions);
    for (uint32_t n = 0; n < piece.nodes.size(); ++n) {
        if (sides[n] == Side::Between) tree->own.push_back(piece.nodes[n]);
    }
    std::array<Piece, 2> parts{extract(piece, sides, Side::Left), extract(piece, sides, Side::Right)};
    // the piece is given back before the children are cut
    const bool fork = piece.nodes.size() >= kForkFromNodes;
    piece = {};
    tree->children.resize(2);
    const auto descend = [&](size_t i) { tree->children[i] = dissectPiece(std::move(parts[i]), positions, options); };
    if (fork) {
        parallelInvoke([&] { descend(0); }, [&] { descend(1); });
    } else {
        descend(0);
        descend(1);
    }
    return tree;
}

uint32_t number(const Tree& tree, Dissection& result) {
    Dissection::Part part;
    for (const auto& child : tree.children) part.children.push_back(number(*child, result));
    part.begin = static_cast<uint32_t>(result.order.size());
    result.order.insert(result.order.end(), tree.own.begin(), tree.own.end());
    part.end = static_cast<uint32_t>(result.order.size());
    result.parts.push_back(std::move(part));
    return static_cast<uint32_t>(result.parts.size() - 1);
}

}  // namespace

Dissection dissect(const NodeGraph& graph, std::span<const Vec3> positions, const DissectionOptions& options) {
    ASSERT(positions.size() == graph.size() && options.leaf > 0);
    Piece whole;
    whole.nodes.resize(graph.size());
    std::iota(whole.nodes.begin(), whole.nodes.end(), 0u);
    whole.graph = graph;
    const std::unique_ptr<Tree> tree = dissectPiece(std::move(whole), positions, options);
    Dissection result;
    result.order.reserve(graph.size());
    number(*tree, result);
    return result;
}

}  // namespace sunder
