#include "io/recording/recording_looks.h"

#include "scene/looks.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

schema::Json jsonIn(const std::string& text) { return schema::jsonIfGood(text).value_or(schema::Json()); }

}  // namespace

Looks looksWithoutMaterial(uint32_t root) { return {pieceLook(root), kFreshBreak}; }

RecordingLooks::RecordingLooks(const RecordingReader& recording)
    : materials_(scene::looksFrom(jsonIn(recording.meta("looks")))) {
    const std::string view = recording.meta("view");
    if (!view.empty()) view_ = scene::viewFrom(jsonIn(view));
}

Looks RecordingLooks::of(const RecordedBody& body) const {
    const auto material = materials_.find(body.material);
    return material != materials_.end() ? looksOf(material->second) : looksWithoutMaterial(body.root);
}

TriMesh shadedMesh(const RecordingReader& recording, int64_t mesh) {
    TriMesh shaded = *recording.mesh(mesh);
    if (shaded.normals.empty()) computeNormals(shaded, kCreaseAngle);
    return shaded;
}

}  // namespace sunder
