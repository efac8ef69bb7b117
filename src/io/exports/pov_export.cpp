#include "io/exports/pov_export.h"

#include "io/exports/output_folder.h"
#include "io/recording/frame_range.h"
#include "io/render/pov_film.h"

namespace sunder {

void exportPov(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress) {
    const FrameRange range = framesBetween(recording, options.firstFrame, options.lastFrame);
    // NAME.ini goes beside it, NAME.pov itself was looked at by who asks
    std::filesystem::path ini = output;
    checkReplaceable(ini.replace_extension(".ini"), options.overwrite ? Overwrite::Yes : Overwrite::No);
    FilmOptions shown;
    for (uint64_t frame = range.first; frame <= range.last; ++frame) shown.frames.push_back(frame);
    OutputFolder folder(output.parent_path() / (output.stem().string() + "_pov"), options.overwrite);
    Film film(recording, shown);
    PovFilm files(film, output, PovQuality::Good, folder.path());
    progress.start("export " + output.filename().string(), static_cast<double>(shown.frames.size()));
    for (const uint64_t frame : shown.frames) {
        files.writeFrame(frame);
        progress.advance();
    }
    progress.finish();
    folder.commit();
    files.writeMain();
}

}  // namespace sunder
