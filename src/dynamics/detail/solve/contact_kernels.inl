// Included by contact_kernels_portable.cpp and contact_kernels_avx2.cpp inside a namespace of their own.

// Eight at once

SUNDER_INLINE V8 load3(const float (*p)[8]) { return {load(p[0]), load(p[1]), load(p[2])}; }
SUNDER_INLINE S8 load6(const float (*p)[8]) {
    return {load(p[0]), load(p[1]), load(p[2]), load(p[3]), load(p[4]), load(p[5])};
}
SUNDER_INLINE void store3(float (*p)[8], const V8& v) {
    store(p[0], v.x);
    store(p[1], v.y);
    store(p[2], v.z);
}
SUNDER_INLINE V8 zero3() { return {all(0), all(0), all(0)}; }
SUNDER_INLINE V8 choose(i8 mask, const V8& a, const V8& b) {
    return {mask ? a.x : b.x, mask ? a.y : b.y, mask ? a.z : b.z};
}

/// Eight rows, one per lane.
struct Rows8 {
    V8 linear, angular;
};
SUNDER_INLINE Rows8 turned(f8 rows[8]) {
    transpose(rows);
    return {{rows[0], rows[1], rows[2]}, {rows[3], rows[4], rows[5]}};
}
SUNDER_INLINE Rows8 gather(const BodyRow* bodies, const int32_t* index) {
    f8 rows[8];
    for (int i = 0; i < kWide; ++i) rows[i] = load(bodies[index[i]].row);
    return turned(rows);
}
/// Calls put(lane, row) for the lanes named.
template <class Put>
SUNDER_INLINE void scatter(int32_t lanes, const Rows8& from, Put put) {
    f8 rows[8] = {from.linear.x,  from.linear.y,  from.linear.z, from.angular.x,
                  from.angular.y, from.angular.z, all(0),        all(0)};
    transpose(rows);
    if (lanes == 255) {
        for (int i = 0; i < kWide; ++i) put(i, rows[i]);
        return;
    }
    for (int i = 0; i < kWide; ++i) {
        if (lanes >> i & 1) put(i, rows[i]);
    }
}
// Filling the lanes

struct Constants8 {
    V8 rotation[3];  // rows
    f8 inverseMass;
    S8 inverseInertia;
    f8 radius, friction, rollingFriction;

    SUNDER_INLINE V8 turn(const V8& v) const { return {dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v)}; }
};

SUNDER_INLINE Constants8 gatherConstants(const BodyConstants* bodies, const int32_t* index) {
    f8 first[8], second[8], third[8];
    for (int i = 0; i < kWide; ++i) {
        const float* body = bodies[index[i]].rotation;
        first[i] = load(body);
        second[i] = load(body + 8);
        third[i] = load(body + 16);
    }
    transpose(first);
    transpose(second);
    transpose(third);
    Constants8 c;
    c.rotation[0] = {first[0], first[1], first[2]};
    c.rotation[1] = {first[3], first[4], first[5]};
    c.rotation[2] = {first[6], first[7], second[0]};
    c.inverseMass = second[1];
    c.inverseInertia = {second[2], second[3], second[4], second[5], second[6], second[7]};
    c.radius = third[0];
    c.friction = third[1];
    c.rollingFriction = third[2];
    return c;
}

SUNDER_INLINE void store6(float (*p)[8], const S8& m) {
    store(p[0], m.xx), store(p[1], m.yy), store(p[2], m.zz), store(p[3], m.xy), store(p[4], m.yz), store(p[5], m.zx);
}

SUNDER_INLINE V8 tangentTo(const V8& n) {
    const f8 zero = all(0), size = n.x < zero ? -n.x : n.x;
    const V8 tangent = choose(size < all(0.6f), V8{zero, n.z, -n.y}, V8{-n.z, zero, n.x});
    return (all(1) / sqrt8(dot(tangent, tangent))) * tangent;
}

SUNDER_INLINE f8 inverseOr0(f8 x) {
    const i8 usable = x > all(0);
    return usable ? all(1) / (usable ? x : all(1)) : all(0);
}

