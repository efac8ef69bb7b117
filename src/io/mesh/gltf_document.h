#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "io/files/source.h"

namespace sunder {

/// A value in the JSON part of a file and the pointer that names it in messages.
struct GltfNode {
    const nlohmann::json* value = nullptr;
    std::string pointer;
};

/// The numbers of an accessor, one element after the other.
struct GltfNumbers {
    size_t components = 1;
    std::vector<double> values;
    size_t count() const { return values.size() / components; }
};

/// The parts of a glTF file: its JSON with checked access, and the numbers its accessors describe. Nothing is believed:
/// every index, offset and count is checked against what is there, and no file can make it hold more than a fixed
/// multiple of its own size.
class GltfDocument {
public:
    /// `chunk` is the binary chunk of a .glb, if any.
    GltfDocument(const Source& source, std::string_view jsonText, std::string_view chunk);

    GltfNode root() const { return {&json_, ""}; }
    /// Member of an object; nothing if it is absent.
    std::optional<GltfNode> find(const GltfNode& object, const char* key) const;
    GltfNode member(const GltfNode& object, const char* key) const;
    /// The elements of a member that is an array; none if it is absent.
    std::vector<GltfNode> list(const GltfNode& object, const char* key) const;
    /// Element number `index` of a list at the top of the file ("meshes").
    GltfNode entry(const char* list, size_t index, const std::string& from) const;
    size_t entryCount(const char* list) const;

    size_t asIndex(const GltfNode& value) const;
    std::optional<size_t> findIndex(const GltfNode& object, const char* key) const;
    double asNumber(const GltfNode& value) const;
    std::vector<double> asNumbers(const GltfNode& array, size_t count) const;
    std::optional<std::string> findString(const GltfNode& object, const char* key) const;

    /// An accessor as real numbers; normalised integers are mapped to [0, 1] or [-1, 1]. Kept for the next time.
    const GltfNumbers& numbers(size_t accessor, size_t components, const std::string& from);
    /// An accessor of whole numbers. Kept too.
    const std::vector<uint32_t>& indices(size_t accessor, const std::string& from);

    /// Counts what a scene makes of the file, and refuses when that is out of all proportion.
    void spend(size_t elements, const std::string& pointer);

    InputError error(const std::string& pointer, const std::string& message) const;

private:
    /// A run of equally spaced elements in a buffer.
    struct Run {
        std::string_view bytes;  // from the first element on
        size_t stride = 0;
    };

    void checkVersionAndExtensions() const;
    std::string_view buffer(size_t index, const std::string& from);
    std::string loadBuffer(const std::string& uri, size_t length, const std::string& pointer) const;
    Run run(const GltfNode& holder, size_t count, size_t elementBytes);
    void readSparse(const GltfNode& sparse, int componentType, bool normalized, GltfNumbers& numbers);
    std::vector<uint32_t> readWhole(const Run& run, int componentType, size_t count) const;

    const Source& source_;
    nlohmann::json json_;
    std::string_view chunk_;
    std::map<size_t, std::string> loaded_;
    std::map<size_t, GltfNumbers> numbers_;
    std::map<size_t, std::vector<uint32_t>> indices_;
    size_t bytes_ = 0;    // of the file and the buffers it names
    size_t decoded_ = 0;  // numbers held
    size_t spent_ = 0;
};

}  // namespace sunder
