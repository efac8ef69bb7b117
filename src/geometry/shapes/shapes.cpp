#include "geometry/shapes/shapes.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "geometry/shapes/detail/catalogue.h"

namespace sunder {

namespace {

using shapes::Catalogue;

const Catalogue& catalogue() {
    static const Catalogue all = [] {
        Catalogue joined;
        for (Catalogue (*part)() :
             {shapes::primitiveShapes, shapes::blockShapes, shapes::vesselShapes, shapes::columnShapes,
              shapes::ornamentShapes, shapes::sculptureShapes, shapes::openShapes}) {
            for (shapes::CatalogueEntry& entry : part()) joined.push_back(std::move(entry));
        }
        return joined;
    }();
    return all;
}

/// Letters to insert, drop, replace or swap with the next to get from one word to the other.
size_t editDistance(const std::string& a, const std::string& b) {
    std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) {
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

/// "; did you mean 'x'?" when something known is near, else "; known: a, b, c".
std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    const auto nearest = std::min_element(known.begin(), known.end(), [&](const std::string& a, const std::string& b) {
        return editDistance(word, a) < editDistance(word, b);
    });
    if (nearest != known.end() && editDistance(word, *nearest) <= std::max<size_t>(1, word.size() / 3)) {
        return "; did you mean '" + *nearest + "'?";
    }
    std::string list = known.empty() ? "; there are none" : "; known: ";
    for (size_t i = 0; i < known.size(); ++i) list += (i ? ", " : "") + known[i];
    return list;
}

std::string shown(double number) {
    std::ostringstream text;
    text << number;
    return text.str();
}

const shapes::CatalogueEntry& entryOf(const std::string& name) {
    for (const shapes::CatalogueEntry& entry : catalogue()) {
        if (entry.info.name == name) return entry;
    }
    std::vector<std::string> known;
    for (const shapes::CatalogueEntry& entry : catalogue()) known.push_back(entry.info.name);
    throw std::invalid_argument("unknown shape '" + name + "'" + suggestion(name, known));
}

void checkRange(const ShapeInfo& info, const ShapeParameter& parameter, double value) {
    const std::string subject = info.name + ": " + parameter.name;
    if (!(value >= parameter.min && value <= parameter.max)) {
        throw std::invalid_argument(subject + " must be " + shown(parameter.min) + " to " + shown(parameter.max) +
                                    " (" + parameter.help + "), got " + shown(value));
    }
    if (parameter.whole && value != std::floor(value)) {
        throw std::invalid_argument(subject + " must be a whole number, got " + shown(value));
    }
}

/// The given values over the defaults.
ShapeValues completed(const ShapeInfo& info, const ShapeValues& given) {
    ShapeValues values;
    std::vector<std::string> known;
    for (const ShapeParameter& parameter : info.parameters) {
        values[parameter.name] = parameter.value;
        known.push_back(parameter.name);
    }
    for (const auto& [name, value] : given) {
        if (!values.contains(name)) {
            throw std::invalid_argument(info.name + ": unknown parameter '" + name + "'" + suggestion(name, known));
        }
        values[name] = value;
    }
    for (const ShapeParameter& parameter : info.parameters) checkRange(info, parameter, values[parameter.name]);
    return values;
}

}  // namespace

std::span<const ShapeInfo> allShapes() {
    static const std::vector<ShapeInfo> infos = [] {
        std::vector<ShapeInfo> list;
        for (const shapes::CatalogueEntry& entry : catalogue()) list.push_back(entry.info);
        return list;
    }();
    return infos;
}

const ShapeInfo* findShape(const std::string& name) {
    for (const ShapeInfo& info : allShapes()) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

TriMesh makeShape(const std::string& name, const ShapeValues& values, int resolution) {
    const shapes::CatalogueEntry& entry = entryOf(name);
    if (resolution < kMinShapeResolution || resolution > kMaxShapeResolution) {
        throw std::invalid_argument(name + ": resolution must be " + std::to_string(kMinShapeResolution) + " to " +
                                    std::to_string(kMaxShapeResolution) + ", got " + std::to_string(resolution));
    }
    return entry.make(shapes::Arguments(entry.info, completed(entry.info, values), resolution));
}

}  // namespace sunder
