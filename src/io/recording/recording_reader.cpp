#include "io/recording/recording_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "base/archive.h"
#include "base/error.h"
#include "io/files/file_access.h"
#include "io/files/replaceable.h"
#include "io/files/source.h"
#include "io/recording/recording_tables.h"
#include "io/recording/stream_tables.h"

namespace sunder {

namespace {

/// A name and a place for what decoders complain about.
template <class Action>
auto decoding(const std::string& path, const std::string& what, Action&& action) {
    try {
        return action();
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw InputError(path, what + " is damaged (" + error.what() + "); make the recording again");
    }
}

InputError damagedBody(const std::string& path, const std::string& body, const std::string& what) {
    return InputError(path, fmt::format("is damaged: body {} {}; make the recording again", body, what));
}

/// A number that is none of ours, or that other numbers of the body contradict.
void checkBody(const std::string& path, const SqlStatement& row) {
    const auto wrong = [&](const std::string& what) { return damagedBody(path, row.text(0), what); };
    // what it comes from is there before it
    const int64_t id = row.integer(0);
    if (id < 0 || id >= int64_t{kInvalidIndex}) throw wrong("cannot be");
    if (!row.isNull(2) && (row.integer(2) < 0 || row.integer(2) >= id)) throw wrong("comes from one that is not there");
    if (row.integer(3) < 0 || row.integer(3) > id) throw wrong("is part of one that is not there");
    // when it is there
    const int64_t born = row.integer(14), died = row.isNull(15) ? born : row.integer(15);
    if (born < 0 || died < born) throw wrong(fmt::format("is born in frame {} and dies in frame {}", born, died));
    // mass, volume, centre
    for (int column = 6; column <= 10; ++column) {
        if (!isSane(row.real(column))) throw wrong("has a mass, volume or centre that is not finite");
    }
}

/// A row of the table of bodies, column by column.
RecordedBody bodyOf(const std::string& path, const SqlStatement& row) {
    checkBody(path, row);
    RecordedBody body;
    body.id = static_cast<uint32_t>(row.integer(0));
    body.name = row.text(1);
    if (!row.isNull(2)) body.parent = static_cast<uint32_t>(row.integer(2));
    body.root = static_cast<uint32_t>(row.integer(3));
    body.generation = static_cast<int>(row.integer(4));
    if (!row.isNull(5)) body.mesh = row.integer(5);
    body.mass = row.real(6);
    body.volume = row.real(7);
    body.centre = {row.real(8), row.real(9), row.real(10)};
    body.kind = row.text(11);
    body.material = row.text(12);
    body.method = row.text(13);
    body.born = static_cast<uint64_t>(row.integer(14));
    if (!row.isNull(15)) body.died = static_cast<uint64_t>(row.integer(15));
    return body;
}

/// A row of kFrameColumns.
RecordedFrame frameOf(const SqlStatement& row) {
    RecordedFrame frame;
    frame.number = static_cast<uint64_t>(row.integer(0));
    frame.time = row.real(1);
    frame.key = row.integer(2) != 0;
    frame.moved = static_cast<size_t>(row.integer(3));
    frame.poseBytes = static_cast<size_t>(row.integer(4));
    frame.figures = row.text(5);
    frame.stateHash = row.text(6);
    frame.seconds = row.text(7);
    return frame;
}

/// While it lives, all that is read is of one moment.
struct Snapshot {
    explicit Snapshot(SqlDatabase& of) : database(of) { database.execute("BEGIN"); }
    ~Snapshot() { database.tryExecute("COMMIT"); }
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;
    SqlDatabase& database;
};

constexpr const char* kFrameColumns = "number, time, key, moved, length(poses), figures, state_hash, seconds";

}  // namespace

void checkRecording(const SqlDatabase& database, std::span<const RecordStream> streams) {
    if (database.integer("SELECT count(*) FROM sqlite_master") == 0)
        throw InputError(database.path(), "has no frame yet: its run has only just begun, or was killed as it began");
    if (database.integer("PRAGMA application_id") != kRecordingApplication)
        throw InputError(database.path(), "is an SQLite file, but no recording of Sunder");
    const int64_t version = database.integer("PRAGMA user_version");
    if (version > kRecordingVersion)
        throw InputError(database.path(), fmt::format("was made by a newer sunder (recordings of version {}); this one "
                                                      "reads version {}: update it",
                                                      version, kRecordingVersion));
    if (version < kRecordingVersion)
        throw InputError(database.path(), fmt::format("is a recording of the old version {}; this program reads "
                                                      "version {}: make it again with sunder run",
                                                      version, kRecordingVersion));
    checkTables(database, streams);
}

bool isRecording(const std::filesystem::path& path) {
    constexpr std::string_view kMagic("SQLite format 3\0", 16);
    return firstBytes(path, kMagic.size()) == kMagic;
}

bool isUnbegun(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) return true;
    checkRegularFile(path);
    if (std::filesystem::is_empty(path)) return true;
    const SqlDatabase database(path, SqlDatabase::Mode::ReadWrite);  // so that a journal left by a kill can be undone
    return database.integer("SELECT count(*) FROM sqlite_master") == 0;
}

