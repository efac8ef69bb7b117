#pragma once

#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder {

/// What may be wrong with a mesh, or worth knowing.
enum class DefectKind {
    NonFinite,              // NaN or infinite coordinates
    Empty,                  // no triangles
    UnusedVertices,         // vertices no triangle uses
    UnweldedVertices,       // several vertices at exactly one place
    NearDuplicateVertices,  // vertices closer than the weld tolerance at open edges
    RepeatedIndex,          // a triangle that uses a vertex twice
    ZeroArea,               // distinct but collinear corners
    DuplicateFaces,         // the same three vertices, same orientation
    DoubledFaces,           // the same three vertices, opposite orientation
    OpenEdges,              // edges with one triangle
    NonManifoldEdges,       // edges with three or more triangles
    NonManifoldVertices,    // vertices with more than one fan
    ClashingOrientation,    // neighbours that disagree which side is out
    NotOrientable,          // no consistent orientation exists
    InwardShell,            // a closed shell turned inside out
    TJunction,              // a vertex in the middle of another triangle's open edge
    SelfIntersection,       // triangles that pass through each other
    OverlappingShells,      // closed shells that cut each other
    DoubleWall,             // coincident shells or walls
    NestedSameOrientation,  // a shell inside another, both turned outward
    ZeroVolume,             // closed, but encloses nothing
    ThinWall                // thinner than three cells of the chosen resolution
};

/// "open_edges": the name used in JSON and messages.
const char* nameOf(DefectKind kind);

/// All places at which a mesh has a defect of one kind.
struct Defect {
    DefectKind kind;      // no kind twice in a diagnosis
    size_t count = 0;     // of vertices, edges, triangles or shells, by the kind
    std::string example;  // one place, for a person: "edge 12-17 at (0.1, 0, 0.3)"
};

/// Everything known about the shape of a mesh without changing it.
struct Diagnosis {
    std::vector<Defect> defects;  // in the order of DefectKind
    bool closed = false;          // no open edges (after exact welding)
    bool manifold = false;        // no edge with three triangles or more, no vertex with two fans
    bool oriented = false;        // consistent; and outward when closed
    size_t components = 0;        // edge-connected
    size_t bodies = 0;            // solids: a shell with its cavities counts once; 0 when open
    double volume = 0;            // m^3, of the oriented solid; meaningful when solid()
    double openEdgeLength = 0;    // m
    double thinnestWall = 0;      // m, see wallThickness(); 0 = not measured (not a solid)

    const Defect* find(DefectKind kind) const;  // null: there is none of the kind
    /// Fit to be simulated as it is: closed, manifold, outward, nothing cut or doubled. Remarks about unused or
    /// unwelded vertices and thin walls do not spoil it.
    bool solid() const;
};

/// What counts as near, and what as thin.
struct DiagnoseOptions {
    double weldTolerance = 1e-6;  // of the bounding box diagonal: what counts as near at open edges
    int cells = 128;              // along the longest side: the resolution that walls are measured against
};

/// Looks at the mesh as a user means it: exactly equal vertices count as one, except where that alone would join two
/// clean closed surfaces that merely touch. Time is near linear in the triangles.
Diagnosis diagnose(const TriMesh& mesh, const DiagnoseOptions& options = {});

/// One paragraph for a person.
std::string describe(const Diagnosis& diagnosis);

}  // namespace sunder
