#include "io/mesh/gltf.h"

#include <cmath>
#include <set>

#include <Eigen/LU>
#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/mesh/weld.h"
#include "io/files/byte_order.h"
#include "io/mesh/gltf_document.h"
#include "io/mesh/name_table.h"
#include "io/mesh/polygon_soup.h"

namespace sunder {

namespace {

using Transform = Eigen::Affine3d;

enum PrimitiveMode { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

/// A primitive takes about the time of this many vertices, even if it has none.
constexpr size_t kPrimitiveCost = 16;

/// The corners of all triangles, three by three.
std::vector<uint32_t> trianglesOf(const std::vector<uint32_t>& corners, size_t mode) {
    if (mode == kTriangles) return corners;
    std::vector<uint32_t> result;
    for (size_t i = 2; i < corners.size(); ++i) {
        if (mode == kTriangleFan) {
            result.insert(result.end(), {corners[0], corners[i - 1], corners[i]});
        } else if (i % 2 == 0) {
            result.insert(result.end(), {corners[i - 2], corners[i - 1], corners[i]});
        } else {
            result.insert(result.end(), {corners[i - 1], corners[i - 2], corners[i]});
        }
    }
    return result;
}

class SceneReader {
public:
    explicit SceneReader(GltfDocument& document) : document_(document) {}

    MeshFile read(MeshFormat format) {
        MeshFile file;
        file.format = format;
        // all meshes of the scene become one, each where its node puts it
        for (const PlacedMesh& placed : placedMeshes()) append(file.mesh, readMeshOf(placed));
        // columns that say nothing are left out
        if (anyMaterial_) {
            file.mesh.materialNames = materials_.names();
        } else {
            file.mesh.materials.clear();
        }
        if (!anyInside_) file.mesh.inside.clear();
        // what the user should know was lost
        if (notTriangles_ > 0) {
            file.notes.push_back(fmt::format("{} of points or lines passed over", counted(notTriangles_, "primitive")));
        }
        if (skinned_ > 0) {
            file.notes.push_back(fmt::format("{} taken in its bind pose: skins are passed over",
                                             counted(skinned_, "skinned mesh", "skinned meshes")));
        }
        if (morphed_ > 0) file.notes.push_back("morph targets passed over");
        return file;
    }

private:
    struct PlacedMesh {
        size_t mesh = 0;
        Transform sceneFromMesh = Transform::Identity();
        std::string from;  // pointer to who names it
    };

    /// The nodes of the scene, parents before children, in file order. A file without a scene shows all its roots; one
    /// without nodes all its meshes.
    std::vector<PlacedMesh> placedMeshes() {
        // without nodes, every mesh stands where it is
        std::vector<PlacedMesh> placed;
        if (document_.entryCount("nodes") == 0) {
            for (size_t i = 0; i < document_.entryCount("meshes"); ++i)
                placed.push_back({i, Transform::Identity(), "/meshes"});
            return placed;
        }
        // a stack instead of recursion: a file may nest its nodes as deep as it likes. Reversed, so that they come in
        // order
        struct Pending {
            size_t node;
            Transform sceneFromParent;
            std::string from;
        };
        std::vector<Pending> pending;
        const std::vector<size_t> roots = rootNodes();
        for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
            pending.push_back({*root, Transform::Identity(), "/scenes"});
        }
        std::vector<uint8_t> seen(document_.entryCount("nodes"), 0);
        // each node once, with the place its parents give it; skins place their meshes themselves
        while (!pending.empty()) {
            const Pending next = std::move(pending.back());
            pending.pop_back();
            const GltfNode node = document_.entry("nodes", next.node, next.from);
            if (seen[next.node]++) {
                throw document_.error(node.pointer, "is reached twice; a node has one parent at most, and no cycles");
            }
            const Transform sceneFromNode = next.sceneFromParent * transformOf(node);
            if (const auto mesh = document_.findIndex(node, "mesh")) {
                const bool skinned = document_.find(node, "skin").has_value();
                skinned_ += skinned;
                placed.push_back({*mesh, skinned ? Transform::Identity() : sceneFromNode, node.pointer});
            }
            const std::vector<GltfNode> children = document_.list(node, "children");
            for (auto child = children.rbegin(); child != children.rend(); ++child) {
                pending.push_back({document_.asIndex(*child), sceneFromNode, node.pointer});
            }
        }
        return placed;
    }

