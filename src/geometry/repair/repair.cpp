#include "geometry/repair/repair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/assert.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/mesh/topology.h"
#include "geometry/mesh/validate.h"
#include "geometry/repair/clean_faces.h"
#include "geometry/repair/detail/edit.h"
#include "geometry/repair/detail/examine.h"
#include "geometry/repair/double_walls.h"
#include "geometry/repair/fill_holes.h"
#include "geometry/repair/mend_intersections.h"
#include "geometry/repair/orient.h"
#include "geometry/repair/rebuild.h"
#include "geometry/repair/shells.h"
#include "geometry/repair/split_nonmanifold.h"
#include "geometry/repair/stitch.h"

namespace sunder {

using detail::counted;
using detail::textOf;

namespace {

constexpr double kDanglingArea = 0.1;      // of the whole surface: open sheets beside solids that may be dropped
constexpr double kMaxAmbiguous = 0.05;     // of the inside: beyond it, an open surface has no clear inside
constexpr double kMaxAmbiguousScan = 0.3;  // the same where all openings are ragged: the patches make it clear
constexpr double kMaxRaggedArea = 0.4;     // of the surface: a larger opening leaves too much to guess
constexpr double kScrapArea = 0.02;        // of the largest part
constexpr double kDoubleWall = 1e-4;       // of the box diagonal: two surfaces so near are one
constexpr double kMaxTurned = 0.2;         // of the inside: beyond it, neither reading of a turned part is sure
constexpr double kTurnedToTell = 0.005;    // of the inside
constexpr double kMaxVolumeLost = 0.1;     // of the volume, by a rebuild
constexpr double kSoupShare = 0.3;         // of the edges are open: no surface to speak of
constexpr double kMinInside = 0.002;       // of the box
constexpr double kNoVolume = 1e-9;         // V^2 / A^3 of a shell: flatter than any plate (a ball has 0.0088)
constexpr double kStages = 6;

/// The mesh on its way from the user to a solid, and the record of what happened to it.
class Repair {
public:
    Repair(const TriMesh& mesh, const RepairOptions& options, Progress* progress)
        : options_(options), progress_(progress ? *progress : silent_), mesh_(mesh) {}

    RepairResult run() {
        progress_.start("repair", kStages);
        if (!isUsable()) return finish();

        // what can be mended where it is
        shareVertices();
        cleanFaces();
        closeSeams();
        progress_.advance();
        takeApart();
        fillHolesOfMesh();
        dropDoubles();
        progress_.advance();

        // what is left must be the boundary of a solid
        if (mesh_.empty()) refuse(RepairVerdict::Shell, "nothing is left without the degenerate triangles");
        if (mesh_.empty() || !settleOpenParts()) return finish();
        progress_.advance();
        if (!settled_ && !settleClosedParts()) return finish();
        progress_.advance();
        judge();
        ASSERT(problemWith(mesh_).empty());
        return finish();
    }

private:
    // --- the record

    void did(std::string what, size_t count) {
        result_.actions.push_back({std::move(what), count});
        changed_ = true;
    }
    void didHarmless(std::string what, size_t count) { result_.actions.push_back({std::move(what), count}); }
    void warn(std::string text) { result_.warnings.push_back(std::move(text)); }
    void refuse(RepairVerdict verdict, std::string reason) {
        result_.verdict = verdict;
        result_.reason = std::move(reason);
    }
    RepairResult finish() {
        result_.mesh = std::move(mesh_);
        progress_.finish();
        return std::move(result_);
    }

    // --- the stages

    bool isUsable() {
        // what no triangle uses may be anything
        if (const size_t n = removeUnusedVertices(mesh_))
            didHarmless(fmt::format("dropped {}", counted(n, "unused vertex", "unused vertices")), n);
        size_t bad = 0;
        VertexIndex first{};
        for (const VertexIndex v : mesh_.positions.indices()) {
            if (!mesh_.positions[v].allFinite() && bad++ == 0) first = v;
        }
        result_.verdict = RepairVerdict::Refused;
        if (bad > 0) {
            result_.reason = fmt::format(
                "{} with a coordinate that is not a finite number, the first is vertex {}; "
                "export the mesh again",
                counted(bad, "vertex", "vertices"), raw(first));
        } else if (mesh_.empty()) {
            result_.reason = "the mesh has no triangles";
        }
        return result_.reason.empty();
    }