void fill(const WideArrays& arrays, size_t group, const LaneSources& from, const BodyConstants* constants,
          const BodyRow* velocity, const FillSettings& settings) {
    WideManifold& m = arrays.groups[group];
    WideRest& rest = arrays.rests[group];
    const f8 zero = all(0), count = load(from.count);
    const int points = m.pointCount;
    const Constants8 A = gatherConstants(constants, m.a), B = gatherConstants(constants, m.b);
    const f8 smaller = min8(A.radius, B.radius), inverseMass = A.inverseMass + B.inverseMass;
    store(m.inverseMassA, A.inverseMass);
    store(m.inverseMassB, B.inverseMass);
    store6(m.inverseInertiaA, A.inverseInertia);
    store6(m.inverseInertiaB, B.inverseInertia);
    const V8 n = A.turn(load3(from.normal)), t1 = tangentTo(n), t2 = cross(n, t1);
    store3(m.normal, n);
    store3(m.tangent, t1);
    store(m.pushLimit, all(settings.pushLimit) * smaller);
    const i8 withA = (B.inverseMass == zero) | ((A.inverseMass > zero) & (A.radius <= B.radius));
    store(rest.movesWithA, withA ? all(1) : zero);

    // lever arms: surface points of A
    V8 arm[4], armB[4];
    f8 separation[4], impulse[4];
    i8 valid[4];
    for (int i = 0; i < points; ++i) {
        f8 rows[8];
        for (int lane = 0; lane < kWide; ++lane) rows[lane] = load(from.points[lane] + 8 * i);
        transpose(rows);
        valid[i] = count > all(static_cast<float>(i));
        arm[i] = A.turn({rows[0], rows[1], rows[2]});
        armB[i] = B.turn({rows[3], rows[4], rows[5]});
        separation[i] = rows[6];
        impulse[i] = valid[i] ? rows[7] : zero;
    }

    // where the load is, friction acts: by the impulses the patch starts from, and by nearness where it is new
    f8 nearest = separation[0], carried = zero, sum = zero;
    for (int i = 0; i < points; ++i) {
        nearest = valid[i] ? min8(nearest, separation[i]) : nearest;
        carried += impulse[i];
    }
    f8 weight[4];
    const f8 farther = all(1) / (all(settings.nearShare) * smaller);
    for (int i = 0; i < points; ++i) {
        const f8 near = max8(zero, all(1) - (separation[i] - nearest) * farther);
        weight[i] = valid[i] ? (carried > zero ? impulse[i] + all(1e-3f) * near * carried : near) : zero;
        sum += weight[i];
    }
    const f8 scale = inverseOr0(sum);
    V8 middle = zero3(), middleB = zero3();
    for (int i = 0; i < points; ++i) {
        weight[i] *= scale;
        middle = middle + weight[i] * arm[i];
        middleB = middleB + weight[i] * armB[i];
    }
    // those of B lie a constant offset away, as the bodies are now or will be at impact
    const V8 toB = choose(load(from.swept) > zero, middleB - middle, load3(from.apart)), lever = cross(toB, n);
    middleB = middle + toB;
    store3(m.fromAToB, toB);
    store3(m.middle, middle);

    V8 turnA[4], turnB[4], answerA[4], answerB[4];
    f8 spread = zero;
    for (int i = 0; i < points; ++i) {
        WidePoint& point = arrays.points[m.firstPoint + i];
        turnA[i] = cross(arm[i], n);
        turnB[i] = turnA[i] + lever;
        answerA[i] = A.inverseInertia * turnA[i];
        answerB[i] = B.inverseInertia * turnB[i];
        const f8 response = inverseMass + dot(turnA[i], answerA[i]) + dot(turnB[i], answerB[i]);
        store3(point.turn, turnA[i]);
        store(point.separation, separation[i]);
        store(point.response, valid[i] ? response : zero);
        store(point.mass, valid[i] ? inverseOr0(response) : zero);
        store(point.start, settings.warmStart ? impulse[i] : zero);
        store(point.impulse, zero);
        store(point.total, zero);
        for (int j = 0; j < i; ++j) {
            const f8 coupling = inverseMass + dot(turnA[j], answerA[i]) + dot(turnB[j], answerB[i]);
            store(point.coupling[j], valid[i] ? coupling : zero);
        }
        const V8 off = arm[i] - middle;
        spread += weight[i] * sqrt8(dot(off, off));
    }

    const V8 a1 = cross(middle, t1), a2 = cross(middle, t2), b1 = cross(middleB, t1), b2 = cross(middleB, t2);
    const V8 answerA1 = A.inverseInertia * a1, answerB1 = B.inverseInertia * b1;
    const f8 k11 = inverseMass + dot(a1, answerA1) + dot(b1, answerB1), k12 = dot(a2, answerA1) + dot(b2, answerB1),
             k22 = inverseMass + dot(a2, A.inverseInertia * a2) + dot(b2, B.inverseInertia * b2);
    const f8 inverseDeterminant = inverseOr0(k11 * k22 - k12 * k12), cross12 = max8(k12, -k12);
    store(m.tangentMass[0], k22 * inverseDeterminant);
    store(m.tangentMass[1], -k12 * inverseDeterminant);
    store(m.tangentMass[2], k11 * inverseDeterminant);
    store(m.slideMass, inverseOr0(max8(k11, k22) + cross12));
    const f8 twist = dot(n, A.inverseInertia * n) + dot(n, B.inverseInertia * n);
    store(m.twistMass, inverseOr0(twist));
    store(m.twistRadius, spread);
    store(m.friction, sqrt8(A.friction * B.friction));

    f8 rows[8];
    for (int lane = 0; lane < kWide; ++lane) rows[lane] = load(from.carried[lane]);
    transpose(rows);
    store(m.softness, max8(all(settings.softness) * smaller, rows[7]));
    const bool starts = settings.warmStart && settings.friction;
    const V8 friction{rows[0], rows[1], rows[2]};
    store(m.frictionStart[0], starts ? dot(t1, friction) : zero);
    store(m.frictionStart[1], starts ? dot(t2, friction) : zero);
    store(m.frictionStart[2], starts ? rows[3] : zero);
    store3(m.frictionImpulse, zero3());
    store3(m.frictionTotal, zero3());

    const f8 rollingFriction = max8(A.rollingFriction, B.rollingFriction);
    const V8 rolling{rows[4], rows[5], rows[6]};
    m.hasRolling = any(rollingFriction > zero);
    store(rest.rolling, rollingFriction);
    // an upper bound of the response in any direction: converges from below
    const f8 most = (A.inverseInertia.xx + A.inverseInertia.yy + A.inverseInertia.zz) +
                    (B.inverseInertia.xx + B.inverseInertia.yy + B.inverseInertia.zz);
    store(rest.rollingMass, inverseOr0(most));
    store3(rest.rollingStart, settings.warmStart && m.hasRolling ? rolling - dot(n, rolling) * n : zero3());
    store3(rest.rollingImpulse, zero3());
    store3(rest.rollingTotal, zero3());
    store3(rest.shiftA, zero3());
    store3(rest.shiftB, zero3());

    const Rows8 motionA = gather(velocity, m.a), motionB = gather(velocity, m.b);
    const V8 relative =
        (motionB.linear + cross(motionB.angular, middleB)) - (motionA.linear + cross(motionA.angular, middle));
    store(rest.approachSpeed, max8(zero, -dot(n, relative)));
}