    std::vector<size_t> rootNodes() const {
        std::vector<size_t> roots;
        if (document_.entryCount("scenes") > 0) {
            const size_t chosen = document_.findIndex(document_.root(), "scene").value_or(0);
            const GltfNode scene = document_.entry("scenes", chosen, "/scene");
            for (const GltfNode& node : document_.list(scene, "nodes")) roots.push_back(document_.asIndex(node));
            return roots;
        }
        std::set<size_t> children;
        for (const GltfNode& node : document_.list(document_.root(), "nodes")) {
            for (const GltfNode& child : document_.list(node, "children")) children.insert(document_.asIndex(child));
        }
        for (size_t i = 0; i < document_.entryCount("nodes"); ++i) {
            if (!children.contains(i)) roots.push_back(i);
        }
        return roots;
    }

    Transform transformOf(const GltfNode& node) const {
        Transform result = Transform::Identity();
        // a matrix excludes the three parts
        if (const auto matrix = document_.find(node, "matrix")) {
            const std::vector<double> m = document_.asNumbers(*matrix, 16);  // column by column
            for (int column = 0; column < 4; ++column) {
                for (int row = 0; row < 3; ++row) result(row, column) = m[static_cast<size_t>(4 * column + row)];
            }
            return result;
        }
        // translation, then rotation, then scale, as the format orders them
        if (const auto translation = document_.find(node, "translation")) {
            const std::vector<double> t = document_.asNumbers(*translation, 3);
            result.translate(Vec3(t[0], t[1], t[2]));
        }
        if (const auto rotation = document_.find(node, "rotation")) {
            const std::vector<double> q = document_.asNumbers(*rotation, 4);
            const Quat turn(q[3], q[0], q[1], q[2]);
            if (!(turn.norm() > 0) || !std::isfinite(turn.norm())) {
                throw document_.error(rotation->pointer, "is no rotation; a unit quaternion x, y, z, w is expected");
            }
            result.rotate(turn.normalized());
        }
        if (const auto scale = document_.find(node, "scale")) {
            const std::vector<double> s = document_.asNumbers(*scale, 3);
            result.scale(Vec3(s[0], s[1], s[2]));
        }
        return result;
    }

    /// All primitives of one placed mesh, welded among themselves but not with those of other nodes.
    TriMesh readMeshOf(const PlacedMesh& placed) {
        const GltfNode mesh = document_.entry("meshes", placed.mesh, placed.from);
        PolygonSoup soup;
        std::map<size_t, uint32_t> firstVertex;  // by accessor: primitives often share one
        const std::vector<GltfNode> primitives = document_.list(mesh, "primitives");
        document_.spend(kPrimitiveCost * primitives.size(), mesh.pointer);
        for (const GltfNode& primitive : primitives) {
            readPrimitive(primitive, placed.sceneFromMesh, soup, firstVertex);
        }
        TriMesh result = triangulated(std::move(soup));
        removeUnusedVertices(result);
        weldExact(result);
        return result;
    }

    void readPrimitive(const GltfNode& primitive, const Transform& sceneFromMesh, PolygonSoup& soup,
                       std::map<size_t, uint32_t>& firstVertex) {
        // points and lines have no surface; what has no positions has nothing
        const size_t mode = document_.findIndex(primitive, "mode").value_or(kTriangles);
        const GltfNode attributes = document_.member(primitive, "attributes");
        const auto positions = document_.findIndex(attributes, "POSITION");
        if (mode > kTriangleFan) {
            throw document_.error(primitive.pointer, fmt::format("has mode {}; allowed are 0 to 6", mode));
        }
        if (mode < kTriangles || !positions) {
            ++notTriangles_;
            return;
        }
        morphed_ += document_.find(primitive, "targets").has_value();

        // vertices
        const uint32_t first = addPositions(*positions, attributes.pointer, sceneFromMesh, soup, firstVertex);
        const size_t vertexCount = document_.numbers(*positions, 3, attributes.pointer).count();
        const uint32_t firstUv = static_cast<uint32_t>(soup.uvs.size());
        const bool hasUvs = addUvs(attributes, vertexCount, soup);
        const uint32_t firstNormal = static_cast<uint32_t>(soup.normals.size());
        const bool hasNormals = addNormals(attributes, vertexCount, sceneFromMesh, soup);

        // triangles
        const std::vector<uint32_t> corners = trianglesOf(cornersOf(primitive, vertexCount, mode), mode);
        document_.spend(corners.size() / 3, primitive.pointer);
        const bool mirrored = sceneFromMesh.linear().determinant() < 0;
        const auto [material, inside] = materialOf(primitive);
        // a mirrored node turns triangles inside out: swap two corners to turn them back
        for (size_t i = 0; i + 2 < corners.size(); i += 3) {
            ASSERT(corners[i] < vertexCount && corners[i + 1] < vertexCount && corners[i + 2] < vertexCount);
            soup.faceStart.push_back(soup.corners.size());
            soup.faceMaterial.push_back(material);
            soup.faceInside.push_back(inside);
            for (const size_t k : {size_t{0}, size_t{mirrored ? 2u : 1u}, size_t{mirrored ? 1u : 2u}}) {
                const uint32_t v = corners[i + k];
                soup.corners.push_back(
                    {first + v, hasUvs ? firstUv + v : kNoAttribute, hasNormals ? firstNormal + v : kNoAttribute});
            }
        }
    }

