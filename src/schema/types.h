#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "math/vec.h"
#include "schema/json.h"
#include "schema/reader.h"

/// How values look in a scene file. A Type reads one kind of value, writes it and describes it; the schema is made of
/// them, and the parser, the JSON Schema, the docs and the panels are made of the schema.
namespace sunder::schema {

struct RecordInfo;

/// What docs, editors and panels are told of a type.
struct TypeInfo {
    Json schema;                             // JSON Schema draft 2020-12
    std::string words;                       // "number, kg/m^3"
    std::string allowed;                     // "0 to 1"; empty: anything of the type
    std::vector<const RecordInfo*> records;  // what it is made of
};

/// How values of T look. Made once, then shared by all fields of that kind; never changes.
template <class T>
class Type {
public:
    virtual ~Type() = default;
    /// What is wrong is told to the reader; the value then stays as it was.
    virtual void read(const Json& json, T& value, Reader& reader) const = 0;
    /// What read() takes for this value. Never fails.
    virtual Json write(const T& value, Writer& writer) const = 0;
    /// Made anew at each call.
    virtual TypeInfo info() const = 0;
};
/// Types are constants, so fields may share them.
template <class T>
using TypePtr = std::shared_ptr<const Type<T>>;

/// Reads a value that may be given by a parameter.
template <class T>
void readValue(const Type<T>& type, const Json& json, T& value, Reader& reader) {
    reader.resolved(json, [&](const Json& found) { type.read(found, value, reader); });
}

/// Writes "$parameter" where the value still is the parameter's.
template <class T>
Json writeValue(const Type<T>& type, const T& value, Writer& writer) {
    Json json = type.write(value, writer);
    const Writer::Reference reference = writer.reference();
    if (reference.value == nullptr || writer.writesDefaults()) return json;
    Issues ignored;
    const Json none;
    Reader reader(ignored, none);
    T given = value;
    type.read(*reference.value, given, reader);
    return !ignored.failed() && type.write(given, writer) == json ? Json("$" + reference.name) : json;
}

/// An interval; the lower end may be excluded.
struct Range {
    double min = -1e15, max = 1e15;  // both allowed; docs do not tell limits of 1e15
    bool aboveMin = false;           // the minimum itself is not allowed
    bool whole = false;              // whole numbers only

