#include "geometry/shapes/detail/arguments.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/suggest.h"

namespace sunder::shapes {

namespace {

const ShapeParameter* find(const ShapeInfo& info, const std::string& name) {
    const auto at = std::find_if(info.parameters.begin(), info.parameters.end(),
                                 [&](const ShapeParameter& parameter) { return parameter.name == name; });
    return at == info.parameters.end() ? nullptr : &*at;
}

/// What is wrong with a value by itself; empty when nothing is.
std::string rangeRefusal(const ShapeParameter& parameter, double value) {
    const bool inRange = value >= parameter.min && value <= parameter.max;
    if (inRange && !(parameter.whole && value != std::floor(value))) return {};
    return fmt::format("{} must be {}{:g} to {:g} ({}), got {}", parameter.name,
                       parameter.whole ? "a whole number, " : "", parameter.min, parameter.max, parameter.help, value);
}

/// One refusal as it is; several are counted.
void throwRefusals(const std::string& shape, const std::vector<std::string>& refusals) {
    if (refusals.empty()) return;
    if (refusals.size() == 1) throw std::invalid_argument(shape + ": " + refusals[0]);
    std::string text = fmt::format("{}: {} parameters are not allowed:", shape, refusals.size());
    for (size_t i = 0; i < refusals.size(); ++i) text += fmt::format(" ({}) {}.", i + 1, refusals[i]);
    throw std::invalid_argument(text);
}

/// Limits are sums and products of what was typed: 0.03 times 0.36 is a bit less than 0.0108, which should be allowed.
double roundingOf(double limit) { return 1e-12 * std::abs(limit); }

enum class Side { Lower, Upper };

/// Six digits, rounded to the allowed side, so that what is read can be typed.
std::string shownLimit(double limit, Side side) {
    const double outward = side == Side::Upper ? 1 : -1;
    std::string text = fmt::format("{:.6g}", limit);
    if (outward * (std::strtod(text.c_str(), nullptr) - limit) > roundingOf(limit)) {
        const double lastDigit = std::pow(10, std::floor(std::log10(std::abs(limit))) - 5);
        text = fmt::format("{:.6g}", limit - outward * lastDigit);
    }
    return text;
}

/// The parameters, other than this one, that a rule speaks of, in the order they are listed.
std::vector<std::string> namedIn(const std::string& rule, const ShapeInfo& info, const std::string& except) {
    std::set<std::string> words;
    std::string word;
    for (const char c : rule + " ") {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
            word += c;
        } else {
            words.insert(std::exchange(word, {}));
        }
    }
    std::vector<std::string> names;
    for (const ShapeParameter& parameter : info.parameters) {
        if (parameter.name != except && words.contains(parameter.name)) names.push_back(parameter.name);
    }
    return names;
}

/// "a, b and c"
std::string joined(const std::vector<std::string>& words, const std::string& lastBefore) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " " + lastBefore + " ") + words[i];
    }
    return text;
}

}  // namespace

Arguments::Arguments(const ShapeInfo& info, const ShapeValues& given, int resolution)
    : info_(info), resolution_(resolution) {
    // the given values over the defaults
    std::vector<std::string> known;
    for (const ShapeParameter& parameter : info.parameters) {
        values_[parameter.name] = parameter.value;
        known.push_back(parameter.name);
    }
    std::vector<std::string> refusals;
    for (const auto& [name, value] : given) {
        if (values_.contains(name)) {
            values_[name] = value;
        } else {
            refusals.push_back("unknown parameter '" + name + "'" + suggestion(name, known));
        }
    }
    for (const ShapeParameter& parameter : info.parameters) {
        std::string refusal = rangeRefusal(parameter, values_[parameter.name]);
        if (!refusal.empty()) refusals.push_back(std::move(refusal));
    }
    throwRefusals(info.name, refusals);
}

void Arguments::check() const {
    checked_ = true;
    throwRefusals(info_.name, refusals_);
}

void Arguments::require(const std::string& name, const Allowed& allowed, const std::string& rule) const {
    checked_ = false;
    // limits that are included allow for the rounding of what was computed from other parameters
    const double value = values_.at(name);
    const bool open = allowed.ends == Allowed::Ends::Excluded;
    const bool met =
        open ? value > allowed.from && value < allowed.to
             : value >= allowed.from - roundingOf(allowed.from) && value <= allowed.to + roundingOf(allowed.to);
    if (met) return;

    // what is left of the parameter's own range
    const ShapeParameter& own = *find(info_, name);
    const double low = std::max(own.min, allowed.from), high = std::min(own.max, allowed.to);
    const bool someFit = open ? low < high : low <= high;
    const bool aboveLow = open && low > own.min, belowHigh = open && high < own.max;
    const std::string range = (aboveLow ? "more than " : "") + shownLimit(low, Side::Lower) +
                              (aboveLow ? " and up to " : " to ") + (belowHigh ? "less than " : "") +
                              shownLimit(high, Side::Upper);

    // beside which others
    const std::vector<std::string> others = namedIn(rule, info_, name);
    std::vector<std::string> values;
    for (const std::string& other : others) values.push_back(fmt::format("{} = {}", other, values_.at(other)));
    const std::string with = joined(values, "and"), change = "change " + joined(others, "or");

    refusals_.push_back(fmt::format("{} must be {}, got {}; ", name, rule, value) +
                        (someFit ? fmt::format("with {} give {}, or {}", with, range, change)
                                 : fmt::format("no {} fits {}: {}", name, with, change)));
}

}  // namespace sunder::shapes