    void shareVertices() {
        // closed shells are told apart as long as they share no vertices
        if (isClosedManifold(mesh_)) dropDoubles();
        if (const size_t n = detail::weldWhereNeeded(mesh_)) {
            didHarmless(fmt::format("welded {} at exactly the same place as another", counted(n, "vertex", "vertices")),
                        n);
        }
    }

    void cleanFaces() {
        // faces that are none
        if (const size_t n = dropRepeatedIndexFaces(mesh_)) {
            did(fmt::format("dropped {} that used a vertex twice", counted(n, "triangle")), n);
        }
        // faces there more than once
        const DuplicateFaceCounts copies = dropDuplicateFaces(mesh_);
        if (copies.copies)
            did(fmt::format("dropped {} listed more than once", counted(copies.copies, "face")), copies.copies);
        if (copies.backs) {
            did(fmt::format("kept one side of a double-sided surface (dropped {})", counted(copies.backs, "back face")),
                copies.backs);
        }
        if (copies.flapsAndWalls) {
            did(fmt::format("removed {} of flaps or inner walls, doubled back to back",
                            counted(copies.flapsAndWalls, "face")),
                copies.flapsAndWalls);
        }
        // faces without area, by what they hang together with
        if (const size_t n = dropZeroAreaFaces(mesh_)) {
            did(fmt::format("removed {} without area", counted(n, "triangle")), n);
        }
    }

    void closeSeams() {
        const double tolerance = options_.weldTolerance * boundsOf(mesh_).diagonal();
        const WeldedSeams seams = weldSeams(mesh_, tolerance);
        if (seams.welded) {
            did(fmt::format("welded {} at open edges within {:.3g} of another",
                            counted(seams.welded, "vertex", "vertices"), seams.tolerance),
                seams.welded);
        }
        const size_t stitched = stitchTJunctions(mesh_, std::max(tolerance, seams.tolerance));
        if (stitched)
            did(fmt::format("stitched {} lying on another triangle's edge", counted(stitched, "vertex", "vertices")),
                stitched);
        const ClosedGaps gaps = closeGaps(mesh_, tolerance);
        if (gaps.tolerance > 0) {
            did(fmt::format("closed a gap along a seam: welded {} and stitched {} within {:.3g}",
                            counted(gaps.welded, "vertex", "vertices"), counted(gaps.stitched, "vertex", "vertices"),
                            gaps.tolerance),
                gaps.welded + gaps.stitched);
        }
        if (seams.welded || stitched || gaps.tolerance > 0) cleanFaces();
    }

    void takeApart() {
        // what hangs on the solid without bounding it
        if (const size_t n = dropFins(mesh_)) {
            did(fmt::format("removed {} of sheets hanging on an edge or across the inside", counted(n, "triangle")), n);
        }
        {
            // a first agreement among neighbours, so that crowded edges can be paired by their wedges of solid
            const MeshTopology topology(mesh_);
            flipped_ += orient(topology);
        }
        // crowded edges come apart into wedges of solid, which then agree anew
        const SplitCounts split = splitNonManifold(mesh_);
        hadCrowdedEdges_ = split.edges > 0;
        crowdedEdges_ = split.edges;
        if (split.edges)
            did(fmt::format("took apart {} with more than two triangles", counted(split.edges, "edge")), split.edges);
        if (split.vertices && !split.edges) {
            did(fmt::format("took apart {} where surfaces only touched", counted(split.vertices, "vertex", "vertices")),
                split.vertices);
        }
        if (split.edges) flipped_ += orient(MeshTopology(mesh_));
        if (flipped_)
            did(fmt::format("turned over {} that disagreed with the neighbours", counted(flipped_, "triangle")),
                flipped_);
    }