void checkReplaceableRecording(const std::filesystem::path& path) {
    checkReplaceable(path, Overwrite::Yes);
    if (firstBytes(path, 1).empty()) return;
    // the name of a file says nothing: a scene, a letter and another program's database stay
    const auto refused = [&](const char* what) {
        return InputError(path.string(), fmt::format("is {}; only recordings are overwritten by recordings: choose "
                                                     "another name with -o, or remove it",
                                                     what));
    };
    if (!isRecording(path)) throw refused("no recording of Sunder");
    const SqlDatabase database(path, SqlDatabase::Mode::ReadWrite);  // as above
    if (database.integer("PRAGMA application_id") == kRecordingApplication) return;
    if (database.integer("SELECT count(*) FROM sqlite_master") > 0) throw refused("a database of another program");
}

RecordingReader::RecordingReader(const std::filesystem::path& path, std::span<const RecordStream> streams)
    : database_(path, SqlDatabase::Mode::ReadOnly), streams_(streams) {
    checkRecording(database_, streams_);
    // what every number depends on
    SqlStatement row = database_.prepare("SELECT value FROM meta WHERE key = 'position_quantum'");
    quantum_ = row.step() ? row.real(0) : 0;
    if (!(quantum_ > 0 && isSane(quantum_)))
        throw InputError(database_.path(), "is damaged: it does not say how positions are stored");
    constexpr double kShortest = 1e-9, kLongest = 1e6;  // s
    if (!(dt() >= kShortest && dt() <= kLongest)) throw damaged(fmt::format("a frame of {} s", dt()));
    checkFrames();
}

InputError RecordingReader::damaged(const std::string& what) const {
    return InputError(database_.path(), fmt::format("is damaged: it has {}; make the recording again", what));
}

void RecordingReader::checkFrames() const {
    // from the first to the last there are as many as there should be
    const int64_t count = database_.integer("SELECT count(*) FROM frame");
    if (count == 0) return;
    const int64_t first = database_.integer("SELECT min(number) FROM frame"),
                  last = database_.integer("SELECT max(number) FROM frame");
    if (first != 0 || last != count - 1)
        throw damaged(
            fmt::format("{}, numbered from {} to {}", counted(static_cast<size_t>(count), "frame"), first, last));
}

std::string RecordingReader::meta(const std::string& key) const {
    SqlStatement row = database_.prepare("SELECT value FROM meta WHERE key = ?");
    return row.bind(0, std::string_view(key)).step() ? row.text(0) : "";
}

