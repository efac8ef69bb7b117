#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fracture/interface/fracture_method.h"
#include "material/solid_material.h"
#include "schema/record.h"

namespace sunder::fracture {

/// Methods are shared: they never change, and bodies with the same settings have the same one. Null: never breaks.
using MethodPtr = std::shared_ptr<const FractureMethod>;

/// What a method asks of a blow, and what it can show.
struct MethodTraits {
    bool needsBlow = false;     // how hard a blow is decides what breaks: impulse, speed and mass count
    bool showsStress = false;   // its plans come with a StressPicture
    bool showsRegions = false;  // regionsAt() answers for some settings
};

/// Files that settings name. The part of the program that may open files reads them.
class MethodFiles {
public:
    virtual ~MethodFiles() = default;
    /// A closed solid. `pointer` tells where in the settings the file is named, "/pattern_files/0": complaints say so.
    virtual TriMesh solid(const std::string& file, const std::string& pointer) = 0;
};

/// What a method is made with besides its settings.
struct Making {
    MethodFiles& files;  // lent while the method is made
    /// What the body is made of, wherever its own material says so: with its density. Null: nobody says, and the method
    /// has values of its own. Not kept: copy what is needed.
    const SolidMaterial* material = nullptr;
};

/// All that the rest of the house knows of a method: scenes, flags, help, docs and panels are made of it. A method is
/// added by defining one of these beside its code and naming it in methods.cpp.
struct MethodEntry {
    /// The record of its settings. Its tag value is the method's name; its help says in a sentence what the method
    /// does.
    const schema::RecordInfo* record = nullptr;
    MethodTraits traits;  // for help, docs and panels

    // over its settings, whose type only the method knows
    std::function<std::shared_ptr<const void>(const schema::Json&, schema::Reader&)> read;
    std::function<schema::Json(const void*, schema::Writer&)> write;
    /// Null: bodies with these settings never break.
    std::function<MethodPtr(const void*, const Making&)> make;

    const std::string& name() const { return record->tagValue; }  // as in scenes: "method": "fem"
};

/// The entry of a method whose settings are `Settings`: a struct with a record, and a function that makes the method.
template <class Settings>
MethodEntry methodEntry(MethodTraits traits, MethodPtr (*make)(const Settings&, const Making&)) {
    MethodEntry entry;
    entry.record = &schema::recordOf<Settings>().recordInfo();
    entry.traits = traits;
    entry.read = [](const schema::Json& json, schema::Reader& reader) -> std::shared_ptr<const void> {
        auto settings = std::make_shared<Settings>();
        schema::recordOf<Settings>().read(json, *settings, reader);
        return settings;
    };
    entry.write = [](const void* settings, schema::Writer& writer) {
        return schema::recordOf<Settings>().write(*static_cast<const Settings*>(settings), writer);
    };
    entry.make = [make](const void* settings, const Making& making) {
        return make(*static_cast<const Settings*>(settings), making);
    };
    return entry;
}

}  // namespace sunder::fracture
