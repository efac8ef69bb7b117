#include "tests/reference_stepper.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/reference_contacts.h"

namespace sunder::reference {
namespace {

constexpr double kTouching = 1e-7;     // m: contacts this near take part in a collision
constexpr double kResting = 1e-5;      // m: contacts this near may carry forces
constexpr double kApproaching = 1e-5;  // m/s: faster approaches are collisions
constexpr double kPull = 200;          // 1/s: resting contacts close gaps and end slips at this rate

Mat3 inverseInertia(const Body& body) {
    if (!(body.mass > 0)) return Mat3::Zero();
    const Mat3 r = body.pose.rotation.toRotationMatrix();
    return r * body.moments->cwiseInverse().asDiagonal() * r.transpose();
}

Vec3 angularMomentumOf(const Body& body) {
    if (!(body.mass > 0)) return Vec3::Zero();
    const Mat3 r = body.pose.rotation.toRotationMatrix();
    return r * body.moments->cwiseProduct(r.transpose() * body.angularVelocity);
}

Vec3 solidMoments(const Body& body) {
    if (const Sphere* sphere = std::get_if<Sphere>(&body.shape)) {
        return Vec3::Constant(0.4 * body.mass * sphere->radius * sphere->radius);
    }
    if (const Box* box = std::get_if<Box>(&body.shape)) {
        const Vec3 squares = box->size.cwiseAbs2();
        return body.mass / 12 * (Vec3::Constant(squares.sum()) - squares);
    }
    return Vec3::Zero();
}

/// Forces or impulses at contacts: what a unit of one does to the relative motion at another.
struct ContactSystem {
    const std::vector<Body>& bodies;
    const std::vector<ContactPoint>& contacts;
    std::vector<std::array<Vec3, 3>> directions;  // normal and two tangents
    Eigen::MatrixXd a;                            // 3 rows per contact

    ContactSystem(const std::vector<Body>& inBodies, const std::vector<ContactPoint>& inContacts)
        : bodies(inBodies), contacts(inContacts) {
        const Eigen::Index n = static_cast<Eigen::Index>(contacts.size());
        std::vector<Mat3> inverse;
        for (const Body& body : bodies) inverse.push_back(inverseInertia(body));
        for (const ContactPoint& contact : contacts) {
            const Vec3 t = contact.normal.unitOrthogonal();
            directions.push_back({contact.normal, t, contact.normal.cross(t)});
        }
        a.setZero(3 * n, 3 * n);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index j = 0; j < n; ++j) {
                for (const size_t body : {contacts[i].a, contacts[i].b}) {
                    if (!(bodies[body].mass > 0) || (contacts[j].a != body && contacts[j].b != body)) continue;
                    const double sign = (contacts[i].a == body) == (contacts[j].a == body) ? 1 : -1;
                    const Vec3 &centre = bodies[body].pose.translation, ri = contacts[i].point - centre,
                               rj = contacts[j].point - centre;
                    for (int k = 0; k < 3; ++k) {
                        for (int l = 0; l < 3; ++l) {
                            const Vec3 &di = directions[i][k], &dj = directions[j][l];
                            a(3 * i + k, 3 * j + l) += sign * (di.dot(dj) / bodies[body].mass +
                                                               ri.cross(di).dot(inverse[body] * rj.cross(dj)));
                        }
                    }
                }
            }
        }
    }

    double friction(size_t i) const {
        return combined(bodies[contacts[i].a].material, bodies[contacts[i].b].material).friction;
    }
    double restitution(size_t i) const {
        return combined(bodies[contacts[i].a].material, bodies[contacts[i].b].material).restitution;
    }
    Vec3 relativeVelocity(size_t i) const {
        return velocityAt(bodies[contacts[i].b], contacts[i].point) -
               velocityAt(bodies[contacts[i].a], contacts[i].point);
    }

