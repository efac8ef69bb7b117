#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/body_geometry.h"
#include "scene/expand.h"
#include "scene/scene.h"

namespace sunder::scene {

/// The scene's material of that name, else the ready one; the body's own; or the default.
const Material& materialOf(const Scene& scene, const MaterialChoice& choice);

/// The settings a body breaks by, and where they stand in the file; null when there are none.
struct FoundFracture {
    const fracture::MethodSettings* settings = nullptr;  // lent by the scene
    std::string pointer;                                 // of the body's own settings, or of its material's
};
/// `pointer`: of the body.
FoundFracture fractureOf(const Scene& scene, const Body& body, const std::string& pointer);

/// Could its method tell along which regions it will part?
bool showsRegions(const Scene& scene, const Body& body);
/// The numbers of these regions at points of a body; empty when its method does not know.
/// `serial`: of the body in a run.
std::vector<uint32_t> regionsAt(const Scene& scene, const PlacedBody& placed, uint32_t serial,
                                const GeometryPtr& geometry, std::span<const Vec3> points);

}  // namespace sunder::scene
