#pragma once

#include <span>
#include <vector>

#include "fracture/interface/contact_force.h"
#include "fracture/interface/loads.h"
#include "material/elastic_material.h"
#include "stress/fem/fem_mesh.h"

namespace sunder::fracture {

/// What the impulse of a blow is divided by to give a force.
enum class BlowForce {
    OverContact,  // the time that the bodies touch: the same for any frame
    OverFrame     // the frame's length, as the forces of penalty contacts are: to compare with
};

/// The body that is struck, as far as its contacts ask.
struct StruckBody {
    ElasticMaterial material;                      // how stiff it is: Hertz's contact time asks
    double mass = 0;                               // kg
    double contactTime = 0;                        // s; 0: Hertz's
    Vec3 centre = Vec3::Zero();                    // of mass, m
    Mat3 inverseInertia = Mat3::Zero();            // 1/(kg m^2), about the centre; zero: as if it did not turn
    BlowForce blowForce = BlowForce::OverContact;  // how long the impulse of a blow is taken to act
};

/// A push that comes with some speed is a blow. It lasts as long as two elastic bodies touch [hertz1882], whatever the
/// frame's length: the other body is taken as a ball of the same material that meets a plane, one that does not yield
/// as a plane that this body meets as a ball. What comes slowly rests there, and pushes all through the frame. With
/// BlowForce::OverFrame everything does.
///
///     F = J / t        a^3 = 3 F R / (4 E)
///
/// A frame may end before a blow does: then it has only part of the impulse, and how large a part depends on where in
/// the frame the bodies met. So what one body strikes another with, in loads that may go on, gets at least the impulse
/// that brings the two to the same speed there,
///
///     J >= v / (1/m1 + 1/m2 + (r x n) . I^-1 (r x n))
///
///     n, r  mean normal of these blows, and their mean place as seen from the centre of mass
std::vector<ContactForce> contactForces(const Loads& loads, const StruckBody& body);

/// How long a push lasts in frames of that length, s.
double contactTime(const Load& push, double frame, const StruckBody& body);
/// Is it a blow, not a push of what rests there?
bool isBlow(const Load& push, double frame);

/// Spreads forces over the nodes around the places where they act, as far as `reach` (m) or the radius of the patch if
/// that is larger: less than two cells would make the stress there depend on the mesh. They go into the depth as well,
/// so that the pressure right under the contact, which breaks nothing farther away, is not part of the answer: by Saint
/// Venant's principle stress is the same from there on. Nodes count by the material around them; `share`: how much of
/// each element is filled, empty: all of it.
std::vector<Vec3> nodalForces(const stress::FemMesh& mesh, std::span<const double> share,
                              std::span<const ContactForce> forces, double reach);

}  // namespace sunder::fracture