    /// Normal parts f >= 0, (Af + b) >= 0, one of them zero; tangential parts make (Af + b) zero within the friction
    /// cone, or push against the slip where `slip` (unit, two tangents) is given. Projected Gauss-Seidel.
    /// Starts from a guess of the right size, or from nothing.
    Eigen::VectorXd solve(const Eigen::VectorXd& b, const std::vector<std::optional<Vec2>>& slip,
                          const Eigen::VectorXd& guess) const {
        constexpr int kSweeps = 5000;
        constexpr double kConverged = 1e-12;
        Eigen::VectorXd f = guess.size() == b.size() ? guess : Eigen::VectorXd(Eigen::VectorXd::Zero(b.size()));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            double change = 0, size = 0;
            for (size_t i = 0; i < contacts.size(); ++i) {
                const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
                const Vec3 before = f.segment<3>(row);
                f[row] = std::max(0.0, f[row] - (a.row(row).dot(f) + b[row]) / a(row, row));
                const double limit = friction(i) * f[row];
                Vec2 tangential;
                if (slip[i]) {
                    tangential = -limit * *slip[i];
                } else {
                    const double stiffness = a.block<2, 2>(row + 1, row + 1).trace();
                    tangential =
                        f.segment<2>(row + 1) - (a.middleRows(row + 1, 2) * f + b.segment<2>(row + 1)) / stiffness;
                    if (const double length = tangential.norm(); length > limit) tangential *= limit / length;
                }
                f.segment<2>(row + 1) = tangential;
                change = std::max(change, (f.segment<3>(row) - before).norm());
                size = std::max(size, f.segment<3>(row).norm());
            }
            if (!(change > kConverged * size)) break;
        }
        return f;
    }

    Vec3 along(size_t i, const Eigen::VectorXd& f) const {
        const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
        return f[row] * directions[i][0] + f[row + 1] * directions[i][1] + f[row + 2] * directions[i][2];
    }
};

struct Load {
    Vec3 force = Vec3::Zero();
    Vec3 torque = Vec3::Zero();
};

/// Gravity, and the forces of resting contacts: normal ones from the quadratic programme, friction against the slip,
/// or what it takes to stick. `guess` are the forces of the evaluation before, and becomes those of this one.
std::vector<Load> loadsOn(const std::vector<Body>& bodies, const StepperOptions& options, Eigen::VectorXd& guess) {
    std::vector<Load> loads(bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) loads[i].force = bodies[i].mass * options.gravity;

    std::vector<ContactPoint> contacts = contactPoints(bodies, kResting);
    std::erase_if(contacts, [&](const ContactPoint& c) {
        const Vec3 velocity = velocityAt(bodies[c.b], c.point) - velocityAt(bodies[c.a], c.point);
        return std::abs(c.normal.dot(velocity)) > options.restSpeed;
    });
    if (contacts.empty()) return loads;

    const ContactSystem system(bodies, contacts);
    Eigen::VectorXd b(3 * static_cast<Eigen::Index>(contacts.size()));
    std::vector<std::optional<Vec2>> slip(contacts.size());
    for (size_t i = 0; i < contacts.size(); ++i) {
        const ContactPoint& c = contacts[i];
        const auto freeAcceleration = [&](size_t index) {
            const Body& body = bodies[index];
            if (!(body.mass > 0)) return Vec3(Vec3::Zero());
            const Vec3 spinUp = inverseInertia(body) * angularMomentumOf(body).cross(body.angularVelocity);
            return Vec3(options.gravity + spinUp.cross(c.point - body.pose.translation));
        };
        const Vec3 acceleration = freeAcceleration(c.b) - freeAcceleration(c.a), velocity = system.relativeVelocity(i);
        const auto& [n, t1, t2] = system.directions[i];
        const Eigen::Index row = 3 * static_cast<Eigen::Index>(i);
        b[row] = n.dot(acceleration) + c.gapCurvature + 2 * kPull * n.dot(velocity) + kPull * kPull * c.gap;
        b[row + 1] = t1.dot(acceleration) + 10 * kPull * t1.dot(velocity);
        b[row + 2] = t2.dot(acceleration) + 10 * kPull * t2.dot(velocity);
        const Vec2 tangential(t1.dot(velocity), t2.dot(velocity));
        if (tangential.norm() > options.restSpeed) slip[i] = tangential.normalized();
    }
    const Eigen::VectorXd f = system.solve(b, slip, guess);
    guess = f;
    for (size_t i = 0; i < contacts.size(); ++i) {
        const Vec3 force = system.along(i, f);
        for (const auto& [body, sign] : {std::pair{contacts[i].a, -1.0}, std::pair{contacts[i].b, 1.0}}) {
            loads[body].force += sign * force;
            loads[body].torque += sign * (contacts[i].point - bodies[body].pose.translation).cross(force);
        }
    }
    return loads;
}

