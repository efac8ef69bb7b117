#pragma once

#include <span>

#include "material/elastic_material.h"
#include "stress/fem/fem_mesh.h"
#include "stress/stress_solution.h"

namespace sunder::stress {

/// Stress from displacements of all nodes: mean over each tet, and at its corners by superconvergent patches
/// [zienkiewicz1992]: a linear field is fitted to the stress at the quadrature points of the tets around a node, where
/// it is more exact than elsewhere, and read off at the node. `share`: tets that are filled less count for less; empty:
/// all are full.
StressSolution recoverStress(const FemMesh& mesh, const ElasticMaterial& material, std::span<const Vec3> displacements,
                             std::span<const double> share = {});

}  // namespace sunder::stress
