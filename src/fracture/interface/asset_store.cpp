#include "fracture/interface/asset_store.h"

#include <fmt/format.h>

namespace sunder::fracture {

std::string ContentHash::text() const { return fmt::format("{:016x}{:016x}", high, low); }

void ContentHasher::add(const TriMesh& mesh) {
    add(static_cast<uint64_t>(mesh.vertexCount()));
    for (const Vec3& p : mesh.positions) add(p);
    add(static_cast<uint64_t>(mesh.triangleCount()));
    for (const Triangle& t : mesh.triangles) {
        for (const VertexIndex v : t) add(static_cast<uint64_t>(raw(v)));
    }
}

}  // namespace sunder::fracture
