#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/recording/record_stream.h"
#include "sim/frame_sink.h"

namespace sunder {

/// What a recording says of itself before its first frame.
struct RecordingHeader {
    std::string scene;                 // the scene's text, so that the recording can be made again; may be empty
    std::string sceneName;             // for people
    std::string settings;              // JSON of what the command line changed
    std::string view;                  // JSON of how pictures are made; may be empty
    std::string looks;                 // JSON of what materials look like, by name; may be empty
    std::string program;               // which version made it; not part of the digest
    double dt = 1.0 / 30;              // s
    uint64_t seed = 1;                 // that the run is made with
    double positionQuantum = 0x1p-20;  // m, a power of two: positions are whole multiples of it
};

/// A quantum of a millionth of the smallest body that is there from the start, rounded to a power of two; of a metre
/// when there is none. A body that comes later makes it finer only when it is smaller than a thousand quanta: throwing
/// a ball shall not change the recording so far.
double positionQuantumFor(const sim::SimulationSetup& setup);

/// Writes frames into an SQLite file as docs/recording.md says, one transaction per frame: whenever the program ends,
/// the frames before are there. Others may read meanwhile; a second writer is refused.
class RecordingWriter : public sim::FrameSink {
public:
    /// Which are kept: the last is enough to go on after a kill, all to go on from any frame.
    enum class Checkpoints { Last, All };

    /// A new file, made with its first frame; throws InputError when there is a recording already, or a run that makes
    /// one. `streams` lives as long as the writer.
    static RecordingWriter create(const std::filesystem::path& path, const RecordingHeader& header,
                                  Checkpoints keep = Checkpoints::Last,
                                  std::span<const RecordStream> streams = recordStreams());

    /// Where a run can go on from.
    struct Checkpoint {
        uint64_t frame = 0;            // that the state is after
        std::vector<std::byte> state;  // for Simulation::load
    };
    struct Resumed;
    /// A file that is there, to go on from the last checkpoint it has of `upToFrame` or before; without that from its
    /// last. Nothing changes before the next frame is written. Throws InputError when it is no recording, when it has
    /// no such checkpoint or when another run writes it.
    static Resumed resume(const std::filesystem::path& path, std::optional<uint64_t> upToFrame = {},
                          Checkpoints keep = Checkpoints::Last,
                          std::span<const RecordStream> streams = recordStreams());
    /// Where to go on from without closing the file: the last checkpoint of a frame or before.
    Checkpoint checkpoint(uint64_t upToFrame) const;

    /// With the next frame, what the recording says of itself becomes this: for things that the frames so far do not
    /// depend on. Throws std::invalid_argument when frame time or quantum of positions are others than before.
    void changeHeader(RecordingHeader header);

    /// Removes a recording with its log, if there is one, and nothing else (checkReplaceableRecording). Throws
    /// InputError when it cannot be, or when a run writes it.
    static void discard(const std::filesystem::path& path);

    ~RecordingWriter() override;
    RecordingWriter(RecordingWriter&&) noexcept;
    RecordingWriter& operator=(RecordingWriter&&) noexcept;

    /// A frame follows the last one, or takes the place of one that is there: that and all after it are dropped then,
    /// in the same transaction. So after resuming from a checkpoint, frames that are still good need not be written
    /// again: step over them.
    void record(const sim::Simulation& simulation, const sim::FrameRecord& frame) override;
    void stopped(const sim::Simulation& simulation) override;

private:
    struct State;
    explicit RecordingWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// A writer for a file that is there, and what its run starts from.
struct RecordingWriter::Resumed {
    RecordingWriter writer;  // its next frame comes after the checkpoint's
    Checkpoint checkpoint;   // the last there was of the frame asked for or before
};

}  // namespace sunder