    size_t orient(const MeshTopology& topology) {
        const OrientResult result = orientConsistently(mesh_, topology);
        notOrientable_ = result.notOrientable;
        return result.flipped;
    }

    void fillHolesOfMesh() {
        HoleOptions holes;
        holes.maxLength = options_.maxHoleFraction;
        if (options_.closeOpenings)
            holes.maxLength = holes.maxArea = holes.maxTriangleArea = std::numeric_limits<double>::infinity();
        holes_ = fillHoles(mesh_, holes);
        if (holes_.filled) {
            did(fmt::format("filled {} (the largest of {})", counted(holes_.filled, "hole"),
                            counted(holes_.largest, "edge")),
                holes_.filled);
        }
    }

    /// The same surface twice, nearly at one place: an outer and an inner skin of a wall that is none.
    void dropDoubles() {
        const DoubleWalls doubles = dropDoubleWalls(mesh_, kDoubleWall * boundsOf(mesh_).diagonal());
        if (doubles.parts == 0) return;
        did(fmt::format("dropped {} of {} lying on another within {:.3g}", counted(doubles.parts, "doubled wall"),
                        counted(doubles.triangles, "triangle"), doubles.distance),
            doubles.triangles);
        warn(
            fmt::format("{} no thicker than {:.3g} taken as one surface, and what it surrounds as full; if it is to be "
                        "hollow, give the wall a thickness",
                        counted(doubles.parts, "doubled wall"), doubles.distance));
    }

    /// Open components: dropped when they are a small part beside closed ones; otherwise the surface is a shell, unless
    /// its inside is clear enough to be rebuilt.
    bool settleOpenParts() {
        // which components are open, and by how many edges
        const MeshTopology topology(mesh_);
        const Components components = connectedComponents(mesh_, topology);
        std::vector<uint8_t> isOpen(components.count, 0);
        size_t openEdges = 0;
        for (const EdgeIndex e : indexRange<EdgeIndex>(topology.edgeCount())) {
            if (!topology.isBoundary(e)) continue;
            ++openEdges;
            isOpen[raw(components.ofTriangle[topology.sides(e)[0].triangle])] = 1;
        }
        // a surface with one side bounds nothing
        if (notOrientable_ > 0 && !hadCrowdedEdges_) {
            refuse(openEdges ? RepairVerdict::Shell : RepairVerdict::Refused,
                   fmt::format("the surface is not orientable ({} with no consistent inside and outside{}): it cannot "
                               "bound a solid",
                               counted(notOrientable_, "component"),
                               openEdges ? fmt::format(", {}", counted(openEdges, "open edge")) : ""));
            return false;
        }
        if (openEdges == 0 && notOrientable_ == 0) return true;

        // small open parts beside closed ones are litter
        double openArea = 0, area = 0;
        size_t openTriangles = 0;
        for (const TriangleIndex t : mesh_.triangles.indices()) {
            const double own = mesh_.areaVector(t).norm();
            area += own;
            if (!isOpen[raw(components.ofTriangle[t])]) continue;
            openArea += own;
            ++openTriangles;
        }
        if (notOrientable_ == 0 && openTriangles < mesh_.triangleCount() && openArea <= kDanglingArea * area) {
            detail::KeepMask keep(mesh_.triangleCount(), 1);
            for (const TriangleIndex t : mesh_.triangles.indices()) keep[t] = !isOpen[raw(components.ofTriangle[t])];
            const size_t sheets = static_cast<size_t>(std::count(isOpen.begin(), isOpen.end(), 1));
            detail::keepTriangles(mesh_, keep);
            removeUnusedVertices(mesh_);
            did(fmt::format("dropped {} ({}, {:.2g} % of the area) beside the closed solids",
                            counted(sheets, "open sheet"), counted(openEdges, "open edge"), 100 * openArea / area),
                openTriangles);
            return true;
        }

        return settleOpenSurface(components, openEdges, topology.edgeCount());
    }

