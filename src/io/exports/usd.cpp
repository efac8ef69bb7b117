#include "io/exports/usd.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "io/exports/export_content.h"
#include "io/exports/pose_tracks.h"
#include "io/files/escaped.h"
#include "io/files/file_access.h"
#include "io/files/source.h"
#include "io/files/text_builder.h"

namespace sunder {

namespace {

/// "wall/p3" as "wall_p3"; no two alike.
class Identifiers {
public:
    std::string fresh(const std::string& name) {
        std::string wanted;
        for (const char c : name) wanted += std::isalnum(static_cast<unsigned char>(c)) && !(c & 0x80) ? c : '_';
        if (wanted.empty() || std::isdigit(static_cast<unsigned char>(wanted[0]))) wanted.insert(0, "_");
        std::string identifier = wanted;
        for (int n = 2; !used_.insert(identifier).second; ++n) identifier = fmt::format("{}_{}", wanted, n);
        return identifier;
    }

private:
    std::set<std::string> used_;
};

std::string tuple(const Vec3& v) { return fmt::format("({}, {}, {})", v.x(), v.y(), v.z()); }
std::string tuple(const Eigen::Vector3f& v) { return fmt::format("({}, {}, {})", v.x(), v.y(), v.z()); }
std::string tuple(const Eigen::Vector2f& v) { return fmt::format("({}, {})", v.x(), v.y()); }
/// USD writes the real part first.
std::string tuple(const Quat& q) {
    const Eigen::Vector4f c = q.coeffs().cast<float>();
    return fmt::format("({}, {}, {}, {})", c[3], c[0], c[1], c[2]);
}

class UsdExport {
public:
    UsdExport(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options)
        : content_(recording, options), output_(output), file_(output) {
        for (const char* taken : {"Materials", "camera", "sun"}) names_.fresh(taken);
    }

    void write(Progress& progress) {
        // shapes that many bodies share come first, as classes outside the world
        progress.start("export " + output_.filename().string(), 1);
        nameMaterials();
        writeHeader();
        writeSharedShapes();
        // the world: materials before the bodies that are bound to them
        line(0, "def Xform \"World\"");
        line(0, "{");
        writeMaterials();
        writeCamera();
        writeSun();
        forEachTracks(
            content_,
            [&](std::span<const PoseTrack> tracks) {
                for (const PoseTrack& track : tracks) writeBody(track);
            },
            progress);
        line(0, "}");
        file_.commit();
        progress.finish();
    }

private:
    void line(int depth, std::string_view text) {
        file_.write(std::string(static_cast<size_t>(4 * depth), ' '));
        file_.write(text);
        file_.write("\n");
    }
    /// `name = [a, b, c]`
    template <class List, class Print>
    void writeList(int depth, std::string_view name, const List& list, const Print& print,
                   std::string_view metadata = "") {
        TextBuilder text;
        text << name << " = [";
        bool first = true;
        for (const auto& item : list) {
            if (!std::exchange(first, false)) text << ", ";
            text << std::string_view(print(item));
        }
        text << ']' << metadata;
        line(depth, text.take());
    }

    void writeHeader() {
        file_.write(
            fmt::format("#usda 1.0\n(\n    customLayerData = {{\n        string creator = \"Sunder\"\n"
                        "        double tolerance = {}\n    }}\n"
                        "    defaultPrim = \"World\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n"
                        "    timeCodesPerSecond = {}\n    framesPerSecond = {}\n"
                        "    startTimeCode = {}\n    endTimeCode = {}\n)\n\n",
                        content_.tolerance(), content_.framesPerSecond(), content_.framesPerSecond(),
                        content_.frames().first, content_.frames().last));
    }

    /// Their paths are needed before the first mesh is written, so every mesh is looked at once.
    void nameMaterials() {
        std::set<std::pair<ExportContent::SurfaceKey, MaterialTable::Key>> known;
        for (const RecordedBody& body : content_.bodies()) {
            const ExportContent::SurfaceKey key = ExportContent::surfaceKey(body);
            ++users_[key];
            if (!known.insert({key, content_.materialKey(body)}).second) continue;
            content_.materialsOf(body, content_.meshOf(body));
        }
        Identifiers names;
        for (const ExportedMaterial& material : content_.materials())
            materialPaths_.push_back(names.fresh(material.name));
    }

