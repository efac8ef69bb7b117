#pragma once

#include <memory>
#include <string>

#include "fracture/interface/asset_store.h"
#include "fracture/interface/method_entry.h"
#include "fracture/prescored/pattern.h"

namespace sunder::fracture {

class CurvedAssets;

/// How a pattern with curved walls is laid over the grid of the body.
enum class PatternAlignment {
    Exact,  // rotated to the impact; sites are chosen for the body
    Fast    // as scored beforehand: not rotated, moved by whole cells, labels looked up point by point
};

/// What a body breaks by, and into what.
struct PrescoredOptions {
    PatternOptions pattern;                 // the regions
    std::vector<std::string> patternFiles;  // Artist: where pattern.meshes is to be read from
    int pieces = 25;                        // wanted, of a body that breaks
    std::optional<double> threshold;        // N s: a whole body breaks by a larger impulse; none: by its material
    double breakingSpeed = 8;               // m/s, of the material: what falls on a hard floor breaks from here on
    double thresholdExponent = 2.0 / 3;     // threshold of a fragment = threshold * (its volume / the whole's)^exponent
    double smallestPiece = 1e-3;            // volume, in parts of the whole body: what is smaller does not break again
    int maxGenerations = 3;                 // how often a body and its fragments may break in a row
    int cells = 48;                         // curved patterns: grid cells along the longest side of a body
    PatternAlignment alignment = PatternAlignment::Exact;  // of curved patterns
    uint64_t patternSeed = 0;                              // Fast: of the space that is scored beforehand
};

/// How the settings look in scenes, flags and panels.
const schema::Record<PrescoredOptions>& recordFor(schema::Of<PrescoredOptions>);
/// The row of this method in methods.cpp.
MethodEntry prescoredEntry();

/// How hard a load is to a body: impulses where there is a threshold, N s, else energies, J.
struct Hardness {
    double brought = 0;                                                 // by the load
    double borne = 0;                                                   // by the body, where it is hit
    double ratio() const { return brought > 0 ? brought / borne : 0; }  // above 1 it breaks
};

/// Fracture by prescored space [su2009, section 4]: a pattern of regions is moved to the impact and intersected with
/// the body. docs/methods/prescored.md
///
/// Differs from the source: planar regions cut the mesh itself, exactly; sites are placed inside the body, so that the
/// number of pieces is the one asked for; masses come from the meshes of the pieces.
class PrescoredMethod : public FractureMethod {
public:
    /// Throws std::invalid_argument, saying what is wrong with the options.
    explicit PrescoredMethod(PrescoredOptions options);
    ~PrescoredMethod() override;

    std::string_view name() const override { return "prescored"; }
    bool mayBreak(const Solid& solid, const Loads& loads) const override;
    std::unique_ptr<const Breakable> prepare(const Solid& solid, const Context& context) const override;

    const PrescoredOptions& options() const { return options_; }  // as they were given
    /// What is painted where the load acts counts. Energies are that of the load, half of impulse times speed, and that
    /// of the body at its material's breaking speed; of a large body no more counts than what is near the blow.
    Hardness hardness(const Solid& solid, const Load& load) const;
    /// The hardest load that is not of a body that rests; null: there is none.
    const Load* hardestBlow(const Solid& solid, const Loads& loads) const;

private:
    PrescoredOptions options_;
    std::unique_ptr<CurvedAssets> assets_;
};

}  // namespace sunder::fracture
