#include "geometry/repair/diagnose.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/weld.h"
#include "geometry/repair/clean_faces.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/repair/detail/examine.h"
#include "geometry/repair/orient.h"
#include "geometry/repair/shells.h"
#include "geometry/repair/split_nonmanifold.h"
#include "geometry/repair/stitch.h"
#include "geometry/repair/wall_thickness.h"
#include "geometry/tree/self_intersections.h"

namespace sunder {

using detail::counted;
using detail::textOf;

namespace {

struct KindText {
    DefectKind kind;
    const char* name;
    const char* singular;
    const char* plural;
    const char* meaning;  // what it does to the user
};

constexpr KindText kKinds[] = {
    {DefectKind::NonFinite, "non_finite", "vertex that is not a number", "vertices that are not numbers", ""},
    {DefectKind::Empty, "empty", "mesh without triangles", "meshes without triangles", ""},
    {DefectKind::UnusedVertices, "unused_vertices", "unused vertex", "unused vertices", "harmless"},
    {DefectKind::UnweldedVertices, "unwelded_vertices", "exact copy of a vertex", "exact copies of vertices",
     "harmless, welded on use"},
    {DefectKind::NearDuplicateVertices, "near_duplicate_vertices", "nearly coincident vertex at open edges",
     "nearly coincident vertices at open edges", "repair welds them"},
    {DefectKind::RepeatedIndex, "repeated_index", "triangle that uses a vertex twice",
     "triangles that use a vertex twice", "repair drops them"},
    {DefectKind::ZeroArea, "zero_area", "triangle without area", "triangles without area", "repair removes them"},
    {DefectKind::DuplicateFaces, "duplicate_faces", "face listed again", "faces listed again", "repair keeps one"},
    {DefectKind::DoubledFaces, "doubled_faces", "face doubled back to back", "faces doubled back to back",
     "repair keeps one side of a double-sided surface and removes flaps and inner walls"},
    {DefectKind::OpenEdges, "open_edges", "open edge", "open edges", "the surface is not closed"},
    {DefectKind::NonManifoldEdges, "non_manifold_edges", "edge with more than two triangles",
     "edges with more than two triangles", "repair takes them apart"},
    {DefectKind::NonManifoldVertices, "non_manifold_vertices", "vertex where surfaces only touch",
     "vertices where surfaces only touch", "repair takes them apart"},
    {DefectKind::ClashingOrientation, "clashing_orientation", "edge whose triangles disagree which side is out",
     "edges whose triangles disagree which side is out", "repair turns the smaller part over"},
    {DefectKind::NotOrientable, "not_orientable", "surface that has no inside and outside",
     "surfaces that have no inside and outside", "it cannot bound a solid"},
    {DefectKind::InwardShell, "inward_shell", "closed shell turned inside out", "closed shells turned inside out",
     "repair turns them"},
    {DefectKind::TJunction, "t_junction", "vertex in the middle of another triangle's open edge",
     "vertices in the middle of other triangles' open edges", "repair stitches them"},
    {DefectKind::SelfIntersection, "self_intersection", "pair of triangles that cut each other",
     "pairs of triangles that cut each other", "repair mends small places and rebuilds the surface otherwise"},
    {DefectKind::OverlappingShells, "overlapping_shells", "pair of shells that cut each other",
     "pairs of shells that cut each other", "repair unites them"},
    {DefectKind::DoubleWall, "double_wall", "pair of triangles that lie on each other",
     "pairs of triangles that lie on each other", "repair removes the wall between"},
    {DefectKind::NestedSameOrientation, "nested_same_orientation", "shell inside another, both turned outward",
     "shells inside others, both turned outward", "repair takes the inner one as a cavity"},
    {DefectKind::ZeroVolume, "zero_volume", "closed surface that encloses nothing",
     "closed surfaces that enclose nothing", "it is not a solid"},
    {DefectKind::ThinWall, "thin_wall", "wall thinner than three cells", "walls thinner than three cells", ""},
};

const KindText& textFor(DefectKind kind) { return kKinds[static_cast<size_t>(kind)]; }

void note(Diagnosis& diagnosis, DefectKind kind, size_t count, std::string example) {
    if (count > 0) diagnosis.defects.push_back({kind, count, std::move(example)});
}

std::string place(const TriMesh& mesh, VertexIndex v) {
    return fmt::format("vertex {} at {}", raw(v), textOf(mesh.positions[v]));
}

std::string place(const TriMesh& mesh, TriangleIndex t) {
    const auto [a, b, c] = mesh.corners(t);
    return fmt::format("triangle {} at {}", raw(t), textOf((a + b + c) / 3));
}

std::string place(const TriMesh& mesh, const MeshTopology& topology, EdgeIndex e) {
    const auto [a, b] = topology.vertices(e);
    return fmt::format("edge {}-{} at {}", raw(a), raw(b), textOf(0.5 * (mesh.positions[a] + mesh.positions[b])));
}

/// Triangles that are no triangles, and copies.
void noteBadFaces(Diagnosis& diagnosis, const TriMesh& mesh) {
    size_t repeated = 0, flat = 0;
    TriangleIndex firstRepeated{}, firstFlat{};
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const Triangle& v = mesh.triangles[t];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
            if (repeated++ == 0) firstRepeated = t;
        } else {
            const auto [a, b, c] = mesh.corners(t);
            if (isZeroArea(a, b, c) && flat++ == 0) firstFlat = t;
        }
    }
    note(diagnosis, DefectKind::RepeatedIndex, repeated, repeated ? place(mesh, firstRepeated) : "");
    note(diagnosis, DefectKind::ZeroArea, flat, flat ? place(mesh, firstFlat) : "");
    const detail::CopyCounts copies = detail::countCopies(mesh);
    note(diagnosis, DefectKind::DuplicateFaces, copies.same, copies.same ? place(mesh, copies.firstSame) : "");
    note(diagnosis, DefectKind::DoubledFaces, copies.opposite,
         copies.opposite ? place(mesh, copies.firstOpposite) : "");
}

