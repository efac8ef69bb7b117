#include "fracture/common/detail/crack_sheets.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/assert.h"
#include "geometry/tree/triangle_tree.h"

namespace sunder::fracture {

namespace {

constexpr double kSame = 1e-5;      // of a cell: corners of neighbouring faces
constexpr double kStraight = -0.3;  // cosine of the angle between two faces that go on in each other, at most

/// One number for each place.
class Places {
public:
    explicit Places(std::vector<Vec3> points, double same) : tree_(points), numbers_(points.size(), kInvalidIndex) {
        for (uint32_t i = 0; i < points.size(); ++i) {
            if (numbers_[i] != kInvalidIndex) continue;
            for (const uint32_t other : tree_.within(points[i], same)) {
                if (numbers_[other] == kInvalidIndex) numbers_[other] = static_cast<uint32_t>(places_.size());
            }
            places_.push_back(points[i]);
        }
    }
    uint32_t number(size_t point) const { return numbers_[point]; }
    const std::vector<Vec3>& places() const { return places_; }

private:
    PointTree tree_;
    std::vector<uint32_t> numbers_;
    std::vector<Vec3> places_;
};

Vec3 normalOf(const SheetFace& face, const std::vector<Vec3>& places) {
    Vec3 sum = Vec3::Zero();
    for (size_t i = 2; i < face.corners.size(); ++i) {
        const Vec3& a = places[face.corners[0]];
        sum += (places[face.corners[i - 1]] - a).cross(places[face.corners[i]] - a);
    }
    return sum.normalized();
}

/// From the edge into the face, unit.
Vec3 inwards(const SheetFace& face, size_t edge, const std::vector<Vec3>& places) {
    const Vec3 along = places[face.corners[(edge + 1) % face.corners.size()]] - places[face.corners[edge]];
    return normalOf(face, places).cross(along).normalized();
}

/// Corners of other faces that lie on an edge become its own: neighbours then meet edge by edge.
void meetEdgeByEdge(std::vector<SheetFace>& faces, const std::vector<Vec3>& places, double same) {
    // edges without a neighbour: only these can be split, and only by each other's ends
    std::map<EdgeKey, int> sides;
    for (const SheetFace& face : faces) {
        for (size_t i = 0; i < face.corners.size(); ++i)
            ++sides[keyOf(face.corners[i], face.corners[(i + 1) % face.corners.size()])];
    }
    std::vector<uint32_t> loose;  // places at ends of edges that have no neighbour
    for (const auto& [edge, count] : sides) {
        if (count == 1) loose.insert(loose.end(), edge.begin(), edge.end());
    }
    std::sort(loose.begin(), loose.end());
    loose.erase(std::unique(loose.begin(), loose.end()), loose.end());

    // such edges are split at the corners that lie on them; beyond the parts is what was beyond the whole
    std::vector<Vec3> points;
    for (const uint32_t place : loose) points.push_back(places[place]);
    const PointTree tree(points);
    for (SheetFace& face : faces) {
        ASSERT(face.beyond.size() == face.corners.size());
        SheetFace split = face;
        split.corners.clear();
        split.beyond.clear();
        for (size_t i = 0; i < face.corners.size(); ++i) {
            const uint32_t from = face.corners[i], to = face.corners[(i + 1) % face.corners.size()];
            split.corners.push_back(from);
            split.beyond.push_back(face.beyond[i]);
            if (sides.at(keyOf(from, to)) != 1) continue;
            // corners on the line between the ends but not at them, in their order along it
            const Vec3 &a = places[from], along = places[to] - a;
            const double length = along.norm();
            std::vector<std::pair<double, uint32_t>> between;
            for (const uint32_t found : tree.within(a + 0.5 * along, 0.5 * length)) {
                const uint32_t place = loose[found];
                const double at = (places[place] - a).dot(along) / length;
                const double off = (places[place] - a - at / length * along).norm();
                if (off < same && at > same && at < length - same) between.emplace_back(at, place);
            }
            std::sort(between.begin(), between.end());
            for (const auto& [at, place] : between) {
                split.corners.push_back(place);
                split.beyond.push_back(face.beyond[i]);
            }
        }
        face = std::move(split);
    }
}

/// An edge of a face.
struct FaceEdge {
    uint32_t face = 0, edge = 0;
};
using FaceEdges = std::map<EdgeKey, std::vector<FaceEdge>>;

FaceEdges edgesOf(const std::vector<SheetFace>& faces) {
    FaceEdges edges;
    for (uint32_t f = 0; f < faces.size(); ++f) {
        const auto& corners = faces[f].corners;
        for (uint32_t i = 0; i < corners.size(); ++i)
            edges[keyOf(corners[i], corners[(i + 1) % corners.size()])].push_back({f, i});
    }
    return edges;
}

/// Those faces at an edge that go on in each other, two by two: where cracks cross, and where one runs on past
/// another that ends there.
std::vector<std::array<FaceEdge, 2>> joined(const std::vector<FaceEdge>& sides, const std::vector<SheetFace>& faces,
                                            const std::vector<Vec3>& places) {
    // pairs of one component that go on nearly straight
    std::vector<std::tuple<double, size_t, size_t>> candidates;
    for (size_t i = 0; i < sides.size(); ++i) {
        for (size_t j = i + 1; j < sides.size(); ++j) {
            const SheetFace &one = faces[sides[i].face], &two = faces[sides[j].face];
            if (sides[i].face == sides[j].face || one.component != two.component) continue;
            const double cosine = inwards(one, sides[i].edge, places).dot(inwards(two, sides[j].edge, places));
            if (cosine < kStraight) candidates.emplace_back(cosine, i, j);
        }
    }

    // the straightest pair first; each face has one partner at an edge
    std::sort(candidates.begin(), candidates.end());
    std::vector<uint8_t> taken(sides.size(), 0);
    std::vector<std::array<FaceEdge, 2>> pairs;
    for (const auto& [cosine, i, j] : candidates) {
        if (taken[i] || taken[j]) continue;
        taken[i] = taken[j] = 1;
        pairs.push_back({sides[i], sides[j]});
    }
    return pairs;
}

void turnOver(SheetFace& face) {
    ASSERT(face.beyond.size() == face.corners.size() && face.joint.size() == face.corners.size());
    std::reverse(face.corners.begin(), face.corners.end());
    // edge i was from corner i to the next
    std::reverse(face.beyond.begin(), face.beyond.end());
    std::rotate(face.beyond.begin(), face.beyond.begin() + 1, face.beyond.end());
    std::reverse(face.joint.begin(), face.joint.end());
    std::rotate(face.joint.begin(), face.joint.begin() + 1, face.joint.end());
}

/// Faces that hang together by edges, all turned alike; numbers them.
class Sheets {
public:
    Sheets(std::vector<SheetFace>& faces, const std::vector<Vec3>& places) : faces_(faces), neighbours_(faces.size()) {
        for (SheetFace& face : faces) face.joint.assign(face.corners.size(), kInvalidIndex);
        uint32_t joints = 0;
        for (const auto& [key, sides] : edgesOf(faces)) {
            for (const auto& [one, two] : joined(sides, faces, places)) {
                faces[one.face].joint[one.edge] = faces[two.face].joint[two.edge] = joints++;
                neighbours_[one.face].push_back(two.face);
                neighbours_[two.face].push_back(one.face);
            }
        }
        for (uint32_t f = 0; f < faces.size(); ++f) {
            if (faces[f].sheet == kInvalidIndex) number(f, count_++);
        }
    }
    uint32_t count() const { return count_; }

private:
    void number(uint32_t start, uint32_t sheet) {
        std::vector<uint32_t> open{start};
        faces_[start].sheet = sheet;
        while (!open.empty()) {
            const uint32_t f = open.back();
            open.pop_back();
            for (const uint32_t next : neighbours_[f]) join(f, next, sheet, open);
        }
    }

