#include "io/tet/tet_writers.h"

#include <iterator>
#include <map>

#include <fmt/format.h>

#include "base/assert.h"
#include "io/files/byte_order.h"

namespace sunder {

namespace {

int regionOf(const TetMesh& mesh, TetIndex t) { return mesh.regions.empty() ? 0 : mesh.regions[t]; }

/// One number behind the other, as text or as bytes.
class NumberWriter {
public:
    explicit NumberWriter(TetEncoding encoding) : binary_(encoding == TetEncoding::Binary) {}

    bool binary() const { return binary_; }
    void text(std::string_view line) { bytes_ += line; }
    void whole(int64_t value) { number(static_cast<int32_t>(value)); }
    void size(uint64_t value) { number(value); }
    void real(double value) { number(value); }
    void endLine() {
        if (binary_) return;
        if (!bytes_.empty() && bytes_.back() == ' ') bytes_.pop_back();
        bytes_ += '\n';
    }
    /// Text after numbers starts on a line of its own.
    void endNumbers() {
        if (binary_) bytes_ += '\n';
    }
    std::string take() { return std::move(bytes_); }

private:
    template <class T>
    void number(T value) {
        if (binary_) {
            store(bytes_, value);
        } else {
            fmt::format_to(std::back_inserter(bytes_), "{} ", value);
        }
    }

