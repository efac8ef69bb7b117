#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "geometry/mesh/body_geometry.h"
#include "scene/expand.h"
#include "schema/issues.h"
#include "studio/json.h"
#include "studio/project.h"

namespace sunder::studio {

/// A mesh of the scene, ready to be shown.
struct ShownMesh {
    GeometryPtr geometry;
    std::string hash;  // of its mesh's content, as in recordings
};

/// What edits need again and again though they seldom change it: the meshes of bodies, and what is wrong with them. An
/// entry is kept as long as the scene uses it, and longer as far as there is room, so that undoing is quick. Known by
/// all settings of a body but where it is and how it moves, and by the time of files.
class GeometryCache {
public:
    /// Meshes are looked for in the folder of the scene.
    GeometryCache(const Project& project, std::filesystem::path sceneFolder);

    /// Adds what is wrong with meshes and shapes; `full`: sceneJson(scene).
    void check(const scene::Scene& scene, const Json& full, schema::Issues& issues);
    /// Null when it has none (the plane), or none that can be had. `full` as above.
    const ShownMesh* meshOf(const scene::PlacedBody& body, const Json& full);
    static constexpr size_t kMostBytes = size_t{128} << 20;  // of what the scene does not use just now

    /// A new edit begins: lets go of what the last one did not ask for, the oldest first, beyond `mostBytes`.
    void age(size_t mostBytes = kMostBytes);
    size_t bytes() const;  // about, of all

private:
    template <class Value>
    struct Entry {
        Value value;
        uint64_t used = 0;  // age
        size_t bytes = 0;   // about
    };
    template <class Value>
    using Entries = std::map<std::string, Entry<Value>>;
    template <class Value>
    static void letGo(Entries<Value>& entries, uint64_t before);
    std::string keyOf(const Json& body) const;
    const std::vector<schema::Issue>& issuesOf(const scene::Scene& alone, const std::string& key);
    void checkPaint(const scene::Body& body, const std::string& pointer, const Json& full, schema::Issues& issues);
    void checkBodies(const scene::Scene& scene, const std::vector<scene::Body>& bodies, const std::string& pointer,
                     const Json& full, schema::Issues& issues);

    ProjectMeshes meshes_;
    uint64_t age_ = 0;
    Entries<std::vector<schema::Issue>> issues_;
    Entries<ShownMesh> shown_;
};

}  // namespace sunder::studio
