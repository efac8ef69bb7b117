#include "io/mesh/ply.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "io/files/byte_order.h"
#include "io/files/text_cursor.h"
#include "io/mesh/ply_header.h"
#include "io/mesh/polygon_soup.h"

namespace sunder {

namespace {

/// The values of an ASCII body: one element per line.
class AsciiBody {
public:
    AsciiBody(const Source& source, const PlyHeader& header) : source_(source), cursor_(source, header.bodyOffset) {}

    void checkCount(const PlyElement& element) const {
        if (element.count > most()) throw tooShort(element, 0);
    }
    void begin(const PlyElement& element, size_t number) {
        if (!cursor_.nextFilledLine()) throw tooShort(element, number);
    }
    double value(PlyType, const std::string& property) { return cursor_.anyNumber(property.c_str()); }
    size_t most() const { return source_.bytes.size() - cursor_.offset(); }
    void end() {
        if (!cursor_.atLineEnd()) {
            throw error(fmt::format("{} follows the last property of the header; remove it or declare it",
                                    inQuotes(cursor_.peek())));
        }
        cursor_.skipLine();
    }
    InputError error(const std::string& message) const { return cursor_.errorHere(message); }

private:
    InputError tooShort(const PlyElement& element, size_t found) const {
        return errorAtLine(
            source_, source_.bytes.size(),
            fmt::format("unexpected end of file: the header promises {} of element {}, but there are only "
                        "{}; the header is wrong or the file was cut off",
                        element.count, inQuotes(element.name), found));
    }

    const Source& source_;
    TextCursor cursor_;
};

/// The values of a binary body: packed without gaps.
class BinaryBody {
public:
    BinaryBody(const Source& source, const PlyHeader& header)
        : source_(source),
          at_(header.bodyOffset),
          order_(header.encoding == PlyEncoding::BigEndian ? std::endian::big : std::endian::little) {}

    void checkCount(const PlyElement& element) const {
        const size_t each = element.minBytes();
        if (each > 0 && element.count > most() / each) {
            throw error(fmt::format(
                "truncated: {} of element {} need at least {} bytes from here, but only {} are left; "
                "the header is wrong or the file was cut off",
                element.count, inQuotes(element.name),
                fmt::format("{:.0f}", static_cast<double>(element.count) * static_cast<double>(each)), most()));
        }
    }
    void begin(const PlyElement&, size_t) {}
    double value(PlyType type, const std::string& property) {
        // every value is checked against the end of the file before it is read
        if (most() < sizeOf(type)) {
            throw error(fmt::format("truncated: {} needs {}, but only {} left; the file was cut off",
                                    inQuotes(property), counted(sizeOf(type), "byte"), most()));
        }
        const size_t at = at_;
        at_ += sizeOf(type);
        // the numbers of all types fit into a double without loss
        switch (type) {
            case PlyType::Int8:
                return loadAs<int8_t>(source_.bytes, at, order_);
            case PlyType::UInt8:
                return loadAs<uint8_t>(source_.bytes, at, order_);
            case PlyType::Int16:
                return loadAs<int16_t>(source_.bytes, at, order_);
            case PlyType::UInt16:
                return loadAs<uint16_t>(source_.bytes, at, order_);
            case PlyType::Int32:
                return loadAs<int32_t>(source_.bytes, at, order_);
            case PlyType::UInt32:
                return loadAs<uint32_t>(source_.bytes, at, order_);
            case PlyType::Float:
                return loadAs<float>(source_.bytes, at, order_);
            case PlyType::Double:
                return loadAs<double>(source_.bytes, at, order_);
        }
        return 0;
    }
    size_t most() const { return source_.bytes.size() - at_; }
    void end() {}
    InputError error(const std::string& message) const { return errorAtByte(source_, at_, message); }

private:
    const Source& source_;
    size_t at_;
    std::endian order_;
};

/// What a property means to us.
enum class Role { None, X, Y, Z, NormalX, NormalY, NormalZ, U, V, Indices, FaceUvs, FaceNormals, Material, Inside };

Role vertexRole(const PlyProperty& property) {
    static const std::map<std::string_view, Role> kRoles = {
        {"x", Role::X},        {"y", Role::Y},        {"z", Role::Z},         {"nx", Role::NormalX},
        {"ny", Role::NormalY}, {"nz", Role::NormalZ}, {"s", Role::U},         {"t", Role::V},
        {"u", Role::U},        {"v", Role::V},        {"texture_u", Role::U}, {"texture_v", Role::V}};
    const auto found = kRoles.find(property.name);
    return property.isList || found == kRoles.end() ? Role::None : found->second;
}

Role faceRole(const PlyProperty& property) {
    const std::string& name = property.name;
    if (property.isList) {
        if (name == "vertex_indices" || name == "vertex_index") return Role::Indices;
        if (name == "texcoord") return Role::FaceUvs;
        if (name == "corner_normals") return Role::FaceNormals;
    } else {
        if (name == "material" || name == "material_index") return Role::Material;
        if (name == "inside") return Role::Inside;
    }
    return Role::None;
}

template <class Body>
class PlyReader {
public:
    PlyReader(const Source& source, const PlyHeader& header) : header_(header), body_(source, header) {}