    /// Open as a whole. A soup, or a tangle of crowded edges, is rebuilt when its inside is clear all the same;
    /// openings of a proper surface are the user's, so that it stays a shell unless asked otherwise.
    bool settleOpenSurface(const Components& components, size_t openEdges, size_t edges) {
        // is what it surrounds clear all the same?
        const bool soup = static_cast<double>(openEdges) > kSoupShare * static_cast<double>(edges);
        turnOpenPartsOutward(components);
        const Decisiveness inside = windingDecisiveness(mesh_);
        const bool clear = inside.insideShare >= kMinInside && inside.ambiguousShare <= kMaxAmbiguous;
        const std::string left = openEdges ? counted(openEdges, "open edge")
                                           : counted(notOrientable_, "part without consistent orientation",
                                                     "parts without consistent orientation");
        if (!soup && !hadCrowdedEdges_ && !options_.wrapOpen && inside.insideShare >= kMinInside &&
            inside.ambiguousShare <= kMaxAmbiguousScan && closeRaggedOpenings()) {
            return true;
        }
        // what is clearly inside is all that a rebuild needs
        const bool rebuildable = clear && (soup || hadCrowdedEdges_ || options_.wrapOpen);
        const MeshTopology topology(mesh_);
        detail::Intersections cuts;
        if (rebuildable || hadCrowdedEdges_)
            cuts = detail::findIntersections(mesh_, connectedComponents(mesh_, topology));
        if (cuts.tooMany()) {
            refuse(RepairVerdict::Refused, cuts.tooManyText());
            return false;
        }
        if (rebuildable) {
            return rebuild(fmt::format("{} could not be mended locally", left), SourceKind::Open);
        }
        // a tangle of walls without thickness bounds nothing
        if (hadCrowdedEdges_) {
            refuse(RepairVerdict::Refused,
                   fmt::format("the surface is a tangle: {} had more than two triangles, {} "
                               "and {} are left, and about {:.0f} % of "
                               "what it surrounds is neither clearly inside nor outside; it "
                               "has walls without thickness. Give them "
                               "one, or close the surface, and try again",
                               counted(crowdedEdges_, "edge"), left,
                               counted(cuts.pairs.size(), "pair of triangles that cut each other",
                                       "pairs of triangles that cut each other"),
                               100 * std::min(1.0, inside.ambiguousShare)));
            return false;
        }
        // the user has to close it: where, and how much
        std::string reason = fmt::format("the surface is open: {} left", left);
        if (holes_.left > 0) {
            reason += fmt::format(" around {}, the longest {:.4g} long at {}", counted(holes_.left, "opening"),
                                  holes_.largestLength, textOf(holes_.place));
        }
        reason += "; it is a shell, not a solid. Have the openings closed, or give it a thickness";
        if (clear)
            reason += ". Its inside is clear in spite of the openings: it can also be wrapped (rebuilt) when asked";
        refuse(RepairVerdict::Shell, std::move(reason));
        return false;
    }

    /// Openings where a scanner saw no more, in a surface that goes round all the same, are closed. Those with a smooth
    /// border were made by somebody. Returns whether nothing is open then; otherwise nothing is changed.
    bool closeRaggedOpenings() {
        TriMesh closed = mesh_;
        const size_t islands = dropOpenCrumbs(closed);
        const HoleReport holes = fillHoles(closed, {.maxRaggedArea = kMaxRaggedArea});
        if (holes.left > 0 || !isClosedManifold(closed)) return false;
        if (islands) did(fmt::format("dropped {} inside the openings", counted(islands, "open scrap")), islands);
        const double added = surfaceArea(closed) - surfaceArea(mesh_);
        did(fmt::format("closed {} with a ragged border, as a scanner leaves them (the longest of {})",
                        counted(holes.filled, "opening"), counted(holes.largest, "edge")),
            holes.filled);
        warn(
            fmt::format("{:.2g} % of the surface was missing and is now spanned by plain patches: check the shape and "
                        "volume by eye",
                        100 * added / surfaceArea(closed)));
        mesh_ = std::move(closed);
        return true;
    }

