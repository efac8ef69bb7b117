#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geometry/mesh/tri_mesh.h"
#include "scene/body.h"

namespace sunder::scene {

inline constexpr size_t kMaxPaintText = size_t{1} << 28;                                       // bytes
inline constexpr const char* kPaintForm = "base64 of a zlib stream with one byte per vertex";  // for messages and help
inline constexpr double kCanvasEdge = 1.0 / 32;  // longest edge of what is painted on, of the mesh's diagonal

/// The values of a paint, or why there are none, for people.
struct PaintValues {
    std::vector<uint8_t> percent;  // per vertex
    std::string problem;           // empty: the values are good
};
/// Never asks for more memory than the text can stand for.
PaintValues paintValues(const StrengthPaint& paint);

/// As a scene has it.
StrengthPaint paintOf(std::span<const uint8_t> percent);

/// What a brush paints on: the mesh with its long edges split, because a wall has eight vertices alone.
TriMesh paintCanvas(const TriMesh& mesh);

/// The mesh whose vertices a paint is for: the one given, or its canvas. Nothing when it is for neither.
std::optional<TriMesh> paintedMesh(const StrengthPaint& paint, const TriMesh& mesh);

/// Why a paint does not fit a mesh (null: there is none); empty when it does.
std::string paintMismatch(const StrengthPaint& paint, const TriMesh* mesh);

}  // namespace sunder::scene