    MeshFile read() {
        // without vertices and faces there is no mesh
        const PlyElement* vertex = header_.find("vertex");
        const PlyElement* face = header_.find("face");
        checkElements(vertex, face);
        vertexCount_ = vertex->count;
        collectMaterialNames();
        // elements come in the order of the header, and unknown ones must be read to reach those behind
        for (const PlyElement& element : header_.elements) {
            if (element.properties.empty()) continue;  // takes no bytes at all
            body_.checkCount(element);
            if (&element == vertex) {
                readVertices(element);
            } else if (&element == face) {
                readFaces(element);
            } else if (element.name == "tristrips" && (!face || face->count == 0)) {
                readStrips(element);
            } else {
                passOver(element);
            }
        }
        // attributes of faces were numbered behind those of vertices
        soup_.uvs.insert(soup_.uvs.end(), faceUvs_.begin(), faceUvs_.end());
        soup_.normals.insert(soup_.normals.end(), faceNormals_.begin(), faceNormals_.end());
        return {triangulated(std::move(soup_)), MeshFormat::Ply, std::move(notes_)};
    }

private:
    /// The meaning of each property; if two have the same, the first counts.
    static std::vector<Role> rolesOf(const PlyElement& element, Role (*roleOf)(const PlyProperty&)) {
        std::vector<Role> roles;
        for (const PlyProperty& p : element.properties) {
            const Role role = roleOf(p);
            const bool taken = std::find(roles.begin(), roles.end(), role) != roles.end();
            roles.push_back(taken ? Role::None : role);
        }
        return roles;
    }

    void checkElements(const PlyElement* vertex, const PlyElement* face) {
        if (!vertex) throw body_.error("the header has no element 'vertex'; a mesh needs vertices and faces");
        const std::vector<Role> roles = rolesOf(*vertex, vertexRole);
        const auto has = [&](Role role) { return std::find(roles.begin(), roles.end(), role) != roles.end(); };
        if (!has(Role::X) || !has(Role::Y) || !has(Role::Z)) {
            throw body_.error("element 'vertex' lacks property x, y or z; all three are needed");
        }
        vertexNormals_ = has(Role::NormalX) && has(Role::NormalY) && has(Role::NormalZ);
        vertexUvs_ = has(Role::U) && has(Role::V);
        if (!face || face->count == 0) return;
        const std::vector<Role> faceRoles = rolesOf(*face, faceRole);
        if (std::find(faceRoles.begin(), faceRoles.end(), Role::Indices) == faceRoles.end()) {
            throw body_.error("element 'face' lacks the list vertex_indices (or vertex_index)");
        }
    }

    /// Header comments "material NUMBER NAME", as our writer leaves them.
    void collectMaterialNames() {
        for (const std::string& comment : header_.comments) {
            constexpr std::string_view kStart = "material ";
            if (!comment.starts_with(kStart)) continue;
            const char* const end = comment.data() + comment.size();
            uint32_t number = 0;
            const auto [after, error] = std::from_chars(comment.data() + kStart.size(), end, number);
            if (error != std::errc() || after == end || *after != ' ') continue;
            const auto [entry, isNew] =
                materialNumbers_.try_emplace(number, static_cast<uint32_t>(soup_.materialNames.size()));
            if (isNew) soup_.materialNames.push_back(utf8FromAny(std::string_view(after + 1, end)));
        }
    }