void carry(const WideArrays& arrays, size_t begin, size_t end, CarriedMotion* motions) {
    for (size_t g = begin; g < end; ++g) {
        const WideManifold& m = arrays.groups[g];
        const WidePoint* at = arrays.points + m.firstPoint;
        const V8 n = load3(m.normal), t1 = load3(m.tangent);
        const V8 friction = load(m.frictionStart[0]) * t1 + load(m.frictionStart[1]) * cross(n, t1);
        f8 sum = all(0);
        V8 moment = cross(load3(m.middle), friction) + load(m.frictionStart[2]) * n;
        for (int i = 0; i < m.pointCount; ++i) {
            const f8 start = load(at[i].start);
            sum += start;
            moment = moment + start * load3(at[i].turn);
        }
        if (m.hasRolling) moment = moment + load3(arrays.rests[g].rollingStart);
        const V8 impulse = sum * n + friction, momentB = moment + cross(load3(m.fromAToB), impulse);
        const auto add = [motions](const int32_t* index) {
            return [=](int i, f8 row) __attribute__((always_inline)) {
                float* to = motions[index[i]].added;
                store(to, load(to) + row);
            };
        };
        scatter(m.writesA, {-load(m.inverseMassA) * impulse, zero3() - load6(m.inverseInertiaA) * moment}, add(m.a));
        scatter(m.writesB, {load(m.inverseMassB) * impulse, load6(m.inverseInertiaB) * momentB}, add(m.b));
    }
}

