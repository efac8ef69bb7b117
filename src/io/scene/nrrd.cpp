#include "io/scene/nrrd.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <zlib.h>

#include <fmt/format.h>

#include "base/assert.h"
#include "io/files/byte_order.h"
#include "io/files/file_access.h"
#include "io/files/text_cursor.h"

namespace sunder {

namespace {

using fracture::LatticePlacement;
using fracture::VolumeTexture;

constexpr uint64_t kMostBytes = uint64_t{1} << 31;  // of a file
constexpr size_t kMostPerByte = 1032;               // no byte of a gzip stream stands for more
constexpr double kLeastVolume = 1e-9;  // of what three steps span, in parts of the product of their lengths

enum class SampleType { Uint8, Uint16, Float, Double };
enum class Encoding { Raw, Gzip, Ascii };

struct NamedType {
    std::string_view name;
    SampleType type;
};
constexpr NamedType kTypes[] = {
    {"uint8", SampleType::Uint8},
    {"uint8_t", SampleType::Uint8},
    {"uchar", SampleType::Uint8},
    {"uint16", SampleType::Uint16},
    {"uint16_t", SampleType::Uint16},
    {"ushort", SampleType::Uint16},
    {"float", SampleType::Float},
    {"unsigned char", SampleType::Uint8},
    {"unsigned short", SampleType::Uint16},
    {"double", SampleType::Double},
    {"unsigned short int", SampleType::Uint16},
};

size_t bytesOf(SampleType type) {
    switch (type) {
        case SampleType::Uint8:
            return 1;
        case SampleType::Uint16:
            return 2;
        case SampleType::Float:
            return 4;
        case SampleType::Double:
            break;
    }
    return 8;
}

/// In percent, that is.
bool isWhole(SampleType type) { return type == SampleType::Uint8 || type == SampleType::Uint16; }

std::string_view trimmed(std::string_view text) {
    const size_t from = text.find_first_not_of(" \t\r"), to = text.find_last_not_of(" \t\r");
    return from == std::string_view::npos ? std::string_view() : text.substr(from, to - from + 1);
}

std::vector<std::string_view> wordsOf(std::string_view text, std::string_view between = " \t") {
    std::vector<std::string_view> words;
    for (size_t from = text.find_first_not_of(between); from != std::string_view::npos;) {
        const size_t to = std::min(text.find_first_of(between, from), text.size());
        words.push_back(text.substr(from, to - from));
        from = text.find_first_not_of(between, to);
    }
    return words;
}

class NrrdReader {
public:
    explicit NrrdReader(const Source& source) : source_(source) {}

    VolumeTexture read() {
        readHeader();
        for (const char* elsewhere : {"data file", "datafile"}) {
            if (fields_.contains(elsewhere))
                throw errorAt(elsewhere, "the values are in another file; write header and values into one .nrrd file");
        }
        for (const char* skip : {"byte skip", "byteskip", "line skip", "lineskip"}) {
            if (fields_.contains(skip) && fields_.at(skip).text != "0")
                throw errorAt(skip, fmt::format("{} of {}; allowed is 0: write the values right behind the header",
                                                skip, inQuotes(fields_.at(skip).text)));
        }
        readSizes();
        type_ = readType();
        readPlacement();
        readValues();
        return std::move(volume_);
    }

private:
    struct Field {
        std::string text;
        size_t offset = 0;
    };

    InputError errorAt(const std::string& field, const std::string& message) const {
        return errorAtLine(source_, fields_.at(field).offset, message);
    }

    void readHeader() {
        // the first line names the format and its version
        const std::string_view bytes = source_.bytes;
        if (!bytes.starts_with("NRRD000"))
            throw errorInFile(source_, fmt::format("the file starts with {}; a volume is an NRRD file, which starts "
                                                   "with NRRD0001 to NRRD0005: export it as NRRD",
                                                   inQuotes(bytes.substr(0, std::min<size_t>(bytes.size(), 8)))));
        // a field in each line; an empty line ends the header, the values follow
        size_t at = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
        while (true) {
            if (at >= bytes.size())
                throw errorInFile(source_,
                                  "the file ends within the header; an empty line and the values are expected: "
                                  "export it again");
            const size_t end = std::min(bytes.find('\n', at), bytes.size());
            const std::string_view line = trimmed(bytes.substr(at, end - at));
            if (line.empty()) {
                values_ = std::min(end + 1, bytes.size());
                return;
            }
            readLine(line, at);
            at = end + 1;
        }
    }