    uint32_t materialNumber(double value) {
        const auto [entry, isNew] =
            materialNumbers_.try_emplace(value, static_cast<uint32_t>(soup_.materialNames.size()));
        if (isNew) soup_.materialNames.push_back(fmt::format("material_{}", value));
        return entry->second;
    }

    /// The length of a list; what follows must have room for it.
    size_t readCount(const PlyProperty& property) {
        const double count = body_.value(property.countType, property.name);
        if (!(count >= 0) || count != std::floor(count) || count > static_cast<double>(body_.most())) {
            throw body_.error(fmt::format("list {} has length {}, but only {} left; the file is damaged",
                                          inQuotes(property.name), count,
                                          counted(body_.most(), "byte is", "bytes are")));
        }
        return static_cast<size_t>(count);
    }

    void readVertices(const PlyElement& element) {
        const std::vector<Role> roles = rolesOf(element, vertexRole);
        soup_.positions.reserve(element.count);
        for (size_t i = 0; i < element.count; ++i) {
            body_.begin(element, i);
            Vec3 position = Vec3::Zero(), normal = Vec3::Zero();
            Vec2 uv(0, 0);
            // all properties in the order of the header; those without a role are read and forgotten
            for (size_t k = 0; k < roles.size(); ++k) {
                const PlyProperty& property = element.properties[k];
                if (property.isList) {
                    for (size_t left = readCount(property); left > 0; --left) body_.value(property.type, property.name);
                    continue;
                }
                const double value = body_.value(property.type, property.name);
                const Role role = roles[k];
                if (role >= Role::X && role <= Role::Z)
                    position[static_cast<int>(role) - static_cast<int>(Role::X)] = value;
                if (role >= Role::NormalX && role <= Role::NormalZ) {
                    normal[static_cast<int>(role) - static_cast<int>(Role::NormalX)] = value;
                }
                if (role == Role::U || role == Role::V) uv[role == Role::U ? 0 : 1] = value;
            }
            // a normal or UV that is no number can be done without, a place cannot
            if (!position.allFinite()) {
                throw body_.error(
                    fmt::format("vertex {} is ({}, {}, {}), a non-finite coordinate; only finite ones are "
                                "allowed: repair the file or export it again",
                                i, position.x(), position.y(), position.z()));
            }
            soup_.positions.push_back(position);
            if (vertexNormals_) soup_.normals.push_back(normal);
            if (vertexUvs_) soup_.uvs.push_back(uv.allFinite() ? uv : Vec2(0, 0));
            body_.end();
        }
    }

    void readFaces(const PlyElement& element) {
        // what the header promises is reserved only as far as bytes are there
        const std::vector<Role> roles = rolesOf(element, faceRole);
        soup_.faceStart.reserve(element.count);
        soup_.corners.reserve(std::min(3 * element.count, body_.most()));
        std::vector<double> indices, uvs, normals;
        for (size_t i = 0; i < element.count; ++i) {
            body_.begin(element, i);
            uvs.clear();
            normals.clear();
            // properties in the order of the header; lists without a role are read and forgotten
            for (size_t k = 0; k < roles.size(); ++k) {
                const PlyProperty& property = element.properties[k];
                if (property.isList) {
                    std::vector<double>& list = roles[k] == Role::Indices       ? indices
                                                : roles[k] == Role::FaceUvs     ? uvs
                                                : roles[k] == Role::FaceNormals ? normals
                                                                                : list_;
                    readList(property, list);
                    continue;
                }
                const double value = body_.value(property.type, property.name);
                if (roles[k] == Role::Material) soup_.faceMaterial.push_back(materialNumber(value));
                if (roles[k] == Role::Inside) soup_.faceInside.push_back(value != 0);
            }
            // corners need all lists of the face
            addFace(indices, uvs, normals);
            body_.end();
        }
    }

    void readList(const PlyProperty& property, std::vector<double>& list) {
        list.clear();
        const size_t count = readCount(property);
        for (size_t k = 0; k < count; ++k) list.push_back(body_.value(property.type, property.name));
    }

