#pragma once

#include <limits>
#include <string>

#include "geometry/shapes/shapes.h"

namespace sunder::shapes {

/// What the other parameters of a shape leave to one of them, in its unit.
struct Allowed {
    enum class Ends { Included, Excluded };

    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    Ends ends = Ends::Included;
};

/// What a maker is given: every parameter of its shape, checked against its range, and the resolution.
class Arguments {
public:
    /// Throws std::invalid_argument for unknown parameters or values out of their ranges, all at once.
    Arguments(const ShapeInfo& info, const ShapeValues& given, int resolution);

    double operator[](const std::string& name) const { return values_.at(name); }
    int whole(const std::string& name) const { return static_cast<int>(values_.at(name)); }
    int resolution() const { return resolution_; }

    /// For values that are each in range but may not go together: notes a refusal unless the parameter is allowed
    /// beside the others. `rule` is the limit in words, after "must be", and names the others as they are called: "at
    /// most 0.15 of bowl_radius". The refusal adds the numbers, and what can be changed.
    void require(const std::string& name, const Allowed& allowed, const std::string& rule) const;
    /// Throws std::invalid_argument with all refusals noted so far, so that nobody has to find them one by one. A maker
    /// calls it after its last requirement.
    void check() const;
    /// No requirement was made that check() has not looked at.
    bool isChecked() const { return checked_; }

private:
    const ShapeInfo& info_;
    ShapeValues values_;
    int resolution_;
    mutable std::vector<std::string> refusals_;  // each from the parameter's name on
    mutable bool checked_ = true;
};

}  // namespace sunder::shapes
