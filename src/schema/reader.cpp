#include "schema/reader.h"

#include "base/suggest.h"
#include "schema/json_text.h"

namespace sunder::schema {

std::optional<std::string> referenceIn(const Json& json) {
    if (json.is_string()) {
        const std::string& text = json.get_ref<const std::string&>();
        if (text.size() > 1 && text[0] == '$') return text.substr(1);
    }
    if (json.is_object() && json.size() == 1 && json.begin().key() == "$" && json.begin()->is_string()) {
        return json.begin()->get<std::string>();
    }
    return std::nullopt;
}

void Reader::fail(const Json& found, const std::string& allowed, const std::string& hint) {
    say("must be " + allowed + ", found " + shown(found) + hint, found, allowed);
}

void Reader::say(const std::string& sentence, const Json& found, const std::string& allowed) {
    const std::string origin = source_.empty() ? "" : " (the value of parameter '" + source_ + "')";
    issues_.add({.pointer = pointer_,
                 .message = sentence + origin,
                 .found = found.is_null() ? "" : shown(found),
                 .allowed = allowed});
}

void Reader::failUnknown(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
    std::string allowed = "one of ";
    for (size_t i = 0; i < known.size(); ++i) allowed += (i ? ", " : "") + known[i];
    say("unknown " + what + " " + shown(word) + suggestion(word, known), word, allowed);
}

const Json* Reader::follow(const std::string& name, const Json& json) {
    std::vector<std::string> known;
    if (parameters_.is_object()) {
        for (const auto& item : parameters_.items()) known.push_back(item.key());
    }
    if (!source_.empty()) {
        say("a parameter may not refer to another one, found " + shown(json) + "; give it a value", json, "a value");
        return nullptr;
    }
    if (!parameters_.is_object() || !parameters_.contains(name)) {
        failUnknown("parameter", name, known);
        return nullptr;
    }
    used_.insert(name);
    references_[pointer_] = name;
    return &parameters_[name];
}

Reader::Below::Below(Reader& reader, std::string_view key) : reader_(reader), length_(reader.pointer_.size()) {
    reader.pointer_ = below(reader.pointer_, key);
}
Reader::Below::Below(Reader& reader, size_t index) : Below(reader, std::to_string(index)) {}
Reader::Below::~Below() { reader_.pointer_.resize(length_); }

bool Writer::referencesBelow() const {
    if (references_.contains(pointer_)) return true;
    const auto next = references_.lower_bound(pointer_ + "/");
    return next != references_.end() && next->first.starts_with(pointer_ + "/");
}

Writer::Reference Writer::reference() const {
    const auto at = references_.find(pointer_);
    if (at == references_.end() || !parameters_.is_object() || !parameters_.contains(at->second)) return {};
    return {at->second, &parameters_[at->second]};
}

Writer::Below::Below(Writer& writer, std::string_view key) : writer_(writer), length_(writer.pointer_.size()) {
    writer.pointer_ = below(writer.pointer_, key);
}
Writer::Below::~Below() { writer_.pointer_.resize(length_); }

}  // namespace sunder::schema
