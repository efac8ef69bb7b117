#pragma once

#include <functional>
#include <variant>

#include "schema/types.h"

namespace sunder::schema {

/// What docs, editors and panels are told of a field.
struct FieldInfo {
    std::string key;        // as files, flags and panels have it
    std::string help;       // what it means, in a sentence
    TypeInfo type;          // which values it takes
    Json defaultValue;      // null: absent
    bool required = false;  // has no default
};

/// ... of an object with named fields.
struct RecordInfo {
    std::string name;               // "body"
    std::string help;               // what it describes, in a sentence
    std::string tagKey, tagValue;   // "method": "prescored" tells the alternatives of a variant apart; empty: none
    std::string shorthand;          // the field that may be given alone, without braces; empty: none
    std::vector<FieldInfo> fields;  // in the order they are read and written in

    /// Those an object may have: the tag, then the fields.
    std::vector<std::string> keys() const;
};

/// Refuses keys there are not; false when the JSON is not even an object.
bool checkKeys(const RecordInfo& record, const Json& json, Reader& reader);
/// Type of a field that holds such an object: a reference to its definition, and the shorthand beside it.
TypeInfo recordTypeInfo(const RecordInfo& record);

/// The fields of a struct. Adding a field is one line: all else comes from here.
template <class T>
class Record : public Type<T> {
public:
    /// `name`: of the definition, and what messages call the object. `help`: a sentence.
    Record(std::string name, std::string help) {
        info_.name = std::move(name);
        info_.help = std::move(help);
    }

    /// `member`: a pointer to member, or a function that gives a reference to it. Optional members are absent by
    /// default.
    template <class Member, class V>
    Record&& field(const std::string& key, Member member, const TypePtr<V>& type, const std::string& help) && {
        add<V>(key, member, type, help);
        return std::move(*this);
    }
    /// The last field has to be given.
    Record&& required() && {
        info_.fields.back().required = true;
        return std::move(*this);
    }
    /// This record is one of several; the key tells which.
    Record&& tag(std::string key, std::string value) && {
        info_.tagKey = std::move(key);
        info_.tagValue = std::move(value);
        return std::move(*this);
    }
    /// The value of one field may stand for the whole record.
    Record&& shorthand(std::string key) && {
        info_.shorthand = std::move(key);
        return std::move(*this);
    }
    /// Fields that come after the last one have, where they are absent, what this gives a record of which only the
    /// fields so far were read: "base" may stand for a set of values.
    Record&& basis(std::function<T(const T&)> basis) && {
        basis_ = std::move(basis);
        basisAfter_ = fields_.size();
        return std::move(*this);
    }
    /// Looks at what was read for things that do not go together. Given the JSON too: what was written wrongly has
    /// already been told and is not missing.
    Record&& check(std::function<void(const Json&, const T&, Reader&)> check) && {
        check_ = std::move(check);
        return std::move(*this);
    }

    const RecordInfo& recordInfo() const { return info_; }  // for docs and panels; lives as long as the record

    void read(const Json& json, T& value, Reader& reader) const override {
        if (!json.is_object() && !info_.shorthand.empty()) {
            for (size_t i = 0; i < fields_.size(); ++i) {
                if (info_.fields[i].key == info_.shorthand) fields_[i].read(json, value, reader);
            }
            return;
        }
        if (!checkKeys(info_, json, reader)) return;
        for (size_t i = 0; i < fields_.size(); ++i) {
            if (basis_ && i == basisAfter_) value = basis_(value);
            const auto given = json.find(info_.fields[i].key);
            if (given == json.end()) continue;
            const Reader::Below below(reader, info_.fields[i].key);
            fields_[i].read(*given, value, reader);
        }
        if (check_) check_(json, value, reader);
    }
    Json write(const T& value, Writer& writer) const override {
        Json json = Json::object();
        if (!info_.tagKey.empty()) json[info_.tagKey] = info_.tagValue;
        const T fresh = basis_ ? basis_(value) : T();
        for (size_t i = 0; i < fields_.size(); ++i) {
            const FieldInfo& field = info_.fields[i];
            const Writer::Below below(writer, field.key);
            Json written = fields_[i].write(value, writer);
            const bool bySet = basis_ && i >= basisAfter_;
            const Json usual = bySet ? defaultOf(fields_[i], fresh) : field.defaultValue;
            const bool isDefault = !field.required && written == usual && !writer.referencesBelow();
            if (written.is_null() || (isDefault && !writer.writesDefaults())) continue;
            json[field.key] = std::move(written);
        }
        const bool alone = json.size() == 1 && json.begin().key() == info_.shorthand;
        return alone && !json.begin()->is_object() ? Json(*json.begin()) : json;
    }
    TypeInfo info() const override { return recordTypeInfo(info_); }

private:
    struct Access {
        std::function<void(const Json&, T&, Reader&)> read;
        std::function<Json(const T&, Writer&)> write;
    };

    static Json defaultOf(const Access& access, const T& fresh) {
        const References none;
        const Json noParameters;
        Writer writer(none, noParameters, Writer::Defaults::LeftOut);
        return access.write(fresh, writer);
    }

