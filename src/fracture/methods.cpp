#include "fracture/methods.h"

#include <stdexcept>

#include "fracture/fem/fem_method.h"
#include "fracture/prescored/prescored.h"

namespace sunder::fracture {

namespace {

/// Settings of bodies that never break, whatever their material says.
struct Unbreakable {};

const schema::Record<Unbreakable>& recordFor(schema::Of<Unbreakable>) {
    static const schema::Record<Unbreakable> record =
        schema::Record<Unbreakable>("unbreakable", "Never breaks, whatever its material says.").tag("method", "none");
    return record;
}

MethodEntry unbreakable() {
    return methodEntry<Unbreakable>({}, [](const Unbreakable&, const Making&) { return MethodPtr(); });
}

/// One row a method.
std::vector<MethodEntry> methodsOfTheHouse() { return {unbreakable(), prescoredEntry(), femEntry()}; }

struct Table {
    std::vector<MethodEntry> entries = methodsOfTheHouse();
    bool closed = false;  // somebody has seen the list: schemas and settings refer to it
};
Table& table() {
    static Table all;
    return all;
}

class MethodSettingsType : public schema::Type<MethodSettings> {
public:
    void read(const schema::Json& json, MethodSettings& value, schema::Reader& reader) const override {
        const MethodEntry* entry = findMethod(schema::readTag(records(), json, reader));
        if (entry != nullptr) value = MethodSettings(*entry, entry->read(json, reader));
    }
    schema::Json write(const MethodSettings& value, schema::Writer& writer) const override {
        return value.write(writer);
    }
    schema::TypeInfo info() const override { return schema::variantInfo(records()); }

private:
    static std::vector<const schema::RecordInfo*> records() {
        std::vector<const schema::RecordInfo*> all;
        for (const MethodEntry& entry : methods()) all.push_back(entry.record);
        return all;
    }
};

}  // namespace

std::span<const MethodEntry> methods() {
    table().closed = true;
    return table().entries;
}

const MethodEntry* findMethod(std::string_view name) {
    for (const MethodEntry& entry : methods()) {
        if (entry.name() == name) return &entry;
    }
    return nullptr;
}

void addMethod(MethodEntry entry) {
    if (table().closed)
        throw std::logic_error("the method '" + entry.name() +
                               "' comes too late: add methods before the first scene is read or methods are listed");
    for (const MethodEntry& known : table().entries) {
        if (known.name() == entry.name()) throw std::logic_error("there is a method '" + entry.name() + "' already");
    }
    table().entries.push_back(std::move(entry));
}

MethodSettings::MethodSettings() : entry_(&methods().front()), values_(std::make_shared<const Unbreakable>()) {}

bool MethodSettings::breaks() const { return entry_ != &methods().front(); }

std::string MethodSettings::text() const {
    const schema::References none;
    const schema::Json noParameters;
    schema::Writer writer(none, noParameters, schema::Writer::Defaults::Written);
    return write(writer).dump();
}

schema::TypePtr<MethodSettings> methodSettings() { return std::make_shared<MethodSettingsType>(); }

}  // namespace sunder::fracture