/// Edges, vertices and orientation. Returns whether every component can be oriented.
bool noteTopology(Diagnosis& diagnosis, const TriMesh& mesh, const MeshTopology& topology) {
    // edges with one triangle, and with more than two
    size_t open = 0, crowded = 0;
    EdgeIndex firstOpen{}, firstCrowded{};
    for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
        if (topology.isBoundary(e)) {
            if (open++ == 0) firstOpen = e;
            const auto [a, b] = topology.vertices(e);
            diagnosis.openEdgeLength += (mesh.positions[a] - mesh.positions[b]).norm();
        }
        if (topology.isNonManifold(e) && crowded++ == 0) firstCrowded = e;
    }
    note(diagnosis, DefectKind::OpenEdges, open, open ? place(mesh, topology, firstOpen) : "");
    note(diagnosis, DefectKind::NonManifoldEdges, crowded, crowded ? place(mesh, topology, firstCrowded) : "");
    // vertices where surfaces touch, and neighbours that turn against each other
    const FanCount fans = nonManifoldVertices(mesh);
    note(diagnosis, DefectKind::NonManifoldVertices, fans.vertices, fans.vertices ? place(mesh, fans.example) : "");
    const OrientResult orientation = checkOrientation(mesh, topology);
    note(diagnosis, DefectKind::ClashingOrientation, orientation.clashing,
         orientation.clashing ? place(mesh, topology, orientation.example) : "");
    note(diagnosis, DefectKind::NotOrientable, orientation.notOrientable,
         orientation.notOrientable ? place(mesh, topology, orientation.example) : "");
    // what the caller goes on with
    diagnosis.closed = open == 0;
    diagnosis.manifold = crowded == 0 && fans.vertices == 0;
    diagnosis.oriented = orientation.clashing == 0;
    return orientation.notOrientable == 0;
}

/// What tolerance welding and stitching would find at the open edges.
void noteSeams(Diagnosis& near, Diagnosis& junctions, const TriMesh& mesh, double tolerance) {
    TriMesh seams = mesh;
    note(near, DefectKind::NearDuplicateVertices, weldOpenEdges(seams, tolerance),
         fmt::format("within {:.3g} of each other", tolerance));
    note(junctions, DefectKind::TJunction, stitchTJunctions(seams, tolerance),
         fmt::format("within {:.3g} of the edge", tolerance));
}

void noteIntersections(Diagnosis& diagnosis, const TriMesh& mesh, const detail::Intersections& found) {
    const auto pairPlace = [&](const IntersectingPair& pair) {
        return fmt::format("triangles {} and {} at {}", raw(pair.first), raw(pair.second),
                           textOf(detail::placeOf(mesh, pair)));
    };
    if (found.tooNear) note(diagnosis, DefectKind::SelfIntersection, 1, found.tooManyText());
    note(diagnosis, DefectKind::SelfIntersection, found.crossing, found.crossing ? pairPlace(found.firstCrossing) : "");
    note(diagnosis, DefectKind::OverlappingShells, found.shellPairs.size(),
         found.shellPairs.empty()
             ? ""
             : fmt::format("shells {} and {}", found.shellPairs[0].first, found.shellPairs[0].second));
    note(diagnosis, DefectKind::DoubleWall, found.coplanar, found.coplanar ? pairPlace(found.firstCoplanar) : "");
}

}  // namespace

const char* nameOf(DefectKind kind) { return textFor(kind).name; }

const Defect* Diagnosis::find(DefectKind kind) const {
    for (const Defect& defect : defects) {
        if (defect.kind == kind) return &defect;
    }
    return nullptr;
}