    void readLine(std::string_view line, size_t offset) {
        if (line.starts_with('#')) return;
        const size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            throw errorAtLine(source_, offset,
                              fmt::format("{} in the header; a line is \"field: value\", or empty before the values",
                                          inQuotes(line)));
        if (line.substr(colon).starts_with(":=")) return;  // somebody's note
        std::string name(line.substr(0, colon));
        std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
        const auto [entry, fresh] =
            fields_.try_emplace(name, Field{std::string(trimmed(line.substr(colon + 1))), offset});
        if (!fresh)
            throw errorAtLine(source_, offset, fmt::format("{} is given twice; keep one of the lines", inQuotes(name)));
    }

    const std::string& needed(const std::string& field, const char* example) const {
        const auto found = fields_.find(field);
        if (found == fields_.end())
            throw errorInFile(source_, fmt::format("the header has no line '{}', as in '{}'", field, example));
        return found->second.text;
    }

    void readSizes() {
        // three axes: colours or time would be a fourth
        const std::string& dimension = needed("dimension", "dimension: 3");
        if (dimension != "3")
            throw errorAt("dimension", fmt::format("dimension {}; a volume of strengths has 3 axes and one value per "
                                                   "sample: export one channel, without time",
                                                   inQuotes(dimension)));
        // whole numbers, read as floating point so that huge ones are refused and do not overflow
        const std::vector<std::string_view> sizes = wordsOf(needed("sizes", "sizes: 64 64 64"));
        const auto refused = [&] {
            return errorAt("sizes", fmt::format("sizes {}; three whole numbers of 1 or more are expected",
                                                inQuotes(fields_.at("sizes").text)));
        };
        if (sizes.size() != 3) throw refused();
        double samples = 1;
        for (size_t k = 0; k < 3; ++k) {
            const double size = parseNumber(sizes[k]).value_or(0);
            if (!(size >= 1 && size == std::floor(size))) throw refused();
            samples *= size;
            volume_.count[k] = static_cast<int>(std::min(size, 1e9));
        }
        // a bound before memory is asked for
        if (samples > static_cast<double>(VolumeTexture::kMostSamples))
            throw errorAt("sizes",
                          fmt::format("sizes {} are {:.4g} samples; allowed are {}, as 512 x 512 x 512 has: "
                                      "resample it coarser",
                                      inQuotes(fields_.at("sizes").text), samples, VolumeTexture::kMostSamples));
        samples_ = static_cast<size_t>(samples);
    }

    SampleType readType() const {
        const std::string& name = needed("type", "type: uint8");
        for (const NamedType& known : kTypes) {
            if (name == known.name) return known.type;
        }
        throw errorAt("type", fmt::format("type {}; allowed are uint8 and uint16 (percent of the material's strength), "
                                          "float and double (1: as the material says): convert the volume",
                                          inQuotes(name)));
    }

    /// "(0.01,0,0)", or nothing.
    static std::optional<Vec3> vectorIn(std::string_view text) {
        text = trimmed(text);
        if (!text.starts_with('(') || !text.ends_with(')')) return {};
        const std::vector<std::string_view> parts = wordsOf(text.substr(1, text.size() - 2), ", \t");
        Vec3 vector;
        for (size_t k = 0; k < 3; ++k) {
            const std::optional<double> number = parts.size() == 3 ? parseNumber(parts[k]) : std::nullopt;
            if (!number || !std::isfinite(*number)) return {};
            vector[static_cast<int>(k)] = *number;
        }
        return vector;
    }

    /// m
    double unitOf(const std::string& field) const {
        const auto found = fields_.find(field);
        if (found == fields_.end()) return 1;
        const std::vector<std::string_view> units = wordsOf(found->second.text, " \t\"");
        const bool same = units.size() == 3 && units[0] == units[1] && units[1] == units[2];
        if (same && units[0] == "m") return 1;
        if (same && units[0] == "cm") return 0.01;
        if (same && units[0] == "mm") return 0.001;
        throw errorAt(field, fmt::format("{} {}; allowed are \"m\", \"cm\" or \"mm\", three times the same", field,
                                         inQuotes(found->second.text)));
    }

