#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "io/files/byte_order.h"
#include "io/files/text_cursor.h"
#include "io/tet/raw_tets.h"

// Gmsh's .msh files, versions 2.2 and 4.1 [Gmsh reference manual, "MSH file format"]. One reader serves both encodings:
// it asks its input for whole numbers, sizes and reals, which are words in a text file and bytes in a binary one.

namespace sunder {

namespace {

struct ElementType {
    int number;
    int nodes;
    const char* plural;
};
constexpr int kTet = 4;
constexpr std::array kElementTypes{
    ElementType{1, 2, "lines"},        ElementType{2, 3, "triangles"},   ElementType{3, 4, "quadrangles"},
    ElementType{4, 4, "tets"},         ElementType{5, 8, "hexahedra"},   ElementType{6, 6, "prisms"},
    ElementType{7, 5, "pyramids"},     ElementType{8, 3, "lines"},       ElementType{9, 6, "triangles"},
    ElementType{10, 9, "quadrangles"}, ElementType{11, 10, "tets"},      ElementType{12, 27, "hexahedra"},
    ElementType{13, 18, "prisms"},     ElementType{14, 14, "pyramids"},  ElementType{15, 1, "points"},
    ElementType{16, 8, "quadrangles"}, ElementType{17, 20, "hexahedra"}, ElementType{18, 15, "prisms"},
    ElementType{19, 13, "pyramids"},   ElementType{20, 9, "triangles"},  ElementType{21, 10, "triangles"},
    ElementType{22, 12, "triangles"},  ElementType{23, 15, "triangles"}, ElementType{24, 15, "triangles"},
    ElementType{25, 21, "triangles"},  ElementType{26, 4, "lines"},      ElementType{27, 5, "lines"},
    ElementType{28, 6, "lines"},       ElementType{29, 20, "tets"},      ElementType{30, 35, "tets"},
    ElementType{31, 56, "tets"},       ElementType{92, 64, "hexahedra"}, ElementType{93, 125, "hexahedra"}};

bool isTet(const ElementType& type) { return std::string_view(type.plural) == "tets"; }

/// Words of a text file.
class TextInput {
public:
    explicit TextInput(const Source& source) : cursor_(source) {}

    static constexpr bool kBinary = false;
    size_t offset() const { return cursor_.offset(); }
    int64_t whole(const char* what) { return toWord().integer(what); }
    int64_t size(const char* what) { return toWord().integer(what); }
    double real(const char* what) { return toWord().number(what); }
    /// To the next word of the form $Name; empty at the end.
    std::string_view section() {
        while (cursor_.nextFilledLine()) {
            const std::string_view word = cursor_.word();
            if (word.starts_with('$')) return word.substr(1);
            if (!skipping_) {
                throw cursor_.errorAtWord(
                    fmt::format("found {} where a section ($Nodes, $Elements, ...) starts", inQuotes(word)));
            }
            cursor_.skipLine();
        }
        return {};
    }
    void endSection(std::string_view name) {
        const std::string_view word = toWord().word();
        if (word.substr(0, 4) != "$End" || word.substr(4) != name) {
            throw cursor_.errorAtWord(fmt::format("found {} where $End{} is due", inQuotes(word), name));
        }
    }
    void skipSection(std::string_view name) {
        skipping_ = true;
        for (std::string_view word = section(); word != fmt::format("End{}", name); word = section()) {
            if (word.empty())
                throw cursor_.errorHere(fmt::format("${} has no $End{}: the file is cut short", name, name));
            cursor_.skipLine();
        }
        skipping_ = false;
    }
    /// Least bytes of a whole number or real with the blank after it.
    static constexpr size_t kLeast = 2;
    static constexpr size_t leastBytes(size_t numbers, size_t) { return kLeast * numbers; }

private:
    TextCursor& toWord() {
        if (cursor_.atLineEnd() && !cursor_.nextFilledLine())
            throw cursor_.errorHere("the file ends here, in mid-section");
        return cursor_;
    }