// Bodies

void kick(BodyRow* velocity, CarriedMotion* motions, size_t count, float h) {
    for (size_t i = 0; i < count; ++i) {
        const f8 kicked = load(velocity[i].row) + all(h) * load(motions[i].acceleration);
        store(motions[i].kicked, kicked);
        store(velocity[i].row, kicked + load(motions[i].added));
    }
}

void drift(const BodyRow* velocity, BodyRow* displacement, CarriedMotion* motions, const float* smooth, size_t count,
           const SweepSettings& settings) {
    const f8 h = all(settings.h), half = {0.5f * settings.h, 0.5f * settings.h, 0.5f * settings.h, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < count; ++i) {
        CarriedMotion& motion = motions[i];
        const f8 now = load(velocity[i].row), kicked = load(motion.kicked), added = load(motion.added);
        store(motion.added, added + all(settings.keep) * (now - kicked - added));
        const f8 change = now - (kicked - h * load(motion.acceleration)), square = change * change;
        const bool even = square[0] + square[1] + square[2] <= smooth[i];
        const f8 step = even ? h * now - half * change : h * now;
        store(displacement[i].row, load(displacement[i].row) + step);
    }
}

void leap(BodyRow* velocity, CarriedMotion* motions, size_t count, float momentum) {
    for (size_t i = 0; i < count; ++i) {
        const f8 now = load(velocity[i].row);
        store(velocity[i].row, now + all(momentum) * (now - load(motions[i].last)));
        store(motions[i].last, now);
    }
}

// Sweeps

/// Of the velocity at one point to an impulse at another.
SUNDER_INLINE const float* coupling(const WidePoint* at, int i, int j) {
    return i < j ? at[j].coupling[i] : at[i].coupling[j];
}

/// What an impulse starts the visit with.
template <bool first>
SUNDER_INLINE f8 begin(float* impulse, float* start, float* total, float* previous, const SweepSettings& settings) {
    if (first) {
        f8 from = load(start);
        if (settings.count) {
            const f8 last = load(impulse);
            store(total, load(total) + last);
            from += all(settings.keep) * (last - from);
            store(start, from);
        }
        return from;
    }
    const f8 now = load(impulse);
    if (!settings.remember) return now;
    // the velocities have made the same leap ahead
    const f8 ahead = settings.momentum != 0 ? now + all(settings.momentum) * (now - load(previous)) : now;
    store(previous, now);
    return ahead;
}