    void readPlacement() {
        // whether samples are the middles of cells or the corners
        const auto centring = fields_.find(fields_.contains("centers") ? "centers" : "centerings");
        volume_.samplesAtEnds = centring != fields_.end() && centring->second.text.find("node") != std::string::npos;

        // the steps along the three axes: as vectors, as lengths, or not at all
        LatticePlacement placement;
        double unit = 1;
        std::string given;
        if (fields_.contains("space directions")) {
            given = "space directions";
            unit = unitOf("space units");
            std::string_view rest = fields_.at(given).text;
            for (int k = 0; k < 3; ++k) {
                const size_t end = std::min(rest.find(')'), rest.size() - 1);
                const std::optional<Vec3> step = rest.empty() ? std::nullopt : vectorIn(rest.substr(0, end + 1));
                if (!step || (k == 2 && end + 1 != rest.size()))
                    throw errorAt(given, fmt::format("space directions {}; three vectors are expected, as (0.01,0,0) "
                                                     "(0,0.01,0) (0,0,0.01)",
                                                     inQuotes(fields_.at(given).text)));
                placement.steps.col(k) = unit * *step;
                rest.remove_prefix(end + 1);
            }
        } else if (fields_.contains("spacings")) {
            given = "spacings";
            unit = unitOf("units");
            const std::vector<std::string_view> spacings = wordsOf(fields_.at(given).text);
            placement.steps.setZero();
            for (size_t k = 0; k < 3; ++k) {
                const std::optional<double> step = spacings.size() == 3 ? parseNumber(spacings[k]) : std::nullopt;
                if (step && std::isnan(*step)) return;  // as those write them who do not know
                if (!step || !std::isfinite(*step))
                    throw errorAt(given, fmt::format("spacings {}; three numbers are expected, as 0.01 0.01 0.01",
                                                     inQuotes(fields_.at(given).text)));
                placement.steps(static_cast<int>(k), static_cast<int>(k)) = unit * *step;
            }
        } else {
            return;
        }
        // they must span space, whatever their size
        const double lengths = placement.steps.colwise().norm().prod();
        if (!(std::abs(placement.steps.determinant()) > kLeastVolume * lengths) ||
            !placement.steps.inverse().allFinite())
            throw errorAt(given, fmt::format("{} {} do not span space: none may be zero, nor lie in the plane of the "
                                             "others",
                                             given, inQuotes(fields_.at(given).text)));
        // where the first sample is
        if (fields_.contains("space origin")) {
            const std::optional<Vec3> origin = vectorIn(fields_.at("space origin").text);
            if (!origin)
                throw errorAt("space origin", fmt::format("space origin {}; a point is expected, as (0,0.5,0)",
                                                          inQuotes(fields_.at("space origin").text)));
            placement.origin = unit * *origin;
        }
        volume_.placement = placement;
    }

    void readValues() {
        const std::string& encoding = needed("encoding", "encoding: raw");
        const std::string_view bytes = source_.bytes.substr(values_);
        if (encoding == "raw") {
            readRaw(bytes);
        } else if (encoding == "gzip" || encoding == "gz") {
            readRaw(unpacked(bytes));
        } else if (encoding == "ascii" || encoding == "text" || encoding == "txt") {
            readAscii();
        } else {
            throw errorAt("encoding",
                          fmt::format("encoding {}; allowed are raw, gzip and ascii: save it in one of them",
                                      inQuotes(encoding)));
        }
    }

    InputError wrongLength(const std::string& found) const {
        return errorInFile(source_, fmt::format("sizes {} of type {} are {} bytes of values, but there are {}: the "
                                                "file is cut off, or its header is not its own; export it again",
                                                inQuotes(fields_.at("sizes").text), fields_.at("type").text,
                                                samples_ * bytesOf(type_), found));
    }

    std::string unpacked(std::string_view packed) const {
        // as many bytes as samples need, unless so few cannot hold so many
        const size_t wanted = samples_ * bytesOf(type_);
        if (wanted > kMostPerByte * packed.size())  // before so much memory is asked for
            throw wrongLength(fmt::format("only {} bytes that hold them in gzip", packed.size()));
        std::string plain(wanted, '\0');
        // zlib stops when the wanted bytes are there: more would be a mistake of the sizes
        z_stream stream{};
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(packed.size());
        stream.next_out = reinterpret_cast<Bytef*>(plain.data());
        stream.avail_out = static_cast<uInt>(wanted);
        constexpr int kGzip = 16 + MAX_WBITS;
        if (inflateInit2(&stream, kGzip) != Z_OK) throw std::bad_alloc();
        const int result = inflate(&stream, Z_FINISH);
        // too long, damaged, too short: each has its own advice
        const size_t found = stream.total_out;
        inflateEnd(&stream);
        if (result == Z_BUF_ERROR && found == wanted) throw wrongLength("more, or their end is missing");
        if (result == Z_DATA_ERROR || result == Z_NEED_DICT)
            throw errorAtByte(source_, values_,
                              "the values are no gzip stream, or a damaged one; export the file again");
        if (found < wanted) throw wrongLength(std::to_string(found));
        return plain;
    }

