#include "io/mesh/reports.h"

#include "geometry/grid/mesh_to_grid.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"

namespace sunder {

using schema::Json;
using schema::toJson;

Json toJson(const Box3& box) {
    return {{"min", toJson(box.min)}, {"max", toJson(box.max)}, {"size", toJson(box.size())}};
}

Json toJson(const Diagnosis& diagnosis) {
    Json list = Json::array();
    for (const Defect& defect : diagnosis.defects) {
        list.push_back({{"kind", nameOf(defect.kind)}, {"count", defect.count}, {"example", defect.example}});
    }
    return list;
}

Json toJson(const ShapeInfo& shape) {
    Json parameters = Json::array();
    for (const ShapeParameter& p : shape.parameters) {
        parameters.push_back({{"name", p.name},
                              {"help", p.help},
                              {"default", p.value},
                              {"min", p.min},
                              {"max", p.max},
                              {"whole", p.whole}});
    }
    return {{"name", shape.name},
            {"help", shape.help},
            {"open", shape.open},
            {"material", shape.material},
            {"parameters", parameters}};
}

GridFrame gridFrameFor(const TriMesh& mesh, int cells) {
    return alignedFrame(boundsOf(mesh), cellSizeFor(mesh, cells), static_cast<int>(GridOptions{}.bandCells));
}

namespace {

Json gridJson(const GridFrame& frame) {
    return {{"cell_size", frame.cellSize},
            {"points", Json::array({frame.points[0], frame.points[1], frame.points[2]})},
            {"memory_bytes", frame.pointCount() * sizeof(float)}};
}

}  // namespace

Json meshReport(const MeshFile& file, const Diagnosis& diagnosis, int cells) {
    // what every mesh has, also one that is no solid
    const TriMesh& mesh = file.mesh;
    Json json{{"kind", "mesh"},
              {"format", nameOf(file.format)},
              {"vertices", mesh.vertexCount()},
              {"triangles", mesh.triangleCount()},
              {"components", diagnosis.components},
              {"bodies", diagnosis.bodies},
              {"bounds", toJson(boundsOf(mesh))},
              {"area", surfaceArea(mesh)},
              {"closed", diagnosis.closed},
              {"manifold", diagnosis.manifold},
              {"oriented", diagnosis.oriented},
              {"solid", diagnosis.solid()}};
    // volume and centre mean something only when the surface encloses a solid
    json["volume"] = diagnosis.solid() ? Json(diagnosis.volume) : Json(nullptr);
    if (diagnosis.solid()) json["centre"] = toJson(massProperties(mesh).centre);
    // attributes and what is wrong
    json["uvs"] = !mesh.uvs.empty();
    json["normals"] = !mesh.normals.empty();
    json["materials"] = mesh.materialNames;
    json["defects"] = toJson(diagnosis);
    json["notes"] = file.notes;
    // how a grid of that many cells would resolve it
    if (boundsOf(mesh).diagonal() > 0) json["grid"] = gridJson(gridFrameFor(mesh, cells));
    return json;
}

Json repairReport(const RepairResult& result) {
    Json actions = Json::array();
    for (const RepairAction& action : result.actions)
        actions.push_back({{"what", action.what}, {"count", action.count}});
    return {{"verdict", nameOf(result.verdict)},
            {"reason", result.reason},
            {"actions", actions},
            {"warnings", result.warnings},
            {"rebuilt", result.rebuilt},
            {"cell_size", result.rebuilt ? Json(result.cellSize) : Json(nullptr)},
            {"bodies", result.bodies},
            {"volume", isSolid(result.verdict) ? Json(result.volume) : Json(nullptr)},
            {"vertices", result.mesh.vertexCount()},
            {"triangles", result.mesh.triangleCount()}};
}

}  // namespace sunder
