#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/files/source.h"

namespace sunder {

enum class PlyEncoding { Ascii, LittleEndian, BigEndian };
enum class PlyType : uint8_t { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float, Double };

size_t sizeOf(PlyType type);
inline bool isWhole(PlyType type) { return type < PlyType::Float; }

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::Float;
    bool isList = false;
    PlyType countType = PlyType::UInt8;  // of lists
};

struct PlyElement {
    std::string name;
    size_t count = 0;
    std::vector<PlyProperty> properties;

    /// The fewest bytes one of these can take in a binary file.
    size_t minBytes() const;
};

struct PlyHeader {
    PlyEncoding encoding = PlyEncoding::Ascii;
    std::vector<PlyElement> elements;
    std::vector<std::string> comments;
    size_t bodyOffset = 0;

    const PlyElement* find(std::string_view name) const;
};

PlyHeader readPlyHeader(const Source& source);

}  // namespace sunder
