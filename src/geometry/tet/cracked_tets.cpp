#include "geometry/tet/cracked_tets.h"

#include <algorithm>

#include <Eigen/LU>

#include "base/assert.h"
#include "base/disjoint_sets.h"

namespace sunder {

namespace {

constexpr double kNothing = 1e-12;  // share of a tet or face that counts as no material

using SubTet = std::array<Vec4, 4>;  // corners in barycentric coordinates

double volumeShare(const SubTet& tet) {
    Eigen::Matrix4d corners;
    for (int i = 0; i < 4; ++i) corners.col(i) = tet[static_cast<size_t>(i)];
    return std::abs(corners.determinant());
}

/// Where the line between two points with values of different sign is 0.
template <class Point>
Point crossing(const Point& a, double atA, const Point& b, double atB) {
    return (atA * b - atB * a) / (atA - atB);
}

/// The part of a tet where a function is positive, as tets.
void keepPositive(const SubTet& tet, const TetCut& cut, std::vector<SubTet>& kept) {
    std::array<double, 4> value{};
    std::array<size_t, 4> order{0, 1, 2, 3};
    for (size_t i = 0; i < 4; ++i) value[i] = cut.dot(tet[i]);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return value[a] > value[b]; });
    const auto positive =
        static_cast<size_t>(std::count_if(value.begin(), value.end(), [](double v) { return v > 0; }));
    const auto p = [&](size_t i) -> const Vec4& { return tet[order[i]]; };
    const auto between = [&](size_t i, size_t j) { return crossing(p(i), value[order[i]], p(j), value[order[j]]); };
    // a prism between triangles (a, b, c) and (d, e, f)
    const auto addPrism = [&](const Vec4& a, const Vec4& b, const Vec4& c, const Vec4& d, const Vec4& e,
                              const Vec4& f) {
        kept.push_back({a, b, c, d});
        kept.push_back({b, c, d, e});
        kept.push_back({c, d, e, f});
    };
    switch (positive) {
        case 0:
            return;
        case 1:
            return kept.push_back({p(0), between(0, 1), between(0, 2), between(0, 3)});
        case 2:
            return addPrism(p(0), between(0, 2), between(0, 3), p(1), between(1, 2), between(1, 3));
        case 3:
            return addPrism(p(0), p(1), p(2), between(0, 3), between(1, 3), between(2, 3));
        default:
            return kept.push_back(tet);
    }
}