    /// Scraps that a scanner left in an opening. Returns how many went.
    static size_t dropOpenCrumbs(TriMesh& mesh) {
        const MeshTopology topology(mesh);
        const Components components = connectedComponents(mesh, topology);
        std::vector<double> area(components.count, 0);
        std::vector<uint8_t> open(components.count, 0);
        for (const TriangleIndex t : mesh.triangles.indices()) {
            const size_t c = raw(components.ofTriangle[t]);
            area[c] += 0.5 * mesh.areaVector(t).norm();
            for (int corner = 0; corner < 3; ++corner) open[c] |= topology.isBoundary(topology.edge(t, corner));
        }
        const double largest = *std::max_element(area.begin(), area.end());
        const auto isCrumb = [&](size_t c) { return open[c] && area[c] < kScrapArea * largest; };
        detail::KeepMask keep(mesh.triangleCount(), 1);
        for (const TriangleIndex t : mesh.triangles.indices()) keep[t] = !isCrumb(raw(components.ofTriangle[t]));
        size_t dropped = 0;
        for (size_t c = 0; c < components.count; ++c) dropped += isCrumb(c);
        if (dropped == 0) return 0;
        detail::keepTriangles(mesh, keep);
        removeUnusedVertices(mesh);
        return dropped;
    }

    /// An open component turns its hollow side in: its volume about its own middle is positive.
    void turnOpenPartsOutward(const Components& components) {
        if (flipped_ == 0 && !hadCrowdedEdges_) return;  // the source knew which way is out
        std::vector<NestedShell> parts = nestedShells(mesh_, components);
        size_t turned = 0;
        for (const NestedShell& part : parts) {
            if (part.volume >= 0 || part.volume * part.volume < 1e-4 * std::pow(part.area, 3)) continue;
            for (const TriangleIndex t : part.triangles) flipTriangle(mesh_, t);
            ++turned;
        }
        if (turned) did(fmt::format("turned {} hollow side in", counted(turned, "open part")), turned);
    }

    /// Closed shells: which way is out, what is nested, what cuts what.
    bool settleClosedParts() {
        // shells without volume go before anything is asked about the others
        MeshTopology topology(mesh_);
        Components components = connectedComponents(mesh_, topology);
        if (!dropFlatShells(components)) return false;
        topology = MeshTopology(mesh_);
        components = connectedComponents(mesh_, topology);
        // which shell lies inside which decides where out is
        const detail::Intersections cuts = detail::findIntersections(mesh_, components);
        if (cuts.tooMany()) {
            refuse(RepairVerdict::Refused, cuts.tooManyText());
            return false;
        }
        std::vector<NestedShell> shells = nestedShells(mesh_, components, cuts.shellPairs);
        const auto apart = shellsNotNested(cuts, components, shells);
        if (apart.size() < cuts.shellPairs.size()) shells = nestedShells(mesh_, components, apart);
        const OutwardCounts turned = turnOutward(mesh_, shells);
        if (turned.inward)
            did(fmt::format("turned {} the right way out", counted(turned.inward, "inside-out shell")), turned.inward);
        if (turned.nested) {
            did(fmt::format("took {} inside another as a cavity", counted(turned.nested, "shell")), turned.nested);
            warn(
                fmt::format("{} inside another shell turned the same way: taken as a cavity, not as a solid inside a "
                            "solid; delete the inner shell if the solid is meant to be full",
                            counted(turned.nested, "shell")));
        }
        if (cuts.pairs.empty()) return true;

        // a shell that cuts itself may be mended there; several that cut each other become one only by a rebuild
        const std::string found = fmt::format("{} cut each other, e.g. at {}",
                                              counted(cuts.pairs.size(), "pair of triangles", "pairs of triangles"),
                                              textOf(detail::placeOf(mesh_, cuts.pairs[0])));
        if (cuts.shellPairs.empty()) {
            const MendReport mend = mendIntersections(mesh_);
            if (mend.mended) {
                did(fmt::format("mended {} by cutting out {} and closing {}",
                                counted(cuts.pairs.size(), "self-intersection"), counted(mend.triangles, "triangle"),
                                counted(mend.places, "place")),
                    cuts.pairs.size());
                return true;
            }
        }
        // a surface that turns over on its way encloses some space inside out
        const double turnedShare = windingDecisiveness(mesh_).turnedShare;
        if (turnedShare > kMaxTurned) {
            refuse(RepairVerdict::Refused,
                   fmt::format("{}, and {:.0f} % of what the surface surrounds is inside out: it turns over where it "
                               "passes through itself, so that in and out cannot be told apart. Part the lobes in a "
                               "modelling program and try again",
                               found, 100 * turnedShare));
            return false;
        }
        if (turnedShare > kTurnedToTell) {
            warn(fmt::format("{:.2g} % of what the surface surrounds was inside out and is left out",
                             100 * turnedShare));
        }
        return rebuild(found, SourceKind::Closed);
    }