/// One Gauss-Seidel visit of eight manifolds: the normals together, then friction; with the first sweep of a substep
/// overlap is pushed out, positions only. Returns the sum of squared corrections.
template <int points, bool first>
SUNDER_INLINE float visit(WideManifold& m, WidePoint* at, WideRest& rest, const SolverRows& bodies,
                          const SweepSettings& settings) {
    const f8 zero = all(0);
    Rows8 A = gather(bodies.velocity, m.a), B = gather(bodies.velocity, m.b);
    const V8 n = load3(m.normal), toB = load3(m.fromAToB), lever = cross(toB, n);
    const f8 inverseMassA = load(m.inverseMassA), inverseMassB = load(m.inverseMassB);
    const S8 inverseInertiaA = load6(m.inverseInertiaA), inverseInertiaB = load6(m.inverseInertiaB);

    // how far apart the points are now
    Rows8 movedA, movedB;
    f8 separation[points];
    if (first) {
        movedA = gather(bodies.displacement, m.a);
        movedB = gather(bodies.displacement, m.b);
        const f8 along = dot(n, movedB.linear - movedA.linear) + dot(lever, movedB.angular);
        const V8 turned = movedB.angular - movedA.angular;
        for (int i = 0; i < points; ++i) {
            WidePoint& point = at[i];
            separation[i] = load(point.separation) + along + dot(turned, load3(point.turn));
            store(point.bias, all(settings.inverseH) * max8(separation[i], zero));
        }
    }

    // the normals: velocities at the points, corrected one after the other
    f8 velocity[points], pressed[points], atFirst[points];
    {
        const f8 along = dot(n, B.linear - A.linear) + dot(lever, B.angular);
        const V8 spin = B.angular - A.angular;
        for (int i = 0; i < points; ++i) {
            WidePoint& point = at[i];
            velocity[i] = along + dot(spin, load3(point.turn)) + load(point.bias);
            atFirst[i] = pressed[i] = begin<first>(point.impulse, point.start, point.total, rest.pointPrevious[i], settings);
        }
    }
    const int rounds = points == 1 ? 1 : settings.rounds;
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < points; ++i) {
            const f8 fresh = max8(zero, pressed[i] - load(at[i].mass) * velocity[i]), more = fresh - pressed[i];
            pressed[i] = fresh;
            if (points == 1) continue;
            for (int j = 0; j < points; ++j) {
                velocity[j] += load(j == i ? at[i].response : coupling(at, i, j)) * more;
            }
        }
    }
    f8 change = zero, sum = zero, more = zero;
    V8 moment = zero3();
    for (int i = 0; i < points; ++i) {
        store(at[i].impulse, pressed[i]);
        const f8 added = pressed[i] - atFirst[i], error = added * load(at[i].response);
        change += error * error;
        sum += pressed[i];
        more += added;
        moment = moment + added * load3(at[i].turn);
    }
    A.linear = A.linear - (inverseMassA * more) * n;
    A.angular = A.angular - inverseInertiaA * moment;
    B.linear = B.linear + (inverseMassB * more) * n;
    B.angular = B.angular + inverseInertiaB * (moment + more * lever);

    if (settings.friction) {
        const f8 limit = load(m.friction) * sum;
        const V8 middle = load3(m.middle), middleB = middle + toB, t1 = load3(m.tangent), t2 = cross(n, t1);
        const auto started = [&](int i) __attribute__((always_inline)) {
            return begin<first>(m.frictionImpulse[i], m.frictionStart[i], m.frictionTotal[i], rest.frictionPrevious[i],
                                settings);
        };
        const f8 slide1 = started(0), slide2 = started(1), slide3 = started(2);
        const V8 relative = (B.linear + cross(B.angular, middleB)) - (A.linear + cross(A.angular, middle));
        const f8 u1 = dot(t1, relative), u2 = dot(t2, relative);
        const f8 k11 = load(m.tangentMass[0]), k12 = load(m.tangentMass[1]), k22 = load(m.tangentMass[2]);
        f8 new1 = slide1 - (k11 * u1 + k12 * u2), new2 = slide2 - (k12 * u1 + k22 * u2);
        // what sticks is solved at once; what slides is pushed straight against its motion
        const i8 slips = new1 * new1 + new2 * new2 > limit * limit;
        if (any(slips)) {
            const f8 step = load(m.slideMass), straight1 = slide1 - step * u1, straight2 = slide2 - step * u2;
            const f8 length = sqrt8(straight1 * straight1 + straight2 * straight2);
            const f8 scale = length > limit ? limit / (length > zero ? length : all(1)) : all(1);
            new1 = slips ? scale * straight1 : new1;
            new2 = slips ? scale * straight2 : new2;
        }
        store(m.frictionImpulse[0], new1);
        store(m.frictionImpulse[1], new2);
        const V8 impulse = (new1 - slide1) * t1 + (new2 - slide2) * t2;
        A.linear = A.linear - inverseMassA * impulse;
        A.angular = A.angular - inverseInertiaA * cross(middle, impulse);
        B.linear = B.linear + inverseMassB * impulse;
        B.angular = B.angular + inverseInertiaB * cross(middleB, impulse);

        const f8 spin = dot(n, B.angular - A.angular), bound = limit * load(m.twistRadius);
        const f8 new3 = max8(-bound, min8(bound, slide3 - load(m.twistMass) * spin));
        store(m.frictionImpulse[2], new3);
        const auto turn = [&](const V8& by) __attribute__((always_inline)) {
            A.angular = A.angular - inverseInertiaA * by;
            B.angular = B.angular + inverseInertiaB * by;
        };
        turn((new3 - slide3) * n);
        if (m.hasRolling) {
            const auto rolled = [&](int i) __attribute__((always_inline)) {
                return begin<first>(rest.rollingImpulse[i], rest.rollingStart[i], rest.rollingTotal[i], rest.rollingPrevious[i],
                                    settings);
            };
            const V8 rolling{rolled(0), rolled(1), rolled(2)};
            V8 across = B.angular - A.angular;
            across = across - dot(n, across) * n;
            V8 fresh = rolling - load(rest.rollingMass) * across;
            const f8 size = sqrt8(dot(fresh, fresh)), most = load(rest.rolling) * sum;
            fresh = (size > most ? most / (size > zero ? size : all(1)) : all(1)) * fresh;
            store3(rest.rollingImpulse, fresh);
            turn(fresh - rolling);
        }
    }
    const auto put = [to = bodies.velocity](const int32_t* index) __attribute__((always_inline)) {
        return [=](int i, f8 row) __attribute__((always_inline)) { store(to[index[i]].row, row); };
    };
    scatter(m.writesA, A, put(m.a));
    scatter(m.writesB, B, put(m.b));
    float corrections = 0;
    for (int lane = 0; lane < kWide; ++lane) corrections += change[lane];
    if (!first || !settings.push) return corrections;

    // overlap that the velocities will leave at the end of the substep
    const f8 allowed = load(m.softness), h = all(settings.h);
    const f8 along = dot(n, B.linear - A.linear) + dot(lever, B.angular);
    const V8 spin = B.angular - A.angular;
    i8 overlaps{};
    f8 wanted[points];
    for (int i = 0; i < points; ++i) {
        const f8 overlap = -(separation[i] + h * (along + dot(spin, load3(at[i].turn)))) - allowed;
        wanted[i] = all(settings.pushRate) * overlap;
        overlaps |= (overlap > zero) & (load(at[i].mass) > zero);
    }
    if (!any(overlaps)) return corrections;
    f8 pushed = zero;
    V8 turn = zero3();
    for (int i = 0; i < points; ++i) {
        const f8 depth = max8(zero, min8(wanted[i], load(m.pushLimit))), push = depth * load(at[i].mass);
        for (int j = i + 1; j < points; ++j) wanted[j] -= load(coupling(at, i, j)) * push;
        pushed += push;
        turn = turn + push * load3(at[i].turn);
    }
    const Rows8 moveA{-(inverseMassA * pushed) * n, zero3() - inverseInertiaA * turn},
        moveB{(inverseMassB * pushed) * n, inverseInertiaB * (turn + pushed * lever)};
    const auto add = [=](const int32_t* index) __attribute__((always_inline)) {
        return [=](int i, f8 row) __attribute__((always_inline)) {
            float *moved = bodies.displacement[index[i]].row, *push = bodies.push[index[i]].row;
            store(moved, load(moved) + row);
            store(push, load(push) + row);
        };
    };
    scatter(m.writesA, moveA, add(m.a));
    scatter(m.writesB, moveB, add(m.b));
    return corrections;
}

