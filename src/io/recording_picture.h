#pragma once

#include "io/pov.h"
#include "io/recording_reader.h"

namespace sunder {

/// A still of one frame: bodies of the scene in quiet colours, one per material, and crack faces in their own. Scene
/// bodies without a mesh (half-spaces) are left out; the picture has a ground.
PovScene pictureOf(RecordingReader& recording, uint64_t frame);

}  // namespace sunder