    uint32_t checkedIndex(double index) const {
        if (!(index >= 0) || index != std::floor(index) || index >= static_cast<double>(vertexCount_)) {
            throw body_.error(fmt::format("vertex index {}, but the file has only {}; indices count from 0", index,
                                          counted(vertexCount_, "vertex", "vertices")));
        }
        return static_cast<uint32_t>(index);
    }

    void addFace(std::span<const double> indices, std::span<const double> uvs, std::span<const double> normals) {
        // lists of another length belong to something else and are passed over
        const size_t count = indices.size();
        if (count < 3) {
            throw body_.error(fmt::format("face with {}; at least 3 are needed: delete it or export again",
                                          counted(count, "vertex", "vertices")));
        }
        const bool hasUvs = uvs.size() == 2 * count, hasNormals = normals.size() == 3 * count;
        soup_.faceStart.push_back(soup_.corners.size());
        // what a face says about its corners goes before what its vertices say
        for (size_t k = 0; k < count; ++k) {
            FaceCorner corner;
            corner.position = checkedIndex(indices[k]);
            if (vertexUvs_) corner.uv = corner.position;
            if (vertexNormals_) corner.normal = corner.position;
            if (hasUvs && std::isfinite(uvs[2 * k]) && std::isfinite(uvs[2 * k + 1])) {
                corner.uv = (vertexUvs_ ? vertexCount32() : 0) + static_cast<uint32_t>(faceUvs_.size());
                faceUvs_.emplace_back(uvs[2 * k], uvs[2 * k + 1]);
            }
            if (hasNormals) {
                corner.normal = (vertexNormals_ ? vertexCount32() : 0) + static_cast<uint32_t>(faceNormals_.size());
                faceNormals_.emplace_back(normals[3 * k], normals[3 * k + 1], normals[3 * k + 2]);
            }
            soup_.corners.push_back(corner);
        }
    }

    /// Stanford's triangle strips: every index makes a triangle with the two before it, turning by turns; -1 starts
    /// anew.
    void readStrips(const PlyElement& element) {
        const std::vector<Role> roles = rolesOf(element, faceRole);
        for (size_t i = 0; i < element.count; ++i) {
            body_.begin(element, i);
            for (size_t k = 0; k < roles.size(); ++k) {
                const PlyProperty& property = element.properties[k];
                passProperty(property);
                if (roles[k] == Role::Indices) addStrips(list_);
            }
            body_.end();
        }
    }

    void addStrips(const std::vector<double>& indices) {
        size_t start = 0;
        for (size_t k = 0; k < indices.size(); ++k) {
            if (indices[k] == -1) {
                start = k + 1;
            } else if (k >= start + 2) {
                const bool turned = (k - start) % 2 != 0;
                const std::array<double, 3> triangle = {indices[k - 2], indices[turned ? k : k - 1],
                                                        indices[turned ? k - 1 : k]};
                const bool joint =
                    triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
                if (!joint) addFace(triangle, {}, {});
            }
        }
    }

    void passOver(const PlyElement& element) {
        for (size_t i = 0; i < element.count; ++i) {
            body_.begin(element, i);
            for (const PlyProperty& property : element.properties) passProperty(property);
            body_.end();
        }
        if (element.count > 0) notes_.push_back(fmt::format("element {} passed over", inQuotes(element.name)));
    }

    void passProperty(const PlyProperty& property) {
        if (property.isList) {
            readList(property, list_);
        } else {
            body_.value(property.type, property.name);
        }
    }

    uint32_t vertexCount32() const { return static_cast<uint32_t>(vertexCount_); }

    const PlyHeader& header_;
    Body body_;
    size_t vertexCount_ = 0;
    bool vertexUvs_ = false, vertexNormals_ = false;
    PolygonSoup soup_;
    std::vector<Vec2> faceUvs_;
    std::vector<Vec3> faceNormals_;
    std::map<double, uint32_t> materialNumbers_;
    std::vector<double> list_;  // scratch
    std::vector<std::string> notes_;
};

}  // namespace

MeshFile readPly(const Source& source) {
    const PlyHeader header = readPlyHeader(source);
    return header.encoding == PlyEncoding::Ascii ? PlyReader<AsciiBody>(source, header).read()
                                                 : PlyReader<BinaryBody>(source, header).read();
}

}  // namespace sunder