template <bool first>
SUNDER_INLINE void sweepOver(const WideArrays& arrays, size_t begin, size_t end, const SolverRows& bodies,
                             const SweepSettings& settings) {
    for (size_t g = begin; g < end; ++g) {
        WideManifold& m = arrays.groups[g];
        WidePoint* at = arrays.points + m.firstPoint;
        WideRest& rest = arrays.rests[g];
        float& change = arrays.changes[g];
        switch (m.pointCount) {
            case 1: change = visit<1, first>(m, at, rest, bodies, settings); break;
            case 2: change = visit<2, first>(m, at, rest, bodies, settings); break;
            case 3: change = visit<3, first>(m, at, rest, bodies, settings); break;
            default: change = visit<4, first>(m, at, rest, bodies, settings); break;
        }
    }
}

void sweep(const WideArrays& arrays, size_t begin, size_t end, const SolverRows& bodies,
           const SweepSettings& settings) {
    if (settings.first) {
        sweepOver<true>(arrays, begin, end, bodies, settings);
    } else {
        sweepOver<false>(arrays, begin, end, bodies, settings);
    }
}

// The end of substep and frame

void noteShifts(const WideArrays& arrays, size_t group, const BodyRow* displacement) {
    const WideManifold& m = arrays.groups[group];
    WideRest& rest = arrays.rests[group];
    const V8 n = load3(m.normal), t1 = load3(m.tangent);
    f8 sum = all(0);
    for (int i = 0; i < m.pointCount; ++i) sum += load(arrays.points[m.firstPoint + i].impulse);
    const V8 impulse = sum * n + (load(m.frictionImpulse[0]) * t1 + load(m.frictionImpulse[1]) * cross(n, t1));
    store3(rest.shiftA, load3(rest.shiftA) + cross(gather(displacement, m.a).linear, impulse));
    store3(rest.shiftB, load3(rest.shiftB) + cross(gather(displacement, m.b).linear, impulse));
}

