#pragma once

#include <string_view>

#include "base/error.h"
#include "io/scene/nrrd.h"
#include "try_mesh.h"

namespace sunder::fuzz {

/// Reads bytes; they must give a sound volume of strengths or an InputError.
inline void tryVolume(std::string_view bytes) {
    fracture::VolumeTexture volume;
    try {
        volume = readNrrd(Source{"in.nrrd", bytes, {}});
    } catch (const InputError&) {
        return;
    }
    size_t samples = 1;
    for (const int count : volume.count) {
        promise(count > 0, "there are samples along every axis");
        samples *= static_cast<size_t>(count);
    }
    promise(volume.values.size() == samples, "one value per sample");
    for (const float value : volume.values)
        promise(value >= 0 && value <= fracture::VolumeTexture::kStrongest, "strengths are in range");
    const Box3 box{Vec3(0, 0, 0), Vec3(1, 2, 3)};
    const fracture::LatticePlacement placement = volume.placementIn(box);
    const fracture::StrengthVolume field(std::make_shared<const fracture::VolumeTexture>(std::move(volume)), placement);
    for (const Vec3& point : {box.min, box.centre(), Vec3(placement.origin)}) {
        const double strength = field.at(point);
        promise(strength >= 0 && strength <= 1.001 * fracture::VolumeTexture::kStrongest, "strength is in range");
    }
}

}  // namespace sunder::fuzz
