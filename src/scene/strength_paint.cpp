#include "scene/strength_paint.h"

#include <zlib.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/base64.h"
#include "geometry/mesh/split_long_edges.h"

namespace sunder::scene {

namespace {

constexpr size_t kMostPerByte = 1032;  // no byte of a zlib stream stands for more

const Bytef* bytesOf(const std::string& text) { return reinterpret_cast<const Bytef*>(text.data()); }

}  // namespace

PaintValues paintValues(const StrengthPaint& paint) {
    const auto refused = [](const std::string& why) { return PaintValues{{}, why + "; paint the body again"}; };
    const std::optional<std::string> packed = decodeBase64(paint.values);
    if (!packed) return refused("the painted values are not base64");
    const auto wanted = static_cast<size_t>(paint.vertices);
    const std::string tooFew = fmt::format("the painted values are fewer than the {} vertices they are for", wanted);
    if (wanted > kMostPerByte * packed->size()) return refused(tooFew);  // before so much memory is asked for

    PaintValues values;
    values.percent.resize(wanted);
    uLongf size = wanted;
    const int result = uncompress(values.percent.data(), &size, bytesOf(*packed), packed->size());
    if (result == Z_BUF_ERROR && size == wanted)
        return refused(fmt::format("the painted values are more than the {} vertices they are for", wanted));
    if (result != Z_OK) return refused("the painted values are no zlib stream, or a damaged one");
    if (size < wanted) return refused(tooFew);
    return values;
}

StrengthPaint paintOf(std::span<const uint8_t> percent) {
    std::string packed(compressBound(percent.size()), '\0');
    uLongf size = packed.size();
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size, percent.data(), percent.size(), Z_BEST_COMPRESSION);
    packed.resize(size);
    return {static_cast<int>(percent.size()), encodeBase64(packed)};
}

TriMesh paintCanvas(const TriMesh& mesh) { return splitLongEdges(mesh, kCanvasEdge * boundsOf(mesh).diagonal()); }

std::optional<TriMesh> paintedMesh(const StrengthPaint& paint, const TriMesh& mesh) {
    const auto wanted = static_cast<size_t>(paint.vertices);
    if (wanted == mesh.vertexCount()) return mesh;
    if (wanted < mesh.vertexCount()) return std::nullopt;
    TriMesh canvas = paintCanvas(mesh);
    if (wanted != canvas.vertexCount()) return std::nullopt;
    return canvas;
}

std::string paintMismatch(const StrengthPaint& paint, const TriMesh* mesh) {
    if (mesh != nullptr && paintedMesh(paint, *mesh)) return "";
    const size_t own = mesh ? mesh->vertexCount() : 0, canvas = mesh ? paintCanvas(*mesh).vertexCount() : 0;
    return fmt::format(
        "the paint is for {} vertices, but the mesh has {}{}: its shape, resolution or file has changed; remove the "
        "paint or paint again",
        paint.vertices, own, canvas > own ? fmt::format(" ({} with long edges split)", canvas) : "");
}

}  // namespace sunder::scene
