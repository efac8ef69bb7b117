#include "halves.h"

#include <array>
#include <string>
#include <sunder/fracture/common/finish.h>
#include <sunder/geometry/convex/voronoi.h>
#include <sunder/geometry/cut/cut_by_cells.h>
#include <utility>
#include <vector>

namespace own {

namespace {

using namespace sunder;
using namespace sunder::fracture;

/// The axis along which a mesh is longest, turned so that it is square to a direction: the normal of a cut that runs
/// along that direction and leaves the two shortest halves.
Vec3 cutNormal(const TriMesh& mesh, const Vec3& along) {
    const Vec3 size = boundsOf(mesh).size();
    Vec3 best = Vec3::Zero();
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3 extent = size[axis] * Vec3::Unit(axis);
        const Vec3 square = extent - extent.dot(along) * along;
        if (square.norm() > best.norm()) best = square;
    }
    return best.normalized();
}

/// A solid that is asked what a blow does to it. A method with expensive preparations (tets, factors) would make them
/// in the constructor: a body is prepared once and asked often.
class HalvedSolid : public Breakable {
public:
    explicit HalvedSolid(const Solid& solid) : solid_(solid) {}

    FracturePlan plan(const Loads& loads, const Context& /*context*/) const override {
        // where it is hit hardest, and the cut through that place
        const Load& load = *hardest(loads);
        const Vec3 normal = cutNormal(solid_.mesh(), load.impulse.normalized());
        const Box3 box = boundsOf(solid_.mesh());
        const Vec3 step = 0.25 * box.diagonal() * normal;

        // two cells meet in the plane halfway between their sites; the cut is exact, and the halves fit
        const std::array<Vec3, 2> sites{load.point - step, load.point + step};
        const VoronoiDiagram cells = voronoi(sites, box.expanded(0.01 * box.diagonal()));
        std::vector<CutPiece> pieces = cutByCells(solid_.mesh(), cells);
        if (pieces.size() < 2) return {};  // hit at its very end: it stays whole

        // a plan is a value; the simulation swaps the body for its fragments, and keeps mass and momentum
        FracturePlan plan;
        plan.outcome = Outcome::Broken;
        std::vector<TriMesh> meshes;
        for (CutPiece& piece : pieces) meshes.push_back(std::move(piece.mesh));
        plan.fragments = fragmentsOf(std::move(meshes), solid_.mass);
        plan.reason = "a load of " + std::to_string(load.impulse.norm()) + " N s";
        return plan;
    }

private:
    Solid solid_;
};

}  // namespace

const schema::Record<HalvesSettings>& recordFor(schema::Of<HalvesSettings>) {
    static const schema::Record<HalvesSettings> record =
        schema::Record<HalvesSettings>("halves", "Cuts a body in two through the place of the hardest load.")
            .tag("method", "halves")
            .field("threshold", &HalvesSettings::threshold, schema::number({0, 1e9}, "N s"),
                   "a body breaks when a load within a frame is harder")
            .field("max_generations", &HalvesSettings::maxGenerations, schema::whole(1, 100),
                   "how often a body and its halves may break in a row");
    return record;
}

bool Halves::mayBreak(const Solid& solid, const Loads& loads) const {
    const Load* load = hardest(loads);
    return load != nullptr && !rests(*load, loads) && solid.generation < settings_.maxGenerations &&
           load->impulse.norm() > settings_.threshold;
}

std::unique_ptr<const Breakable> Halves::prepare(const Solid& solid, const Context& /*context*/) const {
    return std::make_unique<HalvedSolid>(solid);
}

MethodEntry halvesEntry() {
    return methodEntry<HalvesSettings>({}, [](const HalvesSettings& settings, const Making&) -> MethodPtr {
        return std::make_shared<Halves>(settings);
    });
}

}  // namespace own
