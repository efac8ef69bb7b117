// Included by kernels_portable.cpp and kernels_avx2.cpp inside a namespace of their own.

SatResult sat(const HullArrays& a, const HullArrays& b, float reach, float preference) {
    SatResult best;
    best.separation = -3e38f;

    const auto faces = [&](const HullArrays& solid, const HullArrays& other, SatFeature feature, float sign,
                           float handicap) {
        for (int f = 0; f < solid.faces; ++f) {
            const float* plane = solid.planes + f * solid.planeStride;
            const f8 nx = all(plane[0]), ny = all(plane[1]), nz = all(plane[2]);
            f8 lowest = all(3e38f);
            for (int v = 0; v < other.vertices; v += kWide) {
                lowest = min8(lowest, nx * load(other.x + v) + ny * load(other.y + v) + nz * load(other.z + v));
            }
            const float separation = smallest(lowest) - plane[3];
            if (separation > best.separation + (best.feature == feature ? 0 : handicap)) {
                best.separation = separation;
                best.axis[0] = sign * plane[0];
                best.axis[1] = sign * plane[1];
                best.axis[2] = sign * plane[2];
                best.feature = feature;
                (feature == SatFeature::FaceOfA ? best.indexA : best.indexB) = f;
                if (separation > reach) return true;
            }
        }
        return false;
    };
    if (faces(a, b, SatFeature::FaceOfA, 1, 0)) return best;
    if (faces(b, a, SatFeature::FaceOfB, -1, preference)) return best;
    best.separation += preference;

    // Edges only count where the arcs of their normals cross: elsewhere the axis does not touch both solids there.
    for (int i = 0; i < a.edges; ++i) {
        const V8 da{all(a.dx[i]), all(a.dy[i]), all(a.dz[i])};
        const V8 a1{all(a.n1x[i]), all(a.n1y[i]), all(a.n1z[i])}, a2{all(a.n2x[i]), all(a.n2y[i]), all(a.n2z[i])};
        const V8 pa{all(a.ex[i]), all(a.ey[i]), all(a.ez[i])};
        for (int j = 0; j < b.paddedEdges; j += kWide) {
            const V8 b1{load(b.n1x + j), load(b.n1y + j), load(b.n1z + j)},
                b2{load(b.n2x + j), load(b.n2y + j), load(b.n2z + j)};
            const V8 db{load(b.dx + j), load(b.dy + j), load(b.dz + j)};
            const f8 cba = dot(b1, da), dba = dot(b2, da), adc = dot(a1, db), bdc = dot(a2, db);
            const f8 zero = all(0);
            const i8 crosses = (cba * dba < zero) & (adc * bdc < zero) & (cba * bdc < zero);
            if (!any(crosses)) continue;
            const V8 pb{load(b.ex + j), load(b.ey + j), load(b.ez + j)};
            V8 axis = cross(da, db);
            const f8 squared = dot(axis, axis);
            const i8 usable = crosses & (squared > all(1e-6f) * dot(da, da) * dot(db, db));
            if (!any(usable)) continue;
            const f8 inverse = all(1) / sqrt8(usable ? squared : all(1));
            axis = inverse * axis;
            const f8 outward = dot(axis, pa);
            const f8 sign = outward < zero ? all(-1) : all(1);
            axis = sign * axis;
            const f8 separation = usable ? dot(axis, pb - pa) : all(-3e38f);
            if (!(largest(separation) > best.separation)) continue;
            for (int lane = 0; lane < kWide; ++lane) {
                if (separation[lane] > best.separation) {
                    best = {
                        separation[lane], {axis.x[lane], axis.y[lane], axis.z[lane]}, SatFeature::Edges, i, j + lane};
                }
            }
        }
    }
    if (best.feature != SatFeature::Edges) best.separation -= preference;
    return best;
}

