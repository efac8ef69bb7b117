#include "io/mesh/gltf_document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/base64.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"
#include "schema/json_text.h"

namespace sunder {

namespace {

using nlohmann::json;

constexpr size_t kLargestIndex = size_t{1} << 40;  // so that sums of a few never overflow
constexpr size_t kFreeElements = 1000000;
constexpr size_t kNumbersPerByte = 16;
constexpr size_t kElementsPerByte = 64;

enum ComponentType { kByte = 5120, kUByte = 5121, kShort = 5122, kUShort = 5123, kUInt = 5125, kFloat = 5126 };

/// 0 for a type that the format does not have.
size_t componentBytes(int type) {
    switch (type) {
        case kByte:
        case kUByte:
            return 1;
        case kShort:
        case kUShort:
            return 2;
        case kUInt:
        case kFloat:
            return 4;
        default:
            return 0;
    }
}

double loadComponent(std::string_view bytes, size_t at, int type, bool normalized) {
    // normalized integers stand for 0 to 1 or -1 to 1; the least signed one is clamped, as the format asks
    switch (type) {
        case kByte: {
            const double value = loadAs<int8_t>(bytes, at);
            return normalized ? std::max(value / 127, -1.0) : value;
        }
        case kUByte:
            return loadAs<uint8_t>(bytes, at) / (normalized ? 255.0 : 1.0);
        case kShort: {
            const double value = loadAs<int16_t>(bytes, at);
            return normalized ? std::max(value / 32767, -1.0) : value;
        }
        case kUShort:
            return loadAs<uint16_t>(bytes, at) / (normalized ? 65535.0 : 1.0);
        case kUInt:
            return loadAs<uint32_t>(bytes, at);
        default:
            return loadAs<float>(bytes, at);
    }
}

/// Extensions that change looks only, or that the reader honours.
bool isHarmlessExtension(std::string_view name) {
    constexpr std::array<std::string_view, 9> kStarts = {
        "KHR_materials_", "KHR_texture_",   "KHR_lights_",           "EXT_texture_",       "EXT_lights_",
        "KHR_xmp",        "KHR_animation_", "KHR_mesh_quantization", "KHR_node_visibility"};
    return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) { return name.starts_with(start); });
}

/// %20 and the like; what is no such code stays as it is.
std::string decodePercent(std::string_view uri) {
    const auto digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
    };
    std::string result;
    for (size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
            result += static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
            i += 2;
        } else {
            result += uri[i];
        }
    }
    return result;
}

}  // namespace

GltfDocument::GltfDocument(const Source& source, std::string_view jsonText, std::string_view chunk)
    : source_(source), chunk_(chunk), bytes_(source.bytes.size()) {
    try {
        json_ = schema::jsonOf<json>(jsonText);
    } catch (const schema::BadJson& problem) {
        const size_t start = static_cast<size_t>(jsonText.data() - source.bytes.data());
        throw errorAtByte(source, start + problem.byte, fmt::format("the JSON part is damaged: {}", problem.what()));
    }
    if (!json_.is_object()) throw errorInFile(source, "the JSON part is no object; is this a glTF file?");
    checkVersionAndExtensions();
}

void GltfDocument::checkVersionAndExtensions() const {
    const std::optional<GltfNode> asset = find(root(), "asset");
    const std::optional<std::string> version = asset ? findString(*asset, "version") : std::nullopt;
    if (!version || !version->starts_with("2.")) {
        throw error("/asset/version", fmt::format("{}; only glTF 2.x can be read: export again as glTF 2.0",
                                                  version ? "is " + inQuotes(*version) : "is missing"));
    }
    for (const GltfNode& extension : list(root(), "extensionsRequired")) {
        if (!extension.value->is_string()) throw error(extension.pointer, "is no string");
        const std::string name = extension.value->get<std::string>();
        if (isHarmlessExtension(name)) continue;
        throw error(extension.pointer, fmt::format("the file requires the extension {}, which cannot be read; export "
                                                   "again without it (for Draco or meshopt: without compression)",
                                                   inQuotes(name)));
    }
}

InputError GltfDocument::error(const std::string& pointer, const std::string& message) const {
    return InputError(fmt::format("{}: {}", source_.name, pointer.empty() ? "/" : pointer), message);
}

