#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/exports/exporter.h"

namespace sunder {

/// One HTML file that shows a recording in any browser, from disk: the page that web/ builds, with the recording in it.
void writeReplay(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
                 Progress& progress);

/// The page without a recording: in the folder $SUNDER_WEB, or ../share/sunder/web from the program, or sunder/web
/// in one of the system's folders of data (XDG_DATA_DIRS). Throws InputError that says how to get it when there is
/// none.
std::filesystem::path replayPage();

/// Puts a payload into the page. Throws InputError when the page has no place for one.
std::string pageWith(std::string page, std::string_view payload, const std::string& pageName);

/// As browsers unpack it; equal bytes from equal bytes.
std::string gzipped(std::string_view bytes);

}  // namespace sunder
