#pragma once

#include <span>

#include "material/elastic_material.h"
#include "math/sparse/block_matrix.h"
#include "stress/fem/fem_mesh.h"

namespace sunder::stress {

/// Linear elasticity:
///
///     K_ij = sum over elements of integral of  lambda g_i g_j^T + mu g_j g_i^T + mu (g_i . g_j) I
///
///     g_i         gradient of shape function i, 1/m
///     lambda, mu  Lame's constants, Pa
///
/// `share` scales each element's stiffness (how much of it is filled); empty: all are full. The same bits for any
/// number of threads.
BlockMatrix stiffness(const FemMesh& mesh, const ElasticMaterial& material, std::span<const double> share = {});

}  // namespace sunder::stress
