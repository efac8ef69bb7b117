#include "io/exports/pieces.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/exports/blender_script.h"
#include "io/exports/export_content.h"
#include "io/exports/output_folder.h"
#include "io/files/byte_order.h"
#include "io/files/escaped.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/mesh/obj.h"
#include "io/mesh/ply.h"
#include "io/recording/recording_stress.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kReadMe = R"(Pieces of a broken thing, made by Sunder.

pieces/          every different surface once, as it was before it moved: pieces of one body fit together as they are
bodies.csv       what there is: name, parent, mass, volume, the frames of birth and death, the file of its surface
transforms.csv   where it is: a row for each frame in which a body has moved (otherwise it stays where it was)
impacts.csv      who met whom, where and how hard; impacts.ply has the same as points (dust and debris start here)
breaks.csv       what broke, where and by how much
*.json           the same as the .csv
import_blender.py   brings all this into Blender: blender --python import_blender.py

Metres, kilograms, seconds; Y is up, right-handed. A row of transforms says
    world = q * mesh * q^-1 + (x, y, z),  q = (qx, qy, qz, qw)  a unit quaternion
with `mesh` the coordinates in the piece's file. A body is there from frame `born` up to, not with, frame `died`.
)";

/// Bytes that are no UTF-8 become replacement characters rather than an exception.
std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// A number of an event as a field; empty where there is none.
std::string numberIn(const Json& json) { return json.is_number() ? json.dump() : ""; }

/// What breaks.csv has of the stress: empty columns for methods that do not know it.
std::string stressColumns(const Json& data) {
    const Json stress = schema::valueAt(data, "/stress");
    const Json tension = schema::valueAt(stress, "/worst/tension"),
               strength = schema::valueAt(stress, "/worst/strength");
    const bool known = tension.is_number() && strength.is_number() && strength.get<double>() > 0;
    const Json ratio = known ? Json(tension.get<double>() / strength.get<double>()) : Json();
    const std::optional<HardestPush> push = hardestPush(stress);
    return fmt::format("{},{},{},{},{},{},{}", numberIn(tension), numberIn(strength), numberIn(ratio),
                       push ? numberIn(push->force) : "", push ? numberIn(push->time) : "",
                       numberIn(schema::valueAt(stress, "/cracks")),
                       numberIn(schema::valueAt(stress, "/strain_energy")));
}

/// Names of files that every system can have: "wall/p3" as "wall_p3". No two alike, also where case does not count.
class FileNames {
public:
    std::string fresh(const std::string& name) {
        constexpr size_t kLongest = 120;
        std::string wanted;
        for (const char c : name.substr(0, kLongest)) wanted += isPlain(c) ? c : '_';
        if (wanted.empty() || isReserved(lower(wanted))) wanted += '_';
        std::string result = wanted;
        for (int n = 2; !used_.insert(lower(result)).second; ++n) result = fmt::format("{}_{}", wanted, n);
        return result;
    }

private:
    static bool isPlain(char c) {
        return c == '-' || c == '_' || (!(c & 0x80) && std::isalnum(static_cast<unsigned char>(c)));
    }
    static std::string lower(std::string text) {
        for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    }
    /// Devices of Windows.
    static bool isReserved(const std::string& name) {
        static const std::set<std::string> kReserved{"con", "prn", "aux", "nul"};
        const bool numbered = name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt"));
        return kReserved.contains(name) || (numbered && std::isdigit(static_cast<unsigned char>(name[3])));
    }
    std::set<std::string> used_;
};

/// A JSON file with one long list, written item by item.
class JsonFile {
public:
    JsonFile(const std::filesystem::path& path, const Json& head, const char* list) : file_(path) {
        std::string text = textOf(head);
        text.pop_back();
        file_.write(fmt::format("{}{}\"{}\":[", text, head.empty() ? "" : ",", list));
    }
    void add(std::string_view item) {
        file_.write(std::exchange(first_, false) ? "\n" : ",\n");
        file_.write(item);
    }
    void commit() {
        file_.write("\n]}\n");
        file_.commit();
    }

private:
    AtomicFile file_;
    bool first_ = true;
};

class PiecesExport {
public:
    PiecesExport(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options)
        : content_(recording, options), folder_(output, options.overwrite), format_(options.pieceFormat) {}

    void write(Progress& progress) {
        progress.start("export pieces", 2);
        writeBodies(progress);
        writeTransforms(progress);
        writeImpacts();
        writeBreaks();
        writeBlenderScript(folder_.path(), true);
        writeFileAtomically(file("README.txt"), kReadMe);
        folder_.commit();
        progress.finish();
    }

private:
    std::filesystem::path file(const char* name) const { return folder_.path() / name; }

