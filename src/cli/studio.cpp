#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/version.h"
#include "cli/asset_cache.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "io/files/run_program.h"
#include "schema/json.h"
#include "studio/end_watch.h"
#include "studio/server.h"
#include "studio/token.h"

namespace sunder::cli {

namespace {

namespace fs = std::filesystem;

struct StudioArguments {
    fs::path file;     // scene or recording
    fs::path project;  // empty: the file's folder, or this one
    int port = 0;
    int threads = 0;
    bool noBrowser = false;
    AssetCacheArguments cache;
};

fs::path projectOf(const StudioArguments& arguments) {
    if (!arguments.project.empty()) return arguments.project;
    const fs::path folder = arguments.file.parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

/// The way Studio's own page would open it.
void openFile(studio::Session& session, const StudioArguments& arguments) {
    if (arguments.file.empty()) return;
    if (!fs::exists(arguments.file)) throw InputError(arguments.file.string(), "there is no such file");
    const fs::path inside = fs::canonical(arguments.file).lexically_relative(fs::canonical(projectOf(arguments)));
    if (inside.empty() || *inside.begin() == "..")
        throw InputError(arguments.file.string(), "is not in the project folder " + projectOf(arguments).string());
    const schema::Json answer = session.handle({{"do", "open"}, {"path", inside.generic_string()}}).json;
    if (answer.contains("error")) throw InputError(arguments.file.string(), answer["error"]["message"]);
}

/// Without a screen there is no browser to open.
bool hasDisplay() {
    const auto set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

/// Serves until Ctrl-C. The address is the only line on stdout, for scripts that wait for it.
void runStudio(const StudioArguments& arguments) {
    studio::EndWatch watch;  // of all that follows: a signal ends it, whatever hangs
    const ThreadLimit limit(arguments.threads);
    const std::unique_ptr<AssetFolder> assets = arguments.cache.open();
    studio::Session session({.project = projectOf(arguments), .program = buildName(), .assets = assets.get()});
    openFile(session, arguments);
    studio::Server server(session, {.port = static_cast<uint16_t>(arguments.port),
                                    .token = studio::newToken(),
                                    .web = studio::studioPages(),
                                    .ending = [&] {
                                        watch.arm();
                                        session.endSoon();
                                    }});
    if (studio::studioPages().empty()) print(stderr, "Studio's page is not built: ./dev build web (needs node)\n");
    print("{}\n", server.url());
    std::fflush(stdout);
    print(stderr, "Studio is open at this address, for this machine alone; Ctrl-C ends it and keeps everything\n");
    std::thread browser;
    if (!arguments.noBrowser && hasDisplay())
        browser = std::thread([url = server.url()] { runProgram({"xdg-open", url}, "/dev/null", Progress()); });
    server.run(studio::Server::Signals::Take);
    if (browser.joinable()) browser.join();
    print(stderr, "ending; what is not saved is offered when Studio opens the scene again\n");
}

}  // namespace

void addStudio(CLI::App& program) {
    auto arguments = std::make_shared<StudioArguments>();
    CLI::App* command = program.add_subcommand("studio",
                                               "Build a scene and break it, in the browser (docs/studio.md).\n\n"
                                               "  sunder studio                 a new scene, in this folder\n"
                                               "  sunder studio wall.json       this scene\n"
                                               "  sunder studio wall.sunder     look at a recording\n");
    command->add_option("file", arguments->file, "a scene (.json) or a recording (.sunder)");
    command->add_option("--project", arguments->project,
                        "the folder to work in: nothing outside it is read or written; without: that of the file, or "
                        "this one");
    command->add_option("--port", arguments->port, "of 127.0.0.1; without: a free one")->check(wholeWithin(1, 65535));
    command->add_option("--threads", arguments->threads, "at most; 0: all cores. The result does not depend on it")
        ->check(wholeWithin(0, 1024));
    command->add_flag("--no-browser", arguments->noBrowser, "only print the address");
    arguments->cache.addTo(*command);
    command->callback([arguments] { runStudio(*arguments); });
}

}  // namespace sunder::cli