    TextCursor cursor_;
    bool skipping_ = false;
};

/// Bytes after a text header.
class BinaryInput {
public:
    BinaryInput(const Source& source, size_t offset, size_t sizeBytes)
        : source_(source), at_(offset), sizeBytes_(sizeBytes) {
        const auto one = load<int32_t>("the number 1 that tells the byte order");
        if (one == 1) return;
        order_ = std::endian::big;
        at_ = offset;
        if (load<int32_t>("the byte order") != 1) {
            throw errorAtByte(source_, offset, "the number 1 that tells the byte order is damaged");
        }
    }

    static constexpr bool kBinary = true;
    size_t offset() const { return at_; }
    int64_t whole(const char* what) { return load<int32_t>(what); }
    int64_t size(const char* what) {
        const uint64_t value = sizeBytes_ == 8 ? load<uint64_t>(what) : load<uint32_t>(what);
        if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
            throw errorAtByte(source_, at_ - sizeBytes_, fmt::format("{} is {}, which no file can hold", what, value));
        }
        return static_cast<int64_t>(value);
    }
    double real(const char* what) {
        const double value = load<double>(what);
        if (!std::isfinite(value)) {
            throw errorAtByte(source_, at_ - 8, fmt::format("{} is {}; it must be a finite number", what, value));
        }
        return value;
    }
    std::string_view section() {
        skipBlanks();
        if (at_ == source_.bytes.size()) return {};
        const size_t start = at_;
        const std::string_view line = textLine();
        if (!line.starts_with('$')) {
            throw errorAtByte(
                source_, start,
                fmt::format("found {} where a section ($Nodes, $Elements, ...) starts", inQuotes(line.substr(0, 20))));
        }
        return line.substr(1);
    }
    void endSection(std::string_view name) {
        skipBlanks();
        const size_t start = at_;
        const std::string_view line = textLine();
        if (line.substr(0, 4) != "$End" || line.substr(4) != name) {
            throw errorAtByte(source_, start,
                              fmt::format("found {} where $End{} is due", inQuotes(line.substr(0, 20)), name));
        }
    }
    void skipSection(std::string_view name) {
        const std::string end = fmt::format("$End{}", name);
        const size_t found = source_.bytes.find(end, at_);
        if (found == std::string_view::npos) {
            throw errorAtByte(source_, at_, fmt::format("${} has no {}: the file is cut short", name, end));
        }
        at_ = found + end.size();
    }
    /// A count in text, as version 2.2 has it even in binary files.
    int64_t textCount(const char* what) {
        skipBlanks();
        const size_t start = at_;
        const std::string_view line = textLine();
        const std::optional<double> value = parseNumber(line);
        if (!value || !(*value >= 0) || *value != std::floor(*value) || *value > 1e18) {
            throw errorAtByte(source_, start, fmt::format("{} is {}; it must be a whole number", what, inQuotes(line)));
        }
        return static_cast<int64_t>(*value);
    }
    size_t leastBytes(size_t, size_t bytes) const { return bytes; }

private:
    template <class T>
    T load(const char* what) {
        if (source_.bytes.size() - at_ < sizeof(T)) {
            throw errorAtByte(source_, at_, fmt::format("the file ends where {} should be: it is cut short", what));
        }
        const T value = loadAs<T>(source_.bytes, at_, order_);
        at_ += sizeof(T);
        return value;
    }
    void skipBlanks() {
        while (at_ < source_.bytes.size() && (source_.bytes[at_] == '\n' || source_.bytes[at_] == '\r' ||
                                              source_.bytes[at_] == ' ' || source_.bytes[at_] == '\t')) {
            ++at_;
        }
    }
    std::string_view textLine() {
        const size_t start = at_;
        const size_t end = std::min(source_.bytes.find('\n', at_), source_.bytes.size());
        at_ = std::min(end + 1, source_.bytes.size());
        std::string_view line = source_.bytes.substr(start, end - start);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        return line;
    }

