#include "io/render/render.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "io/files/escaped.h"
#include "io/files/file_access.h"
#include "io/files/replaceable.h"
#include "io/files/run_program.h"
#include "io/files/work_folder.h"
#include "io/render/pov_film.h"

namespace sunder {

namespace fs = std::filesystem;

namespace {

/// What the folder's pictures were made from: a line per picture, written when it is whole.
class Ledger {
public:
    explicit Ledger(const fs::path& folder) : path_(folder / "frames.tsv") {
        std::error_code problem;
        if (!fs::exists(fs::symlink_status(path_, problem))) return;
        constexpr uint64_t kMostBytes = uint64_t{256} << 20;
        std::istringstream in(readWholeFile(path_, kMostBytes));
        for (std::string line; std::getline(in, line);) {
            const size_t tab = line.find('\t');
            uint64_t frame = 0;
            const auto [end, error] = std::from_chars(line.data(), line.data() + std::min(tab, line.size()), frame);
            if (error != std::errc() || tab == std::string::npos || end != line.data() + tab)
                throw InputError(path_.string(), "is no list of frames that a render made; choose another folder");
            hashes_[frame] = line.substr(tab + 1);
        }
    }
    bool has(uint64_t frame, const std::string& hash) const {
        const auto found = hashes_.find(frame);
        return found != hashes_.end() && found->second == hash;
    }
    void add(uint64_t frame, const std::string& hash) {
        hashes_[frame] = hash;
        std::string text;
        for (const auto& [number, its] : hashes_) text += fmt::format("{}\t{}\n", number, its);
        writeFileAtomically(path_, text);
    }

private:
    fs::path path_;
    std::map<uint64_t, std::string> hashes_;
};

void makeFolder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) throw InputError(folder.string(), "cannot be made: " + problem.message());
}

/// A picture that is not there yet.
struct Missing {
    uint64_t frame = 0;
    std::string hash;
};

}  // namespace

std::string frameFile(uint64_t frame) { return fmt::format("frame_{:05}.png", frame); }

std::vector<std::string> renderFrames(Film& film, const fs::path& folder, const RenderOptions& options,
                                      Progress& progress) {
    // what POV-Ray reads goes to a folder that vanishes at the end
    makeFolder(folder);
    const WorkFolder work(folder / "unfinished");
    PovFilm files(film, work.path() / "film.pov", options.quality);
    files.writeMain();
    // pictures that exist and depend on the same things as before are kept
    Ledger ledger(folder);
    std::vector<Missing> missing;
    for (const uint64_t frame : film.options().frames) {
        if (progress.cancelled()) throw Cancelled();
        Missing next{frame, files.writeFrame(frame)};
        const fs::path png = folder / frameFile(frame);
        const bool isThere = fs::is_regular_file(png);
        if (isThere && ledger.has(frame, next.hash)) continue;
        if (isThere && !options.replace)
            throw InputError(
                png.string(),
                "is there already, from another recording or with other settings; choose another folder or "
                "add --force to overwrite it");
        checkReplaceable(png, Overwrite::Yes);
        missing.push_back(std::move(next));
    }

    // several frames at once rather than several threads for each: the ends of frames leave threads idle
    const int jobs = options.jobs > 0 ? options.jobs : threadCount();
    const ThreadLimit limit(jobs);
    std::mutex mutex;
    std::set<std::string> warnings;
    progress.start("render", static_cast<double>(missing.size()));
    parallelFor(missing.size(), 1, [&](const BlockRange& range) {
        const Missing& next = missing[range.begin];
        if (progress.cancelled()) throw Cancelled();
        PovrayJob job = files.job(next.frame, folder / frameFile(next.frame));
        job.work = work.path();
        if (missing.size() > 1) job.threads = 1;
        const std::vector<std::string> said = runPovray(job, progress);
        {
            // what is in the ledger need not be made again after an interruption
            const std::lock_guard lock(mutex);
            warnings.insert(said.begin(), said.end());
            ledger.add(next.frame, next.hash);
        }
        progress.advance();
    });
    progress.finish();
    return {warnings.begin(), warnings.end()};
}

void renderStill(Film& film, const fs::path& png, PovQuality quality, const Progress& progress) {
    checkReplaceable(png, Overwrite::Yes);
    const WorkFolder work(png);
    PovFilm files(film, work.path() / "film.pov", quality);
    const uint64_t frame = film.options().frames.front();
    files.writeFrame(frame);
    files.writeMain();
    PovrayJob job = files.job(frame, png);
    job.work = work.path();
    runPovray(job, progress);
}

void prepareFramesFolder(const fs::path& folder) {
    checkReplaceableFolder(folder, Overwrite::Yes);
    makeFolder(folder);
    markFolder(folder);
}

void encodeFilm(const fs::path& folder, const std::vector<uint64_t>& frames, const fs::path& mp4,
                double framesPerSecond, const Progress& progress) {
    // whatever happens, nothing is left behind but a whole film
    checkReplaceable(mp4, Overwrite::Yes);
    const WorkFolder work(folder / "film");
    const fs::path unfinished = work.path() / "film.mp4", log = work.path() / "ffmpeg.log";
    const fs::path list = work.path() / "film.txt";
    // the frames by name and length, since they need not follow each other without gaps
    std::string text;
    for (const uint64_t frame : frames)
        text += fmt::format("file ../{}\nduration {:.9g}\n", frameFile(frame), 1 / framesPerSecond);
    writeFileAtomically(list, text);
    const int code = runProgram({"ffmpeg",      "-y",         "-loglevel",
                                 "error",       "-f",         "concat",
                                 "-safe",       "0",          "-i",
                                 list.string(), "-r",         fmt::format("{:.9g}", framesPerSecond),
                                 "-c:v",        "libx264",    "-pix_fmt",
                                 "yuv420p",     "-crf",       "18",
                                 "-movflags",   "+faststart", unfinished.string()},
                                log, progress);
    // the film takes its name when it is complete
    std::error_code problem;
    if (code == 0) {
        checkReplaceable(mp4, Overwrite::Yes);
        fs::rename(unfinished, mp4, problem);
        if (problem) throw InputError(mp4.string(), "cannot be put in place: " + problem.message());
        return;
    }
    // ffmpeg's last words say what was wrong
    std::string complaint;
    std::ifstream in(log);
    for (std::string line; std::getline(in, line);) complaint = line;
    if (code == kProgramMissing)
        throw InputError(
            mp4.string(),
            fmt::format("ffmpeg is not installed; get it with: apt-get install ffmpeg. The frames are in {}",
                        folder.string()));
    throw InputError(mp4.string(),
                     fmt::format("ffmpeg failed: {}. The frames are in {}", forTerminal(complaint), folder.string()));
}

}  // namespace sunder