    void join(uint32_t f, uint32_t next, uint32_t sheet, std::vector<uint32_t>& open) {
        SheetFace &face = faces_[f], &other = faces_[next];
        for (size_t own = 0; own < face.corners.size(); ++own) {
            if (face.joint[own] == kInvalidIndex) continue;
            // the edge that the two share: a face may share several with another
            const auto edgeOfOther = [&] {
                return static_cast<size_t>(std::find(other.joint.begin(), other.joint.end(), face.joint[own]) -
                                           other.joint.begin());
            };
            size_t its = edgeOfOther();
            if (its == other.joint.size()) continue;
            // the first to come to a face turns it, so that a sheet has one side
            const auto turnedAgainst = [&] { return other.corners[its] == face.corners[own]; };
            if (other.sheet == kInvalidIndex) {
                if (turnedAgainst()) turnOver(other);
                its = edgeOfOther();
                other.sheet = sheet;
                open.push_back(next);
            }
            if (turnedAgainst()) continue;  // a band with one side
            face.beyond[own] = other.beyond[its] = Beyond::Sheet;
        }
    }

    std::vector<SheetFace>& faces_;
    std::vector<std::vector<uint32_t>> neighbours_;
    uint32_t count_ = 0;
};

/// Takes out the faces of cracks that run through, which come last: edges that others share with them are mouths.
void endAtThroughCracks(std::vector<SheetFace>& all, size_t partialCount) {
    ASSERT(partialCount <= all.size());
    std::set<EdgeKey> ofThrough;
    for (size_t f = partialCount; f < all.size(); ++f) {
        const auto& corners = all[f].corners;
        for (size_t i = 0; i < corners.size(); ++i)
            ofThrough.insert(keyOf(corners[i], corners[(i + 1) % corners.size()]));
    }
    all.resize(partialCount);
    for (SheetFace& face : all) {
        for (size_t i = 0; i < face.corners.size(); ++i) {
            const EdgeKey key = keyOf(face.corners[i], face.corners[(i + 1) % face.corners.size()]);
            if (face.beyond[i] == Beyond::Front && ofThrough.contains(key)) face.beyond[i] = Beyond::Crack;
        }
    }
}

}  // namespace

CrackSheets crackSheets(const TetMesh& whole, const CrackedTets& tets, const TetComponents& components, double cell) {
    const std::vector<CrackFace> partial = crackFaces(tets, components, CrackKind::Partial);
    if (partial.empty()) return {};
    const std::vector<CrackFace> through = crackFaces(tets, components, CrackKind::Through);
    const auto neighbours = faceNeighbours(whole);

    // faces by the places of their corners
    std::vector<Vec3> points;
    for (const auto* faces : {&partial, &through}) {
        for (const CrackFace& face : *faces) points.insert(points.end(), face.outline.begin(), face.outline.end());
    }
    const double same = kSame * cell;
    const Places places(points, same);
    std::vector<SheetFace> all;
    size_t point = 0, partialCount = 0;
    for (const auto* faces : {&partial, &through}) {
        for (const CrackFace& face : *faces) {
            SheetFace one;
            one.component = face.first;
            for (size_t i = 0; i < face.outline.size(); ++i, ++point) {
                const uint8_t in = face.inFace[i];
                const bool atSurface = in != kInNoFace && neighbours[face.tet][in] == kNone<TetIndex>;
                one.corners.push_back(places.number(point));
                one.beyond.push_back(atSurface ? Beyond::Mouth : Beyond::Front);
            }
            // corners at one place are one: what is left may be no face
            for (size_t i = one.corners.size(); i-- > 0;) {
                if (one.corners[i] != one.corners[(i + 1) % one.corners.size()]) continue;
                one.corners.erase(one.corners.begin() + static_cast<ptrdiff_t>(i));
                one.beyond.erase(one.beyond.begin() + static_cast<ptrdiff_t>(i));
            }
            if (one.corners.size() < 3) continue;
            all.push_back(std::move(one));
            if (faces == &partial) ++partialCount;
        }
    }

    // sheets of faces that go on in each other; cracks that run through end them
    meetEdgeByEdge(all, places.places(), same);
    endAtThroughCracks(all, partialCount);
    const Sheets sheets(all, places.places());
    CrackSheets made{places.places(), std::vector<std::vector<SheetFace>>(sheets.count())};
    for (SheetFace& face : all) made.sheets[face.sheet].push_back(std::move(face));
    return made;
}

}  // namespace sunder::fracture
