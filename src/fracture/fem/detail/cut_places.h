#pragma once

#include <cmath>
#include <unordered_map>
#include <vector>

#include "math/vec.h"

namespace sunder::fracture {

/// Where cracks are: points with the number of their crack, in cubes that are found by their place.
class CutPlaces {
public:
    /// `reach`: no question is about more, m.
    explicit CutPlaces(double reach) : cube_(2 * reach), squaredReach_(reach * reach) {}

    void add(int crack, const Vec3& place) { cubes_[keyOf(cubeOf(place))].push_back({crack, place}); }

    /// Is any crack but this one within reach?
    bool anyOther(int crack, const Vec3& place) const {
        const Int3 low = cubeOf(place - Vec3::Constant(0.5 * cube_));
        for (int corner = 0; corner < 8; ++corner) {
            const auto found =
                cubes_.find(keyOf({low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2)}));
            if (found == cubes_.end()) continue;
            for (const Cut& cut : found->second) {
                if (cut.crack != crack && (cut.place - place).squaredNorm() < squaredReach_) return true;
            }
        }
        return false;
    }

private:
    struct Cut {
        int crack;
        Vec3 place;
    };
    Int3 cubeOf(const Vec3& place) const {
        Int3 cube;
        for (int axis = 0; axis < 3; ++axis) cube[axis] = static_cast<int>(std::floor(place[axis] / cube_));
        return cube;
    }
    static uint64_t keyOf(const Int3& cube) {
        uint64_t key = 0;
        for (int axis = 0; axis < 3; ++axis) key = key << 21 | (static_cast<uint64_t>(cube[axis]) & 0x1fffff);
        return key;
    }

    double cube_, squaredReach_;  // m, m^2
    std::unordered_map<uint64_t, std::vector<Cut>> cubes_;
};

}  // namespace sunder::fracture
