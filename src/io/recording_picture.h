#pragma once

#include <string>
#include <vector>

#include "io/pov.h"
#include "io/recording_reader.h"

namespace sunder {

/// A still of one frame as the recording's own scene wants it seen: its camera and light, the looks of its materials,
/// its floor where it is. A scene that does not say from where it is to be seen is framed whole; bodies of a recording
/// without a scene have quiet colours of their own. Bodies named in `highlighted`, and their fragments, are green.
PovScene pictureOf(RecordingReader& recording, uint64_t frame, const std::vector<std::string>& highlighted = {});

}  // namespace sunder
