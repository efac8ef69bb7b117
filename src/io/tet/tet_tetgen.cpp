#include <cmath>

#include <fmt/format.h>

#include "io/files/text_cursor.h"
#include "io/tet/raw_tets.h"

// TetGen's pair of files: NAME.node with "count 3 attributes markers" and numbered points, NAME.ele with "count
// nodes-per-tet attributes" and numbered tets. Numbers start at 0 or 1 and have no gaps; # opens a comment.

namespace sunder {

namespace {

void toNextLine(TextCursor& cursor, const char* what) {
    cursor.skipLine();
    if (!cursor.nextFilledLine()) {
        throw cursor.errorHere(fmt::format("the file ends where {} should be: it is cut short", what));
    }
}

/// A column that may be left out: its value when it is not there.
int64_t optionalColumn(TextCursor& cursor, const char* what, int64_t otherwise) {
    return cursor.atLineEnd() ? otherwise : cursor.integer(what);
}

void checkNumber(const TextCursor& cursor, int64_t found, int64_t expected) {
    if (found == expected) return;
    throw cursor.errorAtWord(
        fmt::format("found number {} where {} is due; TetGen numbers from 0 or 1 without gaps", found, expected));
}

/// Returns whether the files count from 0 or from 1.
int64_t readPoints(const Source& source, RawTets& file) {
    // the head: how many points, of which dimension
    TextCursor cursor(source);
    if (!cursor.nextFilledLine()) throw errorInFile(source, "no line with the number of points");
    const int64_t count = cursor.integer("the number of points");
    checkCount(source, cursor.offset(), count, 8, "points", false);
    const int64_t dimension = optionalColumn(cursor, "the dimension", 3);
    if (dimension != 3) throw cursor.errorAtWord(fmt::format("points of dimension {}; 3 is needed", dimension));
    // the first point says whether numbers count from 0 or 1; tets count the same way
    int64_t first = 1;
    for (int64_t i = 0; i < count; ++i) {
        toNextLine(cursor, "a point");
        const int64_t number = cursor.integer("the number of a point");
        if (i == 0 && number == 0) first = 0;
        checkNumber(cursor, number, first + i);
        const double x = cursor.number("x of a point");
        const double y = cursor.number("y of a point");
        const double z = cursor.number("z of a point");
        file.positions.emplace_back(x, y, z);
        file.numbers.push_back(number);
    }
    return first;
}

/// `first`: the number that the first tet must have.
void readElements(const Source& source, int64_t first, RawTets& file) {
    // the head: how many tets, how many nodes of each, how many attributes
    TextCursor cursor(source);
    if (!cursor.nextFilledLine()) throw errorInFile(source, "no line with the number of tets");
    const int64_t count = cursor.integer("the number of tets");
    checkCount(source, cursor.offset(), count, 10, "tets", false);
    const int64_t perTet = optionalColumn(cursor, "the number of nodes per tet", 4);
    if (perTet != 4 && perTet != 10) {
        throw cursor.errorAtWord(fmt::format("{} nodes per tet; 4 or 10 are possible", perTet));
    }
    const int64_t attributes = optionalColumn(cursor, "the number of attributes", 0);
    if (attributes < 0) throw cursor.errorAtWord(fmt::format("{} attributes; 0 or more are possible", attributes));
    // a line for each; of ten nodes the first four are the corners, the first attribute is the region
    for (int64_t i = 0; i < count; ++i) {
        toNextLine(cursor, "a tet");
        RawTet tet;
        tet.offset = cursor.offset();
        checkNumber(cursor, cursor.integer("the number of a tet"), first + i);
        for (int64_t n = 0; n < perTet; ++n) {
            const int64_t node = cursor.integer("a node of a tet");
            if (n < 4) tet.nodes[static_cast<size_t>(n)] = node;
        }
        if (attributes > 0) {
            const double region = cursor.number("the region of a tet");
            if (region != std::floor(region) || std::abs(region) > 1e18) {
                throw cursor.errorAtWord(fmt::format("region {}; regions are whole numbers", region));
            }
            tet.region = regionOf(source, tet.offset, static_cast<int64_t>(region), false);
        }
        file.tets.push_back(tet);
    }
    if (perTet == 10) file.notes.push_back("tets of second order read by their four corners");
}

}  // namespace

TetFile readTetGen(std::string_view nodeBytes, const std::string& nodeName, std::string_view eleBytes,
                   const std::string& eleName) {
    const Source nodeSource{nodeName, nodeBytes, {}};
    const Source eleSource{eleName, eleBytes, {}};
    RawTets file;
    const int64_t first = readPoints(nodeSource, file);
    readElements(eleSource, first, file);
    return checkedTets(eleSource, std::move(file));
}

}  // namespace sunder