    template <class V, class Member>
    void add(const std::string& key, Member member, const TypePtr<V>& type, const std::string& help) {
        // an optional field is read into what it has, or into a fresh value; when it has none, nothing is written
        using Stored = std::remove_cvref_t<std::invoke_result_t<Member, T&>>;
        Access access;
        if constexpr (std::is_same_v<Stored, std::optional<V>>) {
            access.read = [=](const Json& json, T& value, Reader& reader) {
                V given = std::invoke(member, value).value_or(V());
                readValue(*type, json, given, reader);
                std::invoke(member, value) = std::move(given);
            };
            access.write = [=](const T& value, Writer& writer) {
                const std::optional<V>& stored = std::invoke(member, value);
                return stored ? writeValue(*type, *stored, writer) : Json(nullptr);
            };
        } else {
            access.read = [=](const Json& json, T& value, Reader& reader) {
                readValue(*type, json, std::invoke(member, value), reader);
            };
            access.write = [=](const T& value, Writer& writer) {
                return writeValue<V>(*type, std::invoke(member, value), writer);
            };
        }
        // what a fresh record has is the default that the schema tells
        info_.fields.push_back(
            {.key = key, .help = help, .type = type->info(), .defaultValue = defaultOf(access, T())});
        fields_.push_back(std::move(access));
    }

    RecordInfo info_;
    std::vector<Access> fields_;
    std::function<T(const T&)> basis_;
    size_t basisAfter_ = 0;
    std::function<void(const Json&, const T&, Reader&)> check_;
};

/// Names a type where there is no value of it yet.
template <class T>
struct Of {};

/// The description of a struct. The module that owns the struct defines, in the struct's namespace,
/// `const schema::Record<T>& recordFor(schema::Of<T>)`; this finds it.
template <class T>
const Record<T>& recordOf() {
    return recordFor(Of<T>{});
}

/// The first mistake as one sentence, "pieces: must be ..."; empty when there is none.
std::string firstProblem(const Issues& issues);

/// What is wrong with a value that a program made, by the ranges and checks of its record; empty when nothing is.
template <class T>
std::string problemIn(const T& value) {
    const References none;
    const Json noParameters;
    Writer writer(none, noParameters, Writer::Defaults::Written);
    const Json json = recordOf<T>().write(value, writer);
    Issues issues;
    Reader reader(issues, noParameters);
    T copy = value;  // members that no file has stay, for the checks to see
    recordOf<T>().read(json, copy, reader);
    return firstProblem(issues);
}

/// A record as the type of a field.
template <class T>
class RecordType : public Type<T> {
public:
    void read(const Json& json, T& value, Reader& reader) const override { recordOf<T>().read(json, value, reader); }
    Json write(const T& value, Writer& writer) const override { return recordOf<T>().write(value, writer); }
    TypeInfo info() const override { return recordOf<T>().info(); }
};
/// For a field that is a struct with a record of its own.
template <class T>
TypePtr<T> record() {
    return std::make_shared<RecordType<T>>();
}

/// Which alternative an object is, by its tag; empty when refused.
std::string readTag(const std::vector<const RecordInfo*>& alternatives, const Json& json, Reader& reader);
/// Type of a field that holds one of these.
TypeInfo variantInfo(const std::vector<const RecordInfo*>& alternatives);

/// One of several records, told apart by a tag. An alternative is added by adding it to the std::variant.
template <class... Ts>
class VariantType : public Type<std::variant<Ts...>> {
public:
    using Value = std::variant<Ts...>;  // what the field holds

    void read(const Json& json, Value& value, Reader& reader) const override {
        const std::string tag = readTag(alternatives(), json, reader);
        if (!tag.empty()) (readIf<Ts>(tag, json, value, reader), ...);
    }
    Json write(const Value& value, Writer& writer) const override {
        return std::visit(
            [&](const auto& alternative) {
                return recordOf<std::remove_cvref_t<decltype(alternative)>>().write(alternative, writer);
            },
            value);
    }
    TypeInfo info() const override { return variantInfo(alternatives()); }

private:
    static std::vector<const RecordInfo*> alternatives() { return {&recordOf<Ts>().recordInfo()...}; }
    template <class T>
    static void readIf(const std::string& tag, const Json& json, Value& value, Reader& reader) {
        if (recordOf<T>().recordInfo().tagValue != tag) return;
        T read;
        recordOf<T>().read(json, read, reader);
        value = std::move(read);
    }
};
/// The VariantType for a std::variant: its member `type`.
template <class Variant>
struct VariantTypeOf;
/// Nothing but a std::variant has one.
template <class... Ts>
struct VariantTypeOf<std::variant<Ts...>> {
    using type = VariantType<Ts...>;  // for variantOf()
};
/// For a field that is a std::variant of structs, each with a record that has a tag of its own.
template <class Variant>
TypePtr<Variant> variantOf() {
    return std::make_shared<typename VariantTypeOf<Variant>::type>();
}

}  // namespace sunder::schema