/// The part of a triangle where functions, given at its corners, are positive, as a share of its area.
double filledFace(std::span<const Vec3> functions) {
    std::vector<Vec3> outline{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, next;
    for (const Vec3& function : functions) {
        next.clear();
        for (size_t i = 0; i < outline.size(); ++i) {
            const Vec3 &a = outline[i], &b = outline[(i + 1) % outline.size()];
            const double atA = function.dot(a), atB = function.dot(b);
            if (atA > 0) next.push_back(a);
            if ((atA > 0) != (atB > 0)) next.push_back(crossing(a, atA, b, atB));
        }
        outline = next;
    }
    double area = 0;
    for (size_t i = 2; i < outline.size(); ++i) {
        const Vec3 u = outline[i - 1] - outline[0], v = outline[i] - outline[0];
        area += u.x() * v.y() - u.y() * v.x();  // the whole triangle has 1
    }
    return area;
}

/// A function on a tet, at the corners of one of its faces.
Vec3 onFace(const TetCut& cut, const std::array<uint8_t, 3>& corners) {
    return {cut[corners[0]], cut[corners[1]], cut[corners[2]]};
}

using Joint = CrackedTets::Joint;

std::vector<Joint> jointsOf(const TetMesh& mesh) {
    std::vector<Joint> joints;
    const auto neighbours = faceNeighbours(mesh);
    for (const TetIndex t : mesh.tets.indices()) {
        for (size_t f = 0; f < 4; ++f) {
            const TetIndex other = neighbours[t][f];
            if (other == kNone<TetIndex> || other < t) continue;
            Joint joint{t, other, kTetFaces[f], {}};
            for (size_t i = 0; i < 3; ++i) {
                const auto at =
                    std::find(mesh.tets[other].begin(), mesh.tets[other].end(), mesh.tets[t][joint.inFirst[i]]);
                ASSERT(at != mesh.tets[other].end());
                joint.inSecond[i] = static_cast<uint8_t>(at - mesh.tets[other].begin());
            }
            joints.push_back(joint);
        }
    }
    return joints;
}

/// Is there material of both where two copies would meet?
bool meet(const Joint& face, std::span<const TetCut> first, std::span<const TetCut> second) {
    std::vector<Vec3> functions;
    for (const TetCut& cut : first) functions.push_back(onFace(cut, face.inFirst));
    for (const TetCut& cut : second) functions.push_back(onFace(cut, face.inSecond));
    return filledFace(functions) > kNothing;
}

TetCut cutOf(const TetMesh& mesh, TetIndex t, const IndexedVector<NodeIndex, double>& side) {
    TetCut cut;
    for (int i = 0; i < 4; ++i) cut[i] = side[mesh.tets[t][static_cast<size_t>(i)]];
    return cut;
}

bool isMixed(const TetCut& cut) { return cut.minCoeff() < 0 && cut.maxCoeff() > 0; }

/// The copies of each tet of the mesh before: one, or two with the positive side first.
struct Copies {
    IndexedVector<TetIndex, uint32_t> first;  // copies of tet t: first[t] and, where cut, first[t] + 1
    std::vector<TetIndex> tet;
    std::vector<std::vector<TetCut>> cuts;
};

/// Takes the tets' cuts.
Copies copiesOf(CrackedTets& tets, const IndexedVector<NodeIndex, double>& side,
                const IndexedVector<TetIndex, uint8_t>& marked) {
    Copies copies;
    for (const TetIndex t : tets.mesh.tets.indices()) {
        copies.first.push_back(static_cast<uint32_t>(copies.tet.size()));
        if (const TetCut cut = marked[t] ? cutOf(tets.mesh, t, side) : TetCut::Ones(); isMixed(cut)) {
            std::vector<TetCut> above = tets.cuts[t], below = tets.cuts[t];
            above.push_back(cut);
            below.push_back(-cut);
            if (filledShare(above) > kNothing && filledShare(below) > kNothing) {
                copies.tet.insert(copies.tet.end(), 2, t);
                copies.cuts.push_back(std::move(above));
                copies.cuts.push_back(std::move(below));
                continue;
            }
        }
        copies.tet.push_back(t);
        copies.cuts.push_back(std::move(tets.cuts[t]));
    }
    return copies;
}

}  // namespace

double filledShare(std::span<const TetCut> cuts) {
    std::vector<SubTet> filled{{Vec4::Unit(0), Vec4::Unit(1), Vec4::Unit(2), Vec4::Unit(3)}}, next;
    for (const TetCut& cut : cuts) {
        next.clear();
        for (const SubTet& tet : filled) keepPositive(tet, cut, next);
        filled.swap(next);
    }
    double sum = 0;
    for (const SubTet& tet : filled) sum += volumeShare(tet);
    return sum;
}

IndexedVector<TetIndex, double> filledShare(const CrackedTets& tets) {
    IndexedVector<TetIndex, double> shares;
    for (const std::vector<TetCut>& cuts : tets.cuts) shares.push_back(filledShare(std::span(cuts)));
    return shares;
}

CrackedTets uncracked(const TetMesh& mesh) {
    CrackedTets tets;
    tets.mesh = mesh;
    for (const TetIndex t : mesh.tets.indices()) tets.wholeTet.push_back(t);
    for (const NodeIndex n : mesh.nodes.indices()) tets.wholeNode.push_back(n);
    tets.cuts.assign(mesh.tetCount(), {});
    tets.joints = jointsOf(mesh);
    return tets;
}

