#include "io/recording/recording_writer.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/assert.h"
#include "base/error.h"
#include "io/files/file_lock.h"
#include "io/files/replaceable.h"
#include "io/files/sqlite.h"
#include "io/recording/recording_format.h"
#include "io/recording/recording_json.h"
#include "io/recording/recording_reader.h"
#include "io/recording/recording_tables.h"
#include "io/recording/stream_tables.h"

namespace sunder {

namespace {

/// Readers are never in the way, and a kill at any moment leaves whole transactions. The file of the writer's journal
/// stays small.
void openForWriting(SqlDatabase& database) {
    database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=500");
}

}  // namespace

double positionQuantumFor(const sim::SimulationSetup& setup) {
    const auto smallestOf = [&](bool late) {
        double smallest = std::numeric_limits<double>::infinity();
        for (const sim::BodySetup& body : setup.bodies) {
            if ((body.appears > 0) == late) smallest = std::min(smallest, body.options.shape->radius());
        }
        return smallest;
    };
    const auto quantumOf = [](double radius) {
        int exponent = 0;
        std::frexp(1e-6 * radius, &exponent);
        return std::ldexp(1.0, exponent - 1);
    };
    const double first = smallestOf(false), late = smallestOf(true);
    const double quantum = quantumOf(std::isfinite(first) ? first : 1);
    return late < 1000 * quantum ? quantumOf(late) : quantum;
}

struct RecordingWriter::State {
    State(const std::filesystem::path& path, Checkpoints checkpoints, std::span<const RecordStream> all)
        : lock(path), database(path, SqlDatabase::Mode::ReadWrite), keep(checkpoints), streams(all) {}
    /// A recording that nobody writes is one file, without a log beside it.
    ~State() {
        transaction.reset();
        database.tryExecute("PRAGMA journal_mode=DELETE");
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    FileLock lock;  // the last to go
    SqlDatabase database;
    /// That of the frame in work. The header is part of frame 0's: no recording is without a frame to go on from.
    std::optional<SqlTransaction> transaction;
    Checkpoints keep;
    std::span<const RecordStream> streams;
    double dt = 0;                           // s
    double quantum = 0;                      // m
    QuantisedPoses before;                   // as the frame `beforeIs` has them
    std::optional<uint64_t> beforeIs;        // not known yet of a recording that is gone on with
    std::optional<uint64_t> last;            // frame that is there
    std::optional<RecordingHeader> changed;  // to be written with the next

    void writeHeader(const RecordingHeader& header);
    /// The last checkpoint at a frame or before it.
    Checkpoint checkpointUpTo(uint64_t frame) const;
    /// So that a frame follows the one before it, whatever was there.
    void makeWayFor(uint64_t frame);
    /// Drops all frames after one, as if the run had just done that.
    void dropAfter(uint64_t frame);
    /// The id of a mesh, which is written unless it is there.
    int64_t meshId(const TriMesh& mesh);
    /// What the body is besides what is shown of it.
    void writeSolid(const sim::BodyFacts& body);
    void writeBorn(const sim::Simulation& simulation, const sim::BodyFacts& body);
    void writeDied(const sim::StepReport& report);
    void writeEvents(const sim::Simulation& simulation, const sim::StepReport& report);
    void writeStreams(const sim::FrameRecord& frame);
    void writeStreams(const sim::BreakReport& report, int64_t event);
    void writeFrame(const sim::FrameRecord& frame);
    void writeCheckpoint(uint64_t frame, const std::vector<std::byte>& state);
};

RecordingWriter::RecordingWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
RecordingWriter::~RecordingWriter() = default;
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;
RecordingWriter& RecordingWriter::operator=(RecordingWriter&&) noexcept = default;

RecordingWriter RecordingWriter::create(const std::filesystem::path& path, const RecordingHeader& header,
                                        Checkpoints keep, std::span<const RecordStream> streams) {
    checkReplaceable(path, Overwrite::Yes);
    auto state = std::make_unique<State>(path, keep, streams);
    // one without tables is what a kill just after the start leaves behind
    if (state->database.integer("SELECT count(*) FROM sqlite_master") > 0)
        throw InputError(path.string(), "is there already; choose another name, or go on with --resume");
    openForWriting(state->database);
    state->dt = header.dt;
    state->quantum = header.positionQuantum;
    state->transaction.emplace(state->database);
    makeRecordingTables(state->database);
    makeLaterTables(state->database, streams);
    state->database.execute("PRAGMA application_id=" + std::to_string(kRecordingApplication) +
                            "; PRAGMA user_version=" + std::to_string(kRecordingVersion));
    state->writeHeader(header);
    return RecordingWriter(std::move(state));
}

RecordingWriter::Resumed RecordingWriter::resume(const std::filesystem::path& path, std::optional<uint64_t> upToFrame,
                                                 Checkpoints keep, std::span<const RecordStream> streams) {
    if (!std::filesystem::exists(path)) throw InputError(path.string(), "is not there");
    auto state = std::make_unique<State>(path, keep, streams);
    checkRecording(state->database);
    openForWriting(state->database);
    Checkpoint checkpoint = state->checkpointUpTo(upToFrame.value_or(std::numeric_limits<int64_t>::max()));
    RecordingReader reader(path);
    state->dt = reader.dt();
    state->quantum = reader.positionQuantum();
    state->last = reader.lastFrame();
    return {RecordingWriter(std::move(state)), std::move(checkpoint)};
}

RecordingWriter::Checkpoint RecordingWriter::checkpoint(uint64_t upToFrame) const {
    return state_->checkpointUpTo(upToFrame);
}

RecordingWriter::Checkpoint RecordingWriter::State::checkpointUpTo(uint64_t frame) const {
    SqlStatement row = database.prepare("SELECT frame, state FROM checkpoint WHERE frame <= ? ORDER BY frame DESC");
    if (!row.bind(0, static_cast<int64_t>(frame)).step())
        throw InputError(database.path(), database.integer("SELECT count(*) FROM checkpoint") > 0
                                              ? "keeps no state of frame " + std::to_string(frame) +
                                                    " or before to go on from; start anew"
                                              : "has no frame to go on from; start anew without --resume (and with "
                                                "--force)");
    try {
        return {static_cast<uint64_t>(row.integer(0)), decompressed(row.bytes(1))};
    } catch (const std::runtime_error& error) {
        throw InputError(database.path(),
                         "its checkpoint of frame " + row.text(0) + " is damaged: " + std::string(error.what()));
    }
}

void RecordingWriter::changeHeader(RecordingHeader header) {
    if (header.dt != state_->dt || header.positionQuantum != state_->quantum)
        throw std::invalid_argument(
            "the time of a frame and the quantum of positions are part of every frame: they "
            "cannot change in a recording");
    state_->changed = std::move(header);
}

void RecordingWriter::discard(const std::filesystem::path& path) {
    checkReplaceableRecording(path);
    std::error_code problem;
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, problem))) return;
    // what SQLite left beside it goes with it; of a link, the link alone
    const FileLock lock(path);
    for (const char* end : {"-journal", "-wal", "-shm", ""}) {
        std::filesystem::remove(path.string() + end, problem);
        if (problem) throw InputError(path.string() + end, "cannot be removed: " + problem.message());
    }
}

