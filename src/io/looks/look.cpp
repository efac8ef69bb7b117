#include "io/looks/look.h"

#include <algorithm>
#include <cmath>

namespace sunder {

Look pieceLook(size_t number) {
    // golden-angle steps around a muted colour circle: neighbours in number are far apart in hue
    const double hue = std::fmod(0.08 + 0.61803398875 * static_cast<double>(number), 1.0);
    const auto channel = [&](double shift) {
        const double x = std::abs(std::fmod(hue + shift, 1.0) * 6 - 3) - 1;
        return 0.25 + 0.5 * std::clamp(x, 0.0, 1.0);
    };
    return {.colour = {channel(0), channel(2.0 / 3), channel(1.0 / 3)}};
}

}  // namespace sunder