    void readRaw(std::string_view bytes) {
        const size_t each = bytesOf(type_);
        if (bytes.size() != samples_ * each) throw wrongLength(std::to_string(bytes.size()));
        std::endian order = std::endian::little;
        if (each > 1) {
            const std::string& name = needed("endian", "endian: little");
            if (name != "little" && name != "big")
                throw errorAt("endian", fmt::format("endian {}; allowed are little and big", inQuotes(name)));
            if (name == "big") order = std::endian::big;
        }
        volume_.values.resize(samples_);
        for (size_t i = 0; i < samples_; ++i) volume_.values[i] = strengthFrom(loadRaw(bytes, i * each, order), i);
    }

    double loadRaw(std::string_view bytes, size_t at, std::endian order) const {
        ASSERT(bytesOf(type_) <= bytes.size() && at <= bytes.size() - bytesOf(type_));
        switch (type_) {
            case SampleType::Uint8:
                return loadAs<uint8_t>(bytes, at);
            case SampleType::Uint16:
                return loadAs<uint16_t>(bytes, at, order);
            case SampleType::Float:
                return static_cast<double>(loadAs<float>(bytes, at, order));
            case SampleType::Double:
                break;
        }
        return loadAs<double>(bytes, at, order);
    }

    void readAscii() {
        // text of that length may not hold so many numbers
        const size_t bytes = source_.bytes.size() - values_;
        if (samples_ > bytes / 2 + 1)  // a digit and a blank each, before so much memory is asked for
            throw errorInFile(source_, fmt::format("sizes {} are {} values, but {} bytes of text cannot hold as many: "
                                                   "the file is cut off; export it again",
                                                   inQuotes(fields_.at("sizes").text), samples_, bytes));
        // numbers in a row; line ends mean nothing
        TextCursor cursor(source_, values_);
        volume_.values.resize(samples_);
        for (size_t i = 0; i < samples_; ++i) {
            const std::string_view word = cursor.wordAnywhere();
            if (word.empty())
                throw cursor.errorHere(
                    fmt::format("the file ends after {} of {} values; export it again", i, samples_));
            // a value must be one that its type can hold
            const std::optional<double> value = parseNumber(word);
            const double most = type_ == SampleType::Uint8 ? 255 : 65535;
            const bool fits = value && (!isWhole(type_) || !(*value > most || *value != std::floor(*value)));
            if (!fits)
                throw cursor.errorAtWord(
                    fmt::format("{} is no value of type {}; mend the volume", inQuotes(word), fields_.at("type").text));
            volume_.values[i] = strengthFrom(*value, i);
        }
        // nothing may follow
        if (!cursor.wordAnywhere().empty())
            throw cursor.errorAtWord(fmt::format("more than the {} values that sizes {} say; export it again", samples_,
                                                 inQuotes(fields_.at("sizes").text)));
    }

    float strengthFrom(double value, size_t i) const {
        ASSERT(i < samples_);
        const double strength = isWhole(type_) ? value / 100 : value;
        if (strength >= 0 && strength <= VolumeTexture::kStrongest) return static_cast<float>(strength);
        const auto [nx, ny, nz] = volume_.count;
        const auto along = [&](size_t before, int count) { return i / before % static_cast<size_t>(count); };
        throw errorInFile(source_,
                          fmt::format("the value of sample ({}, {}, {}) is {}; allowed are 0 to {:g}, in parts of the "
                                      "material's strength (1: as it is): mend or scale the volume",
                                      along(1, nx), along(static_cast<size_t>(nx), ny),
                                      along(static_cast<size_t>(nx) * static_cast<size_t>(ny), nz), value,
                                      VolumeTexture::kStrongest));
    }

    const Source& source_;
    std::map<std::string, Field> fields_;
    size_t values_ = 0;  // where they begin
    size_t samples_ = 0;
    SampleType type_ = SampleType::Uint8;
    VolumeTexture volume_;
};

}  // namespace

VolumeTexture readNrrd(const Source& source) { return NrrdReader(source).read(); }

VolumeTexture readNrrd(const std::filesystem::path& path) {
    const std::string bytes = readWholeFile(path, kMostBytes + 1);
    const Source source{path.string(), bytes, {}};
    if (bytes.size() > kMostBytes)
        throw errorInFile(source, "is larger than 2 GiB; resample it coarser, or save it with gzip");
    return readNrrd(source);
}

}  // namespace sunder
