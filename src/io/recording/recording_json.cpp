#include "io/recording/recording_json.h"

#include "schema/json.h"

namespace sunder {

using schema::Json;
using schema::toJson;

std::string figuresJson(const sim::StepReport& report) {
    // what breaking took, over all bodies that broke in this frame
    const dynamics::StepResult& motion = report.motion;
    const dynamics::EnergyAccount& energy = motion.energy;
    double breaking = 0;
    for (const sim::BreakReport& one : report.breaks) breaking += one.energyTaken;
    // counts, then where energy came from and went, then what should stay constant
    Json json{{"bodies", motion.counters.bodies},
              {"awake", motion.counters.awake},
              {"pairs", motion.counters.pairs},
              {"contacts", motion.counters.points},
              {"breaks", report.breaks.size()},
              {"rounds", report.rounds},
              {"energy",
               {{"linear", energy.linear},
                {"rotational", energy.rotational},
                {"potential", energy.potential},
                {"fields", energy.workOfFields},
                {"kinematic", energy.workOfKinematic},
                {"explosions", report.workOfExplosions},
                {"actions", report.workOfActions},
                {"released", report.energyFreed},
                {"appeared", report.appeared},
                {"breaking", breaking},
                {"contact", energy.lostInContact},
                {"friction", energy.lostInFriction},
                {"clamping", energy.lostInClamping},
                {"depenetration", energy.depenetration},
                {"error", energy.error}}},
              {"momentum", toJson(energy.momentum)},
              {"angular_momentum", toJson(energy.angularMomentum)},
              {"penetration", {{"mean", motion.meanPenetration}, {"worst", motion.worstPenetration}}}};
    // seldom: only frames that had any say how many
    if (motion.counters.withoutMomentum > 0) json["without_momentum"] = motion.counters.withoutMomentum;
    return json.dump();
}

std::string secondsJson(const sim::StepSeconds& seconds) {
    return Json{{"move", seconds.move}, {"decide", seconds.decide}, {"apply", seconds.apply}, {"total", seconds.total}}
        .dump();
}

std::string eventJson(const sim::BreakReport& report, std::span<const RecordStream> streams) {
    // what every break has
    Json fragments = Json::array();
    for (const sim::BodySerial body : report.fragments) fragments.push_back(raw(body));
    Json json{
        {"method", report.method},
        {"reason", report.reason},
        {"fragments", fragments},
        {"point", toJson(report.point)},
        {"impulse", report.impulse},
        {"mass", {{"before", report.massBefore}, {"after", report.massAfter}, {"error", report.massError()}}},
        {"volume", {{"before", report.volumeBefore}, {"after", report.volumeAfter}, {"error", report.volumeError()}}},
        {"momentum",
         {{"before", toJson(report.before.linear)},
          {"after", toJson(report.after.linear)},
          {"error", report.momentumError()}}},
        {"angular_momentum",
         {{"before", toJson(report.before.angular)},
          {"after", toJson(report.after.angular)},
          {"error", report.angularMomentumError()}}},
        {"energy",
         {{"before", report.kineticBefore},
          {"after", report.kineticAfter},
          {"wanted", report.energyWanted},
          {"taken", report.energyTaken}}},
        {"open_pieces", report.openPieces}};
    // what only some methods know
    for (const RecordStream& stream : streams) {
        if (stream.facts == nullptr) continue;
        if (Json facts = stream.facts(report); !facts.is_null()) json[stream.name] = std::move(facts);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string releaseJson(const dynamics::BodyState& body) {
    return Json{{"centre", toJson(body.centre)}, {"velocity", toJson(body.velocity)}}.dump();
}

std::string messageJson(const std::string& message) {
    return Json{{"text", message}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string hashText(uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace sunder