std::optional<GltfNode> GltfDocument::find(const GltfNode& object, const char* key) const {
    if (!object.value->is_object()) throw error(object.pointer, "is no object, but should be one");
    const auto found = object.value->find(key);
    if (found == object.value->end()) return std::nullopt;
    return GltfNode{&*found, object.pointer + "/" + key};
}

GltfNode GltfDocument::member(const GltfNode& object, const char* key) const {
    std::optional<GltfNode> found = find(object, key);
    if (!found) throw error(object.pointer, fmt::format("lacks {}", inQuotes(key)));
    return *std::move(found);
}

std::vector<GltfNode> GltfDocument::list(const GltfNode& object, const char* key) const {
    const std::optional<GltfNode> array = find(object, key);
    if (!array) return {};
    if (!array->value->is_array()) throw error(array->pointer, "is no array, but should be one");
    std::vector<GltfNode> result;
    for (const json& value : *array->value) {
        result.push_back({&value, fmt::format("{}/{}", array->pointer, result.size())});
    }
    return result;
}

size_t GltfDocument::entryCount(const char* list) const {
    const auto found = json_.find(list);
    return found != json_.end() && found->is_array() ? found->size() : 0;
}

GltfNode GltfDocument::entry(const char* list, size_t index, const std::string& from) const {
    const size_t count = entryCount(list);
    if (index >= count) {
        throw error(from, fmt::format("names number {} of '{}', but there are only {}", index, list, count));
    }
    return {&(*json_.find(list))[index], fmt::format("/{}/{}", list, index)};
}

size_t GltfDocument::asIndex(const GltfNode& value) const {
    const double number = value.value->is_number() ? value.value->get<double>() : -1;
    if (!(number >= 0) || number != std::floor(number) || number > static_cast<double>(kLargestIndex)) {
        throw error(value.pointer,
                    fmt::format("is {}; a whole number from 0 on is expected",
                                inQuotes(value.value->dump(-1, ' ', true, json::error_handler_t::replace))));
    }
    return static_cast<size_t>(number);
}

std::optional<size_t> GltfDocument::findIndex(const GltfNode& object, const char* key) const {
    const std::optional<GltfNode> found = find(object, key);
    return found ? std::optional(asIndex(*found)) : std::nullopt;
}

double GltfDocument::asNumber(const GltfNode& value) const {
    if (!value.value->is_number()) throw error(value.pointer, "is no number, but should be one");
    const double number = value.value->get<double>();
    if (!std::isfinite(number)) throw error(value.pointer, "is a non-finite number; only finite ones are allowed");
    return number;
}

std::vector<double> GltfDocument::asNumbers(const GltfNode& array, size_t count) const {
    if (!array.value->is_array() || array.value->size() != count) {
        throw error(array.pointer, fmt::format("should be an array of {} numbers", count));
    }
    std::vector<double> result;
    for (const json& value : *array.value) result.push_back(asNumber({&value, array.pointer}));
    return result;
}

std::optional<std::string> GltfDocument::findString(const GltfNode& object, const char* key) const {
    const std::optional<GltfNode> found = find(object, key);
    if (!found || !found->value->is_string()) return std::nullopt;
    return found->value->get<std::string>();
}

void GltfDocument::spend(size_t elements, const std::string& pointer) {
    const size_t most = kFreeElements + kElementsPerByte * bytes_;
    spent_ += std::min(elements, most + 1);
    if (spent_ > most) {
        throw error(pointer,
                    fmt::format("the scene repeats its meshes into more than {} vertices and triangles, out of all "
                                "proportion to the file; export it with fewer copies",
                                most));
    }
}

std::string_view GltfDocument::buffer(size_t index, const std::string& from) {
    // bytes of a URI are loaded once and kept; the binary chunk can only be buffer 0
    const GltfNode node = entry("buffers", index, from);
    const size_t length = asIndex(member(node, "byteLength"));
    const std::optional<std::string> uri = findString(node, "uri");
    std::string_view bytes = chunk_;
    if (uri) {
        auto known = loaded_.find(index);
        if (known == loaded_.end()) {
            known = loaded_.emplace(index, loadBuffer(*uri, length, node.pointer)).first;
            bytes_ += known->second.size();
        }
        bytes = known->second;
    } else if (index != 0 || chunk_.data() == nullptr) {
        throw error(node.pointer, "has no 'uri', and the file has no binary chunk for it");
    }
    // a buffer may be longer than it says, never shorter
    if (length > bytes.size()) {
        throw error(node.pointer, fmt::format("should have {}, but only {} there; the file was cut off",
                                              counted(length, "byte"), counted(bytes.size(), "byte is", "bytes are")));
    }
    return bytes.substr(0, length);
}