    /// Of the shells that meet, those that cannot lie in each other: they pass through each other, or turn the same
    /// way. One turned against the other that only touches it may be a hollow that ends at its skin.
    static std::vector<std::pair<uint32_t, uint32_t>> shellsNotNested(const detail::Intersections& cuts,
                                                                      const Components& components,
                                                                      const std::vector<NestedShell>& shells) {
        std::vector<std::pair<uint32_t, uint32_t>> apart;
        for (const auto& [a, b] : cuts.shellPairs) {
            if ((shells[a].volume > 0) == (shells[b].volume > 0)) apart.emplace_back(a, b);
        }
        for (const IntersectingPair& pair : cuts.pairs) {
            const uint32_t a = raw(components.ofTriangle[pair.first]), b = raw(components.ofTriangle[pair.second]);
            if (a != b && pair.relation == TriangleRelation::Crossing)
                apart.emplace_back(std::min(a, b), std::max(a, b));
        }
        std::sort(apart.begin(), apart.end());
        apart.erase(std::unique(apart.begin(), apart.end()), apart.end());
        return apart;
    }

    /// Closed sheets that fold back on themselves enclose nothing.
    bool dropFlatShells(const Components& components) {
        // volume against area, by shells: what a sheet folded onto itself encloses is rounding
        const auto lists = components.lists();
        detail::KeepMask keep(mesh_.triangleCount(), 1);
        size_t flat = 0;
        for (const auto& list : lists) {
            const TriMesh shell = subset(mesh_, list);
            const double area = surfaceArea(shell), own = volume(shell);
            if (detail::enclosesVolume(shell) && own * own > kNoVolume * kNoVolume * area * area * area) continue;
            ++flat;
            for (const TriangleIndex t : list) keep[t] = 0;
        }
        if (flat == 0) return true;
        // then nothing else is there
        if (flat == components.count) {
            refuse(RepairVerdict::Shell,
                   fmt::format("the surface is closed but encloses no volume ({}); give it a thickness",
                               counted(flat, "flat shell")));
            return false;
        }
        const size_t n = detail::keepTriangles(mesh_, keep);
        removeUnusedVertices(mesh_);
        did(fmt::format("dropped {} that enclosed no volume", counted(flat, "closed sheet")), n);
        return true;
    }

