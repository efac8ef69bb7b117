#include "io/exports/export_content.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "geometry/mesh/box_uvs.h"
#include "io/files/source.h"
#include "io/mesh/writable.h"

namespace sunder {

namespace {

/// In quanta of position; a quantum is at most a millionth of the smallest body's radius.
constexpr double kDefaultTolerance = 1000;
constexpr double kGroundSize = 30;  // times the width of what is there in the first frame

std::string nameOfMaterial(const std::string& key, const std::string& meshMaterial, const RecordedBody& root) {
    if (!meshMaterial.empty()) return meshMaterial;
    if (key.starts_with('/')) return root.name;  // one of its own
    return key.empty() ? "default" : key;
}

/// In the plane y = 0, seen from above.
TriMesh square(const Vec3& centre, double side) {
    TriMesh mesh;
    for (const auto& [x, z] : {std::pair{-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}})
        mesh.positions.push_back({centre.x() + x * side, 0, centre.z() + z * side});
    constexpr VertexIndex a{0}, b{1}, c{2}, d{3};
    mesh.triangles = {Triangle{a, b, c}, Triangle{a, c, d}};
    for (const TriangleIndex t : mesh.triangles.indices()) {
        std::array<Vec2, 3> uvs;
        for (size_t k = 0; k < 3; ++k) {
            const Vec3& p = mesh.positions[mesh.triangles[t][k]];
            uvs[k] = {p.x(), -p.z()};
        }
        mesh.uvs.push_back(uvs);
        mesh.normals.push_back({Vec3::UnitY(), Vec3::UnitY(), Vec3::UnitY()});
    }
    return mesh;
}

/// Names that were given, and how often each was asked for.
using NamesGiven = std::map<std::string, int>;

/// That name, or with the first number that makes it one of its own.
std::string freshAmong(NamesGiven& given, const std::string& wanted) {
    std::string name = wanted;
    while (!given.try_emplace(name, 1).second) name = fmt::format("{}_{}", wanted, ++given[wanted]);
    return name;
}

}  // namespace

std::string MaterialTable::freshName(std::string wanted) const {
    const auto taken = [&](const std::string& name) {
        return std::any_of(bases_.begin(), bases_.end(), [&](const auto& entry) { return entry.second == name; });
    };
    std::string name = wanted;
    for (int n = 2; taken(name); ++n) name = fmt::format("{}_{}", wanted, n);
    return name;
}

MaterialTable::Key MaterialTable::keyOf(const RecordedBody& body) const {
    return {body.material, looks_.knows(body.material) ? kInvalidIndex : body.root};
}

size_t MaterialTable::number(const RecordedBody& body, const RecordedBody& root, const std::string& meshMaterial,
                             bool inside) {
    const auto [base, isNew] = bases_.try_emplace({keyOf(body), meshMaterial});
    if (isNew) {
        const bool known = looks_.knows(body.material);
        const std::string wanted = known ? nameOfMaterial(body.material, meshMaterial, root) : root.name;
        base->second = freshName(utf8FromAny(wanted));
    }
    const auto [entry, fresh] = numbers_.try_emplace({base->second, inside}, materials_.size());
    if (fresh) {
        const Looks looks = looks_.of(body);
        materials_.push_back(
            {base->second + (inside ? "_inside" : ""), base->second, inside, inside ? looks.inside : looks.outside});
    }
    return entry->second;
}

ExportContent::ExportContent(RecordingReader& recording, const ExportOptions& options)
    : frames_(framesBetween(recording, options.firstFrame, options.lastFrame)),
      view_(recording),
      dt_(recording.dt()),
      tolerance_(options.tolerance.value_or(kDefaultTolerance * recording.positionQuantum())),
      materials_(view_.looks()) {
    if (!(dt_ > 0)) throw InputError("recording", "is damaged: it does not say how long a frame is");
    if (!(tolerance_ >= 0) || !std::isfinite(tolerance_))
        throw InputError("--tolerance",
                         fmt::format("is {} m; 0 (every frame as it was) or more is allowed", tolerance_));
    for (const RecordedBody& body : view_.bodies()) {
        if (isSeen(body, frames_)) seen_.push_back(body);
    }
    NamesGiven given;
    for (const RecordedBody& body : seen_) names_[body.id] = freshAmong(given, utf8FromAny(body.name));
    findBounds();
    camera_ = view_.usualCamera({1600, 900});
    light_ = view_.light().normalized();
}

/// The box around all bodies there in the first frame.
void ExportContent::findBounds() {
    const std::vector<RecordedPose> poses = view_.poses(frames_.first);
    const auto ground = std::ranges::find_if(poses, [&](const RecordedPose& pose) { return !body(pose.body).mesh; });
    if (ground != poses.end()) ground_ = ground->worldFromMesh;
    corners_ = view_.corners(frames_.first);
    for (const Vec3& p : corners_) bounds_.add(p);
    if (corners_.empty()) {
        bounds_.add(Vec3::Constant(-0.5));
        bounds_.add(Vec3::Constant(0.5));
    }
}

double ExportContent::framesPerSecond() const {
    const double rate = 1 / dt_, whole = std::round(rate);
    return std::abs(rate - whole) < 1e-6 * rate ? whole : rate;
}

std::string ExportContent::nameOf(const RecordedBody& body) const {
    const auto own = names_.find(body.id);
    return own == names_.end() ? utf8FromAny(body.name) : own->second;
}

Life ExportContent::lifeOf(const RecordedBody& body) const {
    Life life;
    life.appears = body.born > frames_.first;
    life.from = life.appears ? body.born : frames_.first;
    life.disappears = body.died && *body.died <= frames_.last;
    life.until = life.disappears ? *body.died : frames_.last + 1;
    ASSERT(life.from < life.until);
    return life;
}

ExportContent::SurfaceKey ExportContent::surfaceKey(const RecordedBody& body) {
    const int64_t mesh = body.mesh.value_or(-1 - int64_t{body.id});
    return {mesh, {body.centre.x(), body.centre.y(), body.centre.z()}};
}

TriMesh ExportContent::meshOf(const RecordedBody& body) const {
    if (body.mesh) {
        TriMesh mesh = shadedMesh(view_.recording(), *body.mesh);
        addBoxUvs(mesh);
        return mesh;
    }
    const Vec3 size = bounds_.size();
    return square(ground_.inverse() * bounds_.centre(), kGroundSize * std::max(size.x(), size.z()));
}

std::vector<size_t> ExportContent::materialsOf(const RecordedBody& body, const TriMesh& mesh) {
    std::vector<size_t> numbers;
    numbers.reserve(mesh.triangleCount());
    std::map<std::pair<uint32_t, uint8_t>, size_t> known;
    for (const TriangleIndex t : mesh.triangles.indices()) {
        const uint32_t material = mesh.materials.empty() ? kInvalidIndex : mesh.materials[t];
        const uint8_t inside = mesh.inside.empty() ? 0 : mesh.inside[t];
        const auto [entry, isNew] = known.try_emplace({material, inside});
        if (isNew) {
            const std::string own = mesh.materials.empty() ? "" : materialName(mesh, material);
            entry->second = materials_.number(body, rootOf(body), own, inside != 0);
        }
        numbers.push_back(entry->second);
    }
    return numbers;
}

double radiusAbout(const TriMesh& mesh, const Vec3& centre) {
    double squared = 0;
    for (const Vec3& p : mesh.positions) squared = std::max(squared, (p - centre).squaredNorm());
    return std::sqrt(squared);
}

RigidTransform worldFromCamera(const Camera& camera) {
    const ViewAxes axes = axesAlong(camera.target - camera.position);
    Mat3 rotation;
    rotation << axes.right, axes.up, -axes.forward;
    return {Quat(rotation), camera.position};
}

Quat worldFromSun(const Vec3& towards) { return Quat::FromTwoVectors(Vec3::UnitZ(), towards); }

}  // namespace sunder