/// External buffers must lie in the folder of the file or below it.
std::string GltfDocument::loadBuffer(const std::string& uri, size_t length, const std::string& pointer) const {
    // within the file itself
    if (uri.starts_with("data:")) {
        const size_t comma = uri.find(',');
        if (comma == std::string::npos || !std::string_view(uri).substr(0, comma).ends_with(";base64")) {
            throw error(pointer, fmt::format("has the data URI {}; only base64 is allowed", inQuotes(uri)));
        }
        std::optional<std::string> bytes = decodeBase64(std::string_view(uri).substr(comma + 1));
        if (!bytes) throw error(pointer, "has a data URI that is not valid base64");
        return *std::move(bytes);
    }
    // beside it, and nowhere else: neither by its name nor by links
    const std::filesystem::path relative = decodePercent(uri);
    const bool climbs = std::any_of(relative.begin(), relative.end(), [](const auto& part) { return part == ".."; });
    if (relative.empty() || relative.is_absolute() || climbs || uri.find(':') != std::string::npos ||
        uri.find('\\') != std::string::npos || relative.string().find('\0') != std::string::npos) {
        throw error(pointer,
                    fmt::format("names {}; only files in the folder of the .gltf or below it are read", inQuotes(uri)));
    }
    if (source_.folder.empty()) {
        throw error(pointer, fmt::format("names the file {}, but there is no folder to look for it", inQuotes(uri)));
    }
    std::error_code problem;
    const std::filesystem::path folder = std::filesystem::canonical(source_.folder, problem);
    const std::filesystem::path file = std::filesystem::weakly_canonical(folder / relative, problem);
    const auto [folderEnd, fileEnd] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    if (problem || folderEnd != folder.end()) {
        throw error(pointer, fmt::format("names {}, which leads out of the folder of the .gltf", inQuotes(uri)));
    }
    // no more than all buffers together may have
    std::string bytes = readWholeFile(file, (uint64_t{4} << 30) - std::min<uint64_t>(bytes_, uint64_t{4} << 30));
    if (bytes.size() > length) bytes.resize(length);
    return bytes;
}

GltfDocument::Run GltfDocument::run(const GltfNode& holder, size_t count, size_t elementBytes) {
    // the view within its buffer; differences, because sums of numbers from a file may overflow
    const GltfNode view = entry("bufferViews", asIndex(member(holder, "bufferView")), holder.pointer);
    const std::string_view whole = buffer(asIndex(member(view, "buffer")), view.pointer);
    const size_t start = findIndex(view, "byteOffset").value_or(0), length = asIndex(member(view, "byteLength"));
    if (start > whole.size() || length > whole.size() - start) {
        throw error(view.pointer, fmt::format("takes bytes {} to {} of a buffer of {}", start, start + length,
                                              counted(whole.size(), "byte")));
    }
    // elements within the view: tightly packed unless a stride is given
    const size_t offset = findIndex(holder, "byteOffset").value_or(0);
    const size_t stride = findIndex(view, "byteStride").value_or(elementBytes);
    if (stride < elementBytes) {
        throw error(view.pointer,
                    fmt::format("has byteStride {}, less than the {} bytes of an element", stride, elementBytes));
    }
    // the last element needs no full stride
    const bool fits = count == 0 || (offset <= length && elementBytes <= length - offset &&
                                     count - 1 <= (length - offset - elementBytes) / stride);
    if (!fits) {
        throw error(holder.pointer,
                    fmt::format("{} from byte {} on, {} bytes apart, do not fit into the {} of {}",
                                counted(count, "element"), offset, stride, counted(length, "byte"), view.pointer));
    }
    ASSERT(stride >= elementBytes);
    return {whole.substr(start, length).substr(count == 0 ? 0 : offset), stride};
}

