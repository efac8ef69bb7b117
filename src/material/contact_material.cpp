#include "material/contact_material.h"

#include <algorithm>
#include <cmath>

namespace sunder {

ContactMaterial combined(const ContactMaterial& a, const ContactMaterial& b) {
    return {std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution),
            std::max(a.rollingFriction, b.rollingFriction)};
}

}  // namespace sunder
