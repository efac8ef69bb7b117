#include "geometry/repair/drop_opposites.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "geometry/repair/detail/edit.h"

namespace sunder {

void dropOpposites(TriMesh& mesh) {
    struct Key {
        Triangle sorted;
        TriangleIndex face;
        bool odd;
    };
    std::vector<Key> keys;
    keys.reserve(mesh.triangleCount());
    for (const TriangleIndex t : mesh.triangles.indices()) {
        Triangle v = mesh.triangles[t];
        std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
        const bool odd = v[1] > v[2];
        if (odd) std::swap(v[1], v[2]);
        keys.push_back({v, t, odd});
    }
    std::sort(keys.begin(), keys.end(),
              [](const Key& a, const Key& b) { return std::tie(a.sorted, a.face) < std::tie(b.sorted, b.face); });
    detail::KeepMask keep(mesh.triangleCount(), 1);
    for (size_t i = 0; i < keys.size();) {
        size_t end = i, odd = 0;
        for (; end < keys.size() && keys[end].sorted == keys[i].sorted; ++end) odd += keys[end].odd;
        const size_t pairs = std::min(odd, end - i - odd);
        size_t oddGone = 0, evenGone = 0;
        for (; i < end; ++i) {
            size_t& gone = keys[i].odd ? oddGone : evenGone;
            if (gone == pairs) continue;
            ++gone;
            keep[keys[i].face] = 0;
        }
    }
    detail::keepTriangles(mesh, keep);
}

}  // namespace sunder