void RecordingWriter::State::writeHeader(const RecordingHeader& header) {
    SqlStatement meta = database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
    const auto add = [&](std::string_view key, const auto& value) { meta.bind(0, key).bind(1, value).run(); };
    add("scene", std::string_view(header.scene));
    add("scene_name", std::string_view(header.sceneName));
    add("settings", std::string_view(header.settings));
    add("view", std::string_view(header.view));
    add("looks", std::string_view(header.looks));
    add("program", std::string_view(header.program));
    add("dt", header.dt);
    add("seed", static_cast<int64_t>(header.seed));
    add("position_quantum", header.positionQuantum);
    add("rotation_quantum", kRotationQuantum);
}

void RecordingWriter::State::dropAfter(uint64_t frame) {
    const std::string after = " > " + std::to_string(frame);
    database.execute("DELETE FROM frame WHERE number" + after + "; DELETE FROM event WHERE frame" + after +
                     "; DELETE FROM body WHERE born" + after + "; DELETE FROM checkpoint WHERE frame" + after +
                     "; UPDATE body SET died = NULL WHERE died" + after +
                     "; DELETE FROM solid WHERE body NOT IN (SELECT id FROM body)" +
                     "; DELETE FROM mesh WHERE id NOT IN (SELECT mesh FROM body WHERE mesh IS NOT NULL)" +
                     " AND id NOT IN (SELECT mesh FROM solid)");
    for (const RecordStream& stream : streams) dropEntriesAfter(database, stream, frame);
}

void RecordingWriter::State::makeWayFor(uint64_t frame) {
    if (!last) return;
    ASSERT(frame > 0 && frame <= *last + 1);
    if (beforeIs != frame - 1) {  // the first frame since the file was opened, or one that is made again
        before = RecordingReader(database.path()).quantisedPoses(frame - 1);
        makeLaterTables(database, streams);
    }
    beforeIs.reset();  // until the frame is written
    if (frame <= *last) dropAfter(frame - 1);
}

