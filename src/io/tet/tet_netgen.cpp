#include <fmt/format.h>

#include "io/files/text_cursor.h"
#include "io/tet/raw_tets.h"

// Netgen's .vol files: lines of numbers under keywords. Only "volumeelements" and "points" matter to tets; lines of
// other sections hold numbers, so they cannot be mistaken for a keyword.

namespace sunder {

namespace {

class NetgenReader {
public:
    explicit NetgenReader(const Source& source) : source_(source), cursor_(source) {}

    TetFile read() {
        if (cursor_.wordAnywhere() != "mesh3d") {
            throw cursor_.errorAtWord("a Netgen volume mesh starts with mesh3d");
        }
        // sections come in any order; unknown ones have no length, so their lines are passed over
        bool haveElements = false, havePoints = false;
        const auto once = [&](bool& have) {
            if (have) throw cursor_.errorAtWord("a second section of this name; there must be one");
            have = true;
        };
        cursor_.skipLine();
        while (cursor_.nextFilledLine()) {
            const std::string_view keyword = cursor_.word();
            if (keyword == "endmesh") break;
            if (keyword == "dimension") {
                readDimension();
            } else if (keyword == "volumeelements") {
                once(haveElements);
                readElements();
            } else if (keyword == "points") {
                once(havePoints);
                readPoints();
            }
            cursor_.skipLine();
        }
        // a file that was cut short has lost one of these
        if (!haveElements)
            throw cursor_.errorHere("no volumeelements: this is a surface mesh, or the file is cut short");
        if (!havePoints) throw cursor_.errorHere("no points: the file is cut short");
        // what the user should know was not taken
        if (passedOver_ > 0) {
            file_.notes.push_back(
                counted(passedOver_, "pyramid, prism or hexahedron", "pyramids, prisms and hexahedra") +
                " passed over");
        }
        if (secondOrder_ > 0) {
            file_.notes.push_back(counted(secondOrder_, "tet") + " of second order read by their four corners");
        }
        return checkedTets(source_, std::move(file_));
    }

private:
    TextCursor& toNextLine(const char* what) {
        cursor_.skipLine();
        if (!cursor_.nextFilledLine()) {
            throw cursor_.errorHere(fmt::format("the file ends where {} should be: it is cut short", what));
        }
        return cursor_;
    }

    void readDimension() {
        const int64_t dimension = toNextLine("the dimension").integer("the dimension");
        if (dimension != 3) throw cursor_.errorAtWord(fmt::format("dimension {}; only 3 holds tets", dimension));
    }

    int64_t readCount(const char* items, size_t bytesEach) {
        const int64_t count = toNextLine("a count").integer("a count");
        checkCount(source_, cursor_.offset(), count, bytesEach, items, false);
        return count;
    }

    void readElements() {
        // a line for each: its material, the number of its points, then these
        const int64_t count = readCount("volume elements", 12);
        for (int64_t i = 0; i < count; ++i) {
            toNextLine("a volume element");
            RawTet tet;
            tet.offset = cursor_.offset();
            tet.region = regionOf(source_, tet.offset, cursor_.integer("the material of an element"), false);
            // other volumes than tets are counted for a note
            const int64_t points = cursor_.integer("the number of points of an element");
            if (points != 4 && points != 10) {
                if (points < 5 || points > 27) {
                    throw cursor_.errorAtWord(fmt::format("an element of {} points; tets have 4 or 10", points));
                }
                ++passedOver_;
                continue;
            }
            // of ten points the first four are the corners
            for (int64_t& node : tet.nodes) node = cursor_.integer("a point of an element");
            if (points == 10) ++secondOrder_;
            file_.tets.push_back(tet);
        }
    }

    void readPoints() {
        const int64_t count = readCount("points", 6);
        for (int64_t i = 0; i < count; ++i) {
            toNextLine("a point");
            const double x = cursor_.number("x of a point");
            const double y = cursor_.number("y of a point");
            const double z = cursor_.number("z of a point");
            file_.positions.emplace_back(x, y, z);
            file_.numbers.push_back(i + 1);
        }
    }

    const Source& source_;
    TextCursor cursor_;
    RawTets file_;
    size_t passedOver_ = 0;
    size_t secondOrder_ = 0;
};

}  // namespace

TetFile readNetgenVol(std::string_view bytes, const std::string& name) {
    const Source source{name, bytes, {}};
    return NetgenReader(source).read();
}

}  // namespace sunder
