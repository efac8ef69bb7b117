#include "io/render/povray.h"

#include <fstream>

#include <fmt/format.h>

#include "base/error.h"
#include "io/files/escaped.h"
#include "io/files/replaceable.h"
#include "io/files/run_program.h"
#include "io/files/work_folder.h"

namespace sunder {

namespace {

/// Lines of POV-Ray's log that have a word in them.
std::vector<std::string> linesWith(const std::string& word, const std::filesystem::path& log) {
    std::ifstream in(log);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        if (line.find(word) != std::string::npos) lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> qualityArguments(PovQuality quality) {
    switch (quality) {
        case PovQuality::Draft:
            return {"-A"};
        case PovQuality::Good:
            return {"+A0.1", "+AM2", "+R3"};
        case PovQuality::Best:
            return {"+A0.05", "+AM2", "+R4"};
    }
    return {};
}

/// What may have been wrong when POV-Ray itself does not say.
std::string reasonWithoutWords(const std::filesystem::path& folder) {
    std::error_code problem;
    const std::filesystem::space_info space = std::filesystem::space(folder, problem);
    constexpr uintmax_t kLittle = uintmax_t{1} << 20;  // bytes
    return !problem && space.available < kLittle ? "the disk is full; make room and try again"
                                                 : "it gives no reason; was it killed, or is the disk full?";
}

}  // namespace

std::string povrayHeader(PovQuality quality) {
    // light that has lost 95 % is dropped: between pieces of glass it would split for ever
    const char* radiosity =
        quality == PovQuality::Best
            ? " radiosity{count 120 error_bound 0.5 recursion_limit 1 pretrace_end 0.01 brightness 0.6}"
            : "";
    return fmt::format("#version 3.7;\nglobal_settings{{assumed_gamma 1.0 max_trace_level 12 adc_bailout 0.05{}}}\n",
                       radiosity);
}

std::vector<std::string> runPovray(const PovrayJob& job, const Progress& progress) {
    // the picture takes its name when it is complete; whatever happens, nothing else is left behind
    checkReplaceable(job.png, Overwrite::Yes);
    const WorkFolder work(job.work.empty() ? job.png : job.work / job.png.filename());
    const std::filesystem::path unfinished = work.path() / "picture.png", log = work.path() / "povray.log";
    std::vector<std::string> arguments{"povray",
                                       "+I" + job.pov.string(),
                                       "+O" + unfinished.string(),
                                       "+L" + job.pov.parent_path().string(),
                                       fmt::format("+W{}", job.size.width),
                                       fmt::format("+H{}", job.size.height),
                                       "-D",
                                       "+FN8"};
    if (job.pov.parent_path().empty()) std::erase(arguments, "+L");
    if (job.threads > 0) arguments.push_back(fmt::format("+WT{}", job.threads));
    for (const std::string& declaration : job.declarations) arguments.push_back("Declare=" + declaration);
    for (std::string& argument : qualityArguments(job.quality)) arguments.push_back(std::move(argument));

    const int code = runProgram(arguments, log, progress);
    // what the user can do about it; POV-Ray's own words are in its log
    if (code == kProgramMissing)
        throw InputError(job.png.string(), "POV-Ray is not installed; get it with: apt-get install povray");
    if (code != 0) {
        const std::vector<std::string> errors = linesWith("rror", log);
        throw InputError(job.png.string(), "POV-Ray failed: " + (errors.empty() ? reasonWithoutWords(work.path())
                                                                                : forTerminal(errors.back())));
    }
    checkReplaceable(job.png, Overwrite::Yes);
    std::error_code problem;
    std::filesystem::rename(unfinished, job.png, problem);
    if (problem) throw InputError(job.png.string(), "cannot be put in place: " + problem.message());
    return linesWith("Warning:", log);
}

}  // namespace sunder