CrackedFurther crack(CrackedTets tets, const IndexedVector<NodeIndex, double>& side,
                     const IndexedVector<TetIndex, uint8_t>& marked) {
    ASSERT(side.size() == tets.mesh.nodeCount() && marked.size() == tets.mesh.tetCount());
    Copies copies = copiesOf(tets, side, marked);
    const auto countOf = [&](TetIndex t) {
        const size_t next = raw(t) + 1 < copies.first.size() ? copies.first[TetIndex{raw(t) + 1}] : copies.tet.size();
        return next - copies.first[t];
    };

    // nodes away from what is cut now stay one: from the first crack on, all tets at a node hang together by faces
    const bool first = std::all_of(tets.cuts.begin(), tets.cuts.end(), [](const auto& cuts) { return cuts.empty(); });
    IndexedVector<NodeIndex, uint8_t> open(tets.mesh.nodeCount(), first ? 1 : 0);
    for (const TetIndex t : tets.mesh.tets.indices()) {
        if (countOf(t) == 1) continue;
        for (const NodeIndex n : tets.mesh.tets[t]) open[n] = 1;
    }

    // copies that meet in material have the face's corners in common
    CrackedFurther made;
    CrackedTets& result = made.tets;
    DisjointSets corners(4 * copies.tet.size());
    result.joints.reserve(tets.joints.size());
    for (const Joint& joint : tets.joints) {
        const bool uncut = countOf(joint.first) == 1 && countOf(joint.second) == 1;  // they met before and still do
        for (uint32_t a = copies.first[joint.first]; a < copies.first[joint.first] + countOf(joint.first); ++a) {
            for (uint32_t b = copies.first[joint.second]; b < copies.first[joint.second] + countOf(joint.second); ++b) {
                if (!uncut && !meet(joint, copies.cuts[a], copies.cuts[b])) continue;
                result.joints.push_back({TetIndex{a}, TetIndex{b}, joint.inFirst, joint.inSecond});
                for (size_t k = 0; k < 3; ++k) {
                    if (open[tets.mesh.tets[joint.first][joint.inFirst[k]]])
                        corners.join(4 * a + joint.inFirst[k], 4 * b + joint.inSecond[k]);
                }
            }
        }
    }

    std::vector<NodeIndex> nodeOf(4 * copies.tet.size(), kNone<NodeIndex>);
    IndexedVector<NodeIndex, NodeIndex> sameNode(tets.mesh.nodeCount(), kNone<NodeIndex>);
    for (uint32_t c = 0; c < copies.tet.size(); ++c) {
        const TetIndex t = copies.tet[c];
        Tet copy;
        for (uint32_t i = 0; i < 4; ++i) {
            const NodeIndex before = tets.mesh.tets[t][i];
            NodeIndex& node = open[before] ? nodeOf[corners.root(4 * c + i)] : sameNode[before];
            if (node == kNone<NodeIndex>) {
                node = NodeIndex{static_cast<uint32_t>(result.mesh.nodeCount())};
                result.mesh.nodes.push_back(tets.mesh.nodes[before]);
                result.wholeNode.push_back(tets.wholeNode[before]);
                made.nodeBefore.push_back(before);
            }
            copy[i] = node;
        }
        result.mesh.tets.push_back(copy);
        made.tetBefore.push_back(t);
        result.wholeTet.push_back(tets.wholeTet[t]);
        result.cuts.push_back(std::move(copies.cuts[c]));
    }
    return made;
}

TetComponents componentsOf(const CrackedTets& tets) {
    DisjointSets joined(tets.mesh.tetCount());
    for (const CrackedTets::Joint& joint : tets.joints) joined.join(raw(joint.first), raw(joint.second));
    TetComponents components;
    std::vector<uint32_t> number(tets.mesh.tetCount(), kInvalidIndex);
    for (uint32_t t = 0; t < tets.mesh.tetCount(); ++t) {
        uint32_t& name = number[joined.root(t)];
        if (name == kInvalidIndex) name = components.count++;
        components.of.push_back(name);
    }
    return components;
}

CopiesOfTets::CopiesOfTets(const CrackedTets& tets, size_t wholeCount) : first_(wholeCount + 1, 0) {
    for (const TetIndex whole : tets.wholeTet) ++first_[raw(whole) + 1];
    for (size_t t = 0; t < wholeCount; ++t) first_[t + 1] += first_[t];
    copies_.resize(tets.wholeTet.size());
    std::vector<uint32_t> next = first_;
    for (const TetIndex copy : tets.wholeTet.indices()) copies_[next[raw(tets.wholeTet[copy])]++] = copy;
}

}  // namespace sunder