    bool rebuild(const std::string& why, SourceKind source) {
        if (!options_.allowRebuild) {
            refuse(RepairVerdict::Refused,
                   why + "; this needs a rebuild through the distance grid, which was not allowed");
            return false;
        }
        // as fine as allowed and needed
        RebuildOptions options;
        options.cells = options_.rebuildCells;
        options.maxCells = std::max(options_.rebuildCells, options_.maxRebuildCells);
        options.source = source;
        RebuildResult rebuilt = rebuildThroughGrid(mesh_, options, &progress_);
        if (rebuilt.tangledFan) {
            refuse(RepairVerdict::Refused,
                   why +
                       "; thousands of needles meet at one vertex and cut each other there, finer than the cells of "
                       "any grid that is allowed. Make the fan of fewer and wider triangles, each beside the next, "
                       "and try again");
            return false;
        }
        if (rebuilt.mesh.empty()) {
            refuse(RepairVerdict::Refused,
                   why +
                       "; rebuilt through the distance grid nothing is left: the surface encloses no "
                       "volume that cells of that size can hold");
            return false;
        }
        const double lost = std::abs(rebuilt.volume - rebuilt.expectedVolume);
        if (source == SourceKind::Closed && lost > kMaxVolumeLost * std::abs(rebuilt.expectedVolume)) {
            refuse(
                RepairVerdict::Refused,
                fmt::format("{}; a rebuild with {} cells along the longest side would make a volume of {:.4g} out of "
                            "{:.4g}, since walls are thinner than its cells of {:.3g}. Give a finer resolution, or "
                            "thicker walls",
                            why, rebuilt.cells, rebuilt.volume, rebuilt.expectedVolume, rebuilt.cellSize));
            return false;
        }
        // what the rebuild made of it is the mesh from here on
        mesh_ = std::move(rebuilt.mesh);
        result_.rebuilt = settled_ = true;
        result_.cellSize = rebuilt.cellSize;
        did(fmt::format("rebuilt the surface with {} cells along the longest side (cell size {:.3g}): {}",
                        rebuilt.cells, rebuilt.cellSize, why),
            mesh_.triangleCount());
        // what a rebuild may have lost or guessed is said
        if (source == SourceKind::Open) {
            warn("the source was not a closed, orientable surface: check the rebuilt shape and volume by eye");
        }
        if (rebuilt.crumbs)
            warn(
                fmt::format("dropped {} smaller than a few cells after the rebuild", counted(rebuilt.crumbs, "crumb")));
        for (std::string& text : rebuilt.warnings) warn(std::move(text));
        return true;
    }

    void judge() {
        removeUnusedVertices(mesh_);
        const MeshTopology topology(mesh_);
        const std::vector<NestedShell> shells = nestedShells(mesh_, connectedComponents(mesh_, topology));
        result_.bodies = bodyCount(shells);
        result_.volume = volume(mesh_);
        if (!isClosedManifold(mesh_, topology) || !(result_.volume > 0)) {
            refuse(RepairVerdict::Refused,
                   "the surface could not be made a closed solid; export the mesh again, or simplify it");
            return;
        }
        result_.verdict = changed_ ? RepairVerdict::Repaired : RepairVerdict::Clean;
        if (result_.rebuilt) return;  // measured there
        const WallThickness wall = wallThickness(mesh_);
        const double cellSize = boundsOf(mesh_).size().maxCoeff() / options_.rebuildCells;
        if (wall.known() && wall.thinnest < 3 * cellSize) warn("a wall is " + detail::thinWallText(wall, cellSize));
    }

    RepairOptions options_;
    Progress silent_;
    Progress& progress_;
    TriMesh mesh_;
    RepairResult result_;
    HoleReport holes_;
    size_t flipped_ = 0;
    size_t notOrientable_ = 0;  // components
    size_t crowdedEdges_ = 0;
    bool hadCrowdedEdges_ = false;
    bool changed_ = false;
    bool settled_ = false;  // rebuilt: closed, manifold and outward by construction
};

}  // namespace

const char* nameOf(RepairVerdict verdict) {
    switch (verdict) {
        case RepairVerdict::Clean:
            return "clean";
        case RepairVerdict::Repaired:
            return "repaired";
        case RepairVerdict::Shell:
            return "shell";
        case RepairVerdict::Refused:
            break;
    }
    return "refused";
}

RepairResult repair(const TriMesh& mesh, const RepairOptions& options, Progress* progress) {
    return Repair(mesh, options, progress).run();
}

}  // namespace sunder
