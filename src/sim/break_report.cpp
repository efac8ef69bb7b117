#include "sim/break_report.h"

#include <algorithm>
#include <cmath>

namespace sunder::sim {

namespace {

double relative(double error, double scale) { return error == 0 ? 0 : std::abs(error) / scale; }

double error(const Momentum& before, const Momentum& after) {
    return relative((after.linear - before.linear).norm(), std::max(before.linearScale, after.linearScale));
}
double angularError(const Momentum& before, const Momentum& after) {
    return relative((after.angular - before.angular).norm(), std::max(before.angularScale, after.angularScale));
}

}  // namespace

double BreakReport::massError() const { return relative(massAfter - massBefore, massBefore); }
double BreakReport::volumeError() const { return relative(volumeAfter - volumeBefore, volumeBefore); }
double BreakReport::momentumError() const { return std::max(error(before, after), error(paidBefore, paidAfter)); }
double BreakReport::angularMomentumError() const {
    return std::max(angularError(before, after), angularError(paidBefore, paidAfter));
}

}  // namespace sunder::sim