    const Source& source_;
    size_t at_;
    size_t sizeBytes_;
    std::endian order_ = std::endian::little;
};

template <class Input>
class GmshReader {
public:
    GmshReader(const Source& source, Input input) : source_(source), input_(std::move(input)) {
        file_.binary = Input::kBinary;
    }

    TetFile read22() {
        return readSections([&] { readNodes22(); }, [&] { readElements22(); }, [&] { input_.skipSection("Entities"); });
    }
    TetFile read41() {
        return readSections([&] { readNodes41(); }, [&] { readElements41(); }, [&] { readEntities(); });
    }

private:
    template <class Nodes, class Elements, class Entities>
    TetFile readSections(Nodes&& nodes, Elements&& elements, Entities&& entities) {
        // sections come in any order; those of no interest are passed over
        bool haveNodes = false, haveElements = false;
        const auto once = [&](bool& have, const char* name) {
            if (have) throw error(fmt::format("a second ${} section; there must be one", name));
            have = true;
        };
        for (;;) {
            const std::string section(input_.section());
            if (section.empty()) break;
            if (section == "Nodes") {
                once(haveNodes, "Nodes");
                nodes();
            } else if (section == "Elements") {
                once(haveElements, "Elements");
                elements();
            } else if (section == "Entities") {
                entities();
                continue;
            } else {
                input_.skipSection(section);
                continue;
            }
            input_.endSection(section);
        }
        // a file that was cut short has lost one of these
        if (!haveNodes) throw error("no $Nodes section: the file is cut short, or is not a mesh");
        if (!haveElements) throw error("no $Elements section: the file is cut short, or is not a mesh");
        // what the user should know was not taken
        for (const auto& [plural, count] : passedOver_) {
            file_.notes.push_back(fmt::format("{} {} passed over", count, plural));
        }
        if (higherOrder_ > 0) {
            file_.notes.push_back(
                fmt::format("{} of higher order read by their four corners", counted(higherOrder_, "tet")));
        }
        return checkedTets(source_, std::move(file_));
    }

    InputError error(const std::string& message) const {
        return errorAt(source_, input_.offset(), Input::kBinary, message);
    }
    void checkItems(int64_t count, size_t numbers, size_t bytes, const char* items) const {
        checkCount(source_, input_.offset(), count, input_.leastBytes(numbers, bytes), items, Input::kBinary);
    }
    int64_t textCount(const char* what) {
        if constexpr (Input::kBinary) {
            return input_.textCount(what);
        } else {
            return input_.whole(what);
        }
    }
    Vec3 position() {
        const double x = input_.real("x of a node");
        const double y = input_.real("y of a node");
        const double z = input_.real("z of a node");
        return {x, y, z};
    }
    const ElementType& elementType(int64_t number) const {
        for (const ElementType& type : kElementTypes) {
            if (type.number == number) return type;
        }
        throw error(fmt::format(
            "element type {} is none that Gmsh documents (1 to 31, 92, 93); save with plain tets (4)", number));
    }

    void readNodes22() {
        const int64_t count = textCount("the number of nodes");
        checkItems(count, 4, 28, "nodes");
        for (int64_t i = 0; i < count; ++i) {
            file_.numbers.push_back(input_.whole("the number of a node"));
            file_.positions.push_back(position());
        }
    }

    void readElements22() {
        const int64_t count = textCount("the number of elements");
        checkItems(count, 3, 4, "elements");
        for (int64_t done = 0; done < count;) {
            // a binary file states type and tags once for a run of elements
            int64_t run = 1;
            if constexpr (!Input::kBinary) (void)input_.whole("the number of an element");
            const ElementType& type = elementType(input_.whole("the type of an element"));
            if constexpr (Input::kBinary) {
                run = input_.whole("the number of elements that follow");
                if (run < 1 || run > count - done) {
                    throw error(fmt::format("a run of {} elements, but {} of {} are left", run, count - done, count));
                }
            }
            // tags: the first is the physical group, which is the region
            const int64_t tags = input_.whole("the number of tags");
            checkItems(tags, 1, 4, "tags");
            for (int64_t i = 0; i < run; ++i) {
                RawTet tet;
                tet.offset = input_.offset();
                if constexpr (Input::kBinary) (void)input_.whole("the number of an element");
                for (int64_t tag = 0; tag < tags; ++tag) {
                    const int64_t value = input_.whole("a tag of an element");
                    if (tag == 0) tet.region = regionOf(source_, tet.offset, value, Input::kBinary);
                }
                readCorners(type, tet, [&] { return input_.whole("a node of an element"); });
            }
            done += run;
        }
    }