    /// Surfaces of several bodies stand in the file once, in a class that is not drawn itself.
    void writeSharedShapes() {
        bool begun = false;
        for (const RecordedBody& body : content_.bodies()) {
            const ExportContent::SurfaceKey key = ExportContent::surfaceKey(body);
            if (users_[key] < 2 || shared_.contains(key)) continue;
            if (!std::exchange(begun, true)) file_.write("class \"Shapes\"\n{\n");
            const std::string name = fmt::format("shape_{}", shared_.size());
            shared_[key] = name;
            const TriMesh mesh = content_.meshOf(body);
            radii_[key] = radiusAbout(mesh, body.centre);
            line(1, fmt::format("def Mesh \"{}\"", name));
            line(1, "{");
            writeGeometry(2, mesh, body.centre);
            for (const auto& [subset, triangles] : subsetsOf(content_.materialsOf(body, mesh)))
                writeSubset(2, subset, triangles, "");
            line(1, "}");
        }
        if (begun) file_.write("}\n\n");
    }

    void writeMaterials() {
        // names in the file are made unique; the given one is kept as custom data
        line(1, "def Scope \"Materials\"");
        line(1, "{");
        for (size_t i = 0; i < content_.materials().size(); ++i) {
            const ExportedMaterial& material = content_.materials()[i];
            const Look& look = material.look;
            const std::string& name = materialPaths_[i];
            line(2,
                 fmt::format("def Material \"{}\" (customData = {{ string name = {} }})", name, forUsd(material.name)));
            // a preview surface is what all renderers of USD understand
            line(2, "{");
            line(3, fmt::format("token outputs:surface.connect = </World/Materials/{}/surface.outputs:surface>", name));
            line(3, "def Shader \"surface\"");
            line(3, "{");
            line(4, "uniform token info:id = \"UsdPreviewSurface\"");
            line(4, fmt::format("color3f inputs:diffuseColor = {}", tuple(look.colour)));
            line(4, fmt::format("float inputs:metallic = {}", look.metallic));
            line(4, fmt::format("float inputs:roughness = {}", look.roughness));
            // glass: the preview surface knows transparency only as opacity
            if (look.transmission > 0) {
                line(4, fmt::format("float inputs:opacity = {:.6g}", 1 - look.transmission));
                line(4, fmt::format("float inputs:ior = {}", look.ior));
            }
            line(4, "token outputs:surface");
            line(3, "}");
            line(2, "}");
        }
        line(1, "}");
    }

    void writePlace(int depth, const Vec3* position, const Quat& rotation) {
        if (position) line(depth, fmt::format("double3 xformOp:translate = {}", tuple(*position)));
        line(depth, fmt::format("quatf xformOp:orient = {}", tuple(rotation)));
        line(depth, fmt::format("uniform token[] xformOpOrder = [{}\"xformOp:orient\"]",
                                position ? "\"xformOp:translate\", " : ""));
    }

    void writeCamera() {
        constexpr double kAperture = 0.36;  // tenths of a metre: USD's unit where one unit is a metre
        const Camera camera = content_.camera();
        const RigidTransform world = worldFromCamera(camera);
        const double distance = (camera.target - camera.position).norm();
        line(1, "def Camera \"camera\"");
        line(1, "{");
        line(2, "token projection = \"perspective\"");
        line(2, fmt::format("float horizontalAperture = {}", kAperture));
        line(2, fmt::format("float verticalAperture = {:.6g}", kAperture / kPictureAspect));
        line(2, fmt::format("float focalLength = {:.6g}", 0.5 * kAperture / std::tan(camera.fieldOfView * M_PI / 360)));
        line(2, fmt::format("float2 clippingRange = ({:.6g}, {:.6g})", 0.01 * distance, 1000 * distance));
        writePlace(2, &world.translation, world.rotation);
        line(1, "}");
    }

    void writeSun() {
        line(1, "def DistantLight \"sun\"");
        line(1, "{");
        line(2, "float inputs:intensity = 3");
        line(2, "float inputs:angle = 0.53");
        writePlace(2, nullptr, worldFromSun(content_.light()));
        line(1, "}");
    }