    /// Nothing contains NaN.
    bool contains(double value) const {
        return (aboveMin ? value > min : value >= min) && value <= max && (!whole || value == std::floor(value));
    }
    std::string words() const;  // "from 0 to 1"; empty: no limits
};
inline Range positive(double max) { return {0, max, true}; }  // above 0, up to `max`

TypePtr<bool> boolean();                                                   // true or false; 0 and 1 are refused
TypePtr<double> number(const Range& range, const std::string& unit = {});  // finite; the unit is told beside it
TypePtr<int> whole(int min, int max, const std::string& unit = {});        // both ends allowed
TypePtr<uint64_t> seedNumber();                     // 0 to 2^53 - 1: what readers of JSON everywhere keep exactly
TypePtr<std::string> text(size_t longest = 10000);  // `longest`: in bytes
/// A path to a file that has to be there.
TypePtr<std::string> path();
/// A name without '/': the parts of a path are names.
TypePtr<std::string> name();
/// The path of a body or a fragment: names with '/' between them.
TypePtr<std::string> bodyPath();
/// Whether a single number may stand for three.
enum class Single { Refused, Allowed };
/// Three numbers, each in the range.
TypePtr<Vec3> vector3(const std::string& unit, const Range& range = {}, Single single = Single::Refused);
TypePtr<Int3> whole3(int min, int max);  // [x, y, z]; both ends allowed
/// [r, g, b] from 0 to 1, or "#rrggbb".
TypePtr<Vec3> colour();

/// Words that stand for the values of an enum.
struct ChoiceWords {
    std::vector<std::string> words;                            // as files have them
    std::string read(const Json& json, Reader& reader) const;  // empty when refused
    TypeInfo info() const;                                     // type of a field that takes one of them
};
/// An enum, as one word for each of its values.
template <class E>
class ChoiceType : public Type<E> {
public:
    /// A value that has no word is written as null.
    explicit ChoiceType(std::vector<std::pair<E, std::string>> choices) {
        for (auto& [value, word] : choices) {
            values_.push_back(value);
            words_.words.push_back(std::move(word));
        }
    }
    void read(const Json& json, E& value, Reader& reader) const override {
        const std::string word = words_.read(json, reader);
        for (size_t i = 0; i < values_.size(); ++i) {
            if (words_.words[i] == word) value = values_[i];
        }
    }
    Json write(const E& value, Writer&) const override {
        for (size_t i = 0; i < values_.size(); ++i) {
            if (values_[i] == value) return words_.words[i];
        }
        return nullptr;
    }
    TypeInfo info() const override { return words_.info(); }

private:
    std::vector<E> values_;
    ChoiceWords words_;
};
/// For a field that is an enum. Docs list the words in this order.
template <class E>
TypePtr<E> choice(std::vector<std::pair<E, std::string>> choices) {
    return std::make_shared<ChoiceType<E>>(std::move(choices));
}

inline constexpr size_t kMaxListed = 100000;  // entries of a list: more are better made by arrays

/// Type of a field that holds a list. `least`: how few entries it may have.
TypeInfo listInfo(const TypeInfo& item, size_t least);
/// A list, as an array of `least` to kMaxListed entries of one type.
template <class T>
class ListType : public Type<std::vector<T>> {
public:
    ListType(TypePtr<T> item, size_t least) : item_(std::move(item)), least_(least) {}  // fewer entries are refused
    void read(const Json& json, std::vector<T>& value, Reader& reader) const override {
        if (!json.is_array()) return reader.fail(json, "an array [...]");
        if (json.size() < least_ || json.size() > kMaxListed) {
            return reader.fail(
                json.size(), "a list of " + std::to_string(least_) + " to " + std::to_string(kMaxListed) + " entries");
        }
        value.assign(json.size(), T());
        for (size_t i = 0; i < json.size(); ++i) {
            const Reader::Below below(reader, i);
            readValue(*item_, json[i], value[i], reader);
        }
    }
    Json write(const std::vector<T>& value, Writer& writer) const override {
        Json json = Json::array();
        for (size_t i = 0; i < value.size(); ++i) {
            const Writer::Below below(writer, std::to_string(i));
            json.push_back(writeValue(*item_, value[i], writer));
        }
        return json;
    }
    TypeInfo info() const override { return listInfo(item_->info(), least_); }

private:
    TypePtr<T> item_;
    size_t least_;
};
/// For a field that is a list; fewer entries than `least` are refused.
template <class T>
TypePtr<std::vector<T>> listOf(TypePtr<T> item, size_t least = 0) {
    return std::make_shared<ListType<T>>(std::move(item), least);
}

/// Things by name, in the order of the file.
template <class T>
struct NamedList {
    std::vector<std::pair<std::string, T>> items;  // no name twice

    /// Null when there is none of that name. Looks through all of them.
    const T* find(const std::string& name) const {
        for (const auto& [key, value] : items) {
            if (key == name) return &value;
        }
        return nullptr;
    }
    /// In the order of the file.
    std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (const auto& item : items) list.push_back(item.first);
        return list;
    }
};

/// Type of a field that holds things by name.
TypeInfo namedInfo(const TypeInfo& item);
/// False, after saying so, when a key cannot be a name.
bool readName(const std::string& key, Reader& reader);
/// Things by name, as an object whose keys are names; see readName().
template <class T>
class NamedType : public Type<NamedList<T>> {
public:
    explicit NamedType(TypePtr<T> item) : item_(std::move(item)) {}  // the type of each thing
    void read(const Json& json, NamedList<T>& value, Reader& reader) const override {
        if (!json.is_object()) return reader.fail(json, "an object {\"name\": ...}");
        value.items.clear();
        for (const auto& entry : json.items()) {
            const Reader::Below below(reader, entry.key());
            if (!readName(entry.key(), reader)) continue;
            value.items.emplace_back(entry.key(), T());
            readValue(*item_, entry.value(), value.items.back().second, reader);
        }
    }
    Json write(const NamedList<T>& value, Writer& writer) const override {
        Json json = Json::object();
        for (const auto& [key, item] : value.items) {
            const Writer::Below below(writer, key);
            json[key] = writeValue(*item_, item, writer);
        }
        return json;
    }
    TypeInfo info() const override { return namedInfo(item_->info()); }

private:
    TypePtr<T> item_;
};
/// For a field that holds things by name.
template <class T>
TypePtr<NamedList<T>> namedListOf(TypePtr<T> item) {
    return std::make_shared<NamedType<T>>(std::move(item));
}

/// A number as people write it: 3, not 3.0.
Json numberJson(double value);
/// Finite numbers only; the reader is told otherwise.
std::optional<double> readNumber(const Json& json, const std::string& allowed, Reader& reader);
/// The schema that also takes a "$parameter".
Json orParameter(Json schema);

}  // namespace sunder::schema
