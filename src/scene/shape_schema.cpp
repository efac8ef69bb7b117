// Ready-made shapes: their records come from the catalogue of geometry/shapes, so a new shape needs no line here.
#include "base/suggest.h"
#include "geometry/shapes/shapes.h"
#include "scene/detail/records.h"
#include "scene/shape_names.h"

namespace sunder::scene {

namespace {

using ShapeRecord = Record<ShapeSettings>;

/// The parameter of a shape, or its default where none was given.
struct ParameterAccess {
    std::string name;
    double value = 0;

    double& operator()(ShapeSettings& shape) const { return shape.parameters.try_emplace(name, value).first->second; }
    const double& operator()(const ShapeSettings& shape) const {
        const auto given = shape.parameters.find(name);
        return given == shape.parameters.end() ? value : given->second;
    }
};

ShapeRecord recordFor(const ShapeInfo& shape) {
    ShapeRecord record = ShapeRecord("shape_" + shape.name, shape.help + (shape.open ? " (open shell)" : "") + ".")
                             .tag("name", shape.name);
    for (const ShapeParameter& p : shape.parameters) {
        const Range range{p.min, p.max, false, p.whole};
        // field() changes the record in place  NOLINTNEXTLINE(bugprone-use-after-move)
        std::move(record).field(p.name, ParameterAccess{p.name, p.value}, number(range), p.help);
    }
    return std::move(record)
        .field("resolution", &ShapeSettings::resolution, whole(kMinShapeResolution, kMaxShapeResolution),
               "segments around the shape, roughly")
        .field("scale", &ShapeSettings::scale, vector3("", {1e-9, 1e6}, Single::Allowed), "stretches the shape");
}

const std::vector<ShapeRecord>& shapeRecords() {
    static const std::vector<ShapeRecord> records = [] {
        std::vector<ShapeRecord> list;
        for (const ShapeInfo& shape : allShapes()) list.push_back(recordFor(shape));
        list.push_back(ShapeRecord("shape_plane", "everything below y = 0; for static bodies.").tag("name", kPlane));
        return list;
    }();
    return records;
}

/// "sphere", or {"name": "sphere", "radius": 0.2}.
class ShapeType : public Type<ShapeSettings> {
public:
    void read(const Json& json, ShapeSettings& value, Reader& reader) const override {
        if (!json.is_string() && !json.is_object()) {
            return reader.fail(json, "the name of a shape (sunder shapes), or an object {\"name\": ...}");
        }
        std::string name;
        if (json.is_string()) {
            name = json.get<std::string>();
            if (recordNamed(name) == nullptr) return reader.failUnknown("shape", name, shapeNames());
        } else {
            name = readTag(infos(), json, reader);
        }
        if (name.empty()) return;
        value.name = name;
        value.parameters.clear();
        if (json.is_object()) recordNamed(name)->read(json, value, reader);
    }
    Json write(const ShapeSettings& value, Writer& writer) const override {
        const ShapeRecord* record = recordNamed(value.name);
        if (record == nullptr) return nullptr;
        const Json json = record->write(value, writer);
        return json.size() == 1 ? *json.begin() : json;
    }
    TypeInfo info() const override {
        TypeInfo any = variantInfo(infos());
        any.schema = {{"anyOf", Json::array({{{"enum", shapeNames()}}, any.schema})}};
        any.words = "name or [shape](#shapes)";
        return any;
    }

private:
    static const ShapeRecord* recordNamed(const std::string& name) {
        for (const ShapeRecord& record : shapeRecords()) {
            if (record.recordInfo().tagValue == name) return &record;
        }
        return nullptr;
    }
    static std::vector<const RecordInfo*> infos() {
        std::vector<const RecordInfo*> list;
        for (const ShapeRecord& record : shapeRecords()) list.push_back(&record.recordInfo());
        return list;
    }
};

}  // namespace

std::vector<std::string> shapeNames() {
    std::vector<std::string> names;
    for (const ShapeRecord& record : shapeRecords()) names.push_back(record.recordInfo().tagValue);
    return names;
}

TypePtr<ShapeSettings> shapeOfCatalogue() { return std::make_shared<ShapeType>(); }

}  // namespace sunder::scene