    template <class NextNode>
    void readCorners(const ElementType& type, RawTet& tet, NextNode&& nextNode) {
        for (int i = 0; i < type.nodes; ++i) {
            const int64_t node = nextNode();
            if (i < 4) tet.nodes[static_cast<size_t>(i)] = node;
        }
        if (!isTet(type)) {
            ++passedOver_[type.plural];
            return;
        }
        if (type.number != kTet) ++higherOrder_;
        file_.tets.push_back(tet);
    }

    void skipNumbers(int64_t count, const char* what) {
        checkItems(count, 1, 4, what);
        for (int64_t i = 0; i < count; ++i) input_.whole(what);
    }

    /// Keeps the first physical tag of every volume.
    void readEntities() {
        std::array<int64_t, 4> counts{};
        for (int64_t& count : counts) count = input_.size("the number of entities");
        for (size_t dimension = 0; dimension < 4; ++dimension) {
            checkItems(counts[dimension], dimension == 0 ? 5 : 9, dimension == 0 ? 32 : 60, "entities");
            for (int64_t i = 0; i < counts[dimension]; ++i) {
                const int64_t tag = input_.whole("the tag of an entity");
                for (int number = 0; number < (dimension == 0 ? 3 : 6); ++number) input_.real("a bound of an entity");
                const int64_t physical = input_.size("the number of physical tags");
                checkItems(physical, 1, 4, "physical tags");
                for (int64_t p = 0; p < physical; ++p) {
                    const int64_t value = input_.whole("a physical tag");
                    if (dimension == 3 && p == 0) physicalOfVolume_[tag] = value;
                }
                if (dimension > 0) skipNumbers(input_.size("the number of bounding entities"), "bounding entities");
            }
        }
        input_.endSection("Entities");
    }

    void readNodes41() {
        // the head announces how many nodes there are in how many blocks
        const int64_t blocks = input_.size("the number of node blocks");
        const int64_t total = input_.size("the number of nodes");
        input_.size("the smallest node number");
        input_.size("the largest node number");
        checkItems(blocks, 4, 20, "node blocks");
        // a block for each entity, with its own count
        for (int64_t block = 0; block < blocks; ++block) {
            const int64_t dimension = input_.whole("the dimension of a node block");
            input_.whole("the entity of a node block");
            const bool parametric = input_.whole("whether nodes have parameters") != 0;
            if (dimension < 0 || dimension > 3)
                throw error(fmt::format("dimension {} of a node block; 0 to 3 exist", dimension));
            const int64_t count = input_.size("the number of nodes in a block");
            checkItems(count, 4, 32, "nodes");
            // all numbers, then all places; parameters on surfaces and curves are read and forgotten
            for (int64_t i = 0; i < count; ++i) file_.numbers.push_back(input_.size("the number of a node"));
            for (int64_t i = 0; i < count; ++i) {
                file_.positions.push_back(position());
                for (int64_t p = 0; parametric && p < dimension; ++p) input_.real("a parameter of a node");
            }
        }
        // the sum must be what the head announced
        if (static_cast<int64_t>(file_.positions.size()) != total) {
            throw error(
                fmt::format("the blocks hold {} nodes, but $Nodes announces {}", file_.positions.size(), total));
        }
    }

