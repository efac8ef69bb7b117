#include "schema/types.h"

#include <cstdlib>

#include <fmt/format.h>

#include "schema/json_text.h"

namespace sunder::schema {

namespace {

std::string withUnit(const std::string& words, const std::string& unit) {
    return unit.empty() ? words : words + ", " + unit;
}

Json rangeSchema(const char* type, const Range& range) {
    Json schema{{"type", type}};
    const Range open;
    if (range.min > open.min) schema[range.aboveMin ? "exclusiveMinimum" : "minimum"] = numberJson(range.min);
    if (range.max < open.max) schema["maximum"] = numberJson(range.max);
    return schema;
}

class BooleanType : public Type<bool> {
public:
    void read(const Json& json, bool& value, Reader& reader) const override {
        if (!json.is_boolean()) return reader.fail(json, "true or false");
        value = json.get<bool>();
    }
    Json write(const bool& value, Writer&) const override { return value; }
    TypeInfo info() const override { return {orParameter({{"type", "boolean"}}), "true or false", {}, {}}; }
};

class NumberType : public Type<double> {
public:
    NumberType(const Range& range, std::string unit) : range_(range), unit_(std::move(unit)) {}
    void read(const Json& json, double& value, Reader& reader) const override {
        const std::string allowed = std::string(range_.whole ? "a whole number" : "a number") +
                                    (range_.words().empty() ? "" : " " + range_.words()) +
                                    (unit_.empty() ? "" : " (" + unit_ + ")");
        const std::optional<double> given = readNumber(json, allowed, reader);
        if (!given) return;
        if (!range_.contains(*given)) return reader.fail(json, allowed);
        value = *given;
    }
    Json write(const double& value, Writer&) const override { return numberJson(value); }
    TypeInfo info() const override {
        Json schema = rangeSchema(range_.whole ? "integer" : "number", range_);
        if (!unit_.empty()) schema["x-unit"] = unit_;
        return {orParameter(schema), withUnit(range_.whole ? "whole number" : "number", unit_), range_.words(), {}};
    }

private:
    Range range_;
    std::string unit_;
};

class WholeType : public Type<int> {
public:
    WholeType(int min, int max, std::string unit) : min_(min), max_(max), unit_(std::move(unit)) {}
    void read(const Json& json, int& value, Reader& reader) const override {
        const std::string allowed =
            fmt::format("a whole number from {} to {}{}", min_, max_, unit_.empty() ? "" : " (" + unit_ + ")");
        const std::optional<double> given = readNumber(json, allowed, reader);
        if (!given) return;
        if (*given < min_ || *given > max_ || *given != std::floor(*given)) return reader.fail(json, allowed);
        value = static_cast<int>(*given);
    }
    Json write(const int& value, Writer&) const override { return value; }
    TypeInfo info() const override {
        Json schema{{"type", "integer"}, {"minimum", min_}, {"maximum", max_}};
        if (!unit_.empty()) schema["x-unit"] = unit_;
        return {orParameter(schema), withUnit("whole number", unit_), fmt::format("{} to {}", min_, max_), {}};
    }

private:
    int min_, max_;
    std::string unit_;
};

constexpr double kLargestSeed = 9007199254740991;  // 2^53 - 1: what JSON readers everywhere keep exactly

class SeedType : public Type<uint64_t> {
public:
    void read(const Json& json, uint64_t& value, Reader& reader) const override {
        const std::string allowed = fmt::format("a whole number from 0 to {:.0f}", kLargestSeed);
        const std::optional<double> given = readNumber(json, allowed, reader);
        if (!given) return;
        if (*given < 0 || *given > kLargestSeed || *given != std::floor(*given)) return reader.fail(json, allowed);
        value = static_cast<uint64_t>(*given);
    }
    Json write(const uint64_t& value, Writer&) const override { return value; }
    TypeInfo info() const override {
        return {orParameter({{"type", "integer"}, {"minimum", 0}, {"maximum", static_cast<int64_t>(kLargestSeed)}}),
                "whole number",
                "0 to 2^53 - 1",
                {}};
    }
};

class TextType : public Type<std::string> {
public:
    explicit TextType(size_t longest) : longest_(longest) {}
    void read(const Json& json, std::string& value, Reader& reader) const override {
        if (!json.is_string()) return reader.fail(json, "text in quotes");
        if (json.get_ref<const std::string&>().size() > longest_) {
            return reader.fail(json, fmt::format("text of at most {} bytes", longest_));
        }
        value = json.get<std::string>();
    }
    Json write(const std::string& value, Writer&) const override { return value; }
    TypeInfo info() const override { return {{{"type", "string"}}, "text", {}, {}}; }

private:
    size_t longest_;
};

class PathType : public TextType {
public:
    PathType() : TextType(4096) {}
    void read(const Json& json, std::string& value, Reader& reader) const override {
        if (json.is_string() && json.get_ref<const std::string&>().empty())
            return reader.fail(json, "the path of a file");
        TextType::read(json, value, reader);
    }
    TypeInfo info() const override { return {{{"type", "string"}, {"minLength", 1}}, "path", {}, {}}; }
};

class BodyPathType : public TextType {
public:
    BodyPathType() : TextType(4096) {}
    void read(const Json& json, std::string& value, Reader& reader) const override {
        if (!json.is_string() || json.get_ref<const std::string&>().empty())
            return reader.fail(json, "the name of a body, as \"wall\", or of a fragment, as \"wall/p3\"");
        TextType::read(json, value, reader);
    }
    TypeInfo info() const override { return {{{"type", "string"}, {"minLength", 1}}, "name of a body", {}, {}}; }
};

class NameType : public Type<std::string> {
public:
    void read(const Json& json, std::string& value, Reader& reader) const override {
        if (!json.is_string()) return reader.fail(json, "a name in quotes");
        if (readName(json.get<std::string>(), reader)) value = json.get<std::string>();
    }
    Json write(const std::string& value, Writer&) const override { return value; }
    TypeInfo info() const override { return {{{"type", "string"}, {"minLength", 1}}, "name", {}, {}}; }
};

/// Three values in brackets, each of the item's type.
template <class Item, class Triple>
void readThree(const Type<Item>& item, const Json& json, Triple& value, Reader& reader) {
    for (int i = 0; i < 3; ++i) {
        const Reader::Below below(reader, static_cast<size_t>(i));
        readValue(item, json[static_cast<size_t>(i)], value[i], reader);
    }
}
template <class Item, class Triple>
Json writeThree(const Type<Item>& item, const Triple& value, Writer& writer) {
    Json json = Json::array();
    for (int i = 0; i < 3; ++i) {
        const Writer::Below below(writer, std::to_string(i));
        json.push_back(writeValue(item, value[i], writer));
    }
    return json;
}

class Vector3Type : public Type<Vec3> {
public:
    Vector3Type(std::string unit, const Range& range, Single single)
        : item_(number(range, unit)), unit_(std::move(unit)), range_(range), single_(single) {}
    void read(const Json& json, Vec3& value, Reader& reader) const override {
        if (single_ == Single::Allowed && !json.is_array()) {
            double same = value.x();
            item_->read(json, same, reader);
            value.setConstant(same);
            return;
        }
        if (!json.is_array() || json.size() != 3) {
            return reader.fail(json, "three numbers [x, y, z]" + (unit_.empty() ? "" : " (" + unit_ + ")"));
        }
        readThree(*item_, json, value, reader);
    }
    Json write(const Vec3& value, Writer& writer) const override { return writeThree(*item_, value, writer); }
    TypeInfo info() const override {
        Json schema{{"type", "array"}, {"items", item_->info().schema}, {"minItems", 3}, {"maxItems", 3}};
        if (single_ == Single::Allowed) schema = {{"anyOf", Json::array({item_->info().schema, schema})}};
        if (!unit_.empty()) schema["x-unit"] = unit_;
        return {orParameter(schema),
                withUnit(single_ == Single::Allowed ? "number or [x, y, z]" : "[x, y, z]", unit_),
                range_.words(),
                {}};
    }

private:
    TypePtr<double> item_;
    std::string unit_;
    Range range_;
    Single single_;
};

class Whole3Type : public Type<Int3> {
public:
    Whole3Type(int min, int max) : item_(whole(min, max)) {}
    void read(const Json& json, Int3& value, Reader& reader) const override {
        if (!json.is_array() || json.size() != 3) return reader.fail(json, "three whole numbers [x, y, z]");
        readThree(*item_, json, value, reader);
    }
    Json write(const Int3& value, Writer& writer) const override { return writeThree(*item_, value, writer); }
    TypeInfo info() const override {
        return {orParameter({{"type", "array"}, {"items", item_->info().schema}, {"minItems", 3}, {"maxItems", 3}}),
                "[x, y, z], whole",
                item_->info().allowed,
                {}};
    }

private:
    TypePtr<int> item_;
};

/// 0 to 15, or -1.
int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

class ColourType : public Type<Vec3> {
public:
    void read(const Json& json, Vec3& value, Reader& reader) const override {
        constexpr const char* kAllowed = "a colour, as \"#rrggbb\" or [r, g, b] from 0 to 1";
        if (!json.is_string()) {
            if (!json.is_array() || json.size() != 3) return reader.fail(json, kAllowed);
            return parts_->read(json, value, reader);
        }
        const std::string& text = json.get_ref<const std::string&>();
        bool good = text.size() == 7 && text[0] == '#';
        for (size_t i = 1; good && i < 7; ++i) good = hexDigit(text[i]) >= 0;
        if (!good) return reader.fail(json, kAllowed);
        for (size_t i = 0; i < 3; ++i) {
            value[static_cast<int>(i)] = (16 * hexDigit(text[1 + 2 * i]) + hexDigit(text[2 + 2 * i])) / 255.0;
        }
    }
    /// As hex where that is exact, so that what was read is written.
    Json write(const Vec3& value, Writer& writer) const override {
        std::string hex = "#";
        for (int i = 0; i < 3; ++i) {
            const double level = std::round(255 * value[i]);
            if (level / 255.0 != value[i]) return parts_->write(value, writer);
            hex += fmt::format("{:02x}", static_cast<int>(level));
        }
        return hex;
    }
    TypeInfo info() const override {
        return {
            {{"anyOf", Json::array({{{"type", "string"}, {"pattern", "^#[0-9a-fA-F]{6}$"}}, parts_->info().schema})},
             {"x-type", "colour"}},
            "colour",
            "\"#rrggbb\" or [r, g, b] from 0 to 1",
            {}};
    }

private:
    TypePtr<Vec3> parts_ = vector3("", {0, 1});
};

}  // namespace

std::string Range::words() const {
    const Range open;
    const bool low = min > open.min, high = max < open.max;
    if (low && aboveMin) return fmt::format("above {:g}", min) + (high ? fmt::format(", up to {:g}", max) : "");
    if (low && high) return fmt::format("from {:g} to {:g}", min, max);
    if (low) return fmt::format("from {:g}", min);
    return high ? fmt::format("up to {:g}", max) : "";
}

TypePtr<bool> boolean() { return std::make_shared<BooleanType>(); }
TypePtr<double> number(const Range& range, const std::string& unit) {
    return std::make_shared<NumberType>(range, unit);
}
TypePtr<int> whole(int min, int max, const std::string& unit) { return std::make_shared<WholeType>(min, max, unit); }
TypePtr<uint64_t> seedNumber() { return std::make_shared<SeedType>(); }
TypePtr<std::string> text(size_t longest) { return std::make_shared<TextType>(longest); }
TypePtr<std::string> path() { return std::make_shared<PathType>(); }
TypePtr<std::string> name() { return std::make_shared<NameType>(); }
TypePtr<std::string> bodyPath() { return std::make_shared<BodyPathType>(); }
TypePtr<Vec3> vector3(const std::string& unit, const Range& range, Single single) {
    return std::make_shared<Vector3Type>(unit, range, single);
}
TypePtr<Int3> whole3(int min, int max) { return std::make_shared<Whole3Type>(min, max); }
TypePtr<Vec3> colour() { return std::make_shared<ColourType>(); }

std::string ChoiceWords::read(const Json& json, Reader& reader) const {
    std::string allowed = "one of ";
    for (size_t i = 0; i < words.size(); ++i) allowed += (i ? ", \"" : "\"") + words[i] + "\"";
    if (!json.is_string()) {
        reader.fail(json, allowed);
        return {};
    }
    const std::string word = json.get<std::string>();
    for (const std::string& known : words) {
        if (known == word) return word;
    }
    reader.failUnknown("value", word, words);
    return {};
}

TypeInfo ChoiceWords::info() const {
    std::string list;
    for (size_t i = 0; i < words.size(); ++i) list += (i ? ", " : "") + words[i];
    return {orParameter({{"enum", words}}), "word", list, {}};
}

TypeInfo listInfo(const TypeInfo& item, size_t least) {
    Json schema{{"type", "array"}, {"items", item.schema}, {"maxItems", kMaxListed}};
    if (least > 0) schema["minItems"] = least;
    return {schema, "list of " + item.words, least > 0 ? fmt::format("{} or more", least) : "", item.records};
}

TypeInfo namedInfo(const TypeInfo& item) {
    return {{{"type", "object"}, {"additionalProperties", item.schema}}, item.words + " by name", {}, item.records};
}

bool readName(const std::string& key, Reader& reader) {
    constexpr size_t kLongest = 200;
    bool good = !key.empty() && key.size() <= kLongest && key[0] != '$';
    for (const char c : key) good = good && c != '/' && static_cast<unsigned char>(c) >= ' ' && c != 127;
    if (!good) {
        reader.fail(key, fmt::format("a name of 1 to {} bytes without '/' (it parts the names of members), control "
                                     "characters or a leading '$'",
                                     kLongest));
    }
    return good;
}

Json numberJson(double value) {
    constexpr double kWhole = 1e15;
    if (std::abs(value) < kWhole && value == std::floor(value)) return static_cast<int64_t>(value);
    return value;
}

std::optional<double> readNumber(const Json& json, const std::string& allowed, Reader& reader) {
    if (!json.is_number()) {
        const bool quoted = json.is_string() && !json.get_ref<const std::string&>().empty() && [&] {
            char* end = nullptr;
            std::strtod(json.get_ref<const std::string&>().c_str(), &end);
            return *end == '\0';
        }();
        reader.fail(json, allowed, quoted ? "; leave the quotes away" : "");
        return std::nullopt;
    }
    const double value = json.get<double>();
    if (std::isfinite(value)) return value;
    reader.fail(json, allowed);
    return std::nullopt;
}

Json orParameter(Json schema) { return {{"anyOf", Json::array({std::move(schema), {{"$ref", "#/$defs/parameter"}}})}}; }

}  // namespace sunder::schema