const GltfNumbers& GltfDocument::numbers(size_t accessor, size_t components, const std::string& from) {
    const auto known = numbers_.find(accessor);
    if (known != numbers_.end() && known->second.components == components) return known->second;

    // what the accessor promises
    const GltfNode node = entry("accessors", accessor, from);
    const size_t count = asIndex(member(node, "count"));
    const int type = static_cast<int>(asIndex(member(node, "componentType")));
    const std::string expected = components == 1 ? "SCALAR" : fmt::format("VEC{}", components);
    const std::optional<std::string> found = findString(node, "type");
    if (found != expected) {
        throw error(node.pointer, fmt::format("has type {}; {} is expected here",
                                              found ? inQuotes(*found) : std::string("none"), expected));
    }
    const size_t each = componentBytes(type);
    if (each == 0) throw error(node.pointer, fmt::format("has the unknown componentType {}", type));
    const std::optional<GltfNode> flag = find(node, "normalized");
    const bool normalized = flag && flag->value->is_boolean() && flag->value->get<bool>();
    decoded_ += std::min(count, kLargestIndex) * components;
    if (decoded_ > kFreeElements + kNumbersPerByte * bytes_) {
        throw error(node.pointer, fmt::format("{} are out of all proportion to the file", counted(count, "element")));
    }

    // the numbers
    GltfNumbers result{components, {}};
    if (find(node, "bufferView")) {
        const Run elements = run(node, count, components * each);
        result.values.reserve(count * components);
        for (size_t i = 0; i < count; ++i) {
            for (size_t c = 0; c < components; ++c) {
                result.values.push_back(
                    loadComponent(elements.bytes, i * elements.stride + c * each, type, normalized));
            }
        }
    } else {
        result.values.assign(count * components, 0.0);
    }
    if (const std::optional<GltfNode> sparse = find(node, "sparse")) readSparse(*sparse, type, normalized, result);
    return numbers_.insert_or_assign(accessor, std::move(result)).first->second;
}

void GltfDocument::readSparse(const GltfNode& sparse, int componentType, bool normalized, GltfNumbers& numbers) {
    // which elements are replaced, and by what
    const size_t count = asIndex(member(sparse, "count"));
    const GltfNode where = member(sparse, "indices"), what = member(sparse, "values");
    const int indexType = static_cast<int>(asIndex(member(where, "componentType")));
    if (indexType != kUByte && indexType != kUShort && indexType != kUInt) {
        throw error(where.pointer, fmt::format("has componentType {}; allowed are 5121, 5123, 5125", indexType));
    }
    if (count > numbers.count()) {
        throw error(sparse.pointer, fmt::format("replaces {} of only {}", count, counted(numbers.count(), "element")));
    }
    // indices and values lie in two views of their own
    const std::vector<uint32_t> places = readWhole(run(where, count, componentBytes(indexType)), indexType, count);
    const size_t each = componentBytes(componentType);
    const Run values = run(what, count, numbers.components * each);
    // each value overwrites one of the dense array
    for (size_t i = 0; i < count; ++i) {
        if (places[i] >= numbers.count()) {
            throw error(where.pointer, fmt::format("has index {}, but the accessor has only {}", places[i],
                                                   counted(numbers.count(), "element")));
        }
        for (size_t c = 0; c < numbers.components; ++c) {
            numbers.values[places[i] * numbers.components + c] =
                loadComponent(values.bytes, i * values.stride + c * each, componentType, normalized);
        }
    }
}

std::vector<uint32_t> GltfDocument::readWhole(const Run& run, int componentType, size_t count) const {
    std::vector<uint32_t> result;
    result.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const size_t at = i * run.stride;
        result.push_back(componentType == kUByte    ? loadAs<uint8_t>(run.bytes, at)
                         : componentType == kUShort ? loadAs<uint16_t>(run.bytes, at)
                                                    : loadAs<uint32_t>(run.bytes, at));
    }
    return result;
}

const std::vector<uint32_t>& GltfDocument::indices(size_t accessor, const std::string& from) {
    const auto known = indices_.find(accessor);
    if (known != indices_.end()) return known->second;
    const GltfNode node = entry("accessors", accessor, from);
    const size_t type = asIndex(member(node, "componentType"));
    if (type != kUByte && type != kUShort && type != kUInt) {
        throw error(node.pointer, fmt::format("holds indices of componentType {}; allowed are 5121, 5123, 5125", type));
    }
    const GltfNumbers& values = numbers(accessor, 1, from);
    std::vector<uint32_t> result;
    result.reserve(values.count());
    for (const double value : values.values) {
        if (value != std::floor(value)) throw error(node.pointer, "holds indices, which cannot be normalized");
        result.push_back(static_cast<uint32_t>(value));
    }
    numbers_.erase(accessor);
    return indices_.emplace(accessor, std::move(result)).first->second;
}

}  // namespace sunder