    void readElements41() {
        // the head announces how many elements there are in how many blocks
        const int64_t blocks = input_.size("the number of element blocks");
        const int64_t total = input_.size("the number of elements");
        input_.size("the smallest element number");
        input_.size("the largest element number");
        checkItems(blocks, 4, 20, "element blocks");
        int64_t found = 0;
        // all elements of a block have the same type and belong to the same entity
        for (int64_t block = 0; block < blocks; ++block) {
            input_.whole("the dimension of an element block");
            const int64_t entity = input_.whole("the entity of an element block");
            const ElementType& type = elementType(input_.whole("the type of an element block"));
            const int64_t count = input_.size("the number of elements in a block");
            checkItems(count, static_cast<size_t>(1 + type.nodes), 8, "elements");
            // the physical group of the volume is the region of its tets
            const auto physical = physicalOfVolume_.find(entity);
            const int64_t label = isTet(type) && physical != physicalOfVolume_.end() ? physical->second : 0;
            for (int64_t i = 0; i < count; ++i) {
                RawTet tet;
                tet.offset = input_.offset();
                tet.region = regionOf(source_, tet.offset, label, Input::kBinary);
                input_.size("the number of an element");
                readCorners(type, tet, [&] { return input_.size("a node of an element"); });
            }
            found += count;
        }
        // the sum must be what the head announced
        if (found != total)
            throw error(fmt::format("the blocks hold {} elements, but $Elements announces {}", found, total));
    }

    const Source& source_;
    Input input_;
    RawTets file_;
    std::map<int64_t, int64_t> physicalOfVolume_;
    std::map<std::string, size_t> passedOver_;
    size_t higherOrder_ = 0;
};

/// The two lines that open every file, and where they end.
struct GmshHeader {
    bool is41 = false;
    bool binary = false;
    size_t sizeBytes = 8;
    size_t end = 0;
};

GmshHeader readHeader(const Source& source) {
    // other programs call their meshes .msh as well
    TextCursor cursor(source);
    if (cursor.wordAnywhere() != "$MeshFormat") {
        throw cursor.errorAtWord("a Gmsh file starts with $MeshFormat; is this another .msh format (Fluent, ANSYS)?");
    }
    if (!cursor.nextFilledLine()) throw cursor.errorHere("the file ends after $MeshFormat");
    // the version decides how sections are laid out
    const std::string version(cursor.word());
    GmshHeader header;
    header.is41 = version == "4.1";
    if (version != "2.2" && version != "2" && version != "2.1" && !header.is41) {
        throw cursor.errorAtWord(
            fmt::format("Gmsh format {}; 2.2 and 4.1 are read: save again with \"Mesh.MshFileVersion "
                        "= 4.1\" (gmsh -format msh41)",
                        inQuotes(version)));
    }
    // text or binary, and how wide counts are in a binary file
    const int64_t fileType = cursor.integer("the file type (0 text, 1 binary)");
    if (fileType != 0 && fileType != 1) {
        throw cursor.errorAtWord(fmt::format("file type {}; 0 (text) and 1 (binary) exist", fileType));
    }
    header.binary = fileType == 1;
    const int64_t size = cursor.integer("the data size");
    if (size != 8 && !(header.is41 && size == 4)) {
        throw cursor.errorAtWord(fmt::format("data size {}; 8 is read", size));
    }
    header.sizeBytes = static_cast<size_t>(size);
    // sections begin behind this line
    cursor.skipLine();
    header.end = cursor.offset();
    return header;
}

template <class Input>
TetFile readBody(const Source& source, const GmshHeader& header, Input input) {
    if constexpr (Input::kBinary) {
        input.endSection("MeshFormat");
    } else {
        input.section();  // $MeshFormat
        for (const char* what : {"the version", "the file type", "the data size"}) input.real(what);
        input.endSection("MeshFormat");
    }
    GmshReader<Input> reader(source, std::move(input));
    return header.is41 ? reader.read41() : reader.read22();
}

}  // namespace

TetFile readGmsh(std::string_view bytes, const std::string& name) {
    const Source source{name, bytes, {}};
    const GmshHeader header = readHeader(source);
    if (header.binary) return readBody(source, header, BinaryInput(source, header.end, header.sizeBytes));
    return readBody(source, header, TextInput(source));
}

}  // namespace sunder
