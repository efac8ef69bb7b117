#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/exports/replay_facts.h"
#include "io/recording/recording_reader.h"
#include "studio/geometry_cache.h"
#include "studio/json.h"

namespace sunder::studio {

/// Frames that can be watched, and all that there is to know of them. Not for several threads at once.
class Footage {
public:
    virtual ~Footage() = default;
    virtual bool isStill() const { return false; }  // the start of a scene, without a run
    virtual uint64_t lastFrame() const = 0;
    virtual double dt() const = 0;  // s
    virtual std::vector<RecordedBody> bodies(uint32_t from) const = 0;
    virtual std::vector<RecordedBody> diedBetween(uint64_t first, uint64_t last) const = 0;
    virtual std::string meshHash(int64_t mesh) const = 0;
    /// Null when there is none of that content.
    virtual std::shared_ptr<const TriMesh> mesh(const std::string& hash) const = 0;
    virtual std::vector<RecordedPose> poses(uint64_t frame) = 0;  // ascending
    virtual std::vector<RecordedFrame> frames(uint64_t first, uint64_t last) const = 0;
    virtual std::vector<RecordedEvent> events(size_t from) const = 0;
    /// As RecordingReader::streamBytes().
    virtual std::optional<std::vector<std::byte>> streamBytes(const RecordStream& stream,
                                                              uint64_t frameOrEvent) const = 0;
    virtual std::string looks() const = 0;  // JSON, as recordings keep it
};

/// A recording, also one that grows.
class RecordedFootage : public Footage {
public:
    explicit RecordedFootage(const std::filesystem::path& path) : reader_(path) {}

    uint64_t lastFrame() const override { return reader_.lastFrame(); }
    double dt() const override { return reader_.dt(); }
    std::vector<RecordedBody> bodies(uint32_t from) const override { return reader_.bodies(from); }
    std::vector<RecordedBody> diedBetween(uint64_t first, uint64_t last) const override {
        return reader_.diedBetween(first, last);
    }
    std::string meshHash(int64_t mesh) const override { return reader_.meshHash(mesh); }
    std::shared_ptr<const TriMesh> mesh(const std::string& hash) const override;
    std::vector<RecordedPose> poses(uint64_t frame) override { return reader_.poses(frame); }
    std::vector<RecordedFrame> frames(uint64_t first, uint64_t last) const override {
        return reader_.frames(first, last);
    }
    std::vector<RecordedEvent> events(size_t from) const override { return reader_.events(from); }
    std::optional<std::vector<std::byte>> streamBytes(const RecordStream& stream,
                                                      uint64_t frameOrEvent) const override {
        return reader_.streamBytes(stream, frameOrEvent);
    }
    std::string looks() const override { return reader_.meta("looks"); }
    RecordingReader& reader() { return reader_; }

private:
    RecordingReader reader_;
};

/// The start of a scene, without a run: one frame. Bodies are numbered as a run would number them.
class StillFootage : public Footage {
public:
    /// Bodies without a geometry that can be had are left out. `full`: sceneJson(scene).
    StillFootage(const scene::Scene& scene, const Json& full, GeometryCache& geometry);

    bool isStill() const override { return true; }
    uint64_t lastFrame() const override { return 0; }
    double dt() const override { return dt_; }
    std::vector<RecordedBody> bodies(uint32_t from) const override;
    std::vector<RecordedBody> diedBetween(uint64_t, uint64_t) const override { return {}; }
    std::string meshHash(int64_t mesh) const override { return meshes_.at(static_cast<size_t>(mesh)).hash; }
    std::shared_ptr<const TriMesh> mesh(const std::string& hash) const override;
    std::vector<RecordedPose> poses(uint64_t frame) override;
    std::vector<RecordedFrame> frames(uint64_t first, uint64_t last) const override;
    std::vector<RecordedEvent> events(size_t) const override { return {}; }
    std::optional<std::vector<std::byte>> streamBytes(const RecordStream&, uint64_t) const override { return {}; }
    std::string looks() const override { return looks_; }

private:
    void add(RecordedBody body, const RigidTransform& worldFromMesh);

    double dt_ = 1.0 / 30;
    std::vector<RecordedBody> bodies_;
    std::vector<RecordedPose> poses_;
    std::vector<ShownMesh> meshes_;
    std::map<std::string, size_t> meshOfHash_;
    std::string looks_;
};

/// Where a body of the scene stands in the document: JSON pointer, empty when it is none of its.
using SourceOf = std::function<std::string(const std::string& name)>;

/// What the browser gets of footage: docs/studio.md.
class FootageAnswers {
public:
    static constexpr size_t kMostBytes = size_t{4} << 20;  // of one answer
    static constexpr size_t kMostRows = 5000;              // of bodies, events, figures in one answer

    explicit FootageAnswers(std::unique_ptr<Footage> footage);

    Json bodies(uint32_t from, std::optional<uint64_t> deathsFrom, const SourceOf& sourceOf);
    /// Bytes of frames, as many as go into one answer; `header` gets first, count and last.
    std::vector<std::byte> frames(uint64_t from, uint64_t to, Json& header);
    Json figures(uint64_t from, uint64_t to) const;
    Json events(size_t from) const;
    Json impacts(uint64_t frame) const;
    /// What a stream keeps of a frame or of the so-many-th event, in the bytes of recordings; `header` gets whether
    /// there is any. Throws InputError when there is no such stream.
    std::vector<std::byte> stream(const std::string& name, uint64_t frameOrEvent, Json& header) const;
    /// The stress of a break; throws InputError when it is not known.
    std::vector<std::byte> stress(size_t event) const;
    /// Meshes one after the other, as many as go into one answer; `header` gets their count.
    std::vector<std::byte> meshes(const std::vector<std::string>& hashes, Json& header) const;
    /// Looks that have come since; JSON as recordings keep it.
    void addLooks(const std::string& looks) { looks_.add(looks); }
    Footage& footage() { return *footage_; }

private:
    std::unique_ptr<Footage> footage_;
    ReplayLooks looks_;
    std::map<uint32_t, std::string> rootNames_;
};

/// As GET /mesh/HASH has it: docs/studio.md.
std::string meshAnswer(const TriMesh& mesh);

}  // namespace sunder::studio