float separationAlong(const HullArrays& a, const HullArrays& b, const float axisA[3], const float axisB[3],
                      float offset) {
    f8 highest = all(-3e38f), lowest = all(3e38f);
    const f8 ax = all(axisA[0]), ay = all(axisA[1]), az = all(axisA[2]);
    for (int v = 0; v < a.vertices; v += kWide) {
        highest = max8(highest, ax * load(a.x + v) + ay * load(a.y + v) + az * load(a.z + v));
    }
    const f8 bx = all(axisB[0]), by = all(axisB[1]), bz = all(axisB[2]);
    for (int v = 0; v < b.vertices; v += kWide) {
        lowest = min8(lowest, bx * load(b.x + v) + by * load(b.y + v) + bz * load(b.z + v));
    }
    return offset + smallest(lowest) - largest(highest);
}

struct Motion8 {
    V8 velocity, angular, displacement, rotation;
};

SUNDER_INLINE Motion8 gather(const SolverBody* bodies, const int32_t* index) {
    f8 first[8], second[8];
    for (int i = 0; i < kWide; ++i) {
        const float* body = bodies[index[i]].velocity;
        first[i] = load(body);
        second[i] = load(body + 8);
    }
    transpose(first);
    transpose(second);
    return {{first[0], first[1], first[2]},
            {first[3], first[4], first[5]},
            {second[0], second[1], second[2]},
            {second[3], second[4], second[5]}};
}

SUNDER_INLINE void scatter(SolverBody* bodies, const int32_t* index, int32_t lanes, size_t half, const V8& linear,
                           const V8& angular) {
    f8 rows[8] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z, all(0), all(0)};
    transpose(rows);
    for (int i = 0; i < kWide; ++i) {
        if (lanes >> i & 1) store(bodies[index[i]].velocity + half, rows[i]);
    }
}

SUNDER_INLINE V8 load3(const float (*p)[8]) { return {load(p[0]), load(p[1]), load(p[2])}; }
SUNDER_INLINE S8 load6(const float (*p)[8]) {
    return {load(p[0]), load(p[1]), load(p[2]), load(p[3]), load(p[4]), load(p[5])};
}
SUNDER_INLINE void store3(float (*p)[8], const V8& v) {
    store(p[0], v.x);
    store(p[1], v.y);
    store(p[2], v.z);
}

/// Counts this substep's impulses, and how far their points had travelled when they acted.
SUNDER_INLINE void addToTotals(WideManifold& m, const V8& movedA, const V8& movedB, const V8& n, float keep) {
    const auto follow = [k = all(keep)](float* start, f8 impulse) {
        const f8 old = load(start);
        store(start, old + k * (impulse - old));
    };
    f8 sum = all(0);
    for (int i = 0; i < m.pointCount; ++i) {
        const f8 impulse = load(m.points[i].impulse);
        sum += impulse;
        store(m.points[i].total, load(m.points[i].total) + impulse);
        follow(m.points[i].start, impulse);
    }
    for (int i = 0; i < 3; ++i) {
        store(m.frictionTotal[i], load(m.frictionTotal[i]) + load(m.frictionImpulse[i]));
        follow(m.frictionStart[i], load(m.frictionImpulse[i]));
    }
    for (int i = 0; m.hasRolling && i < 3; ++i) {
        store(m.rollingTotal[i], load(m.rollingTotal[i]) + load(m.rollingImpulse[i]));
        follow(m.rollingStart[i], load(m.rollingImpulse[i]));
    }
    const V8 t1 = load3(m.tangent), t2 = cross(n, t1);
    const V8 impulse = sum * n + (load(m.frictionImpulse[0]) * t1 + load(m.frictionImpulse[1]) * t2);
    store3(m.shiftA, load3(m.shiftA) + cross(movedA, impulse));
    store3(m.shiftB, load3(m.shiftB) + cross(movedB, impulse));
}

