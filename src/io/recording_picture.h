#pragma once

#include "io/pov.h"
#include "io/recording_reader.h"

namespace sunder {

/// A still of one frame, as the scene's view and the looks of its materials say. Half-spaces are planes without end.
PovScene pictureOf(RecordingReader& recording, uint64_t frame);

}  // namespace sunder
