#include "geometry/tet/cracked_tets.h"

#include <algorithm>
#include <utility>

#include <Eigen/LU>

#include "base/assert.h"
#include "base/disjoint_sets.h"
#include "geometry/tet/validate.h"

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
    // corners in order of their values: those in front are kept
    std::array<double, 4> value{};
    std::array<size_t, 4> order{0, 1, 2, 3};
    for (size_t i = 0; i < 4; ++i) value[i] = cut.dot(tet[i]);
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return value[a] > value[b] || (value[a] == value[b] && a < b); });
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
    // what is cut off a corner is a tet; what is left of two or three corners is a prism
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

/// Cuts a crack into tets, where it runs.
class Cutter {
public:
    explicit Cutter(CrackedTets& tets) : tets_(tets) {}

    void cut(TetIndex t, const TetCut& cut) {
        std::vector<TetCut> above = tets_.cuts[t], below = above;
        above.push_back(cut);
        below.push_back(-cut);
        const double filledAbove = filledShare(above), filledBelow = filledShare(below);
        if (!(filledAbove > kNothing && filledBelow > kNothing)) return;
        added_.tets.push_back(t);
        tets_.cuts[t] = std::move(above);
        tets_.filled[t] = filledAbove;
        tets_.mesh.tets.push_back(tets_.mesh.tets[t]);
        tets_.wholeTet.push_back(tets_.wholeTet[t]);
        tets_.cuts.push_back(std::move(below));
        tets_.filled.push_back(filledBelow);
        tets_.firstJoint.push_back(kInvalidIndex);
    }

    /// Joins copies that meet in material, and gives them the face's corners in common.
    CrackedFurther finish() && {
        const size_t before = tets_.mesh.tetCount() - added_.tets.size();
        IndexedVector<TetIndex, TetIndex> otherCopy(before, kNone<TetIndex>);
        for (size_t i = 0; i < added_.tets.size(); ++i) otherCopy[added_.tets[i]] = TetIndex(before + i);
        rejoin(otherCopy);
        // what hangs together at a node away from what was cut still does
        std::vector<TetIndex> changed;
        for (const TetIndex t : added_.tets) changed.insert(changed.end(), {t, otherCopy[t]});
        separate(changed);
        return std::move(added_);
    }

    /// Parts that had a node of these tets in common, and do not hang together by faces there, get one each.
    void separate(std::span<const TetIndex> changed) {
        std::vector<std::array<uint8_t, 4>> isNamed(tets_.mesh.tetCount());
        IndexedVector<NodeIndex, uint8_t> isTaken(tets_.mesh.nodeCount(), 0);
        for (const TetIndex t : changed) {
            for (uint8_t corner = 0; corner < 4; ++corner) {
                if (isNamed[raw(t)][corner]) continue;
                const NodeIndex before = tets_.mesh.tets[t][corner];
                const NodeIndex node = isTaken[before] ? copyOf(before) : before;
                isTaken[before] = 1;
                nameAround(t, corner, node, isNamed);
            }
        }
    }

    void link(uint32_t j) {
        Joint& joint = tets_.joints[j];
        joint.nextOfFirst = std::exchange(tets_.firstJoint[joint.first], j);
        joint.nextOfSecond = std::exchange(tets_.firstJoint[joint.second], j);
    }

private:
    uint32_t& nextAfter(uint32_t j, TetIndex t) {
        Joint& joint = tets_.joints[j];
        return joint.first == t ? joint.nextOfFirst : joint.nextOfSecond;
    }
    void unlink(uint32_t j) {
        for (const TetIndex t : {tets_.joints[j].first, tets_.joints[j].second}) {
            uint32_t* at = &tets_.firstJoint[t];
            while (*at != j) at = &nextAfter(*at, t);
            *at = nextAfter(j, t);
        }
    }

