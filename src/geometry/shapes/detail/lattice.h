#pragma once

#include <functional>
#include <vector>

#include "geometry/mesh/tri_mesh.h"

namespace sunder::shapes {

/// Planes that cut space into boxes, per axis ascending.
using LatticePlanes = std::array<std::vector<double>, 3>;

/// Steps of about `spacing` between given places, which are all kept; equal places count once.
std::vector<double> subdivided(std::vector<double> places, double spacing);

/// The edge length that gives `resolution` segments around the two longest sides of a box, but never triangles more
/// than some dozen times longer than wide.
double boxSpacing(const Vec3& size, int resolution);

/// The surface of the boxes (i, j, k) that are filled: box i on an axis lies between planes i and i + 1. Flat normals;
/// UVs along the two axes of each face, one unit per longest side. Filled boxes must not touch by an edge or corner
/// only.
TriMesh latticeSurface(const LatticePlanes& planes, const std::function<bool(int, int, int)>& filled);

/// A box about the origin; with a rounding radius, its edges are quarter cylinders and its corners sphere octants.
TriMesh boxMesh(const Vec3& size, double rounding, double spacing);

/// One normal per triangle.
void setFlatNormals(TriMesh& mesh);

/// UVs along the two axes most across each triangle, one unit per `scale` metres.
void projectUvs(TriMesh& mesh, double scale);

}  // namespace sunder::shapes
