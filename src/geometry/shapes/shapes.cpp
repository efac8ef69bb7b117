#include "geometry/shapes/shapes.h"

#include <stdexcept>

#include "base/assert.h"
#include "base/suggest.h"
#include "geometry/mesh/validate.h"
#include "geometry/shapes/detail/catalogue.h"

namespace sunder {

namespace {

using shapes::Catalogue;

const Catalogue& catalogue() {
    static const Catalogue all = [] {
        Catalogue joined;
        for (Catalogue (*part)() :
             {shapes::primitiveShapes, shapes::blockShapes, shapes::vesselShapes, shapes::columnShapes,
              shapes::ornamentShapes, shapes::sculptureShapes, shapes::openShapes}) {
            for (shapes::CatalogueEntry& entry : part()) joined.push_back(std::move(entry));
        }
        return joined;
    }();
    return all;
}

const shapes::CatalogueEntry& entryOf(const std::string& name) {
    for (const shapes::CatalogueEntry& entry : catalogue()) {
        if (entry.info.name == name) return entry;
    }
    std::vector<std::string> known;
    for (const shapes::CatalogueEntry& entry : catalogue()) known.push_back(entry.info.name);
    throw std::invalid_argument("unknown shape '" + name + "'" + suggestion(name, known));
}

}  // namespace

std::span<const ShapeInfo> allShapes() {
    static const std::vector<ShapeInfo> infos = [] {
        std::vector<ShapeInfo> list;
        for (const shapes::CatalogueEntry& entry : catalogue()) list.push_back(entry.info);
        return list;
    }();
    return infos;
}

const ShapeInfo* findShape(const std::string& name) {
    for (const ShapeInfo& info : allShapes()) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

TriMesh makeShape(const std::string& name, const ShapeValues& values, int resolution) {
    const shapes::CatalogueEntry& entry = entryOf(name);
    if (resolution < kMinShapeResolution || resolution > kMaxShapeResolution) {
        throw std::invalid_argument(name + ": resolution must be " + std::to_string(kMinShapeResolution) + " to " +
                                    std::to_string(kMaxShapeResolution) + ", got " + std::to_string(resolution));
    }
    const shapes::Arguments arguments(entry.info, values, resolution);
    TriMesh mesh = entry.make(arguments);
    ASSERT(arguments.isChecked());
    ASSERT(problemWith(mesh).empty());
    return mesh;
}

}  // namespace sunder