double RecordingReader::dt() const {
    SqlStatement row = database_.prepare("SELECT value FROM meta WHERE key = 'dt'");
    return row.step() ? row.real(0) : 0;
}

uint64_t RecordingReader::lastFrame() const {
    SqlStatement row = database_.prepare("SELECT max(number) FROM frame");
    if (!row.step() || row.isNull(0)) throw InputError(database_.path(), "has no frame yet");
    return static_cast<uint64_t>(row.integer(0));
}

RecordedFrame RecordingReader::frame(uint64_t number) const {
    SqlStatement row = database_.prepare(std::string("SELECT ") + kFrameColumns + " FROM frame WHERE number = ?");
    if (!row.bind(0, static_cast<int64_t>(number)).step())
        throw InputError(database_.path(),
                         "has no frame " + std::to_string(number) + "; its last one is " + std::to_string(lastFrame()));
    return frameOf(row);
}

std::vector<RecordedFrame> RecordingReader::frames() const {
    return frames(0, static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
}

std::vector<RecordedFrame> RecordingReader::frames(uint64_t first, uint64_t last) const {
    std::vector<RecordedFrame> all;
    SqlStatement row = database_.prepare(std::string("SELECT ") + kFrameColumns +
                                         " FROM frame WHERE number BETWEEN ? AND ? ORDER BY number");
    row.bind(0, static_cast<int64_t>(first)).bind(1, static_cast<int64_t>(last));
    while (row.step()) {
        all.push_back(frameOf(row));
        if (!isSane(all.back().time)) throw damaged(fmt::format("a frame {} at no time", all.back().number));
    }
    return all;
}

std::vector<RecordedBody> RecordingReader::bodies(uint32_t from) const {
    std::vector<RecordedBody> all;
    SqlStatement row = database_.prepare("SELECT * FROM body WHERE id >= ? ORDER BY id");
    row.bind(0, int64_t{from});
    while (row.step()) {
        all.push_back(bodyOf(database_.path(), row));
        // ids are places in lists
        if (all.back().id != from + all.size() - 1)
            throw damaged(fmt::format("no body {}, but a body {}", from + all.size() - 1, all.back().id));
    }
    return all;
}

std::vector<RecordedBody> RecordingReader::diedBetween(uint64_t first, uint64_t last) const {
    std::vector<RecordedBody> all;
    SqlStatement row = database_.prepare("SELECT * FROM body WHERE died BETWEEN ? AND ? ORDER BY died, id");
    row.bind(0, static_cast<int64_t>(first)).bind(1, static_cast<int64_t>(last));
    while (row.step()) all.push_back(bodyOf(database_.path(), row));
    return all;
}

std::vector<RecordedEvent> RecordingReader::events(size_t from) const {
    std::vector<RecordedEvent> all;
    SqlStatement row =
        database_.prepare("SELECT frame, kind, body, data FROM event ORDER BY frame, id LIMIT -1 OFFSET ?");
    row.bind(0, static_cast<int64_t>(from));
    const auto bodies = static_cast<int64_t>(bodyCount());
    while (row.step()) {
        // of a frame and a body that can be
        if (row.integer(0) < 0) throw damaged("an event before the first frame");
        if (!row.isNull(2) && (row.integer(2) < 0 || row.integer(2) >= bodies))
            throw damaged(fmt::format("an event in frame {} of body {}, which is not there", row.text(0), row.text(2)));
        all.push_back({static_cast<uint64_t>(row.integer(0)), row.text(1), std::nullopt, row.text(3)});
        if (!row.isNull(2)) all.back().body = static_cast<uint32_t>(row.integer(2));
    }
    return all;
}

size_t RecordingReader::bodyCount() const {
    return static_cast<size_t>(database_.integer("SELECT count(*) FROM body"));
}

size_t RecordingReader::eventCount() const {
    return static_cast<size_t>(database_.integer("SELECT count(*) FROM event"));
}

size_t RecordingReader::breakCount() const {
    return static_cast<size_t>(
        database_.integer("SELECT count(*) FROM event WHERE kind IN ('fracture', 'crack', 'dent')"));
}

std::optional<std::vector<std::byte>> RecordingReader::streamBytes(const RecordStream& stream,
                                                                   uint64_t frameOrEvent) const {
    auto key = static_cast<int64_t>(frameOrEvent);
    if (!stream.ofFrames()) {
        SqlStatement event = database_.prepare("SELECT id FROM event ORDER BY frame, id LIMIT 1 OFFSET ?");
        if (!event.bind(0, key).step()) return {};
        key = event.integer(0);
    }
    return decoding(database_.path(), fmt::format("{} of {} {}", stream.name, stream.key(), frameOrEvent),
                    [&] { return readEntry(database_, stream, key); });
}

std::vector<RecordedImpact> RecordingReader::impacts(uint64_t frame) const {
    const auto bytes = streamBytes(impactStream(), frame);
    if (!bytes) return {};
    std::vector<RecordedImpact> impacts = impactsFromBytes(*bytes);
    // between bodies that are there, and somewhere
    const size_t bodies = bodyCount();
    for (const RecordedImpact& impact : impacts) {
        const std::string which =
            fmt::format("an impact in frame {} between bodies {} and {}", frame, impact.a, impact.b);
        if (impact.a >= bodies || impact.b >= bodies) throw damaged(which + ", which are not there");
        bool finite = std::isfinite(impact.speed);
        for (const std::array<float, 3>& three : {impact.point, impact.normal, impact.impulse})
            finite = finite && std::ranges::all_of(three, [](float x) { return std::isfinite(x); });
        if (!finite) throw damaged(which + " with numbers that are not finite");
    }
    return impacts;
}

size_t RecordingReader::impactCount() const { return countItems(database_, impactStream()); }

std::shared_ptr<const TriMesh> RecordingReader::mesh(int64_t id) const {
    const std::string what = "mesh " + std::to_string(id);
    SqlStatement row = database_.prepare("SELECT data FROM mesh WHERE id = ?");
    if (!row.bind(0, id).step()) throw InputError(database_.path(), what + " is missing; the file is damaged");
    return decoding(database_.path(), what,
                    [&] { return std::make_shared<const TriMesh>(meshFromBytes(decompressed(row.bytes(0)))); });
}

std::string RecordingReader::meshHash(int64_t id) const {
    SqlStatement row = database_.prepare("SELECT hash FROM mesh WHERE id = ?");
    return row.bind(0, id).step() ? row.text(0) : "";
}

std::optional<int64_t> RecordingReader::meshOfHash(const std::string& hash) const {
    SqlStatement row = database_.prepare("SELECT id FROM mesh WHERE hash = ?");
    if (!row.bind(0, std::string_view(hash)).step()) return {};
    return row.integer(0);
}

std::shared_ptr<const TriMesh> RecordingReader::meshOf(uint32_t body) const {
    SqlStatement row = database_.prepare("SELECT mesh FROM body WHERE id = ?");
    if (!row.bind(0, int64_t{body}).step() || row.isNull(0)) return nullptr;
    return mesh(row.integer(0));
}

GeometryPtr RecordingReader::geometryOf(uint32_t body) const {
    std::shared_ptr<const TriMesh> found;
    if (hasTable(database_, "solid")) {
        SqlStatement row = database_.prepare("SELECT mesh FROM solid WHERE body = ?");
        if (row.bind(0, int64_t{body}).step()) found = mesh(row.integer(0));
    }
    if (found == nullptr) found = meshOf(body);
    return found ? makeSolid(*found) : nullptr;
}

QuantisedPoses RecordingReader::quantisedPoses(uint64_t number) {
    frame(number);  // complains when there is none
    // from the last key frame on, or from the cache where that is nearer
    int64_t first = database_.integer("SELECT ifnull(max(number), 0) FROM frame WHERE key = 1 AND number <= " +
                                      std::to_string(number));
    // a run may have gone on from an earlier frame and made others of those that were asked for
    const bool stillThere = cached_ && stateHashOf(*cached_) == cachedHash_;
    if (stillThere && *cached_ <= number && static_cast<int64_t>(*cached_) >= first) {
        first = static_cast<int64_t>(*cached_) + 1;
    } else {
        poses_.clear();
        centres_.clear();
    }
    cached_.reset();  // until all went well
    // key frames begin anew, others change what is known
    SqlStatement row =
        database_.prepare("SELECT number, key, poses FROM frame WHERE number BETWEEN ? AND ? ORDER BY number");
    row.bind(0, first).bind(1, static_cast<int64_t>(number));
    while (row.step()) {
        if (row.integer(1) != 0) poses_.clear();
        decoding(database_.path(), "frame " + row.text(0), [&] { applyPoseBytes(decompressed(row.bytes(2)), poses_); });
    }
    // a body that died leaves no pose behind; the differences do not mention it
    SqlStatement died = database_.prepare("SELECT id FROM body WHERE died BETWEEN ? AND ?");
    died.bind(0, first).bind(1, static_cast<int64_t>(number));
    while (died.step()) poses_.erase(static_cast<uint32_t>(died.integer(0)));
    cached_ = number;
    cachedHash_ = stateHashOf(number);
    return poses_;
}

std::string RecordingReader::stateHashOf(uint64_t number) const {
    SqlStatement row = database_.prepare("SELECT state_hash FROM frame WHERE number = ?");
    return row.bind(0, static_cast<int64_t>(number)).step() ? row.text(0) : "";
}

void RecordingReader::readCentres(uint64_t frame) {
    // not those of later frames: a run that goes on from this one may make others
    SqlStatement row = database_.prepare("SELECT id, cx, cy, cz, born FROM body WHERE id >= ? ORDER BY id");
    row.bind(0, static_cast<int64_t>(centres_.size()));
    while (row.step() && row.integer(4) <= static_cast<int64_t>(frame)) {
        if (row.integer(0) != static_cast<int64_t>(centres_.size()))
            throw damaged(fmt::format("no body {}, but a body {}", centres_.size(), row.integer(0)));
        centres_.push_back({row.real(1), row.real(2), row.real(3)});
    }
}

void RecordingReader::checkPoses(uint64_t frame, const QuantisedPoses& poses) const {
    // a pose of what is not there yet
    if (!poses.empty() && poses.rbegin()->first >= centres_.size())
        throw InputError(database_.path(),
                         fmt::format("frame {} moves body {}, which is not there; the file is damaged", frame,
                                     poses.rbegin()->first));
    SqlStatement died = database_.prepare("SELECT count(*) FROM body WHERE died <= ?");
    died.bind(0, static_cast<int64_t>(frame)).step();
    if (poses.size() + static_cast<size_t>(died.integer(0)) == centres_.size()) return;
    // as many as live: otherwise one of them has none, or one has a pose that is dead
    SqlStatement row = database_.prepare("SELECT id, died <= ? FROM body WHERE id < ? ORDER BY id");
    row.bind(0, static_cast<int64_t>(frame)).bind(1, static_cast<int64_t>(centres_.size()));
    while (row.step()) {
        const bool isDead = row.integer(1) != 0, hasPose = poses.contains(static_cast<uint32_t>(row.integer(0)));
        if (isDead == hasPose)
            throw damaged(fmt::format("{} pose of body {} in frame {}", hasPose ? "a" : "no", row.text(0), frame));
    }
}

std::vector<RecordedPose> RecordingReader::poses(uint64_t number) {
    // a run that writes meanwhile must not come between a frame and its bodies
    const Snapshot snapshot(database_);
    const QuantisedPoses places = quantisedPoses(number);
    readCentres(number);
    checkPoses(number, places);
    std::vector<RecordedPose> all;
    all.reserve(places.size());
    for (const auto& [body, place] : places) {
        all.push_back(poseFrom(place, quantum_, body, centres_[body]));
        if (!isSane(all.back().worldFromMesh.translation) || !isSane(all.back().centre))
            throw damaged(fmt::format("body {} at no place in frame {}", body, number));
    }
    return all;
}

void RecordingReader::copyTo(const std::filesystem::path& path) {
    SqlStatement copy = database_.prepare("VACUUM INTO ?");
    const std::string name = path.string();
    copy.bind(0, std::string_view(name)).run();
}

std::string RecordingReader::digest() {
    ByteWriter content;
    const auto add = [&](std::string_view text) {
        transferCount(content, text.size());
        content.raw(text.data(), text.size());
    };
    const auto addReal = [&](double value) { content.raw(&value, sizeof value); };
    // by content, so that another version of zstd changes nothing
    const auto addPacked = [&](const std::string& what, std::span<const std::byte> packed) {
        add(decoding(database_.path(), what, [&] { return contentHash(decompressed(packed)); }));
    };

    // what it says of itself, but for who wrote it
    SqlStatement meta = database_.prepare("SELECT key, value FROM meta WHERE key <> 'program' ORDER BY key");
    while (meta.step()) add(meta.text(0)), add(meta.text(1));

    // meshes and bodies, in the order in which they came
    SqlStatement mesh = database_.prepare("SELECT id, data FROM mesh ORDER BY id");
    while (mesh.step()) {
        const std::string what = "mesh " + mesh.text(0);
        add(what);
        addPacked(what, mesh.bytes(1));
    }
    for (const RecordedBody& body : bodies()) {
        add(body.name);
        for (const std::string& text : {body.kind, body.material, body.method}) add(text);
        const auto numberOrNone = [](const auto& value) { return value ? static_cast<double>(*value) : -1; };
        for (const double value :
             {static_cast<double>(body.id), numberOrNone(body.parent), static_cast<double>(body.root),
              double(body.generation), numberOrNone(body.mesh), body.mass, body.volume, body.centre.x(),
              body.centre.y(), body.centre.z(), static_cast<double>(body.born), numberOrNone(body.died)})
            addReal(value);
    }

    // frames without the seconds they took, which no two runs share
    SqlStatement frames =
        database_.prepare("SELECT number, time, key, poses, figures, state_hash FROM frame ORDER BY number");
    while (frames.step()) {
        add(frames.text(0));
        addReal(frames.real(1));
        add(frames.text(2));
        addPacked("frame " + frames.text(0), frames.bytes(3));
        add(frames.text(4));
        add(frames.text(5));
    }
    for (const RecordedEvent& event : events()) {
        add(std::to_string(event.frame));
        add(event.kind);
        add(event.body ? std::to_string(*event.body) : "");
        add(event.data);
    }

    // streams: an empty one adds nothing, so a run without dust has the digest it had before there was dust
    const auto addStreams = [&](bool ofFrames) {
        for (const RecordStream& stream : streams_) {
            if (stream.ofFrames() != ofFrames) continue;
            forEachEntry(database_, stream, [&](const std::string& key, std::span<const std::byte> packed) {
                if (stream.digest == StreamDigest::NameKeyAndData) add(stream.name);
                if (stream.digest != StreamDigest::Data) add(key);
                addPacked(fmt::format("{} of {} {}", stream.name, stream.key(), key), packed);
            });
        }
    };
    addStreams(true);
    if (hasTable(database_, "solid")) {
        SqlStatement solid = database_.prepare("SELECT body, mesh FROM solid ORDER BY body");
        while (solid.step()) add(solid.text(0)), add(solid.text(1));
    }
    addStreams(false);
    return contentHash(content.take());
}

}  // namespace sunder
