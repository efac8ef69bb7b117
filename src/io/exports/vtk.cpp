#include "io/exports/vtk.h"

#include <algorithm>
#include <memory>
#include <zlib.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/exports/export_content.h"
#include "io/exports/output_folder.h"
#include "io/files/byte_order.h"
#include "io/files/escaped.h"
#include "io/files/file_access.h"

namespace sunder {

namespace {

/// Numbers as VTK's XML files have them at their end: blocks compressed one by one, with their sizes in front.
std::string compressedBlocks(std::string_view bytes) {
    constexpr size_t kBlock = size_t{1} << 20;
    // each block on its own, so that a reader may skip
    const size_t blocks = (bytes.size() + kBlock - 1) / kBlock;
    std::string sizes, data;
    for (size_t b = 0; b < blocks; ++b) {
        const std::string_view block = bytes.substr(b * kBlock, kBlock);
        uLongf length = compressBound(static_cast<uLong>(block.size()));
        std::string packed(length, '\0');
        const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                                     reinterpret_cast<const Bytef*>(block.data()), static_cast<uLong>(block.size()), 4);
        ASSERT(result == Z_OK);
        packed.resize(length);
        data += packed;
        store(sizes, uint64_t{length});
    }
    // number of blocks, size of a block, size of the last one (0 if it is full), then the packed sizes
    std::string head;
    store(head, uint64_t{blocks});
    store(head, uint64_t{kBlock});
    store(head, uint64_t{bytes.size() % kBlock});
    return head + sizes + data;
}

/// A surface as far as it is drawn.
struct DrawnMesh {
    std::vector<Vec3> points;  // from the centre of mass, m
    std::vector<std::array<uint32_t, 3>> triangles;
    std::vector<uint8_t> inside;
    std::vector<int32_t> materials;
};

/// The arrays of one file, and where they will stand in it.
class VtkArrays {
public:
    template <class T>
    void add(std::string& xml, const char* type, const char* name, const std::vector<T>& values, int components = 1) {
        std::string bytes;
        bytes.reserve(values.size() * sizeof(T));
        for (const T value : values) store(bytes, value);
        xml += fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n", type,
            name, components, data_.size());
        data_ += compressedBlocks(bytes);
    }
    const std::string& data() const { return data_; }

private:
    std::string data_;
};

/// What one frame has of every triangle.
struct Cells {
    std::vector<float> points;
    std::vector<int64_t> corners, ends;
    std::vector<uint8_t> types, inside;
    std::vector<uint32_t> piece, root;
    std::vector<int32_t> material;
    std::vector<float> age, speed;
};

/// Text in VTK's XML: the codes of its bytes, with a zero at the end.
std::string codesOf(const std::string& text) {
    std::string codes;
    for (const char c : text) codes += fmt::format("{} ", static_cast<unsigned char>(c));
    return codes + "0 ";
}

class VtkExport {
public:
    VtkExport(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options)
        : last_(recording.lastFrame()),
          content_(recording, options),
          output_(output),
          folderName_(output.stem().string() + "_frames"),
          folder_(output.parent_path() / folderName_, options.overwrite),
          every_(options.every) {
        if (every_ == 0) throw InputError("--every", "is 0; 1 (each frame) or more is allowed");
    }

    void write(Progress& progress) {
        const FrameRange frames = content_.frames();
        progress.start("export " + output_.filename().string(), static_cast<double>(frames.count()));
        // speeds are differences of poses: keep the frame before and the one after
        std::string collection;
        std::vector<RecordedPose> before;
        if (frames.first > 0) before = content_.poses(frames.first - 1);
        std::vector<RecordedPose> now = content_.poses(frames.first);
        for (uint64_t frame = frames.first; frame <= frames.last; ++frame) {
            std::vector<RecordedPose> after;
            if (frame < last_) after = content_.poses(frame + 1);
            // every n-th frame becomes a file, with its time in the collection
            if ((frame - frames.first) % every_ == 0) {
                const std::string name = fmt::format("frame_{:05}.vtu", frame);
                writeFrame(frame, folder_.path() / name, before, now, after);
                collection += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}/{}\"/>\n",
                                          static_cast<double>(frame) * content_.dt(), forXml(folderName_), name);
            }
            before = std::move(now);
            now = std::move(after);
            progress.advance();
        }
        // the collection last: it names only files that are there
        folder_.commit();
        writeFileAtomically(output_,
                            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                            "byte_order=\"LittleEndian\">\n  <Collection>\n" +
                                collection + "  </Collection>\n</VTKFile>\n");
        progress.finish();
    }