int64_t RecordingWriter::State::meshId(const TriMesh& mesh) {
    const std::vector<std::byte> bytes = meshBytes(mesh);
    const std::string hash = contentHash(bytes);
    SqlStatement find = database.prepare("SELECT id FROM mesh WHERE hash = ?");
    if (find.bind(0, std::string_view(hash)).step()) return find.integer(0);
    const int64_t id = database.integer("SELECT ifnull(max(id), 0) + 1 FROM mesh");
    const std::vector<std::byte> packed = compressed(bytes);
    database.prepare("INSERT INTO mesh VALUES (?, ?, ?, ?, ?)")
        .bind(0, id)
        .bind(1, std::string_view(hash))
        .bind(2, static_cast<int64_t>(mesh.vertexCount()))
        .bind(3, static_cast<int64_t>(mesh.triangleCount()))
        .bind(4, std::span<const std::byte>(packed))
        .run();
    return id;
}

void RecordingWriter::State::writeBorn(const sim::Simulation& simulation, const sim::BodyFacts& body) {
    ASSERT(raw(body.root) <= raw(body.serial));
    const sim::BodySetup& root = simulation.setupOf(body);
    // its name and what it came from; a body of the scene has no parent
    SqlStatement insert = database.prepare("INSERT INTO body VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL)");
    insert.bind(0, int64_t{raw(body.serial)}).bind(1, std::string_view(body.name));
    if (body.parent == kNone<sim::BodySerial>) {
        insert.bindNull(2);
    } else {
        ASSERT(raw(body.parent) < raw(body.serial));
        insert.bind(2, int64_t{raw(body.parent)});
    }
    // its surface, as it is shown; where the solid differs from that, the solid goes beside it
    insert.bind(3, int64_t{raw(body.root)}).bind(4, int64_t{body.generation});
    if (body.mesh() == nullptr) {
        insert.bindNull(5);
    } else {
        insert.bind(5, meshId(body.shown ? *body.shown : *body.mesh()));
        if (body.shown) writeSolid(body);
    }
    // what it is made of, and where its frame lies
    const std::string kind = nameOf(body.kind);
    insert.bind(6, body.mass).bind(7, body.volume());
    for (int k = 0; k < 3; ++k) insert.bind(8 + k, body.centre[k]);
    insert.bind(11, std::string_view(kind)).bind(12, std::string_view(root.material));
    insert.bind(13, root.method ? root.method->name() : std::string_view()).bind(14, static_cast<int64_t>(body.born));
    insert.run();
}

void RecordingWriter::State::writeSolid(const sim::BodyFacts& body) {
    ASSERT(body.mesh() != nullptr);
    database.prepare("INSERT INTO solid VALUES (?, ?)")
        .bind(0, int64_t{raw(body.serial)})
        .bind(1, meshId(*body.mesh()))
        .run();
}

void RecordingWriter::State::writeDied(const sim::StepReport& report) {
    SqlStatement update = database.prepare("UPDATE body SET died = ? WHERE id = ?");
    for (const sim::BodySerial body : report.died)
        update.bind(0, static_cast<int64_t>(report.frame)).bind(1, int64_t{raw(body)}).run();
}

namespace {

/// As events have it.
std::string_view kindOf(const sim::BreakReport& report) {
    switch (report.outcome) {
        case fracture::Outcome::Cracked:
            return "crack";
        case fracture::Outcome::Dented:
            return "dent";
        case fracture::Outcome::Broken:
        case fracture::Outcome::None:
            break;
    }
    ASSERT(report.outcome == fracture::Outcome::Broken);
    return "fracture";
}

}  // namespace

void RecordingWriter::State::writeEvents(const sim::Simulation& simulation, const sim::StepReport& report) {
    SqlStatement insert = database.prepare("INSERT INTO event(frame, kind, body, data) VALUES (?, ?, ?, ?)");
    insert.bind(0, static_cast<int64_t>(report.frame));
    // breaks, and with each what its streams keep under the same number
    for (const sim::BreakReport& one : report.breaks) {
        const std::string data = eventJson(one, streams);
        insert.bind(1, kindOf(one)).bind(2, int64_t{raw(one.body)});
        insert.bind(3, std::string_view(data)).run();
        writeStreams(one, database.integer("SELECT last_insert_rowid()"));
    }
    // anchors that gave way
    for (const sim::BodySerial body : report.letGo) {
        const std::string data = releaseJson(simulation.state(body));
        insert.bind(1, std::string_view("release")).bind(2, int64_t{raw(body)}).bind(3, std::string_view(data)).run();
    }
    // messages belong to no body
    insert.bindNull(2);
    for (const std::string& message : report.messages) {
        const std::string data = messageJson(message);
        insert.bind(1, std::string_view("message")).bind(3, std::string_view(data)).run();
    }
}

