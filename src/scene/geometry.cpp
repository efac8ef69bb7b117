#include "scene/geometry.h"

#include <algorithm>
#include <map>

#include "base/assert.h"
#include "base/error.h"
#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/repair/diagnose.h"
#include "geometry/repair/repair.h"
#include "geometry/repair/wall_thickness.h"
#include "geometry/shapes/shapes.h"
#include "scene/shape_names.h"
#include "sim/fragment_shape.h"

namespace sunder::scene {

namespace {

/// Turns the given axis up, without trigonometry: a cyclic exchange of axes keeps handedness.
Vec3 turnedUp(const Vec3& p, UpAxis up) {
    switch (up) {
        case UpAxis::X:
            return {p.z(), p.x(), p.y()};
        case UpAxis::Y:
            return p;
        case UpAxis::Z:
            return {p.y(), p.z(), p.x()};
    }
    return p;
}

Vec3 originFor(const TriMesh& mesh, Centring centring) {
    const Box3 box = boundsOf(mesh);
    switch (centring) {
        case Centring::Keep:
            return Vec3::Zero();
        case Centring::Box:
            return box.centre();
        case Centring::Base:
            return {box.centre().x(), box.min.y(), box.centre().z()};
        case Centring::Mass:
            return massProperties(mesh).centre;
    }
    return Vec3::Zero();
}

TriMesh solidFrom(const MeshSettings& settings, MeshSource& meshes) {
    TriMesh mesh = meshes.read(settings.file);
    if (settings.repair) {
        RepairResult mended = repair(mesh);
        if (mended.verdict == RepairVerdict::Clean || mended.verdict == RepairVerdict::Repaired) return mended.mesh;
        throw InputError(settings.file, "cannot be made a solid: " + mended.reason);
    }
    const Diagnosis diagnosis = diagnose(mesh);
    if (!diagnosis.solid()) {
        throw InputError(settings.file, "is not a closed solid (" + describe(diagnosis) +
                                            "); set \"repair\": true, or mend it with sunder repair");
    }
    return mesh;
}

TriMesh meshFromFile(const MeshSettings& settings, const Vec3& memberScale, MeshSource& meshes) {
    TriMesh mesh = solidFrom(settings, meshes);
    const Vec3 stretch = metres(settings.unit) * settings.scale.cwiseProduct(memberScale);
    place(mesh, settings.up, stretch);
    const Vec3 origin = originFor(mesh, settings.centre);
    for (Vec3& position : mesh.positions) position -= origin;
    return mesh;
}

TriMesh meshFromShape(const ShapeSettings& settings, const Vec3& memberScale) {
    TriMesh mesh = makeShape(settings.name, settings.parameters, settings.resolution);
    const Vec3 stretch = settings.scale.cwiseProduct(memberScale);
    if (stretch != Vec3::Ones()) place(mesh, UpAxis::Y, stretch);
    return mesh;
}

/// A parameter of a shape, or its default.
double parameter(const ShapeSettings& settings, const char* name) {
    if (const auto given = settings.parameters.find(name); given != settings.parameters.end()) return given->second;
    ASSERT(findShape(settings.name) != nullptr);
    for (const ShapeParameter& p : findShape(settings.name)->parameters) {
        if (p.name == name) return p.value;
    }
    return 0;
}

/// Exact where the engine has the form; null where it has not.
dynamics::ShapePtr exactShape(const ShapeSettings& settings, const Vec3& stretch) {
    if (settings.name == "box") {
        const Vec3 size(parameter(settings, "width"), parameter(settings, "height"), parameter(settings, "depth"));
        return dynamics::makeBox(size.cwiseProduct(stretch));
    }
    if (stretch.x() != stretch.y() || stretch.y() != stretch.z()) return nullptr;
    if (settings.name == "sphere") return dynamics::makeSphere(stretch.x() * parameter(settings, "radius"));
    if (settings.name == "cylinder") {
        return dynamics::makeCylinder(stretch.x() * parameter(settings, "radius"),
                                      stretch.x() * parameter(settings, "height"));
    }
    return nullptr;
}

/// m: a fifth of the surface has a wall behind it that is no thicker. Less is a rim or a spout, and none notices.
double thinPartOf(const TriMesh& mesh) {
    const WallThickness wall = wallThickness(mesh, {.samples = 512, .percentile = 20});
    return wall.known() ? wall.thinnest : 0;
}

dynamics::ShapePtr collisionShape(const Body& body, const Vec3& memberScale, const BodyGeometry& form, uint64_t seed) {
    const TriMesh& mesh = form.mesh();
    const CollisionSettings& collision = body.collision;
    if (collision.form == CollisionForm::Hull) {
        return dynamics::makeHull(std::span<const Vec3>(mesh.positions.begin(), mesh.positions.end()));
    }
    if (collision.form == CollisionForm::Auto && body.shape) {
        const Vec3 stretch = body.shape->scale.cwiseProduct(memberScale);
        if (dynamics::ShapePtr exact = exactShape(*body.shape, stretch)) return exact;
    }
    if (collision.form == CollisionForm::Auto && collision.cells == 0) {
        if (dynamics::ShapePtr hull = sim::convexShape(form, MeshTopology(mesh))) return hull;
    }
    const double cellSize = collision.cells > 0 ? cellSizeFor(mesh, collision.cells) : 0;
    return dynamics::makeFieldSolid(
        mesh, {.cellSize = cellSize, .thinPart = thinPartOf(mesh), .seed = seed, .mass = &form.mass()});
}

}  // namespace

double metres(LengthUnit unit) {
    switch (unit) {
        case LengthUnit::Metre:
            return 1;
        case LengthUnit::Centimetre:
            return 0.01;
        case LengthUnit::Millimetre:
            return 0.001;
        case LengthUnit::Inch:
            return 0.0254;
        case LengthUnit::Foot:
            return 0.3048;
    }
    return 1;
}

void place(TriMesh& mesh, UpAxis up, const Vec3& stretch) {
    for (Vec3& position : mesh.positions) position = stretch.cwiseProduct(turnedUp(position, up));
    for (auto& corners : mesh.normals) {
        for (Vec3& normal : corners) normal = turnedUp(normal, up).cwiseQuotient(stretch).normalized();
    }
}

GeometryPtr formOf(const Body& body, const Vec3& memberScale, MeshSource& meshes) {
    if (body.shape && body.shape->name == kPlane) return nullptr;
    return makeSolid(body.shape ? meshFromShape(*body.shape, memberScale)
                                : meshFromFile(*body.mesh, memberScale, meshes));
}

FormAndShape geometryOf(const Body& body, const Vec3& memberScale, MeshSource& meshes, uint64_t seed) {
    GeometryPtr form = formOf(body, memberScale, meshes);
    if (form == nullptr) return {nullptr, dynamics::makeHalfSpace()};
    dynamics::ShapePtr shape = collisionShape(body, memberScale, *form, seed);
    return {std::move(form), std::move(shape)};
}

}  // namespace sunder::scene
