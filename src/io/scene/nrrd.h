#pragma once

#include <filesystem>

#include "fracture/common/strength_volume.h"
#include "io/files/source.h"

namespace sunder {

/// A volume of strengths as NRRD ("nearly raw raster data", teem.sourceforge.net/nrrd/format.html): three axes; uint8
/// and uint16 in percent, float and double with 1 as the material says; raw, gzip or ascii behind the header. Its
/// lattice is where "space directions" (or "spacings") and "space origin" say, in the unit of "space units" (or
/// "units"): m when not given. Names of spaces are passed over: coordinates are the body's.
fracture::VolumeTexture readNrrd(const Source& source);
fracture::VolumeTexture readNrrd(const std::filesystem::path& path);

}  // namespace sunder