    void writeBody(const PoseTrack& track) {
        // how far the body reaches from its centre says how exact its rotations must be
        const RecordedBody& body = *track.body;
        const ExportContent::SurfaceKey key = ExportContent::surfaceKey(body);
        const auto shared = shared_.find(key);
        const TriMesh mesh = content_.meshOf(body);
        const double radius = shared != shared_.end() ? radii_[key] : radiusAbout(mesh, body.centre);

        // facts, visibility and motion belong to the frame of the body
        line(1, fmt::format("def Xform \"{}\" (", names_.fresh(body.name)));
        writeFacts(body);
        line(1, ")");
        line(1, "{");
        writeVisibility(content_.lifeOf(body));
        writeMotion(track, keysOf(track, content_.tolerance(), radius));
        // a mesh inside, about the centre of mass; many pieces alike refer to one class
        line(2, "def Mesh \"mesh\" (");
        line(3, "prepend apiSchemas = [\"MaterialBindingAPI\"]");
        if (shared != shared_.end()) line(3, fmt::format("prepend references = </Shapes/{}>", shared->second));
        line(2, ")");
        line(2, "{");
        writeSurface(body, mesh, shared != shared_.end());
        line(2, "}");
        line(1, "}");
    }

    /// What is known of the body besides how it looks and moves.
    void writeFacts(const RecordedBody& body) {
        line(2, "customData = {");
        line(3, "dictionary sunder = {");
        line(4, "string name = " + forUsd(body.name));
        line(4, fmt::format("int id = {}", body.id));
        if (body.parent) line(4, "string parent = " + forUsd(content_.body(*body.parent).name));
        line(4, "string root = " + forUsd(content_.rootOf(body).name));
        line(4, "string material = " + forUsd(body.material));
        line(4, "string kind = " + forUsd(body.kind));
        line(4, fmt::format("int generation = {}", body.generation));
        line(4, fmt::format("double mass = {}", body.mass));
        line(4, fmt::format("double volume = {}", body.volume));
        line(4, fmt::format("int born = {}", body.born));
        if (body.died) line(4, fmt::format("int died = {}", *body.died));
        if (!body.mesh) line(4, "bool half_space = 1");
        line(3, "}");
        line(2, "}");
    }

    void writeVisibility(const Life& life) {
        if (!life.appears && !life.disappears) return;
        std::string samples =
            fmt::format("{}: \"{}\"", content_.frames().first, life.appears ? "invisible" : "inherited");
        if (life.appears) samples += fmt::format(", {}: \"inherited\"", life.from);
        if (life.disappears) samples += fmt::format(", {}: \"invisible\"", life.until);
        line(2, fmt::format("token visibility.timeSamples = {{{}}}", samples));
    }

    void writeMotion(const PoseTrack& track, const TrackKeys& keys) {
        const std::vector<Quat> rotations = rotationsAt(track, keys.rotations);
        writeSamples(track, "double3 xformOp:translate", keys.positions,
                     [&](size_t i) { return tuple(track.positions[keys.positions[i]]); });
        writeSamples(track, "quatf xformOp:orient", keys.rotations, [&](size_t i) { return tuple(rotations[i]); });
        line(2, "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]");
    }

    template <class Value>
    void writeSamples(const PoseTrack& track, const char* name, const std::vector<uint32_t>& keys, const Value& value) {
        if (keys.size() == 1) return line(2, fmt::format("{} = {}", name, value(0)));
        std::string samples;
        for (size_t i = 0; i < keys.size(); ++i)
            samples += fmt::format("{}{}: {}", i > 0 ? ", " : "", track.first + keys[i], value(i));
        line(2, fmt::format("{}.timeSamples = {{{}}}", name, samples));
    }

    /// Triangles by material where there are several.
    using Subsets = std::map<std::string, std::vector<size_t>>;
    Subsets subsetsOf(const std::vector<size_t>& materials) const {
        Subsets subsets;
        if (std::all_of(materials.begin(), materials.end(), [&](size_t m) { return m == materials[0]; })) return {};
        for (size_t t = 0; t < materials.size(); ++t) subsets[subsetName(materials, materials[t])].push_back(t);
        return subsets;
    }
    /// "inside", or with the material's name where there are several of them.
    std::string subsetName(const std::vector<size_t>& materials, size_t material) const {
        const bool inside = content_.materials()[material].inside;
        const bool alone = std::all_of(materials.begin(), materials.end(), [&](size_t other) {
            return other == material || content_.materials()[other].inside != inside;
        });
        const std::string side = inside ? "inside" : "outside";
        return alone ? side : side + "_" + materialPaths_[material];
    }