    uint32_t addPositions(size_t accessor, const std::string& from, const Transform& sceneFromMesh, PolygonSoup& soup,
                          std::map<size_t, uint32_t>& firstVertex) {
        // several primitives may share positions, and must then share vertices, else the surface has gaps
        const auto [known, isNew] = firstVertex.try_emplace(accessor, static_cast<uint32_t>(soup.positions.size()));
        if (!isNew) return known->second;
        const GltfNumbers& numbers = document_.numbers(accessor, 3, from);
        document_.spend(numbers.count(), from);
        // a transform may overflow what was finite
        for (size_t i = 0; i < numbers.count(); ++i) {
            const Vec3 inMesh(numbers.values[3 * i], numbers.values[3 * i + 1], numbers.values[3 * i + 2]);
            const Vec3 p = sceneFromMesh * inMesh;
            if (!p.allFinite()) {
                throw document_.error(
                    fmt::format("/accessors/{}", accessor),
                    fmt::format("vertex {} is ({}, {}, {}), a non-finite coordinate; only finite ones are "
                                "allowed: repair the file or export it again",
                                i, inMesh.x(), inMesh.y(), inMesh.z()));
            }
            soup.positions.push_back(p);
        }
        return known->second;
    }

    bool addUvs(const GltfNode& attributes, size_t vertexCount, PolygonSoup& soup) {
        const GltfNumbers* uvs = attribute(attributes, "TEXCOORD_0", 2, vertexCount);
        if (!uvs) return false;
        for (size_t i = 0; i < vertexCount; ++i) {
            const Vec2 uv(uvs->values[2 * i], 1 - uvs->values[2 * i + 1]);
            soup.uvs.push_back(uv.allFinite() ? uv : Vec2(0, 0));
        }
        return true;
    }

    bool addNormals(const GltfNode& attributes, size_t vertexCount, const Transform& sceneFromMesh, PolygonSoup& soup) {
        const GltfNumbers* normals = attribute(attributes, "NORMAL", 3, vertexCount);
        if (!normals) return false;
        // the inverse transpose, up to its length: the rows' cross products, which need no division
        const Mat3 m = sceneFromMesh.linear();
        Mat3 cofactor;
        for (int row = 0; row < 3; ++row) {
            cofactor.row(row) = m.row((row + 1) % 3).cross(m.row((row + 2) % 3));
        }
        if (m.determinant() < 0) cofactor = -cofactor;
        for (size_t i = 0; i < vertexCount; ++i) {
            soup.normals.push_back(
                cofactor * Vec3(normals->values[3 * i], normals->values[3 * i + 1], normals->values[3 * i + 2]));
        }
        return true;
    }

    const GltfNumbers* attribute(const GltfNode& attributes, const char* name, size_t components, size_t vertexCount) {
        const auto accessor = document_.findIndex(attributes, name);
        if (!accessor) return nullptr;
        const GltfNumbers& numbers = document_.numbers(*accessor, components, attributes.pointer);
        if (numbers.count() != vertexCount) {
            throw document_.error(attributes.pointer,
                                  fmt::format("{} has {}, but there are {}", name, counted(numbers.count(), "element"),
                                              counted(vertexCount, "vertex", "vertices")));
        }
        document_.spend(vertexCount, attributes.pointer);
        return &numbers;
    }

