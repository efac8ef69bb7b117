#pragma once

#include <memory>
#include <string>

#include "fracture/fracture_method.h"
#include "fracture/prescored/asset_store.h"
#include "fracture/prescored/pattern.h"

namespace sunder::fracture {

struct PreparedSolid;

/// How a pattern with curved walls is laid over the grid of the body.
enum class PatternAlignment {
    Exact,  // rotated to the impact; sites are chosen for the body
    Fast    // as scored beforehand: not rotated, moved by whole cells, labels looked up point by point
};
const char* nameOf(PatternAlignment alignment);
/// Throws std::invalid_argument naming those there are.
PatternAlignment alignmentNamed(std::string_view name);

struct PrescoredOptions {
    PatternOptions pattern;
    int pieces = 25;                     // wanted, of a body that breaks
    double threshold = 0;                // N s: a whole body breaks by a larger impulse
    double thresholdExponent = 2.0 / 3;  // threshold of a fragment = threshold * (its volume / the whole's)^exponent
    double smallestPiece = 1e-3;         // volume, in parts of the whole body: what is smaller does not break again
    int maxGenerations = 3;              // how often a body and its fragments may break in a row
    int cells = 48;                      // curved patterns: grid cells along the longest side of a body
    PatternAlignment alignment = PatternAlignment::Exact;  // of curved patterns
    uint64_t patternSeed = 0;                              // Fast: of the space that is scored beforehand
};

/// What is wrong with them, for people; empty when nothing is.
std::string problemWith(const PrescoredOptions& options);

/// Fracture by prescored space [su2009, section 4]: a pattern of regions is moved to the impact and intersected with
/// the body. docs/methods/prescored.md
///
/// Differs from the source: planar regions cut the mesh itself, exactly; sites are placed inside the body, so that the
/// number of pieces is the one asked for; masses come from the meshes of the pieces.
class PrescoredMethod : public FractureMethod {
public:
    /// Throws std::invalid_argument with problemWith(options). The store, if any, outlives the method.
    explicit PrescoredMethod(PrescoredOptions options, AssetStore* store = nullptr);
    ~PrescoredMethod() override;

    std::string_view name() const override { return "prescored"; }
    bool mayBreak(const Solid& solid, const Loads& loads) const override;
    std::unique_ptr<const Prepared> prepare(const Solid& solid) const override;
    FracturePlan plan(const Solid& solid, const Prepared& prepared, const Loads& loads) const override;

    const PrescoredOptions& options() const { return options_; }
    /// N s, of this solid.
    double thresholdOf(const Solid& solid) const;

private:
    /// N s, where a push acts: what is painted there counts.
    double thresholdFor(const Solid& solid, const Load& push) const;
    struct Assets;
    std::vector<TriMesh> piecesOf(const Solid& solid, const PreparedSolid& body, const ImpactPlace& place,
                                  uint64_t seed) const;
    PrescoredOptions options_;
    std::unique_ptr<Assets> assets_;
};

}  // namespace sunder::fracture