    Json head() const {
        return {{"generator", "Sunder"},
                {"frames_per_second", content_.framesPerSecond()},
                {"dt", content_.dt()},
                {"first_frame", content_.frames().first},
                {"last_frame", content_.frames().last},
                {"units", "m, kg, s"},
                {"up", "Y"}};
    }

    void writeBodies(Progress& progress) {
        // every body as a row for tables and as an object for programs, both with the file of its surface
        std::error_code problem;
        if (!std::filesystem::create_directory(folder_.path() / "pieces", problem))
            throw InputError(folder_.path().string(), "cannot be written: " + problem.message());
        AtomicFile csv(file("bodies.csv"));
        JsonFile json(file("bodies.json"), head(), "bodies");
        csv.write(
            "id,name,parent,root,generation,kind,material,method,mass,volume,cx,cy,cz,born,died,half_space,file\n");
        for (const RecordedBody& body : content_.bodies()) {
            // what only some have: a surface, a parent, an end
            const std::string surface = surfaceFile(body);
            const std::string parent = body.parent ? forCsv(content_.body(*body.parent).name) : "";
            const std::string died = body.died ? std::to_string(*body.died) : "";
            csv.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", body.id, forCsv(body.name),
                                  parent, forCsv(content_.rootOf(body).name), body.generation, forCsv(body.kind),
                                  forCsv(body.material), forCsv(body.method), body.mass, body.volume, body.centre.x(),
                                  body.centre.y(), body.centre.z(), body.born, died, body.mesh ? 0 : 1, surface));
            json.add(textOf(jsonOf(body, surface)));
            progress.advance(1.0 / double(content_.bodies().size()));
        }
        // both tables appear together, when all surfaces are written
        csv.commit();
        json.commit();
        if (format_ == MeshFormat::Obj) writeFileAtomically(folder_.path() / "pieces" / kMaterialFile, mtl());
    }

    Json jsonOf(const RecordedBody& body, const std::string& surface) const {
        const auto orNull = [](const auto& value) { return value ? Json(*value) : Json(); };
        return {{"id", body.id},
                {"name", utf8FromAny(body.name)},
                {"parent", body.parent ? Json(utf8FromAny(content_.body(*body.parent).name)) : Json()},
                {"root", utf8FromAny(content_.rootOf(body).name)},
                {"generation", body.generation},
                {"kind", body.kind},
                {"material", utf8FromAny(body.material)},
                {"method", body.method},
                {"mass", body.mass},
                {"volume", body.volume},
                {"centre", {body.centre.x(), body.centre.y(), body.centre.z()}},
                {"born", body.born},
                {"died", orNull(body.died)},
                {"half_space", !body.mesh},
                {"file", surface}};
    }

    /// Written when a body is the first that has it, and named after that one.
    std::string surfaceFile(const RecordedBody& body) {
        std::string& name = surfaces_[{ExportContent::surfaceKey(body), content_.materialKey(body)}];
        if (!name.empty()) return name;
        name = fmt::format("pieces/{}.{}", names_.fresh(body.name), nameOf(format_));
        TriMesh mesh = content_.meshOf(body);
        const std::vector<size_t> materials = content_.materialsOf(body, mesh);
        mesh.materials.clear();
        for (const size_t m : materials) mesh.materials.push_back(static_cast<uint32_t>(m));
        mesh.materialNames.clear();
        for (const ExportedMaterial& material : content_.materials()) mesh.materialNames.push_back(material.name);
        writeFileAtomically(folder_.path() / name,
                            format_ == MeshFormat::Obj ? objText(mesh, kMaterialFile) : plyBytes(mesh));
        return name;
    }

    std::string mtl() const {
        std::vector<MtlMaterial> materials;
        for (const ExportedMaterial& material : content_.materials()) {
            const Look& look = material.look;
            materials.push_back(
                {material.name, look.colour, 1 - look.transmission, look.ior, look.roughness, look.metallic});
        }
        return mtlText(materials);
    }

    /// Writes those that were not so in the frame before.
    void writeTransforms(Progress& progress) {
        AtomicFile csv(file("transforms.csv"));
        // the same poses twice: as rows, and as one list for each frame
        JsonFile json(file("transforms.json"), head(), "frames");
        csv.write("frame,body,x,y,z,qx,qy,qz,qw\n");
        std::vector<RecordedPose> before;
        for (uint64_t frame = content_.frames().first; frame <= content_.frames().last; ++frame) {
            // a body that rests costs nothing: only poses that changed are written
            std::vector<RecordedPose> now = content_.poses(frame);
            std::string moved;
            for (const RecordedPose& pose : now) {
                const RecordedPose* known = poseOf(before, pose.body);
                if (known != nullptr && *known == pose) continue;
                const std::string numbers = transformText(pose);
                csv.write(fmt::format("{},{},{}\n", frame, pose.body, numbers));
                moved += fmt::format("{}[{},{}]", moved.empty() ? "" : ",", pose.body, numbers);
            }
            if (!moved.empty()) json.add(fmt::format("{{\"frame\":{},\"poses\":[{}]}}", frame, moved));
            before = std::move(now);
            progress.advance(1.0 / double(content_.frames().count()));
        }
        csv.commit();
        json.commit();
    }

    static std::string transformText(const RecordedPose& pose) {
        const Quat& q = pose.rotation();
        const Vec3& t = pose.worldFromMesh.translation;
        return fmt::format("{:.10g},{:.10g},{:.10g},{:.8g},{:.8g},{:.8g},{:.8g}", t.x(), t.y(), t.z(), q.x(), q.y(),
                           q.z(), q.w());
    }

    void writeImpacts() {
        // row by row; the points of the .ply are few enough to wait for their number
        AtomicFile csv(file("impacts.csv"));
        JsonFile json(file("impacts.json"), head(), "impacts");
        csv.write("frame,time,a,b,x,y,z,nx,ny,nz,ix,iy,iz,speed\n");
        std::string points;
        size_t count = 0;
        for (uint64_t frame = content_.frames().first; frame <= content_.frames().last; ++frame) {
            for (const RecordedImpact& impact : content_.recording().impacts(frame)) {
                const auto& [a, b, p, n, i, speed] = impact;
                const double time = static_cast<double>(frame) * content_.dt();
                csv.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", frame, time, a, b, p[0], p[1],
                                      p[2], n[0], n[1], n[2], i[0], i[1], i[2], speed));
                json.add(Json{
                    {"frame", frame}, {"a", a}, {"b", b}, {"point", p}, {"normal", n}, {"impulse", i}, {"speed", speed}}
                             .dump());
                for (const std::array<float, 3>& three : {p, n, i})
                    for (const float x : three) store(points, x);
                store(points, speed);
                store(points, static_cast<float>(time));
                for (const uint32_t whole : {static_cast<uint32_t>(frame), a, b}) store(points, whole);
                ++count;
            }
        }
        csv.commit();
        json.commit();
        // its header, now that their number is known
        std::string head = fmt::format(
            "ply\nformat binary_little_endian 1.0\ncomment impacts, written by Sunder\n"
            "element vertex {}\n",
            count);
        for (const char* name :
             {"x", "y", "z", "nx", "ny", "nz", "impulse_x", "impulse_y", "impulse_z", "speed", "time"})
            head += fmt::format("property float {}\n", name);
        for (const char* name : {"frame", "a", "b"}) head += fmt::format("property uint {}\n", name);
        writeFileAtomically(file("impacts.ply"), head + "end_header\n" + points);
    }

    void writeBreaks() {
        // what happened to bodies within the chosen frames; other events are passed over
        AtomicFile csv(file("breaks.csv"));
        JsonFile json(file("breaks.json"), head(), "breaks");
        csv.write(
            "frame,time,kind,body,name,fragments,x,y,z,impulse,energy,tension,strength,ratio,force,contact_time,cracks,"
            "strain_energy\n");
        for (const RecordedEvent& event : content_.recording().events()) {
            if (!event.isBreak() || !event.body) continue;
            if (event.frame < content_.frames().first || event.frame > content_.frames().last) continue;
            // only what has a place can be a row
            const Json data = schema::jsonIfGood(event.data).value_or(Json());
            if (!data.is_object()) continue;
            const auto point = data.find("point");
            if (point == data.end() || !point->is_array() || point->size() != 3) continue;
            const std::string& name = content_.body(*event.body).name;
            csv.write(fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", event.frame,
                                  static_cast<double>(event.frame) * content_.dt(), event.kind, *event.body,
                                  forCsv(name), data.value("fragments", Json::array()).size(), numberIn((*point)[0]),
                                  numberIn((*point)[1]), numberIn((*point)[2]), numberIn(data.value("impulse", Json())),
                                  numberIn(schema::valueAt(data, "/energy/taken")), stressColumns(data)));
            // the object keeps all that the method said about its break
            Json item = {
                {"frame", event.frame}, {"kind", event.kind}, {"body", *event.body}, {"name", utf8FromAny(name)}};
            item.update(data);
            json.add(textOf(item));
        }
        csv.commit();
        json.commit();
    }

    static constexpr const char* kMaterialFile = "materials.mtl";

    ExportContent content_;
    OutputFolder folder_;
    MeshFormat format_;
    FileNames names_;
    std::map<std::pair<ExportContent::SurfaceKey, MaterialTable::Key>, std::string> surfaces_;  // their files
};

}  // namespace

void exportPieces(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
                  Progress& progress) {
    PiecesExport(recording, output, options).write(progress);
}

}  // namespace sunder