/// How a body changes: its velocity, spin, acceleration and torque at one moment.
struct Rate {
    Vec3 velocity = Vec3::Zero(), acceleration = Vec3::Zero(), torque = Vec3::Zero();
    Vec4 turning = Vec4::Zero();  // of the quaternion's coefficients
};

std::vector<Rate> ratesOf(const std::vector<Body>& bodies, const StepperOptions& options, Eigen::VectorXd& guess) {
    const std::vector<Load> loads = loadsOn(bodies, options, guess);
    std::vector<Rate> rates(bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) {
        const Body& body = bodies[i];
        if (!(body.mass > 0)) continue;
        const Vec3& w = body.angularVelocity;
        rates[i] = {body.velocity, loads[i].force / body.mass, loads[i].torque,
                    0.5 * (Quat(0, w.x(), w.y(), w.z()) * body.pose.rotation).coeffs()};
    }
    return rates;
}

std::vector<Body> advanced(const std::vector<Body>& from, const std::vector<Rate>& rates, double h) {
    std::vector<Body> to = from;
    for (size_t i = 0; i < to.size(); ++i) {
        if (!(to[i].mass > 0)) continue;
        const Vec3 momentum = angularMomentumOf(from[i]) + h * rates[i].torque;
        to[i].pose.translation += h * rates[i].velocity;
        to[i].pose.rotation = Quat(Vec4(from[i].pose.rotation.coeffs() + h * rates[i].turning)).normalized();
        to[i].velocity += h * rates[i].acceleration;
        to[i].angularVelocity = inverseInertia(to[i]) * momentum;
    }
    return to;
}

std::vector<Body> rungeKutta(const std::vector<Body>& from, double h, const StepperOptions& options,
                             Eigen::VectorXd& guess) {
    const std::vector<Rate> k1 = ratesOf(from, options, guess);
    const std::vector<Rate> k2 = ratesOf(advanced(from, k1, 0.5 * h), options, guess);
    const std::vector<Rate> k3 = ratesOf(advanced(from, k2, 0.5 * h), options, guess);
    const std::vector<Rate> k4 = ratesOf(advanced(from, k3, h), options, guess);
    std::vector<Rate> mean(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
        const auto average = [&](auto member) {
            return ((k1[i].*member + 2 * k2[i].*member + 2 * k3[i].*member + k4[i].*member) / 6).eval();
        };
        mean[i] = {average(&Rate::velocity), average(&Rate::acceleration), average(&Rate::torque),
                   average(&Rate::turning)};
    }
    return advanced(from, mean, h);
}

/// Largest difference of places and of velocities over the step, m and rad.
double difference(const std::vector<Body>& a, const std::vector<Body>& b, double h) {
    double largest = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        largest = std::max({largest, (a[i].pose.translation - b[i].pose.translation).norm(),
                            (a[i].pose.rotation.conjugate() * b[i].pose.rotation).vec().norm(),
                            h * (a[i].velocity - b[i].velocity).norm(),
                            h * (a[i].angularVelocity - b[i].angularVelocity).norm()});
    }
    return largest;
}

}  // namespace

Stepper::Stepper(std::vector<Body> bodies, const StepperOptions& options)
    : bodies_(std::move(bodies)), options_(options) {
    for (Body& body : bodies_) {
        if (std::holds_alternative<HalfSpace>(body.shape)) body.mass = 0;
        if (!body.moments) body.moments = solidMoments(body);
        if (!(body.mass > 0)) body.velocity = body.angularVelocity = Vec3::Zero();
    }
}

/// Two half steps.
Stepper::Bodies Stepper::moved(const Bodies& from, double h) const {
    return rungeKutta(rungeKutta(from, 0.5 * h, options_, lastForces_), 0.5 * h, options_, lastForces_);
}