    std::vector<uint32_t> cornersOf(const GltfNode& primitive, size_t vertexCount, size_t mode) {
        std::vector<uint32_t> corners;
        // without indices the vertices are taken in order
        if (const auto accessor = document_.findIndex(primitive, "indices")) {
            corners = document_.indices(*accessor, primitive.pointer);
        } else {
            for (uint32_t v = 0; v < vertexCount; ++v) corners.push_back(v);
        }
        document_.spend(corners.size(), primitive.pointer);
        // indices come from outside: each must name a vertex
        for (const uint32_t v : corners) {
            if (v < vertexCount) continue;
            throw document_.error(primitive.pointer, fmt::format("has vertex index {}, but only {}", v,
                                                                 counted(vertexCount, "vertex", "vertices")));
        }
        // strips and fans make a triangle from three corners on, lists only from each three
        const bool whole = mode == kTriangles ? corners.size() % 3 == 0 : corners.size() >= 3 || corners.empty();
        if (!whole) {
            throw document_.error(
                primitive.pointer,
                fmt::format("has {}, which {} no whole triangles; was the file cut off?",
                            counted(corners.size(), "corner"), corners.size() == 1 ? "makes" : "make"));
        }
        return corners;
    }

    struct MaterialSide {
        uint32_t material = 0;
        uint8_t inside = 0;
    };

    /// Our own writer gives inside faces a material with extras that name the one they belong to.
    MaterialSide materialOf(const GltfNode& primitive) {
        const auto index = document_.findIndex(primitive, "material");
        // a material without a name is known by its number
        if (!index) return {materials_.number("default"), 0};
        const GltfNode material = document_.entry("materials", *index, primitive.pointer);
        std::string name = document_.findString(material, "name").value_or("");
        if (name.empty()) name = fmt::format("material_{}", *index);
        // the mark of our own writer, and the material outside
        uint8_t inside = 0;
        const auto extras = document_.find(material, "extras");
        if (extras && extras->value->is_object()) {
            const auto flag = document_.find(*extras, "inside");
            inside = flag && flag->value->is_boolean() && flag->value->get<bool>();
            if (inside) name = document_.findString(*extras, "material").value_or(name);
        }
        anyInside_ = anyInside_ || inside;
        // a mesh without materials is written with nameless ones
        const bool nameless = extras && extras->value->is_object() && document_.find(*extras, "unnamed").has_value();
        if (nameless) return {materials_.number("default"), inside};
        anyMaterial_ = true;
        return {materials_.number(name), inside};
    }

    GltfDocument& document_;
    NameTable materials_;
    bool anyMaterial_ = false, anyInside_ = false;
    size_t notTriangles_ = 0, skinned_ = 0, morphed_ = 0;
};

MeshFile readScene(const Source& source, std::string_view json, std::string_view chunk, MeshFormat format) {
    GltfDocument document(source, json, chunk);
    return SceneReader(document).read(format);
}

}  // namespace

MeshFile readGltf(const Source& source) {
    if (source.bytes.starts_with("glTF")) {
        throw errorInFile(source, "this is binary glTF in a .gltf file: rename it to .glb");
    }
    return readScene(source, source.bytes, {}, MeshFormat::Gltf);
}

MeshFile readGlb(const Source& source) {
    constexpr uint32_t kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;
    const std::string_view bytes = source.bytes;
    // the header: what it is, and whether all of it is there
    if (!bytes.starts_with("glTF")) {
        throw errorAtByte(
            source, 0, fmt::format("the file starts with {}; a .glb starts with 'glTF'", inQuotes(bytes.substr(0, 4))));
    }
    if (bytes.size() < 20) throw errorAtByte(source, bytes.size(), "the file ends within its header; it was cut off");
    const uint32_t version = loadAs<uint32_t>(bytes, 4), length = loadAs<uint32_t>(bytes, 8);
    if (version != 2) {
        throw errorAtByte(source, 4,
                          fmt::format("binary glTF version {}; only version 2 can be read: export again", version));
    }
    if (length > bytes.size()) {
        throw errorAtByte(source, 8,
                          fmt::format("truncated: the header says {} bytes, but the file has {}; it was cut off",
                                      length, bytes.size()));
    }
    // the first chunk of each kind counts; others are passed over, as the format asks
    std::string_view json, chunk;
    for (size_t at = 12; at + 8 <= length;) {
        const uint32_t size = loadAs<uint32_t>(bytes, at), kind = loadAs<uint32_t>(bytes, at + 4);
        if (size > length - at - 8) {
            throw errorAtByte(
                source, at, fmt::format("truncated: a chunk of {} bytes, but only {} are left", size, length - at - 8));
        }
        const std::string_view contents = bytes.substr(at + 8, size);
        if (kind == kJsonChunk && json.empty()) json = contents;
        if (kind == kBinaryChunk && chunk.data() == nullptr) chunk = contents;
        at += 8 + size_t{size};
    }
    if (json.empty()) throw errorAtByte(source, 12, "the file has no JSON chunk; it is damaged");
    return readScene(source, json, chunk, MeshFormat::Glb);
}

}  // namespace sunder
