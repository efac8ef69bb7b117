#include "io/exports/replay.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>
#include <zlib.h>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/error.h"
#include "io/exports/replay_payload.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPage = "replay.html";
/// The element of the page that takes the recording.
constexpr std::string_view kPlace = R"(<script id="sunder-recording" type="application/octet-stream">)";

/// Where the page may be: where the user says, beside the program, where the system keeps data of programs.
std::vector<fs::path> foldersOfPages() {
    if (const char* given = std::getenv("SUNDER_WEB"); given != nullptr && *given != '\0') return {given};
    // beside the program: BIN/../share/sunder/web, installed or in the folder of a build
    const fs::path data = fs::path("sunder") / "web";
    std::vector<fs::path> folders;
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
    if (!unknown) folders.push_back(program.parent_path().parent_path() / "share" / data);
    // a program of somebody else that uses the library: where the system has sunder's
    const char* given = std::getenv("XDG_DATA_DIRS");
    std::istringstream system(given != nullptr && *given != '\0' ? given : "/usr/local/share:/usr/share");
    for (std::string folder; std::getline(system, folder, ':');) {
        if (!folder.empty() && folder.front() == '/') folders.push_back(folder / data);
    }
    return folders;
}

}  // namespace

fs::path replayPage() {
    std::string looked;
    for (const fs::path& folder : foldersOfPages()) {
        const fs::path page = folder / kPage;
        if (fs::is_regular_file(page)) return page;
        looked += fmt::format("{}{}", looked.empty() ? "" : " and ", folder.string());
    }
    throw InputError(kPage,
                     fmt::format("the page that replays are made of is not there (looked in {}); the package sunder "
                                 "brings it, ./dev build web makes it (with node); SUNDER_WEB may name its "
                                 "folder",
                                 looked));
}

std::string gzipped(std::string_view bytes) {
    // a gzip header, because browsers unpack gzip themselves
    z_stream stream{};
    constexpr int kWindowWithGzipHeader = 15 + 16, kMemory = 9;
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kWindowWithGzipHeader, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        throw std::runtime_error("zlib cannot be used");
    std::string out;
    std::vector<char> block(size_t{1} << 18);
    constexpr size_t kMost = size_t{1} << 30;  // zlib counts in 32 bits
    int status = Z_OK;
    // feed it piece by piece until it has taken all and flushed all
    do {
        if (stream.avail_in == 0 && !bytes.empty()) {
            const std::string_view next = bytes.substr(0, kMost);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
            stream.avail_in = static_cast<uInt>(next.size());
            bytes.remove_prefix(next.size());
        }
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        out.append(block.data(), block.size() - stream.avail_out);
    } while (status == Z_OK);
    // anything but a proper end would be a replay that no browser opens
    deflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::runtime_error("zlib failed to compress a replay");
    return out;
}

std::string pageWith(std::string page, std::string_view payload, const std::string& pageName) {
    const size_t place = page.find(kPlace);
    if (place == std::string::npos)
        throw InputError(pageName,
                         "has no place for a recording; it is of another version: build it anew with ./dev build web");
    page.insert(place + kPlace.size(), encodeBase64(gzipped(payload)));
    return page;
}

void writeReplay(RecordingReader& recording, const fs::path& output, const ExportOptions& options, Progress& progress) {
    const fs::path page = replayPage();
    writeFileAtomically(output,
                        pageWith(readWholeFile(page), replayPayload(recording, options, progress), page.string()));
}

}  // namespace sunder