/// One Gauss-Seidel visit of eight manifolds: friction, then the normals; then overlap is pushed out, positions only.
SUNDER_INLINE void visit(WideManifold& m, SolverBody* bodies, SolverPush* pushes, const SweepSettings& settings) {
    Motion8 A = gather(bodies, m.a), B = gather(bodies, m.b);
    const f8 invMassA = load(m.invMassA), invMassB = load(m.invMassB), zero = all(0);
    const S8 invInertiaA = load6(m.invInertiaA), invInertiaB = load6(m.invInertiaB);
    const V8 n = load3(m.normal);
    const V8 toB = load3(m.fromAToB);

    const auto apply = [&](const V8& impulse, const V8& armA, const V8& armB) __attribute__((always_inline)) {
        A.velocity = A.velocity - invMassA * impulse;
        A.angular = A.angular - invInertiaA * cross(armA, impulse);
        B.velocity = B.velocity + invMassB * impulse;
        B.angular = B.angular + invInertiaB * cross(armB, impulse);
    };
    const auto twist = [&](const V8& impulse) __attribute__((always_inline)) {
        A.angular = A.angular - invInertiaA * impulse;
        B.angular = B.angular + invInertiaB * impulse;
    };

    const f8 inverseH = all(settings.inverseH), h = all(settings.h);
    f8 separation[4], bias[4], pressed[4], atFirst[4];
    // the velocities have made the same leap ahead
    const auto begin = [&](float* impulse, float* previous, const float* start) __attribute__((always_inline)) {
        const f8 now = load(settings.first ? start : impulse);
        const f8 ahead = settings.first ? now : now + all(settings.momentum) * (now - load(previous));
        store(previous, now);
        return ahead;
    };
    for (int i = 0; i < m.pointCount; ++i) {
        WideManifold::Point& point = m.points[i];
        const V8 armA = load3(point.arm), armB = armA + toB;
        const V8 moved = (B.displacement + cross(B.rotation, armB)) - (A.displacement + cross(A.rotation, armA));
        separation[i] = load(point.separation) + dot(n, moved);
        bias[i] = inverseH * max8(separation[i], zero);
        pressed[i] = begin(point.impulse, point.previous, point.start);
        atFirst[i] = pressed[i];
    }
    const V8 middleA = load3(m.middle), middleB = middleA + toB;
    const V8 t1 = load3(m.tangent), t2 = cross(n, t1);
    f8 slide1 = begin(m.frictionImpulse[0], m.frictionPrevious[0], m.frictionStart[0]);
    f8 slide2 = begin(m.frictionImpulse[1], m.frictionPrevious[1], m.frictionStart[1]);
    f8 slide3 = begin(m.frictionImpulse[2], m.frictionPrevious[2], m.frictionStart[2]);
    V8 rolling{zero, zero, zero};
    if (m.hasRolling) {
        rolling = {begin(m.rollingImpulse[0], m.rollingPrevious[0], m.rollingStart[0]),
                   begin(m.rollingImpulse[1], m.rollingPrevious[1], m.rollingStart[1]),
                   begin(m.rollingImpulse[2], m.rollingPrevious[2], m.rollingStart[2])};
    }

    // the bodies are at hand: solve the manifold nearly to the end before turning to the next
    for (int round = 0; round < settings.rounds; ++round) {
        f8 sum = zero;
        for (int k = 0; k < m.pointCount; ++k) {
            const int i = (round & 1) ? m.pointCount - 1 - k : k;
            const V8 armA = load3(m.points[i].arm), armB = armA + toB;
            const V8 relative = (B.velocity + cross(B.angular, armB)) - (A.velocity + cross(A.angular, armA));
            const f8 fresh = max8(zero, pressed[i] - load(m.points[i].mass) * (dot(n, relative) + bias[i]));
            apply((fresh - pressed[i]) * n, armA, armB);
            pressed[i] = fresh;
            sum += fresh;
        }
        if (!settings.friction) continue;

        const f8 limit = load(m.friction) * sum;
        const V8 relative = (B.velocity + cross(B.angular, middleB)) - (A.velocity + cross(A.angular, middleA));
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
        apply((new1 - slide1) * t1 + (new2 - slide2) * t2, middleA, middleB);
        slide1 = new1;
        slide2 = new2;

        const f8 spin = dot(n, B.angular - A.angular), bound = limit * load(m.twistRadius);
        const f8 new3 = max8(-bound, min8(bound, slide3 - load(m.twistMass) * spin));
        twist((new3 - slide3) * n);
        slide3 = new3;

        if (m.hasRolling) {
            V8 relativeSpin = B.angular - A.angular;
            relativeSpin = relativeSpin - dot(n, relativeSpin) * n;
            V8 fresh = rolling - load(m.rollingMass) * relativeSpin;
            const f8 size = sqrt8(dot(fresh, fresh)), most = load(m.rolling) * sum;
            fresh = (size > most ? most / (size > zero ? size : all(1)) : all(1)) * fresh;
            twist(fresh - rolling);
            rolling = fresh;
        }
    }
    f8 change = zero;
    for (int i = 0; i < m.pointCount; ++i) {
        store(m.points[i].impulse, pressed[i]);
        const f8 mass = load(m.points[i].mass), error = (pressed[i] - atFirst[i]) / (mass > zero ? mass : all(1));
        change += error * error;
    }
    m.change = 0;
    for (int lane = 0; lane < kWide; ++lane) m.change += change[lane];
    store(m.frictionImpulse[0], slide1);
    store(m.frictionImpulse[1], slide2);
    store(m.frictionImpulse[2], slide3);
    if (m.hasRolling) store3(m.rollingImpulse, rolling);
    scatter(bodies, m.a, m.writesA, 0, A.velocity, A.angular);
    scatter(bodies, m.b, m.writesB, 0, B.velocity, B.angular);

    if (!settings.push) return;
    const f8 allowed = load(m.softness);
    i8 overlaps{};
    f8 overlap[4];
    for (int i = 0; i < m.pointCount; ++i) {
        const V8 armA = load3(m.points[i].arm), armB = armA + toB;
        const V8 relative = (B.velocity + cross(B.angular, armB)) - (A.velocity + cross(A.angular, armA));
        overlap[i] = -(separation[i] + h * dot(n, relative)) - allowed;
        overlaps |= overlap[i] > zero;
    }
    if (!any(overlaps)) return;
    V8 moveA{zero, zero, zero}, turnA = moveA, moveB = moveA, turnB = moveA;
    for (int i = 0; i < m.pointCount; ++i) {
        const V8 armA = load3(m.points[i].arm), armB = armA + toB;
        const f8 already = dot(n, (moveB + cross(turnB, armB)) - (moveA + cross(turnA, armA)));
        const f8 depth = min8(all(settings.pushRate) * overlap[i] - already, load(m.pushLimit));
        const V8 impulse = (max8(depth, zero) * load(m.points[i].mass)) * n;
        moveA = moveA - invMassA * impulse;
        turnA = turnA - invInertiaA * cross(armA, impulse);
        moveB = moveB + invMassB * impulse;
        turnB = turnB + invInertiaB * cross(armB, impulse);
    }
    scatter(bodies, m.a, m.writesA, 8, A.displacement + moveA, A.rotation + turnA);
    scatter(bodies, m.b, m.writesB, 8, B.displacement + moveB, B.rotation + turnB);
    const auto note = [&](const int32_t* index, int32_t lanes, const V8& move, const V8& turn) {
        f8 rows[8] = {move.x, move.y, move.z, turn.x, turn.y, turn.z, zero, zero};
        transpose(rows);
        for (int i = 0; i < kWide; ++i) {
            if (lanes >> i & 1) store(pushes[index[i]].displacement, load(pushes[index[i]].displacement) + rows[i]);
        }
    };
    note(m.a, m.writesA, moveA, turnA);
    note(m.b, m.writesB, moveB, turnB);
}

void addToTotals(WideManifold* groups, size_t count, const SolverBody* bodies, float keep) {
    for (size_t i = 0; i < count; ++i) {
        WideManifold& m = groups[i];
        addToTotals(m, gather(bodies, m.a).displacement, gather(bodies, m.b).displacement, load3(m.normal), keep);
    }
}

void sweep(WideManifold* groups, size_t count, SolverBody* bodies, SolverPush* pushes, const SweepSettings& settings) {
    for (size_t i = 0; i < count; ++i) visit(groups[i], bodies, pushes, settings);
}
