#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "geometry/mesh/body_geometry.h"
#include "io/files/sqlite.h"
#include "io/recording/pose_codec.h"
#include "io/recording/record_stream.h"
#include "io/recording/recording_format.h"
#include "io/recording/recording_impacts.h"

namespace sunder {

/// A body as its recording keeps it.
struct RecordedBody {
    uint32_t id = 0;                     // its number: sim::BodySerial
    std::string name;                    // path, see sim::BodyFacts
    std::optional<uint32_t> parent;      // that it broke out of; none: a body of the scene
    uint32_t root = 0;                   // the body of the scene it was part of
    int generation = 0;                  // how often it broke since
    std::optional<int64_t> mesh;         // id of what is shown of it; none: a half-space
    double mass = 0, volume = 0;         // kg, m^3
    Vec3 centre = Vec3::Zero();          // of mass, in the mesh's coordinates, m
    std::string kind, material, method;  // "dynamic", ...; key of its looks; "fem", ...: empty for what never breaks
    uint64_t born = 0;                   // the first frame that has it
    std::optional<uint64_t> died;        // the first frame that does not
};

/// A frame without its poses.
struct RecordedFrame {
    uint64_t number = 0;    // 0 is the start
    double time = 0;        // s
    bool key = false;       // its poses need no other frame
    size_t moved = 0;       // bodies
    size_t poseBytes = 0;   // as stored
    std::string figures;    // JSON
    std::string stateHash;  // 16 hexadecimal digits
    std::string seconds;    // JSON
};

/// Something that happened in a frame: docs/recording.md, "Figures and events".
struct RecordedEvent {
    uint64_t frame = 0;            // in which it happened
    std::string kind;              // "fracture", "crack", "dent", "release", "message"; readers pass over others
    std::optional<uint32_t> body;  // that broke or was let go; none: it is about no body
    std::string data;              // JSON

    /// Did the body break, or crack or get dented in one piece?
    bool isBreak() const { return kind == "fracture" || kind == "crack" || kind == "dent"; }
};

/// Throws InputError unless the file is a recording that this program can read, with the tables it should have.
void checkRecording(const SqlDatabase& database, std::span<const RecordStream> streams = recordStreams());
/// By its first bytes; false when it cannot be read. Whether it is a good one, reading tells.
bool isRecording(const std::filesystem::path& path);
/// There is no file, or one that a kill just after the start left without a frame. Throws InputError for any other file
/// than SQLite's.
bool isUnbegun(const std::filesystem::path& path);

/// Throws InputError unless a new recording may take this name: nothing there, an empty file, a recording or what one
/// left that was killed as it began.
void checkReplaceableRecording(const std::filesystem::path& path);

/// A recording, also one that is being written. What is told of it is in itself right: bodies count from 0, parents
/// come before children, frames follow each other from 0, all that lives in a frame has a pose, numbers are finite.
/// Every question sees the frames that are there when it is asked. What is damaged gives an InputError that says where.
class RecordingReader {
public:
    /// `streams` lives as long as the reader.
    explicit RecordingReader(const std::filesystem::path& path,
                             std::span<const RecordStream> streams = recordStreams());

    /// Text, whatever was stored; empty when there is no such key.
    std::string meta(const std::string& key) const;
    double dt() const;                                   // s
    double positionQuantum() const { return quantum_; }  // m

    /// The number of the last frame; frame 0 is the start. Throws InputError when there is none yet.
    uint64_t lastFrame() const;
    /// Throws InputError when there is no such frame yet.
    RecordedFrame frame(uint64_t number) const;
    std::vector<RecordedFrame> frames() const;                               // all there are, ascending
    std::vector<RecordedFrame> frames(uint64_t first, uint64_t last) const;  // both included; those there are
    std::vector<RecordedBody> bodies(uint32_t from = 0) const;  // that ever lived, ascending, from a body on
    /// Those that died in these frames, in the order in which they did.
    std::vector<RecordedBody> diedBetween(uint64_t first, uint64_t last) const;
    std::vector<RecordedEvent> events(size_t from = 0) const;  // from the so-many-th on
    size_t bodyCount() const;                                  // that ever lived
    size_t eventCount() const;                                 // of all kinds
    size_t breakCount() const;                                 // RecordedEvent::isBreak()
    /// What a stream keeps of a frame, or of the so-many-th event, for its decoder; nothing: it has no such entry.
    std::optional<std::vector<std::byte>> streamBytes(const RecordStream& stream, uint64_t frameOrEvent) const;
    std::span<const RecordStream> streams() const { return streams_; }  // that the reader knows
    /// Those that were worth keeping; none as well for a frame that is not there.
    std::vector<RecordedImpact> impacts(uint64_t frame) const;
    size_t impactCount() const;  // of all frames
    /// Reads it anew each time. Throws InputError when there is none of that id, or it is damaged.
    std::shared_ptr<const TriMesh> mesh(int64_t id) const;
    std::string meshHash(int64_t id) const;  // of its content; empty when there is none
    /// The id of the mesh with this content; nothing: none is known.
    std::optional<int64_t> meshOfHash(const std::string& hash) const;
    /// What is shown of a body; null when it has no mesh.
    std::shared_ptr<const TriMesh> meshOf(uint32_t body) const;
    /// What moves and breaks: the same, but where cracks gape. Null as above. A run goes on with it.
    GeometryPtr geometryOf(uint32_t body) const;

    /// The poses of all bodies that live in a frame, ascending. Frames one after the other are fast; any other costs at
    /// most kKeyFrameEvery of them.
    std::vector<RecordedPose> poses(uint64_t frame);
    QuantisedPoses quantisedPoses(uint64_t frame);  // as they are stored: what a writer goes on from

    /// A copy as it is now, also while it is being written; there must be no file. Throws InputError.
    void copyTo(const std::filesystem::path& path);

    /// Over everything that is the same for equal runs: no timings, no program version, no compression.
    std::string digest();

private:
    InputError damaged(const std::string& what) const;
    void checkFrames() const;
    std::string stateHashOf(uint64_t frame) const;  // empty when there is no such frame
    /// Reads on to the bodies that were born by then.
    void readCentres(uint64_t frame);
    /// Throws InputError that names a body without a pose, or a pose without a body.
    void checkPoses(uint64_t frame, const QuantisedPoses& poses) const;

    SqlDatabase database_;
    std::span<const RecordStream> streams_;
    double quantum_ = 0;
    // the frame that was asked for last
    std::optional<uint64_t> cached_;
    std::string cachedHash_;
    QuantisedPoses poses_;
    std::vector<Vec3> centres_;  // of mass, in the mesh's coordinates, of the bodies that were born by then
};

}  // namespace sunder
