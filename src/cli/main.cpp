#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace {

constexpr const char* kIntroduction =
    "Sunder breaks rigid things.\n\n"
    "  sunder studio wall.json                     build a scene and break it, in the browser\n"
    "  sunder run wall.json                        simulate a scene, record every frame\n"
    "  sunder stats wall.sunder                    what happened\n"
    "  sunder render wall.sunder -o wall.mp4       see it\n"
    "  sunder export wall.sunder -o wall.glb       hand it over\n"
    "  sunder shapes goblet -o goblet.obj          make a model to play with\n"
    "  sunder info goblet.obj                      facts and defects\n"
    "  sunder repair scan.ply -o solid.ply         mend it, and say what was done\n"
    "  sunder tets solid.ply -o solid.msh          fill it with tetrahedra\n"
    "  sunder fracture solid.ply -o pieces/        break it\n"
    "  sunder methods                              the ways to break things\n"
    "  sunder picture solid.ply -o solid.png       look at it\n";

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 failed (stderr says why), 2 a command line that makes no sense,\n"
    "130 stopped by Ctrl-C, 143 stopped by SIGTERM.\n";

int fail(std::string_view message) {
    sunder::cli::printLines(stderr, fmt::format("sunder: {}\n", message));
    return 1;
}

/// Reads the arguments and runs the command they name. What a command throws goes on to main().
int run(int argc, char** argv) {
    // commands in the order in which help lists them
    CLI::App program(kIntroduction, "sunder");
    program.set_version_flag("--version", sunder::buildName());
    program.require_subcommand(1);
    program.footer(kExitCodes);
    sunder::cli::addStudio(program);
    sunder::cli::addRun(program);
    sunder::cli::addStats(program);
    sunder::cli::addInfo(program);
    sunder::cli::addRepair(program);
    sunder::cli::addShapes(program);
    sunder::cli::addTets(program);
    sunder::cli::addExport(program);
    sunder::cli::addFracture(program);
    sunder::cli::addMaterials(program);
    sunder::cli::addMethods(program);
    sunder::cli::addSlices(program);
    sunder::cli::addPicture(program);
    sunder::cli::addRender(program);
    sunder::cli::addValidate(program);
    // 0 when all went well, 2 for a command line that makes no sense; commands have codes of their own
    try {
        program.parse(argc, argv);
        return 0;
    } catch (const CLI::RuntimeError& error) {
        return error.get_exit_code();  // a command that printed its answer and wants another code than 0
    } catch (const CLI::ParseError& error) {
        // help goes to stdout, mistakes to stderr; both repeat what was typed, or what a file name put there
        std::ostringstream help, mistake;
        const int code = program.exit(error, help, mistake);
        sunder::cli::printLines(stdout, help.str());
        sunder::cli::printLines(stderr, mistake.str());
        return code == 0 ? 0 : 2;
    }
}

/// What commands throw, as a sentence and a code.
int answered(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const sunder::Cancelled&) {
        fail("stopped");
        return sunder::cli::stoppedCode();
    } catch (const std::bad_alloc&) {
        return fail(
            "there is not enough memory for this; make it smaller (fewer bodies or frames, larger --cells), or end "
            "other programs");
    } catch (const std::filesystem::filesystem_error& error) {
        return fail(fmt::format("{}: {}", error.path1().string(), error.code().message()));
    } catch (const std::system_error& error) {
        return fail(error.code().message());
    } catch (const nlohmann::json::exception&) {
        return fail("a file that was read is damaged: it has other numbers and names than it should");
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    sunder::cli::prepareStreams();
    const int code = answered(argc, argv);
    const bool told = sunder::cli::finishOutput();
    return code == 0 && !told ? 1 : code;
}
