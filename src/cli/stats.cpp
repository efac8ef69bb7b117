#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/recording_output.h"

namespace sunder::cli {

Json toJson(const RecordingStats& stats) {
    // what should stay constant comes as the worst relative error
    return {{"frames", stats.frames},
            {"breaks", stats.breaks},
            {"changes", stats.changes},
            {"bodies", {{"start", stats.bodiesAtStart}, {"end", stats.bodiesAtEnd}, {"pieces", stats.pieces}}},
            {"conservation",
             {{"mass", stats.mass},
              {"momentum", stats.momentum},
              {"angular_momentum", stats.angularMomentum},
              {"volume", stats.volume}}},
            {"energy",
             {{"start", stats.energyAtStart},
              {"end", stats.energyAtEnd},
              {"max_gain", stats.energyMaxGain},
              {"breaking", stats.energyOfBreaking}}},
            {"stress",
             {{"breaks", stats.breaksFromStress},
              {"changes", stats.changesFromStress},
              {"worst_ratio", stats.stressRatioWorst},
              {"strain_energy", stats.strainEnergy}}},
            {"penetration", {{"mean", stats.penetrationMean}, {"worst", stats.penetrationWorst}}},
            {"open_pieces", stats.openPieces},
            {"impacts", {{"count", stats.impacts}, {"hardest", stats.impactHardest}, {"fastest", stats.impactFastest}}},
            {"released", stats.releases},
            {"seconds",
             {{"total", stats.secondsTotal},
              {"step", stats.secondsStep},
              {"fracture", stats.secondsFracture},
              {"median_frame", stats.secondsMedianFrame},
              {"worst_frame", stats.secondsWorstFrame}}},
            {"not_finite",
             {{"frames", stats.framesNotFinite},
              {"events", stats.eventsNotFinite},
              {"first", stats.firstNotFinite ? Json(*stats.firstNotFinite) : Json()}}},
            {"state_hash", stats.stateHash},
            {"messages", stats.messages}};
}

void printStats(const RecordingStats& stats) {
    // what happened
    print("frames        {}\n", stats.frames);
    print("breaks        {}{}\n", stats.breaks,
          stats.changes > 0 ? fmt::format(", and {} that cracked or dented a body in one piece", stats.changes) : "");
    print("bodies        {} at the start, {} at the end, {} of them pieces\n", stats.bodiesAtStart, stats.bodiesAtEnd,
          stats.pieces);
    // what should stay constant, and what did
    print(
        "conservation  mass {:.1e}, momentum {:.1e}, angular momentum {:.1e}, volume {:.1e} (relative errors, worst "
        "break)\n",
        stats.mass, stats.momentum, stats.angularMomentum, stats.volume);
    print("energy        {:.6g} J at the start, {:.6g} J at the end, breaking took {:.4g} J\n", stats.energyAtStart,
          stats.energyAtEnd, stats.energyOfBreaking);
    print("gained        {:.1e} of the largest kinetic energy, in the worst frame\n", stats.energyMaxGain);
    if (stats.breaksFromStress + stats.changesFromStress > 0)
        print("stress        up to {:.3g} times the strength, {:.4g} J of strain, known of {} breaks and {} cracks\n",
              stats.stressRatioWorst, stats.strainEnergy, stats.breaksFromStress, stats.changesFromStress);
    // what should be nothing, or small
    print("penetration   {:.3g} mm mean, {:.3g} mm worst\n", 1e3 * stats.penetrationMean, 1e3 * stats.penetrationWorst);
    print("open pieces   {}\n", stats.openPieces);
    if (stats.impacts == 0) {
        print("impacts       none\n");
    } else {
        print("impacts       {}, the hardest {:.4g} N s, the fastest {:.4g} m/s\n", stats.impacts, stats.impactHardest,
              stats.impactFastest);
    }
    // what else there is, and how long it took
    if (stats.releases > 0) print("anchors       {} gave way\n", stats.releases);
    print("time          {:.3g} s, of that {:.3g} s fracture; median frame {:.1f} ms, worst {:.1f} ms\n",
          stats.secondsTotal, stats.secondsFracture, 1e3 * stats.secondsMedianFrame, 1e3 * stats.secondsWorstFrame);
    if (stats.firstNotFinite)
        print(
            "not finite    figures of {} frames and {} events, from frame {} on, are no finite numbers: energies and "
            "errors above leave them out, and the run is not to be trusted\n",
            stats.framesNotFinite, stats.eventsNotFinite, *stats.firstNotFinite);
    print("state hash    {}\n", stats.stateHash);
    for (const std::string& message : stats.messages) print("message       {}\n", message);
}

namespace {

struct StatsArguments {
    std::string recording;
    bool json = false;
};

void runStats(const StatsArguments& arguments) {
    const RecordingStats stats = statsOf(RecordingReader(arguments.recording));
    if (arguments.json) {
        printJson(toJson(stats));
    } else {
        printStats(stats);
    }
}

}  // namespace

void addStats(CLI::App& program) {
    auto arguments = std::make_shared<StatsArguments>();
    CLI::App* command = program.add_subcommand("stats",
                                               "What happened in a recording: pieces, conservation, energy, "
                                               "penetration, timings.\n\n"
                                               "  sunder stats wall.sunder\n"
                                               "  sunder stats wall.sunder --json | jq .conservation\n");
    command->add_option("recording", arguments->recording, "the recording; it may be in the making")->required();
    command->add_flag("--json", arguments->json, "one JSON object on stdout");
    command->callback([arguments] { runStats(*arguments); });
}

}  // namespace sunder::cli