private:
    void writeFrame(uint64_t frame, const std::filesystem::path& path, std::span<const RecordedPose> before,
                    std::span<const RecordedPose> now, std::span<const RecordedPose> after) {
        Cells cells;
        std::erase_if(drawn_, [&](const auto& entry) { return poseOf(now, entry.first) == nullptr; });
        for (const RecordedPose& pose : now) {
            const RecordedBody& body = content_.body(pose.body);
            if (!body.mesh) continue;  // half-spaces have no end to draw
            const double speed = speedOf(pose, poseOf(before, pose.body), poseOf(after, pose.body));
            addBody(cells, frame, body, pose, speed);
        }
        save(cells, frame, path);
    }

    /// From where it was to where it is; of what was just born, to where it will be.
    double speedOf(const RecordedPose& now, const RecordedPose* before, const RecordedPose* after) const {
        const RecordedPose* other = before ? before : after;
        return other ? (now.centre - other->centre).norm() / content_.dt() : 0;
    }

    /// Appends all triangles of a body, in world space.
    void addBody(Cells& cells, uint64_t frame, const RecordedBody& body, const RecordedPose& pose, double speed) {
        const DrawnMesh& mesh = drawnMesh(body);
        ASSERT(mesh.inside.size() == mesh.triangles.size() && mesh.materials.size() == mesh.triangles.size());
        // points in world space; corners count from what is there already
        const int64_t first = static_cast<int64_t>(cells.points.size() / 3);
        const Mat3 rotation = pose.rotation().toRotationMatrix();
        for (const Vec3& p : mesh.points) {
            const Vec3 world = rotation * p + pose.centre;
            for (const double x : world) cells.points.push_back(static_cast<float>(x));
        }
        for (const std::array<uint32_t, 3>& t : mesh.triangles) {
            for (const uint32_t v : t) cells.corners.push_back(first + v);
            cells.ends.push_back(static_cast<int64_t>(cells.corners.size()));
        }
        // one value for each triangle, in every column
        constexpr uint8_t kTriangle = 5;
        const size_t count = mesh.triangles.size();
        cells.types.insert(cells.types.end(), count, kTriangle);
        cells.inside.insert(cells.inside.end(), mesh.inside.begin(), mesh.inside.end());
        cells.material.insert(cells.material.end(), mesh.materials.begin(), mesh.materials.end());
        cells.piece.insert(cells.piece.end(), count, body.id);
        cells.root.insert(cells.root.end(), count, body.root);
        cells.age.insert(cells.age.end(), count,
                         static_cast<float>(static_cast<double>(frame - body.born) * content_.dt()));
        cells.speed.insert(cells.speed.end(), count, static_cast<float>(speed));
    }

    const DrawnMesh& drawnMesh(const RecordedBody& body) {
        std::shared_ptr<const DrawnMesh>& mine = drawn_[body.id];
        if (mine) return *mine;
        std::weak_ptr<const DrawnMesh>& common = common_[{ExportContent::surfaceKey(body), content_.materialKey(body)}];
        mine = common.lock();
        if (!mine) common = mine = std::make_shared<const DrawnMesh>(makeDrawn(body));
        return *mine;
    }

    DrawnMesh makeDrawn(const RecordedBody& body) {
        const std::shared_ptr<const TriMesh> mesh = content_.recording().mesh(*body.mesh);
        DrawnMesh drawn;
        for (const Vec3& p : mesh->positions) drawn.points.push_back(p - body.centre);
        for (const Triangle& t : mesh->triangles) drawn.triangles.push_back({raw(t[0]), raw(t[1]), raw(t[2])});
        drawn.inside.assign(mesh->triangleCount(), 0);
        if (!mesh->inside.empty()) drawn.inside.assign(mesh->inside.begin(), mesh->inside.end());
        for (const size_t m : content_.materialsOf(body, *mesh)) {
            // crack faces count as their material here; `inside` tells them apart
            const std::string& base = content_.materials()[m].base;
            const auto known = std::find(bases_.begin(), bases_.end(), base);
            drawn.materials.push_back(static_cast<int32_t>(known - bases_.begin()));
            if (known == bases_.end()) bases_.push_back(base);
        }
        return drawn;
    }

    void save(const Cells& cells, uint64_t frame, const std::filesystem::path& path) const {
        ASSERT(cells.ends.size() == cells.types.size() && cells.inside.size() == cells.types.size());
        ASSERT(cells.points.size() % 3 == 0 && cells.corners.size() == 3 * cells.types.size());
        // what is said once: time, names of materials
        VtkArrays arrays;
        std::string names, xml =
                               "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                               "byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                               "compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n<FieldData>\n";
        for (const std::string& base : bases_) names += codesOf(base);
        xml += fmt::format(
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
            static_cast<double>(frame) * content_.dt());
        xml +=
            fmt::format("<Array type=\"String\" Name=\"materials\" NumberOfTuples=\"{}\" format=\"ascii\">{}</Array>\n",
                        bases_.size(), names);
        // arrays are named here, their bytes follow behind the XML
        xml += fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
                           cells.points.size() / 3, cells.types.size());
        arrays.add(xml, "Float32", "points", cells.points, 3);
        xml += "</Points>\n<Cells>\n";
        arrays.add(xml, "Int64", "connectivity", cells.corners);
        arrays.add(xml, "Int64", "offsets", cells.ends);
        arrays.add(xml, "UInt8", "types", cells.types);
        xml += "</Cells>\n<CellData Scalars=\"piece\">\n";
        arrays.add(xml, "UInt32", "piece", cells.piece);
        arrays.add(xml, "UInt32", "root", cells.root);
        arrays.add(xml, "UInt8", "inside", cells.inside);
        arrays.add(xml, "Int32", "material", cells.material);
        arrays.add(xml, "Float32", "age", cells.age);
        arrays.add(xml, "Float32", "speed", cells.speed);
        xml += "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
        AtomicFile file(path);
        file.write(xml);
        file.write(arrays.data());
        file.write("\n</AppendedData>\n</VTKFile>\n");
        file.commit();
    }

    uint64_t last_;  // frame; asked for before the bodies, since a run that goes on adds to both
    ExportContent content_;
    std::filesystem::path output_;
    std::string folderName_;
    OutputFolder folder_;
    uint64_t every_;
    std::map<uint32_t, std::shared_ptr<const DrawnMesh>> drawn_;  // of those alive
    std::map<std::pair<ExportContent::SurfaceKey, MaterialTable::Key>, std::weak_ptr<const DrawnMesh>> common_;
    std::vector<std::string> bases_;  // names of materials, by number
};

}  // namespace

void exportVtk(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress) {
    VtkExport(recording, output, options).write(progress);
}

}  // namespace sunder
