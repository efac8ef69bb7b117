#include "scene/schema_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "material/catalogue.h"
#include "scene/detail/records.h"
#include "schema/json_text.h"

namespace sunder::scene {

namespace {

/// All records, each once, in the order a reader of the root meets them.
std::vector<const RecordInfo*> allRecords() {
    std::vector<const RecordInfo*> found{&recordOf<Scene>().recordInfo()};
    for (size_t i = 0; i < found.size(); ++i) {
        for (const FieldInfo& field : found[i]->fields) {
            for (const RecordInfo* record : field.type.records) {
                ASSERT(record != nullptr);
                if (std::find(found.begin(), found.end(), record) == found.end()) found.push_back(record);
            }
        }
    }
    return found;
}

bool isShape(const RecordInfo& record) { return record.name.starts_with("shape_"); }

Json schemaOf(const RecordInfo& record) {
    Json properties = Json::object(), required = Json::array();
    if (!record.tagKey.empty()) {
        properties[record.tagKey] = {{"const", record.tagValue}};
        required.push_back(record.tagKey);
    }
    for (const FieldInfo& field : record.fields) {
        Json property = field.type.schema;
        property["description"] = field.help;
        if (!field.required && !field.defaultValue.is_null()) property["default"] = field.defaultValue;
        properties[field.key] = property;
        if (field.required) required.push_back(field.key);
    }
    Json schema{{"type", "object"}, {"description", record.help}, {"properties", properties}};
    if (!required.empty()) schema["required"] = required;
    schema["additionalProperties"] = false;
    return schema;
}

/// What every shape may have is told once, above all of them.
bool isToldOnce(const RecordInfo& record, const FieldInfo& field) {
    return isShape(record) && (field.key == "resolution" || field.key == "scale");
}

/// For a table: | parts the columns.
std::string cell(const std::string& text) {
    std::string safe;
    for (const char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
    return safe;
}

std::string docsOf(const RecordInfo& record) {
    std::string text = fmt::format("### {}\n{}\n\n", record.name, record.help);
    const bool hasTag = !record.tagKey.empty() && !isShape(record);
    const bool hasFields =
        std::ranges::any_of(record.fields, [&](const FieldInfo& field) { return !isToldOnce(record, field); });
    if (!hasFields && !hasTag) return text;
    text += "| key | type | allowed | default | |\n|---|---|---|---|---|\n";
    if (hasTag) {
        text += fmt::format("| `{}` | word | {} | required | |\n", record.tagKey, record.tagValue);
    }
    for (const FieldInfo& field : record.fields) {
        if (isToldOnce(record, field)) continue;
        const std::string value = field.required                 ? "required"
                                  : field.defaultValue.is_null() ? ""
                                                                 : "`" + field.defaultValue.dump() + "`";
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", field.key, cell(field.type.words),
                            cell(field.type.allowed), cell(value), cell(field.help));
    }
    return text + "\n";
}

/// Ready materials and looks, as tables.
std::string catalogueDocs() {
    std::string text =
        "## Ready materials\n"
        "A body has `\"material\": \"ceramic\"`, or a material of the scene has `\"base\": \"ceramic\"` and what is "
        "other than\n"
        "here. A material of the scene goes before a ready one of its name. Where the constants are from:\n"
        "[methods/fem.md](methods/fem.md#ready-materials).\n\n"
        "| name | density kg/m^3 | friction | restitution | stiffness GPa | strength MPa | crack energy J/m^2 | "
        "breaking speed m/s | look | |\n"
        "|---|---|---|---|---|---|---|---|---|---|\n";
    for (const MaterialEntry& entry : materials()) {
        const SolidMaterial& solid = entry.solid;
        text += fmt::format("| `{}` | {:g} | {:g} | {:g} | {:g} | {:g} | {:g} | {:g} | {} | {} |\n", entry.name,
                            solid.elastic.density, entry.contact.friction, entry.contact.restitution,
                            1e-9 * solid.elastic.youngsModulus, 1e-6 * solid.strength.tensile, solid.strength.energy,
                            solid.breakingSpeed, entry.look, cell(std::string(entry.help)));
    }
    text += "\n## Looks\nWhat `look` may be.\n\n| name | |\n|---|---|\n";
    for (const LookEntry& entry : looks())
        text += fmt::format("| `{}` | {} |\n", entry.name, cell(std::string(entry.help)));
    return text + "\n";
}

constexpr const char* kIntroduction = R"(# Scenes
Made from the schema by `sunder validate --docs`; do not edit.

A scene is a JSON file; `//` and `/* */` comments are allowed. SI units, y is up, angles in degrees,
angular velocities in rad/s. `sunder validate scene.json` names every mistake, `sunder info
scene.json` says what is in it. Put `"$schema": "../sunder.schema.json"` first and editors complete
keys and show mistakes while you type. This page has every key. [First scenes](first-scenes.md) has
some to copy, [shapes](shapes.md) says which shapes stand on their origin, and
[patterns](patterns.md) which pattern looks like what.

```json
{
  "version": 1,
  "parameters": {"wall.pieces": 40},
  "materials": {"stone": {"base": "stone", "fracture": {"method": "prescored", "pieces": "$wall.pieces"}}},
  "floor": true,
  "bodies": [
    {"name": "wall", "shape": {"name": "wall", "width": 3, "height": 2}, "material": "stone"},
    {"name": "ball", "shape": {"name": "sphere", "radius": 0.2}, "position": [0, 1, 4], "velocity": [0, 0, -20]}
  ]
}
```

## Parameters
A value may be `"$name"` or `{"$": "name"}`: the parameter of that name. `--set wall.pieces=60`
changes a parameter; `--set world.frames=10`, `--set bodies.ball.position=[0,2,4]` or `--set
/bodies/0/velocity/2=-30` any other value.

## Many bodies
`array` repeats a body; a wall of 20 rows of 20 bricks in running bond:

```json
{"name": "wall", "shape": {"name": "box", "width": 0.6, "height": 0.3, "depth": 0.3}, "position": [0, 0.15, 0],
 "array": {"count": [20, 20, 1], "step": [0.6, 0.3, 1], "half_ends": true, "centred": true}}
```

`groups` are placed by `instances`; names of members are paths: `wall/r3c7`, `left/house/roof`.

## What breaks
A body with `fracture` breaks along a pattern ([prescored](#prescored)) or from stress
([fem](#fem)). Along a pattern it breaks by a blow that has more energy than the body itself when it
falls on a floor at the breaking speed of its material: glass 2 m/s, ceramic 2.5, brick and concrete
8 ([ready materials](#ready-materials)). What rests on a body breaks nothing, whatever it weighs.
`threshold` says it in N s instead, mass times speed of what is stopped:

| N s | |
|---|---|
| 1 | a mug falls from a table |
| 3 | a served tennis ball; a blow with a hammer |
| 13 | a brick falls 1 m |
| 50 | a bowling ball, thrown |
| 400 | a person who runs |
| 5000 | a wrecking ball of a tonne |
| 18000 | a car at 50 km/h |

From stress, with the constants of its material: a plate that falls on its rim.

```json
{"name": "plate", "shape": "plate", "material": "ceramic", "fracture": {"method": "fem"},
 "position": [0, 0.8, 0], "rotation": [0, 0, 55]}
```

## Later in the run
A body with `appears` comes at that time with its place and velocity: a ball that is thrown.
`actions` are what hands do to bodies and to the fragments they break into (`wall/p3` is the fourth
piece of `wall`):

```json
"bodies": [{"name": "ball", "shape": "sphere", "position": [0, 1, 4], "velocity": [0, 0, -20], "appears": 1.5}],
"actions": [
  {"type": "push", "time": 2, "body": "wall/p3", "impulse": [0, 40, 0]},
  {"type": "pull", "body": "ball", "path": [[2.5, 0, 1, -2], [3, 0, 3, -2], [4, 2, 3, 0]]},
  {"type": "place", "time": 5, "body": "ball", "position": [0, 4, 0], "velocity": [0, 0, 0]}
]
```

## Fields
)";

constexpr const char* kShapes = R"(## Shapes
What `shape` may be, besides a name alone: `{"name": "box", "width": 2}`. Sizes and origins of all
are on a [page of their own](shapes.md). Each but `plane` may also have `resolution` (whole number
from 8 to 512, 48: segments around it, roughly) and `scale` (number or [x, y, z], 1: stretches it).

)";

}  // namespace

std::string jsonSchemaText() {
    Json definitions = Json::object();
    definitions["parameter"] = {{"description", "a parameter, as \"$name\" or {\"$\": \"name\"}"},
                                {"anyOf", Json::array({{{"type", "string"}, {"pattern", "^\\$."}},
                                                       {{"type", "object"},
                                                        {"properties", {{"$", {{"type", "string"}}}}},
                                                        {"required", Json::array({"$"})},
                                                        {"additionalProperties", false}}})}};
    const std::vector<const RecordInfo*> records = allRecords();
    for (size_t i = 1; i < records.size(); ++i) definitions[records[i]->name] = schemaOf(*records[i]);
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Sunder scene"}};
    schema.update(schemaOf(*records.front()));
    schema["$defs"] = definitions;
    return printedJson(schema);
}

std::string schemaDocs() {
    std::string text = kIntroduction, shapes = kShapes;
    for (const RecordInfo* record : allRecords()) (isShape(*record) ? shapes : text) += docsOf(*record);
    return text + catalogueDocs() + shapes;
}

}  // namespace sunder::scene
