#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "math/vec.h"

namespace sunder::fracture {

/// Both ends of an edge, the lower one first.
using EdgeKey = std::array<uint32_t, 2>;
inline EdgeKey keyOf(uint32_t a, uint32_t b) { return a < b ? EdgeKey{a, b} : EdgeKey{b, a}; }

/// What lies beyond an edge of a crack.
enum class Beyond : uint8_t {
    Sheet,  // more of it
    Front,  // unbroken material
    Mouth,  // the surface of the body
    Crack   // a crack that runs through
};

inline bool isMouth(Beyond beyond) { return beyond == Beyond::Mouth || beyond == Beyond::Crack; }

/// Part of a crack as triangles, all turned alike, with what lies beyond its rim.
class Patch {
public:
    using Corners = std::array<uint32_t, 3>;

    std::vector<Vec3> places;        // m
    std::vector<Corners> triangles;  //
    std::map<EdgeKey, Beyond> rim;   // edges of one triangle alone

    Vec3 areaOf(const Corners& t) const;  // twice, along the normal

    /// Takes out short edges, as long as there are some that can go: one end moves to the other. The rim stays where it
    /// is, but for places on it.
    void takeOutShortEdges(double shortest);

    /// Takes out some of its triangles: the rest has its front there, and comes apart where it only touches.
    void leaveOut(const std::vector<uint8_t>& chosen);

    /// Takes out parts that come to no mouth: they cannot be seen.
    void leaveOutWhatIsHidden();

private:
    /// What is around each vertex.
    struct Surroundings {
        std::vector<std::vector<uint32_t>> trianglesAt;
        std::vector<uint32_t> rimKinds;  // bits; 0: inside
    };
    Surroundings surroundings() const;
    bool takeOutSome(double shortest);
    std::optional<EdgeKey> keptAndGone(const EdgeKey& edge, const Surroundings& around) const;
    bool mayGo(uint32_t gone, uint32_t kept, const Surroundings& around) const;
    std::vector<uint32_t> neighboursOf(uint32_t vertex, const Surroundings& around) const;
    void replace(const std::vector<uint32_t>& movesTo);
};

}  // namespace sunder::fracture
