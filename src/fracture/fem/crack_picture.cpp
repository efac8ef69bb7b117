#include "fracture/fem/crack_picture.h"

#include <algorithm>

#include "base/assert.h"
#include "base/parallel.h"
#include "math/sym_eigen.h"

namespace sunder::fracture {

namespace {

/// At the nodes: the mean of the tets around. Pa.
IndexedVector<NodeIndex, double> strengthAtNodes(const CrackableBody& body) {
    IndexedVector<NodeIndex, double> sum(body.tets->nodeCount(), 0.0);
    IndexedVector<NodeIndex, int> around(body.tets->nodeCount(), 0);
    for (const TetIndex t : body.tets->tets.indices()) {
        for (const NodeIndex n : body.tets->tets[t]) {
            sum[n] += (*body.strength)[t];
            ++around[n];
        }
    }
    for (const NodeIndex n : sum.indices()) sum[n] /= std::max(around[n], 1);
    return sum;
}

}  // namespace

StressPicture pictureOf(const CrackableBody& body, const Cracking& cracked, std::span<const ContactForce> forces) {
    ASSERT(body.tets != nullptr && body.strength != nullptr);
    const TetMesh& tets = *body.tets;
    ASSERT(cracked.stressAtNode.size() == tets.nodeCount());
    const IndexedVector<NodeIndex, double> strength = strengthAtNodes(body);

    // extreme principal stresses beside the strength there, node by node
    StressPicture picture;
    picture.points.resize(tets.nodeCount());
    parallelFor(tets.nodeCount(), 512, [&](const BlockRange& block) {
        for (size_t i = block.begin; i < block.end; ++i) {
            const NodeIndex n{static_cast<uint32_t>(i)};
            const SymEigen eigen = symmetricEigen(cracked.stressAtNode[n]);
            picture.points[i] = {tets.nodes[n], eigen.values[2], eigen.values[0], strength[n], eigen.vectors.col(2)};
        }
    });

    // tets between them, as many as can be shown
    for (const Tet& tet : tets.tets) picture.cells.push_back({raw(tet[0]), raw(tet[1]), raw(tet[2]), raw(tet[3])});
    coarsen(picture, kMostPicturePoints);

    // what the blow came to as a whole
    const WorstPlace& worst = cracked.worst;
    picture.worst = {worst.place, worst.tension, worst.least, worst.strength, worst.direction};
    picture.contacts.assign(forces.begin(), forces.end());
    picture.strainEnergy = cracked.strainEnergy;
    picture.cracks = cracked.cracks;
    picture.rounds = cracked.rounds;
    picture.elements = tets.tetCount();
    return picture;
}

}  // namespace sunder::fracture
