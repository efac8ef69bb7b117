#include "geometry/grid/flood_fill.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "base/error.h"

namespace sunder {

namespace {

constexpr uint32_t kOutside = LatticeComponents::kOutside;

/// Points of one row of the lattice that follow each other and belong together.
struct Run {
    int begin = 0, end = 0;  // along x
    uint32_t label = 0;
};

struct Runs {
    std::vector<Run> runs;           // row by row, x ascending
    std::vector<uint32_t> rowStart;  // one per row, and one more
};

bool isBorder(int i, int points) { return i == 0 || i == points - 1; }

/// `labelAt(point index)` is kOutside where there is no material.
template <class LabelAt>
Runs findRuns(const GridFrame& frame, LatticeBorder border, const LabelAt& labelAt) {
    Runs found;
    found.rowStart.push_back(0);
    const bool closed = border == LatticeBorder::Outside;
    const int first = closed ? 1 : 0, last = frame.points[0] - (closed ? 1 : 0);
    for (int k = 0; k < frame.points[2]; ++k) {
        for (int j = 0; j < frame.points[1]; ++j) {
            const bool empty = closed && (isBorder(j, frame.points[1]) || isBorder(k, frame.points[2]));
            const size_t row = frame.index(0, j, k);
            uint32_t before = kOutside;
            for (int i = first; i < last && !empty; ++i) {
                const uint32_t label = labelAt(row + static_cast<size_t>(i));
                if (label != kOutside && label == before) {
                    found.runs.back().end = i + 1;
                } else if (label != kOutside) {
                    found.runs.push_back({i, i + 1, label});
                }
                before = label;
            }
            if (found.runs.size() >= kOutside) {
                throw InputError("flood fill", "the regions have more than 4 billion parts; use a coarser grid");
            }
            found.rowStart.push_back(static_cast<uint32_t>(found.runs.size()));
        }
    }
    return found;
}

/// Joins runs of one label in two rows that lie side by side.
void joinRows(const Runs& runs, size_t rowA, size_t rowB, DisjointSets& sets) {
    uint32_t a = runs.rowStart[rowA], b = runs.rowStart[rowB];
    while (a < runs.rowStart[rowA + 1] && b < runs.rowStart[rowB + 1]) {
        const Run &runA = runs.runs[a], &runB = runs.runs[b];
        const bool overlap = runA.begin < runB.end && runB.begin < runA.end;
        if (overlap && runA.label == runB.label) sets.join(a, b);
        ++(runA.end <= runB.end ? a : b);
    }
}

template <class LabelAt>
LatticeComponents componentsOf(const GridFrame& frame, LatticeBorder border, const LabelAt& labelAt) {
    const Runs runs = findRuns(frame, border, labelAt);
    DisjointSets sets(runs.runs.size());
    const auto rowsPerLayer = static_cast<size_t>(frame.points[1]);
    const size_t rows = runs.rowStart.size() - 1;
    for (size_t row = 0; row < rows; ++row) {
        if (row % rowsPerLayer != 0) joinRows(runs, row - 1, row, sets);
        if (row >= rowsPerLayer) joinRows(runs, row - rowsPerLayer, row, sets);
    }

    // a set is named by its smallest run, so numbering sets as they appear orders them by first point
    LatticeComponents parts;
    parts.ofPoint.assign(frame.pointCount(), kOutside);
    std::vector<uint32_t> componentOfRun(runs.runs.size());
    for (size_t row = 0; row < rows; ++row) {
        const size_t start = row * static_cast<size_t>(frame.points[0]);
        for (uint32_t r = runs.rowStart[row]; r < runs.rowStart[row + 1]; ++r) {
            const Run& run = runs.runs[r];
            const size_t begin = start + static_cast<size_t>(run.begin), end = start + static_cast<size_t>(run.end);
            const uint32_t root = sets.root(r);
            if (root == r) {
                componentOfRun[r] = static_cast<uint32_t>(parts.components.size());
                parts.components.push_back({run.label, 0, begin});
            } else {
                componentOfRun[r] = componentOfRun[root];
            }
            parts.components[componentOfRun[r]].cells += end - begin;
            std::fill(parts.ofPoint.begin() + static_cast<std::ptrdiff_t>(begin),
                      parts.ofPoint.begin() + static_cast<std::ptrdiff_t>(end), componentOfRun[r]);
        }
    }
    return parts;
}

/// For each component its neighbours, with the number of lattice steps across their common wall.
using Contacts = std::vector<std::map<uint32_t, size_t>>;

Contacts contactsOf(const LatticeComponents& parts, const GridFrame& frame) {
    Contacts contacts(parts.components.size());
    const auto meet = [&](size_t p, size_t q) {
        const uint32_t a = parts.ofPoint[p], b = parts.ofPoint[q];
        if (a == b || a == kOutside || b == kOutside) return;
        ++contacts[a][b];
        ++contacts[b][a];
    };
    const Int3 n = frame.points;
    for (int k = 0; k < n[2]; ++k) {
        for (int j = 0; j < n[1]; ++j) {
            for (int i = 0; i < n[0]; ++i) {
                const size_t p = frame.index(i, j, k);
                if (i + 1 < n[0]) meet(p, frame.index(i + 1, j, k));
                if (j + 1 < n[1]) meet(p, frame.index(i, j + 1, k));
                if (k + 1 < n[2]) meet(p, frame.index(i, j, k + 1));
            }
        }
    }
    return contacts;
}

/// The owner of every component once small ones have been given away.
std::vector<uint32_t> ownersAfterMerging(const LatticeComponents& parts, Contacts contacts, size_t fewestCells) {
    std::vector<uint32_t> owner(parts.components.size());
    std::iota(owner.begin(), owner.end(), 0u);
    std::vector<size_t> cells;
    std::set<std::pair<size_t, uint32_t>> small;  // by size, then number
    for (uint32_t c = 0; c < owner.size(); ++c) {
        cells.push_back(parts.components[c].cells);
        if (cells[c] < fewestCells) small.insert({cells[c], c});
    }
    while (!small.empty()) {
        const uint32_t given = small.begin()->second;
        small.erase(small.begin());
        if (contacts[given].empty()) continue;
        const auto less = [&](const auto& a, const auto& b) {
            if (a.second != b.second) return a.second < b.second;
            if (cells[a.first] != cells[b.first]) return cells[a.first] < cells[b.first];
            return a.first > b.first;
        };
        const uint32_t taker = std::max_element(contacts[given].begin(), contacts[given].end(), less)->first;

        small.erase({cells[taker], taker});
        cells[taker] += cells[given];
        if (cells[taker] < fewestCells) small.insert({cells[taker], taker});
        owner[given] = taker;
        for (const auto& [other, steps] : contacts[given]) {
            contacts[other].erase(given);
            if (other == taker) continue;
            contacts[other][taker] += steps;
            contacts[taker][other] += steps;
        }
        contacts[given].clear();
    }
    for (uint32_t& c : owner) {
        while (owner[c] != c) c = owner[c];
    }
    return owner;
}

}  // namespace

LatticeComponents labelledComponents(const DistanceGrid& solid, std::span<const uint32_t> labels,
                                     LatticeBorder border) {
    const GridFrame& frame = solid.frame();
    if (labels.size() != frame.pointCount()) {
        throw InputError("flood fill", "found " + std::to_string(labels.size()) + " labels for a grid of " +
                                           std::to_string(frame.pointCount()) + " points; give one per point");
    }
    const std::span<const float> values = solid.values();
    for (size_t p = 0; p < labels.size(); ++p) {
        if (labels[p] == kOutside && values[p] < 0) {
            throw InputError("flood fill", "label " + std::to_string(kOutside) + " of point " + std::to_string(p) +
                                               " is reserved for what lies outside; use smaller labels");
        }
    }
    return componentsOf(frame, border, [&](size_t p) { return values[p] < 0 ? labels[p] : kOutside; });
}

LatticeComponents withoutSmallComponents(const LatticeComponents& parts, const GridFrame& frame, size_t fewestCells) {
    ASSERT(parts.ofPoint.size() == frame.pointCount());
    const std::vector<uint32_t> owner = ownersAfterMerging(parts, contactsOf(parts, frame), fewestCells);
    return componentsOf(frame, LatticeBorder::AsGiven, [&](size_t p) {
        const uint32_t c = parts.ofPoint[p];
        return c == kOutside ? kOutside : parts.components[owner[c]].label;
    });
}

}  // namespace sunder
