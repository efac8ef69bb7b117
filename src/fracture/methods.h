#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fracture/interface/method_entry.h"

namespace sunder::fracture {

/// Every method there is, in the order that docs and panels show them: those of the house, then those that programs
/// added. The first, "none", is for bodies that never break.
std::span<const MethodEntry> methods();
const MethodEntry* findMethod(std::string_view name);  // null: none of that name

/// Adds a method of one's own to scenes, flags and panels. Once, at the start of a program: throws std::logic_error
/// when a scene or the list of methods was read already, or when there is a method of that name.
void addMethod(MethodEntry entry);

/// The settings of one method: a value. Copies share what never changes.
class MethodSettings {
public:
    MethodSettings();  // "none"
    /// `values` are of the entry's own type, as its `read` gives them. The entry outlives the settings: rows of
    /// methods() live as long as the program.
    MethodSettings(const MethodEntry& entry, std::shared_ptr<const void> values)
        : entry_(&entry), values_(std::move(values)) {}

    const MethodEntry& entry() const { return *entry_; }  // whose settings they are
    /// False: bodies with these settings never break.
    bool breaks() const;
    /// Null when they are those of another method.
    template <class Settings>
    const Settings* as() const {
        const bool same = entry_->record == &schema::recordOf<Settings>().recordInfo();
        return same ? static_cast<const Settings*>(values_.get()) : nullptr;
    }
    /// Null when they say that nothing breaks. Throws InputError for files that cannot be had.
    MethodPtr make(const Making& making) const { return entry_->make(values_.get(), making); }
    /// The object of a scene; defaults are left out unless the writer wants them.
    schema::Json write(schema::Writer& writer) const { return entry_->write(values_.get(), writer); }
    /// With every default: equal for equal settings.
    std::string text() const;

private:
    const MethodEntry* entry_;
    std::shared_ptr<const void> values_;
};

/// {"method": "fem", ...}, as in scenes.
schema::TypePtr<MethodSettings> methodSettings();

}  // namespace sunder::fracture