void RecordingWriter::State::writeStreams(const sim::BreakReport& report, int64_t event) {
    for (const RecordStream& stream : streams) {
        const auto* encode = std::get_if<RecordStream::OfBreak>(&stream.encode);
        if (encode == nullptr) continue;
        if (const std::optional<StreamEntry> entry = (*encode)(report)) writeEntry(database, stream, event, *entry);
    }
}

void RecordingWriter::State::writeStreams(const sim::FrameRecord& frame) {
    for (const RecordStream& stream : streams) {
        const auto* encode = std::get_if<RecordStream::OfFrame>(&stream.encode);
        if (encode == nullptr) continue;
        if (const std::optional<StreamEntry> entry = (*encode)(frame))
            writeEntry(database, stream, static_cast<int64_t>(frame.report->frame), *entry);
    }
}

void RecordingWriter::State::writeFrame(const sim::FrameRecord& frame) {
    const uint64_t number = frame.report->frame;
    const bool key = number % kKeyFrameEvery == 0;
    // poses in whole quanta; those that differ from the frame before
    QuantisedPoses now;
    for (const sim::BodyPlace& place : frame.places)
        now.emplace_hint(now.end(), raw(place.body), quantised(place.centre, place.rotation, quantum));
    ASSERT(now.size() == frame.places.size());
    size_t moved = 0;
    for (const auto& [serial, pose] : now) {
        const auto old = before.find(serial);
        moved += old == before.end() || old->second != pose;
    }
    // a key frame is complete, others hold differences: a reader starts at the nearest key
    const std::vector<std::byte> poses = compressed(poseBytes(key ? QuantisedPoses{} : before, now));
    const std::string figures = figuresJson(*frame.report), seconds = secondsJson(frame.report->seconds);
    const std::string hash = hashText(frame.stateHash);
    // poses, figures and the hash of the state as one row
    database.prepare("INSERT INTO frame VALUES (?,?,?,?,?,?,?,?)")
        .bind(0, static_cast<int64_t>(number))
        .bind(1, frame.time)
        .bind(2, int64_t{key})
        .bind(3, static_cast<int64_t>(moved))
        .bind(4, std::span<const std::byte>(poses))
        .bind(5, std::string_view(figures))
        .bind(6, std::string_view(hash))
        .bind(7, std::string_view(seconds))
        .run();
    before = std::move(now);
}

void RecordingWriter::State::writeCheckpoint(uint64_t frame, const std::vector<std::byte>& state) {
    const std::vector<std::byte> packed = compressed(state);
    if (keep == Checkpoints::Last) database.execute("DELETE FROM checkpoint");
    database.prepare("INSERT INTO checkpoint VALUES (?, ?)")
        .bind(0, static_cast<int64_t>(frame))
        .bind(1, std::span<const std::byte>(packed))
        .run();
}

void RecordingWriter::stopped(const sim::Simulation& simulation) {
    State& s = *state_;
    const uint64_t frame = simulation.frame();
    SqlStatement there = s.database.prepare("SELECT 1 FROM checkpoint WHERE frame = ?");
    if (s.last != frame || there.bind(0, static_cast<int64_t>(frame)).step()) return;
    SqlTransaction transaction(s.database);
    s.writeCheckpoint(frame, simulation.save());
    transaction.commit();
}

void RecordingWriter::record(const sim::Simulation& simulation, const sim::FrameRecord& frame) {
    ASSERT(frame.report != nullptr);
    std::optional<SqlTransaction>& transaction = state_->transaction;
    if (!transaction) transaction.emplace(state_->database);
    const struct Ended {
        std::optional<SqlTransaction>& transaction;
        ~Ended() { transaction.reset(); }
    } ended{transaction};
    state_->makeWayFor(frame.report->frame);
    if (state_->changed) state_->writeHeader(*state_->changed);
    for (const sim::BodyFacts& body : frame.report->born) state_->writeBorn(simulation, body);
    state_->writeDied(*frame.report);
    state_->writeEvents(simulation, *frame.report);
    state_->writeStreams(frame);
    state_->writeFrame(frame);
    if (frame.checkpoint) state_->writeCheckpoint(frame.report->frame, *frame.checkpoint);
    transaction->commit();
    state_->last = state_->beforeIs = frame.report->frame;
    state_->changed.reset();
}

}  // namespace sunder
