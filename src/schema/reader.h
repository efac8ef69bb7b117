#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "schema/issues.h"
#include "schema/json.h"

namespace sunder::schema {

/// Which values of a file were given as "$parameter": JSON pointer -> name.
using References = std::map<std::string, std::string>;

/// The name in "$wall.pieces" or {"$": "wall.pieces"}.
std::optional<std::string> referenceIn(const Json& json);

/// Where in the file reading is, what went wrong so far, and what the parameters are.
class Reader {
public:
    /// `parameters`: an object, or null when there are none.
    Reader(Issues& issues, const Json& parameters) : issues_(issues), parameters_(parameters) {}

    /// "must be `allowed`, found `found`" + hint, at this place. A hint begins with "; ".
    void fail(const Json& found, const std::string& allowed, const std::string& hint = {});
    /// A sentence of its own.
    void say(const std::string& sentence, const Json& found = nullptr, const std::string& allowed = {});
    /// An unknown word where one of a list is wanted.
    void failUnknown(const std::string& what, const std::string& word, const std::vector<std::string>& known);

    const std::string& pointer() const { return pointer_; }  // of the place where reading is; empty: the whole file
    const References& references() const { return references_; }           // those read so far
    const std::set<std::string>& usedParameters() const { return used_; }  // names; the others are of no use

    /// Goes down to a key or index for as long as it lives.
    class Below {
    public:
        Below(Reader& reader, std::string_view key);  // of an object
        Below(Reader& reader, size_t index);          // of an array
        ~Below();
        Below(const Below&) = delete;
        Below& operator=(const Below&) = delete;

    private:
        Reader& reader_;
        size_t length_;
    };

    /// Reads with the value that a reference stands for, or with the JSON itself.
    template <class Read>
    void resolved(const Json& json, const Read& read) {
        const std::optional<std::string> name = referenceIn(json);
        if (!name) return read(json);
        const Json* value = follow(*name, json);
        if (value == nullptr) return;
        source_ = *name;
        read(*value);
        source_.clear();
    }

private:
    const Json* follow(const std::string& name, const Json& json);

    Issues& issues_;
    const Json& parameters_;
    std::string pointer_;
    std::string source_;  // the parameter being read; empty: the file itself
    References references_;
    std::set<std::string> used_;
};

/// Where in the file writing is, and what was given by parameters there.
class Writer {
public:
    /// Written: every field, with the value of a parameter in place of its name. LeftOut: as people write files.
    enum class Defaults { LeftOut, Written };

    /// References and parameters outlive the writer.
    Writer(const References& references, const Json& parameters, Defaults defaults)
        : references_(references), parameters_(parameters), defaults_(defaults) {}

    bool writesDefaults() const { return defaults_ == Defaults::Written; }  // and values in place of parameters' names
    /// Something at this place or below was given by a parameter.
    bool referencesBelow() const;
    /// The parameter given exactly here, with its value; null when there is none.
    struct Reference {
        std::string name;             // without the $
        const Json* value = nullptr;  // into the parameters
    };
    /// Given exactly here, not below: see referencesBelow().
    Reference reference() const;

    /// Goes down to a key for as long as it lives. An index goes as a number in text.
    class Below {
    public:
        Below(Writer& writer, std::string_view key);  // of an object or an array
        ~Below();
        Below(const Below&) = delete;
        Below& operator=(const Below&) = delete;

    private:
        Writer& writer_;
        size_t length_;
    };

private:
    const References& references_;
    const Json& parameters_;
    Defaults defaults_;
    std::string pointer_;
};

}  // namespace sunder::schema