void finish(const WideArrays& arrays, size_t group, float keep, LaneResults& results) {
    const WideManifold& m = arrays.groups[group];
    const WideRest& rest = arrays.rests[group];
    const V8 n = load3(m.normal), t1 = load3(m.tangent), t2 = cross(n, t1), middle = load3(m.middle),
             toB = load3(m.fromAToB);
    const auto follow = [k = all(keep)](const float* start, const float* impulse) __attribute__((always_inline)) {
        const f8 from = load(start);
        return from + k * (load(impulse) - from);
    };
    const auto total = [](const float* before, const float* impulse)
                           __attribute__((always_inline)) { return load(before) + load(impulse); };
    // along the normal
    f8 sum = all(0);
    V8 moment = zero3();
    for (int i = 0; i < m.pointCount; ++i) {
        const WidePoint& point = arrays.points[m.firstPoint + i];
        const f8 pressed = total(point.total, point.impulse);
        sum += pressed;
        moment = moment + pressed * load3(point.turn);
        store(results.start[i], follow(point.start, point.impulse));
    }
    // torques, then friction at the centre of load
    V8 spin = total(m.frictionTotal[2], m.frictionImpulse[2]) * n, rollingStart = zero3();
    if (m.hasRolling) {
        spin = spin + V8{total(rest.rollingTotal[0], rest.rollingImpulse[0]), total(rest.rollingTotal[1], rest.rollingImpulse[1]),
                         total(rest.rollingTotal[2], rest.rollingImpulse[2])};
        rollingStart = {follow(rest.rollingStart[0], rest.rollingImpulse[0]), follow(rest.rollingStart[1], rest.rollingImpulse[1]),
                        follow(rest.rollingStart[2], rest.rollingImpulse[2])};
    }
    const V8 friction = total(m.frictionTotal[0], m.frictionImpulse[0]) * t1 +
                        total(m.frictionTotal[1], m.frictionImpulse[1]) * t2;
    const V8 frictionOnA = cross(middle, friction) + spin, impulse = sum * n + friction;
    // what it did in all, and what the next solve starts from
    store3(results.impulse, impulse);
    store3(results.moment, moment - sum * cross(middle, n) + spin);
    store3(results.momentOnA, moment + frictionOnA);
    store3(results.momentOnB, moment + frictionOnA + cross(toB, impulse));
    store(results.normalImpulse, sum);
    store3(results.friction, friction);
    store3(results.frictionOnA, frictionOnA);
    store3(results.frictionOnB, frictionOnA + cross(toB, friction));
    store3(results.frictionStart, follow(m.frictionStart[0], m.frictionImpulse[0]) * t1 +
                                      follow(m.frictionStart[1], m.frictionImpulse[1]) * t2);
    store(results.twistStart, follow(m.frictionStart[2], m.frictionImpulse[2]));
    store3(results.rollingStart, rollingStart);
}
