#include "io/render/render.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "io/files/run_program.h"
#include "io/render/pov_film.h"

namespace sunder {

namespace fs = std::filesystem;

namespace {

/// What the folder's pictures were made from: a line per picture, appended when it is whole.
class Ledger {
public:
    explicit Ledger(const fs::path& folder) : path_(folder / "frames.tsv") {
        std::ifstream in(path_);
        uint64_t frame = 0;
        for (std::string hash; in >> frame >> hash;) hashes_[frame] = hash;
    }
    bool has(uint64_t frame, const std::string& hash) const {
        const auto found = hashes_.find(frame);
        return found != hashes_.end() && found->second == hash;
    }
    void add(uint64_t frame, const std::string& hash) const {
        std::ofstream out(path_, std::ios::app);
        out << frame << '\t' << hash << '\n';
        out.close();
        if (!out) throw InputError(path_.string(), "cannot be written; is the disk full?");
    }

private:
    fs::path path_;
    std::map<uint64_t, std::string> hashes_;
};

/// A folder that goes when the work is over, however it ends.
struct WorkFolder {
    fs::path path;
    explicit WorkFolder(fs::path folder) : path(std::move(folder)) {
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
};

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
    fs::create_directories(folder);
    const WorkFolder work(folder / "unfinished");
    PovFilm files(film, work.path / "film.pov", options.quality);
    files.writeMain();
    // pictures that exist and depend on the same things as before are kept
    const Ledger ledger(folder);
    std::vector<Missing> missing;
    for (const uint64_t frame : film.options().frames) {
        if (progress.cancelled()) throw Cancelled();
        Missing next{frame, files.writeFrame(frame)};
        const fs::path png = folder / frameFile(frame);
        if (fs::exists(png) && ledger.has(frame, next.hash)) continue;
        if (fs::exists(png) && !options.replace)
            throw InputError(
                png.string(),
                "is there already, from another recording or with other settings; choose another folder or "
                "add --force to overwrite it");
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
    fs::path folder = png;
    folder += ".unfinished";
    const WorkFolder work(folder);
    PovFilm files(film, work.path / "film.pov", quality);
    const uint64_t frame = film.options().frames.front();
    files.writeFrame(frame);
    files.writeMain();
    runPovray(files.job(frame, png), progress);
}

void encodeFilm(const fs::path& folder, const std::vector<uint64_t>& frames, const fs::path& mp4,
                double framesPerSecond, const Progress& progress) {
    // whatever happens, nothing is left behind but a whole film
    fs::path unfinished = mp4, log = mp4;
    unfinished += ".part.mp4";
    log += ".log";
    const fs::path list = folder / "film.txt";
    const Leftovers leftovers({unfinished, log, list});
    // the frames by name and length, since they need not follow each other without gaps
    {
        std::ofstream out(list);
        for (const uint64_t frame : frames)
            out << fmt::format("file {}\nduration {:.9g}\n", frameFile(frame), 1 / framesPerSecond);
    }
    const int code = runProgram({"ffmpeg", "-y", "-loglevel", "error", "-f", "concat", "-i", list.string(), "-r",
                                 fmt::format("{:.9g}", framesPerSecond), "-c:v", "libx264", "-pix_fmt", "yuv420p",
                                 "-crf", "18", "-movflags", "+faststart", unfinished.string()},
                                log, progress);
    // the film takes its name when it is complete
    if (code == 0) {
        fs::rename(unfinished, mp4);
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
    throw InputError(mp4.string(), fmt::format("ffmpeg failed: {}. The frames are in {}", complaint, folder.string()));
}

}  // namespace sunder