    bool binary_;
    std::string bytes_;
};

void writePosition(NumberWriter& out, const Vec3& x) {
    for (int axis = 0; axis < 3; ++axis) out.real(x[axis]);
    out.endLine();
}

void writeHeader(NumberWriter& out, const char* version) {
    out.text(fmt::format("$MeshFormat\n{} {} 8\n", version, out.binary() ? 1 : 0));
    if (out.binary()) {
        out.whole(1);  // tells the byte order
        out.endNumbers();
    }
    out.text("$EndMeshFormat\n");
}

Box3 boundsOf(const TetMesh& mesh) {
    Box3 box;
    for (const Vec3& x : mesh.nodes) box.add(x);
    if (box.empty()) box = {Vec3::Zero(), Vec3::Zero()};
    return box;
}

/// A volume entity for each region, counted from 1: Gmsh knows physical tags of entities, not of single tets.
std::map<int, int> entitiesOf(const TetMesh& mesh) {
    ASSERT(mesh.regions.empty() || mesh.regions.size() == mesh.tetCount());
    std::map<int, int> entityOfRegion;
    for (const TetIndex t : mesh.tets.indices()) entityOfRegion.emplace(regionOf(mesh, t), 0);
    int next = 1;
    for (auto& [region, entity] : entityOfRegion) entity = next++;
    return entityOfRegion;
}

}  // namespace

std::string gmsh22Of(const TetMesh& mesh, TetEncoding encoding) {
    const std::map<int, int> entityOfRegion = entitiesOf(mesh);
    NumberWriter out(encoding);
    writeHeader(out, "2.2");
    // nodes, numbered from 1
    out.text(fmt::format("$Nodes\n{}\n", mesh.nodeCount()));
    for (const NodeIndex n : mesh.nodes.indices()) {
        out.whole(raw(n) + 1);
        writePosition(out, mesh.nodes[n]);
    }
    out.endNumbers();
    out.text(fmt::format("$EndNodes\n$Elements\n{}\n", mesh.tetCount()));
    if (out.binary() && mesh.tetCount() > 0) {
        // one run: type, count, tags
        for (const int64_t value : {int64_t{4}, static_cast<int64_t>(mesh.tetCount()), int64_t{2}}) out.whole(value);
    }
    // a tet in text repeats type and number of tags; its tags are region and entity
    for (const TetIndex t : mesh.tets.indices()) {
        out.whole(raw(t) + 1);
        if (!out.binary()) {
            out.whole(4);
            out.whole(2);
        }
        out.whole(regionOf(mesh, t));
        out.whole(entityOfRegion.at(regionOf(mesh, t)));
        for (const NodeIndex n : mesh.tets[t]) out.whole(raw(n) + 1);
        out.endLine();
    }
    out.endNumbers();
    out.text("$EndElements\n");
    return out.take();
}

std::string gmsh41Of(const TetMesh& mesh, TetEncoding encoding) {
    // runs of one region become blocks, so that tets keep their order; a volume entity for each region
    struct Block {
        int entity = 0;
        uint32_t first = 0, count = 0;
    };
    const std::map<int, int> entityOfRegion = entitiesOf(mesh);
    std::vector<Block> blocks;
    for (const TetIndex t : mesh.tets.indices()) {
        const int entity = entityOfRegion.at(regionOf(mesh, t));
        if (blocks.empty() || blocks.back().entity != entity) blocks.push_back({entity, raw(t), 0});
        ++blocks.back().count;
    }

    // the volumes that the blocks belong to, with their bounds and regions
    NumberWriter out(encoding);
    writeHeader(out, "4.1");
    out.text("$Entities\n");
    for (const uint64_t count : {uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{entityOfRegion.size()}})
        out.size(count);
    out.endLine();
    const Box3 bounds = boundsOf(mesh);
    for (const auto& [region, entity] : entityOfRegion) {
        out.whole(entity);
        for (const Vec3& corner : {bounds.min, bounds.max}) {
            for (int axis = 0; axis < 3; ++axis) out.real(corner[axis]);
        }
        out.size(region == 0 ? 0 : 1);
        if (region != 0) out.whole(region);
        out.size(0);  // bounding surfaces
        out.endLine();
    }
    out.endNumbers();
    out.text("$EndEntities\n$Nodes\n");
    // all nodes as one block: first their numbers, then their places
    for (const uint64_t value : {uint64_t{1}, uint64_t{mesh.nodeCount()}, uint64_t{1}, uint64_t{mesh.nodeCount()}}) {
        out.size(value);
    }
    out.endLine();
    for (const int64_t value : {3, 1, 0}) out.whole(value);  // dimension, entity, no parameters
    out.size(mesh.nodeCount());
    out.endLine();
    for (const NodeIndex n : mesh.nodes.indices()) {
        out.size(raw(n) + 1u);
        out.endLine();
    }
    for (const Vec3& x : mesh.nodes) writePosition(out, x);
    out.endNumbers();
    out.text("$EndNodes\n$Elements\n");
    // the blocks
    for (const uint64_t value :
         {uint64_t{blocks.size()}, uint64_t{mesh.tetCount()}, uint64_t{1}, uint64_t{mesh.tetCount()}}) {
        out.size(value);
    }
    out.endLine();
    for (const Block& block : blocks) {
        for (const int64_t value : {3, block.entity, 4}) out.whole(value);
        out.size(block.count);
        out.endLine();
        for (uint32_t t = block.first; t < block.first + block.count; ++t) {
            out.size(t + 1u);
            for (const NodeIndex n : mesh.tets[static_cast<TetIndex>(t)]) out.size(raw(n) + 1u);
            out.endLine();
        }
    }
    out.endNumbers();
    out.text("$EndElements\n");
    return out.take();
}

// Netgen's own tets turn the other way: corners three and four are exchanged on the way out, and readers turn them
// back.
std::string netgenVolOf(const TetMesh& mesh) {
    std::string out = "mesh3d\ndimension\n3\ngeomtype\n0\n\nsurfaceelements\n0\n\n";
    auto to = std::back_inserter(out);
    fmt::format_to(to, "# matnr np p1 p2 p3 p4\nvolumeelements\n{}\n", mesh.tetCount());
    for (const TetIndex t : mesh.tets.indices()) {
        const Tet& tet = mesh.tets[t];
        fmt::format_to(to, "{} 4 {} {} {} {}\n", regionOf(mesh, t), raw(tet[0]) + 1, raw(tet[1]) + 1, raw(tet[3]) + 1,
                       raw(tet[2]) + 1);
    }
    fmt::format_to(to, "\n# X Y Z\npoints\n{}\n", mesh.nodeCount());
    for (const Vec3& x : mesh.nodes) fmt::format_to(to, "{} {} {}\n", x.x(), x.y(), x.z());
    out += "\nendmesh\n";
    return out;
}

std::string tetgenNodesOf(const TetMesh& mesh) {
    std::string out = fmt::format("{} 3 0 0\n", mesh.nodeCount());
    for (const NodeIndex n : mesh.nodes.indices()) {
        const Vec3& x = mesh.nodes[n];
        fmt::format_to(std::back_inserter(out), "{} {} {} {}\n", raw(n) + 1, x.x(), x.y(), x.z());
    }
    return out;
}

std::string tetgenElementsOf(const TetMesh& mesh) {
    ASSERT(mesh.regions.empty() || mesh.regions.size() == mesh.tetCount());
    std::string out = fmt::format("{} 4 {}\n", mesh.tetCount(), mesh.regions.empty() ? 0 : 1);
    for (const TetIndex t : mesh.tets.indices()) {
        const Tet& tet = mesh.tets[t];
        fmt::format_to(std::back_inserter(out), "{} {} {} {} {}", raw(t) + 1, raw(tet[0]) + 1, raw(tet[1]) + 1,
                       raw(tet[2]) + 1, raw(tet[3]) + 1);
        if (!mesh.regions.empty()) fmt::format_to(std::back_inserter(out), " {}", mesh.regions[t]);
        out += '\n';
    }
    return out;
}

}  // namespace sunder