    /// Ascending.
    std::vector<uint32_t> jointsOfCutTets() {
        std::vector<uint32_t> found;
        for (const TetIndex t : added_.tets) {
            for (uint32_t j = tets_.firstJoint[t]; j != kInvalidIndex; j = nextAfter(j, t)) found.push_back(j);
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    void rejoin(const IndexedVector<TetIndex, TetIndex>& otherCopy) {
        std::vector<uint32_t> gone;
        // each joint of a tet that was cut is made anew, between all copies of both sides that meet in material there
        for (const uint32_t j : jointsOfCutTets()) {
            unlink(j);
            const Joint face = tets_.joints[j];
            const std::array<TetIndex, 2> ofFirst{face.first, otherCopy[face.first]},
                ofSecond{face.second, otherCopy[face.second]};
            bool isUsed = false;
            for (const TetIndex a : ofFirst) {
                for (const TetIndex b : ofSecond) {
                    if (a == kNone<TetIndex> || b == kNone<TetIndex>) continue;
                    if (!meet(face, tets_.cuts[a], tets_.cuts[b])) continue;
                    // the first takes the old joint's place
                    const uint32_t at = isUsed ? static_cast<uint32_t>(tets_.joints.size()) : j;
                    if (isUsed) tets_.joints.emplace_back();
                    tets_.joints[at] = {a, b, face.inFirst, face.inSecond};
                    link(at);
                    isUsed = true;
                }
            }
            if (!isUsed) gone.push_back(j);
        }
        for (size_t i = gone.size(); i-- > 0;) remove(gone[i]);  // from behind: the last is never one that is to go
    }

    /// Takes out a joint that is not linked: the last comes to its place.
    void remove(uint32_t j) {
        const auto last = static_cast<uint32_t>(tets_.joints.size() - 1);
        if (j != last) {
            unlink(last);
            tets_.joints[j] = tets_.joints[last];
            link(j);
        }
        tets_.joints.pop_back();
    }

    NodeIndex copyOf(NodeIndex node) {
        added_.nodes.push_back(node);
        tets_.wholeNode.push_back(tets_.wholeNode[node]);
        return tets_.mesh.nodes.push_back(tets_.mesh.nodes[node]);
    }

    /// Names a corner, in all copies that hang together there.
    void nameAround(TetIndex start, uint8_t atCorner, NodeIndex node, std::vector<std::array<uint8_t, 4>>& isNamed) {
        const auto name = [&](TetIndex t, uint8_t corner) {
            if (std::exchange(isNamed[raw(t)][corner], uint8_t{1})) return;
            tets_.mesh.tets[t][corner] = node;
            open_.emplace_back(t, corner);
        };
        name(start, atCorner);
        while (!open_.empty()) {
            const auto [t, corner] = open_.back();
            open_.pop_back();
            forJointsOf(tets_, t, [&, at = corner](const auto& here, TetIndex other, const auto& there) {
                for (size_t k = 0; k < 3; ++k) {
                    if (here[k] == at) name(other, there[k]);
                }
            });
        }
    }

    CrackedTets& tets_;
    CrackedFurther added_;
    std::vector<std::pair<TetIndex, uint8_t>> open_;
};

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

CrackedTets uncracked(const TetMesh& mesh) {
    CrackedTets tets;
    tets.mesh = mesh;
    for (const TetIndex t : mesh.tets.indices()) tets.wholeTet.push_back(t);
    for (const NodeIndex n : mesh.nodes.indices()) tets.wholeNode.push_back(n);
    tets.cuts.assign(mesh.tetCount(), {});
    tets.filled.assign(mesh.tetCount(), 1);
    tets.firstJoint.assign(mesh.tetCount(), kInvalidIndex);
    tets.joints = jointsOf(mesh);
    Cutter cutter(tets);
    for (uint32_t j = 0; j < tets.joints.size(); ++j) cutter.link(j);
    const IndexedVector<TetIndex, TetIndex> all = tets.wholeTet;
    cutter.separate({all.begin(), all.end()});
    ASSERT(problemWith(tets).empty());
    return tets;
}

CrackedFurther crack(CrackedTets& tets, const IndexedVector<NodeIndex, double>& side,
                     const IndexedVector<TetIndex, uint8_t>& marked) {
    ASSERT(side.size() == tets.mesh.nodeCount() && marked.size() == tets.mesh.tetCount());
    Cutter cutter(tets);
    for (const TetIndex t : marked.indices()) {
        if (!marked[t]) continue;
        if (const TetCut cut = cutOf(tets.mesh, t, side); isMixed(cut)) cutter.cut(t, cut);
    }
    CrackedFurther further = std::move(cutter).finish();
    ASSERT(problemWith(tets).empty());
    return further;
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