bool Stepper::collides(const Bodies& bodies) const {
    for (const ContactPoint& c : contactPoints(bodies, 0)) {
        const Vec3 velocity = velocityAt(bodies[c.b], c.point) - velocityAt(bodies[c.a], c.point);
        if (c.normal.dot(velocity) < -kApproaching) return true;
    }
    return false;
}

/// All touching contacts at once: Newton's restitution where they approach, Coulomb's friction on the impulses.
void Stepper::resolveCollisions() {
    const std::vector<ContactPoint> contacts = contactPoints(bodies_, kTouching);
    const ContactSystem system(bodies_, contacts);
    Eigen::VectorXd b(3 * static_cast<Eigen::Index>(contacts.size()));
    bool approaching = false;
    for (size_t i = 0; i < contacts.size(); ++i) {
        const Vec3 velocity = system.relativeVelocity(i);
        const auto& [n, t1, t2] = system.directions[i];
        const double speed = n.dot(velocity);
        approaching = approaching || speed < -kApproaching;
        const double bounce = speed < -options_.restSpeed ? system.restitution(i) : 0;
        b.segment<3>(3 * static_cast<Eigen::Index>(i)) << (1 + bounce) * speed, t1.dot(velocity), t2.dot(velocity);
    }
    if (!approaching) return;

    const Eigen::VectorXd impulses = system.solve(b, std::vector<std::optional<Vec2>>(contacts.size()), {});
    for (size_t i = 0; i < contacts.size(); ++i) {
        const Vec3 impulse = system.along(i, impulses);
        if (!(impulse.norm() > 0)) continue;
        const ContactPoint& c = contacts[i];
        for (const auto& [index, sign] : {std::pair{c.a, -1.0}, std::pair{c.b, 1.0}}) {
            Body& body = bodies_[index];
            if (!(body.mass > 0)) continue;
            body.velocity += sign / body.mass * impulse;
            body.angularVelocity += sign * inverseInertia(body) * (c.point - body.pose.translation).cross(impulse);
        }
        collisions_.push_back({time_, c.a, c.b, c.point, c.normal, impulse});
    }
}

void Stepper::advance(double seconds) {
    constexpr double kSmallestStep = 1e-7;  // s: at jumps of the forces the error estimate never gets small
    const double end = time_ + seconds;
    while (end - time_ > 1e-12) {
        resolveCollisions();

        // a step as large as the error allows
        double h = std::min({suggestedStep_, options_.largestStep, end - time_});
        Bodies next;
        for (;;) {
            next = moved(bodies_, h);
            const double error = difference(rungeKutta(bodies_, h, options_, lastForces_), next, h);
            const double factor = 0.9 * std::pow(options_.tolerance / std::max(error, 1e-30), 0.2);
            suggestedStep_ = std::max(kSmallestStep, h * std::clamp(factor, 0.2, 3.0));
            if (error <= options_.tolerance || h <= kSmallestStep) break;
            h = std::min(h, suggestedStep_);
        }

        // up to the first collision in it
        if (collides(next)) {
            double before = 0, after = h;
            next = bodies_;
            while (after - before > options_.timeTolerance) {
                const double middle = 0.5 * (before + after);
                Bodies trial = moved(bodies_, middle);
                if (collides(trial)) {
                    after = middle;
                } else {
                    before = middle;
                    next = std::move(trial);
                }
            }
            // touching now, to within the way of the time tolerance
            h = after;
            next = moved(bodies_, after);
        }
        bodies_ = std::move(next);
        time_ += h;
    }
    resolveCollisions();
}

double Stepper::energy() const {
    double energy = 0;
    for (const Body& body : bodies_) {
        energy += body.mass * (0.5 * body.velocity.squaredNorm() - options_.gravity.dot(body.pose.translation)) +
                  0.5 * body.angularVelocity.dot(angularMomentumOf(body));
    }
    return energy;
}

Vec3 Stepper::momentum() const {
    Vec3 sum = Vec3::Zero();
    for (const Body& body : bodies_) sum += body.mass * body.velocity;
    return sum;
}

Vec3 Stepper::angularMomentum() const {
    Vec3 sum = Vec3::Zero();
    for (const Body& body : bodies_) {
        sum += body.mass * body.pose.translation.cross(body.velocity) + angularMomentumOf(body);
    }
    return sum;
}

}  // namespace sunder::reference
