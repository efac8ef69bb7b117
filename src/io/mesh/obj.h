#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "io/files/source.h"
#include "io/mesh/mesh_io.h"

namespace sunder {

/// Wavefront OBJ: v, vt, vn, f, g, usemtl; lines, points, free-form statements and unknown ones (extensions of some
/// program) are passed over and noted. Without any face, or with lines that are no statements at all, the file is
/// refused. Faces may come before their vertices. Materials are the usemtl names or, in a file without any, the group
/// names. Triangles in a group named kInsideGroup are `inside`.
MeshFile readObj(const Source& source);

/// The text of an OBJ file; `materialFile` is named by mtllib when the mesh has material names.
std::string objText(const TriMesh& mesh, const std::string& materialFile);
/// The same with several objects, one `o` each.
std::string objText(std::span<const NamedMesh> objects, const std::string& materialFile);
/// The text of the .mtl beside it: names with plain grey.
std::string mtlText(const TriMesh& mesh);

/// How a material looks, as far as .mtl can say it.
struct MtlMaterial {
    std::string name;
    Vec3 colour{0.7, 0.7, 0.7};  // linear RGB
    std::optional<double> opacity = {}, refraction = {}, roughness = {}, metallic = {};
};
std::string mtlText(std::span<const MtlMaterial> materials);

inline constexpr const char* kInsideGroup = "sunder_inside";
inline constexpr const char* kSurfaceGroup = "sunder_surface";

}  // namespace sunder