bool Diagnosis::solid() const {
    if (!closed || !manifold || !oriented || !(volume > 0)) return false;
    return std::all_of(defects.begin(), defects.end(), [](const Defect& defect) {
        return defect.kind == DefectKind::UnusedVertices || defect.kind == DefectKind::UnweldedVertices ||
               defect.kind == DefectKind::ThinWall;
    });
}

Diagnosis diagnose(const TriMesh& input, const DiagnoseOptions& options) {
    Diagnosis diagnosis;

    // what makes all other questions meaningless
    size_t nonFinite = 0;
    VertexIndex firstNonFinite{};
    for (const VertexIndex v : input.positions.indices()) {
        if (!input.positions[v].allFinite() && nonFinite++ == 0) firstNonFinite = v;
    }
    note(diagnosis, DefectKind::NonFinite, nonFinite, nonFinite ? fmt::format("vertex {}", raw(firstNonFinite)) : "");
    if (input.empty()) note(diagnosis, DefectKind::Empty, 1, "no triangles");
    if (!diagnosis.defects.empty()) return diagnosis;

    // the mesh as meant: shared vertices
    TriMesh mesh = input;
    note(diagnosis, DefectKind::UnusedVertices, removeUnusedVertices(mesh), "");
    note(diagnosis, DefectKind::UnweldedVertices, detail::weldWhereNeeded(mesh), "");
    noteBadFaces(diagnosis, mesh);
    dropRepeatedIndexFaces(mesh);
    if (mesh.empty()) {
        note(diagnosis, DefectKind::ZeroVolume, 1, "every triangle uses a vertex twice");
        return diagnosis;
    }

    // the surface as a whole: does it close, and can it be turned one way?
    const MeshTopology topology(mesh);
    const Components components = connectedComponents(mesh, topology);
    diagnosis.components = components.count;
    const bool orientable = noteTopology(diagnosis, mesh, topology);

    // which way is out, and what lies inside what
    const double diagonal = boundsOf(mesh).diagonal();
    const detail::Intersections cuts = detail::findIntersections(mesh, components);
    Diagnosis junctions;
    if (!diagnosis.closed) noteSeams(diagnosis, junctions, mesh, options.weldTolerance * diagonal);
    const bool surface = diagnosis.closed && diagnosis.manifold && orientable;
    OutwardCounts wrong;
    bool hasVolume = true;
    if (surface) {
        TriMesh oriented = mesh;
        orientConsistently(oriented, topology);
        std::vector<NestedShell> shells = nestedShells(oriented, components, cuts.shellPairs);
        wrong = wrongWayShells(shells);
        turnOutward(oriented, shells);
        diagnosis.bodies = bodyCount(shells);
        diagnosis.volume = volume(oriented);
        diagnosis.oriented = diagnosis.oriented && wrong.inward == 0 && wrong.nested == 0;
        hasVolume = detail::enclosesVolume(oriented);
        // walls are measured only in a solid that does not cut itself
        if (hasVolume && cuts.pairs.empty()) {
            const WallThickness wall = wallThickness(oriented);
            diagnosis.thinnestWall = wall.thinnest;
            const double needed = 3 * boundsOf(mesh).size().maxCoeff() / options.cells;
            if (wall.known() && wall.thinnest < needed) {
                note(diagnosis, DefectKind::ThinWall, 1, detail::thinWallText(wall, needed / 3));
            }
        }
    }
    // defects are listed in a fixed order, whichever was found first
    note(diagnosis, DefectKind::InwardShell, wrong.inward, "");
    diagnosis.defects.insert(diagnosis.defects.end(), junctions.defects.begin(), junctions.defects.end());
    noteIntersections(diagnosis, mesh, cuts);
    note(diagnosis, DefectKind::NestedSameOrientation, wrong.nested, "");
    if (surface && !hasVolume)
        note(diagnosis, DefectKind::ZeroVolume, 1, fmt::format("volume {:.3g}", diagnosis.volume));
    std::stable_sort(diagnosis.defects.begin(), diagnosis.defects.end(),
                     [](const Defect& a, const Defect& b) { return a.kind < b.kind; });
    return diagnosis;
}

std::string describe(const Diagnosis& diagnosis) {
    std::string text;
    if (diagnosis.solid()) {
        text = fmt::format("A clean solid: {}, volume {:.6g}.", counted(diagnosis.bodies, "body", "bodies"),
                           diagnosis.volume);
    } else {
        text = "Not fit as a solid as it is.";
    }
    for (const Defect& defect : diagnosis.defects) {
        const KindText& kind = textFor(defect.kind);
        text += fmt::format(" {}", counted(defect.count, kind.singular, kind.plural));
        if (!defect.example.empty()) text += fmt::format(", e.g. {}", defect.example);
        if (*kind.meaning) text += fmt::format(" ({})", kind.meaning);
        text += ".";
    }
    return text;
}

}  // namespace sunder
