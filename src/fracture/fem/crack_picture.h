#pragma once

#include "fracture/fem/cracking.h"
#include "fracture/interface/stress_picture.h"

namespace sunder::fracture {

/// What forces did to a body that cracked, or only yielded: stress is that of its tets before anything cracked.
StressPicture pictureOf(const CrackableBody& body, const Cracking& cracked, std::span<const ContactForce> forces);

}  // namespace sunder::fracture
