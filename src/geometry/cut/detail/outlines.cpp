#include "geometry/cut/detail/outlines.h"

#include <algorithm>

#include "base/parallel.h"

namespace sunder::detail {

namespace {

struct Link {
    uint32_t cell = 0;
    Node from = 0, to = 0;
    friend auto operator<=>(const Link&, const Link&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Follows links of one cell until they close. Every node is left as often as it is reached, so they always do.
void trace(std::span<Link> links, uint32_t owner, std::vector<uint8_t>& used, Outlines& result) {
    used.assign(links.size(), 0);
    // each link that no outline has taken yet begins one
    for (size_t first = 0; first < links.size(); ++first) {
        if (used[first]) continue;
        const auto firstNode = static_cast<uint32_t>(result.nodes.size());
        size_t at = first;
        for (;;) {
            used[at] = 1;
            result.nodes.push_back(links[at].from);
            const Node next = links[at].to;
            if (next == links[first].from) break;
            // links are sorted by where they begin: the next free one there goes on
            at = static_cast<size_t>(
                std::lower_bound(links.begin(), links.end(), next, [](const Link& l, Node n) { return l.from < n; }) -
                links.begin());
            while (at < links.size() && links[at].from == next && used[at]) ++at;
            if (at == links.size() || links[at].from != next) throw Contradiction("an outline is open");
        }
        // an outline of two links has no area
        const auto count = static_cast<uint32_t>(result.nodes.size()) - firstNode;
        if (count < 3) {
            result.nodes.resize(firstNode);  // there and back: the faces beside it meet
        } else {
            result.lines.push_back({owner, links[first].cell, firstNode, count});
        }
    }
}

void traceAll(std::vector<Link>& links, uint32_t owner, std::vector<uint8_t>& used, Outlines& result) {
    std::sort(links.begin(), links.end());
    for (size_t begin = 0, end = 0; begin < links.size(); begin = end) {
        while (end < links.size() && links[end].cell == links[begin].cell) ++end;
        trace(std::span(links).subspan(begin, end - begin), owner, used, result);
    }
}

Outlines joined(const std::vector<Outlines>& parts) {
    Outlines result;
    for (const Outlines& part : parts) {
        const auto firstNode = static_cast<uint32_t>(result.nodes.size());
        for (Outline line : part.lines) {
            line.firstNode += firstNode;
            result.lines.push_back(line);
        }
        result.nodes.insert(result.nodes.end(), part.nodes.begin(), part.nodes.end());
    }
    return result;
}

/// Runs `body(item, links, used, outlines)` over items in blocks and puts the outlines together in order.
template <class Body>
Outlines traceItems(size_t count, size_t grain, Body&& body) {
    std::vector<Outlines> parts((count + grain - 1) / grain);
    parallelFor(count, grain, [&](const BlockRange& range) {
        std::vector<Link> links;
        std::vector<uint8_t> used;
        for (size_t i = range.begin; i < range.end; ++i) {
            links.clear();
            body(i, links);
            if (!links.empty()) traceAll(links, static_cast<uint32_t>(i), used, parts[range.index]);
        }
    });
    return joined(parts);
}

}  // namespace

Outlines outlinesInTriangles(const TriMesh& solid, const MeshTopology& topology, const WallComplex& walls,
                             const Crossings& crossings, const EdgePieces& pieces) {
    // the chords of each triangle: they come sorted by it
    std::vector<uint32_t> firstChord(solid.triangleCount() + 1, 0);
    for (const auto& chord : crossings.chords) ++firstChord[raw(chord.triangle) + 1];
    for (size_t t = 0; t < solid.triangleCount(); ++t) firstChord[t + 1] += firstChord[t];
    return traceItems(solid.triangleCount(), 512, [&](size_t item, std::vector<Link>& links) {
        // a triangle that no wall cuts is one piece, taken as it is
        if (firstChord[item] == firstChord[item + 1]) return;
        const auto t = static_cast<TriangleIndex>(item);
        // pieces of its edges, as the triangle goes around
        for (int k = 0; k < 3; ++k) {
            const EdgeIndex e = topology.edge(t, k);
            const auto [p, q] = topology.vertices(e);
            const bool along = solid.triangles[t][static_cast<size_t>(k)] == p;
            const auto add = [&](uint32_t cell, Node from, Node to) {
                links.push_back(along ? Link{cell, from, to} : Link{cell, to, from});
            };
            if (crossings.on(e).empty()) add(pieces.cellOfVertex[raw(p)], raw(p), raw(q));
            for (const EdgePiece& piece : pieces.on(e)) add(piece.cell, piece.from, piece.to);
        }
        // chords part two cells: the wall's own cell walks along, its neighbour back
        for (uint32_t c = firstChord[item]; c < firstChord[item + 1]; ++c) {
            const auto& chord = crossings.chords[c];
            const auto& wall = walls.walls[chord.wall];
            links.push_back({wall.cell, chord.start, chord.end});
            links.push_back({wall.neighbour, chord.end, chord.start});
        }
    });
}

Outlines outlinesInWalls(const WallComplex& walls, const Crossings& crossings, const EdgePieces& pieces) {
    // the chords of each wall, in one array
    std::vector<uint32_t> firstChord(walls.walls.size() + 1, 0), chordsOfWalls(crossings.chords.size());
    for (const auto& chord : crossings.chords) ++firstChord[chord.wall + 1];
    for (size_t w = 0; w < walls.walls.size(); ++w) firstChord[w + 1] += firstChord[w];
    std::vector<uint32_t> fill(firstChord.begin(), firstChord.end() - 1);
    for (uint32_t c = 0; c < crossings.chords.size(); ++c) chordsOfWalls[fill[crossings.chords[c].wall]++] = c;

    // pieces of its sides that lie in the solid, then the chords, with the inside to the left of both
    return traceItems(walls.walls.size(), 128, [&](size_t item, std::vector<Link>& links) {
        const WallComplex::Wall& wall = walls.walls[item];
        for (uint32_t k = 0; k < wall.cornerCount; ++k) {
            const WallComplex::Side side = walls.sides[wall.firstCorner + k];
            for (const EdgePiece& piece : pieces.onWallEdge(side.edge)) {
                links.push_back(side.forward ? Link{0, piece.from, piece.to} : Link{0, piece.to, piece.from});
            }
        }
        for (uint32_t c = firstChord[item]; c < firstChord[item + 1]; ++c) {
            const auto& chord = crossings.chords[chordsOfWalls[c]];
            links.push_back({0, chord.end, chord.start});
        }
    });
}

}  // namespace sunder::detail