    /// A shared one says only what its materials are; the rest is in its class.
    void writeSurface(const RecordedBody& body, const TriMesh& mesh, bool shared) {
        const std::vector<size_t> materials = content_.materialsOf(body, mesh);
        // one material for all needs no subsets
        const Subsets subsets = subsetsOf(materials);
        if (!shared) writeGeometry(3, mesh, body.centre);
        if (subsets.empty()) {
            writeBinding(3, materials.at(0));
            return;
        }
        // a subset for each material; a shared mesh has them already and only binds them
        line(3, "uniform token subsetFamily:materialBind:familyType = \"partition\"");
        for (const auto& [name, triangles] : subsets) {
            if (shared) {
                line(3, fmt::format("over \"{}\" (prepend apiSchemas = [\"MaterialBindingAPI\"])", name));
                line(3, "{");
                writeBinding(4, materials[triangles[0]]);
                line(3, "}");
            } else {
                writeSubset(3, name, triangles, materialPaths_[materials[triangles[0]]]);
            }
        }
    }

    void writeBinding(int depth, size_t material) {
        line(depth, fmt::format("rel material:binding = </World/Materials/{}>", materialPaths_[material]));
    }

    void writeSubset(int depth, const std::string& name, const std::vector<size_t>& triangles,
                     const std::string& material) {
        line(depth, fmt::format("def GeomSubset \"{}\" (prepend apiSchemas = [\"MaterialBindingAPI\"])", name));
        line(depth, "{");
        line(depth + 1, "uniform token elementType = \"face\"");
        line(depth + 1, "uniform token familyName = \"materialBind\"");
        writeList(depth + 1, "int[] indices", triangles, [](size_t t) { return std::to_string(t); });
        if (!material.empty()) line(depth + 1, fmt::format("rel material:binding = </World/Materials/{}>", material));
        line(depth, "}");
    }

    void writeGeometry(int depth, const TriMesh& mesh, const Vec3& centre) {
        // points relative to the centre of mass, about which the body turns
        const auto inside = [&](const Vec3& p) { return Eigen::Vector3f((p - centre).cast<float>()); };
        Eigen::Vector3f low = inside(mesh.positions[VertexIndex{0}]), high = low;
        for (const Vec3& p : mesh.positions) low = low.cwiseMin(inside(p)), high = high.cwiseMax(inside(p));
        line(depth, fmt::format("float3[] extent = [{}, {}]", tuple(low), tuple(high)));
        line(depth, "uniform token subdivisionScheme = \"none\"");
        writeList(depth, "point3f[] points", mesh.positions, [&](const Vec3& p) { return tuple(inside(p)); });
        writeList(depth, "int[] faceVertexCounts", mesh.triangles, [](const Triangle&) { return std::string("3"); });
        writeList(depth, "int[] faceVertexIndices", mesh.triangles,
                  [](const Triangle& t) { return fmt::format("{}, {}, {}", raw(t[0]), raw(t[1]), raw(t[2])); });
        // normals and texture coordinates belong to corners: they differ across an edge
        const auto three = [](const auto& corners, auto convert) {
            return tuple(convert(corners[0])) + ", " + tuple(convert(corners[1])) + ", " + tuple(convert(corners[2]));
        };
        constexpr std::string_view kPerCorner = " (interpolation = \"faceVarying\")";
        writeList(
            depth, "normal3f[] normals", mesh.normals,
            [&](const std::array<Vec3, 3>& n) {
                return three(n, [](const Vec3& v) { return Eigen::Vector3f(v.cast<float>()); });
            },
            kPerCorner);
        if (mesh.uvs.empty()) return;
        writeList(
            depth, "texCoord2f[] primvars:st", mesh.uvs,
            [&](const std::array<Vec2, 3>& uv) {
                return three(uv, [](const Vec2& v) { return Eigen::Vector2f(v.cast<float>()); });
            },
            kPerCorner);
    }

    ExportContent content_;
    std::filesystem::path output_;
    AtomicFile file_;
    Identifiers names_;
    std::vector<std::string> materialPaths_;                   // of each material, its name below /World/Materials
    std::map<ExportContent::SurfaceKey, size_t> users_;        // how many bodies have it
    std::map<ExportContent::SurfaceKey, std::string> shared_;  // names below /Shapes
    std::map<ExportContent::SurfaceKey, double> radii_;        // of these
};

}  // namespace

void exportUsd(RecordingReader& recording, const std::filesystem::path& output, const ExportOptions& options,
               Progress& progress) {
    UsdExport(recording, output, options).write(progress);
}

}  // namespace sunder
