// Included by hull_kernels_portable.cpp and hull_kernels_avx2.cpp inside a namespace of their own.

FarthestFace farthestFace(const PlaneArrays& planes, const CornerArrays& other, const InnerBall& inOther, float least,
                          float reach) {
    FarthestFace best;
    best.separation = least;
    for (int f = 0; f < planes.count; ++f) {
        const float* plane = planes.values + f * planes.stride;
        // the other solid reaches at least as low as the ball in it
        const float height =
            plane[0] * inOther.centre[0] + plane[1] * inOther.centre[1] + plane[2] * inOther.centre[2] - plane[3];
        if (height - inOther.radius <= best.separation) continue;
        const f8 nx = all(plane[0]), ny = all(plane[1]), nz = all(plane[2]);
        f8 lowest = all(3e38f);
        for (int v = 0; v < other.padded; v += kWide) {
            lowest = min8(lowest, nx * load(other.x + v) + ny * load(other.y + v) + nz * load(other.z + v));
        }
        const float separation = smallest(lowest) - plane[3];
        if (!(separation > best.separation)) continue;
        best = {f, separation};
        if (separation > reach) break;
    }
    return best;
}

int edgesTowards(const EdgeArrays& edges, const InnerBall& inOther, float least, uint32_t* found) {
    const V8 centre{all(inOther.centre[0]), all(inOther.centre[1]), all(inOther.centre[2])};
    const f8 zero = all(0), needed = all(least + inOther.radius);
    const f8 neededSquared = needed > zero ? needed * needed : zero;
    int count = 0;
    for (int i = 0; i < edges.padded; i += kWide) {
        const V8 n1{load(edges.n1x + i), load(edges.n1y + i), load(edges.n1z + i)},
            n2{load(edges.n2x + i), load(edges.n2y + i), load(edges.n2z + i)};
        const V8 to = centre - V8{load(edges.x + i), load(edges.y + i), load(edges.z + i)};
        // heights of the centre above both faces; an axis of the edge lies on the arc between their normals, and is
        // best where the arc looks straight at the centre, or at an end of the arc
        const f8 h1 = dot(n1, to), h2 = dot(n2, to), c = dot(n1, n2);
        const f8 up1 = h1 - c * h2, up2 = h2 - c * h1;
        const f8 end = max8(h1, h2), rim = end + all(0.003f) * (end < zero ? -end : end);  // arcs too short to tell
        const i8 possible =
            (rim > needed) | ((up1 > zero) & (up2 > zero) & (up1 * h1 + up2 * h2 > neededSquared * (all(1) - c * c)));
        if (!any(possible)) continue;
        for (int lane = 0; lane < kWide && i + lane < edges.count; ++lane) {
            if (possible[lane]) found[count++] = static_cast<uint32_t>(i + lane);
        }
    }
    return count;
}

FarthestEdges farthestEdges(const EdgeArrays& a, const EdgeArrays& b, float least) {
    FarthestEdges best;
    best.separation = least;
    // Edges only count where the arcs of their normals cross: elsewhere the axis does not touch both solids there.
    for (int i = 0; i < a.count; ++i) {
        const V8 da{all(a.dx[i]), all(a.dy[i]), all(a.dz[i])};
        const V8 a1{all(a.n1x[i]), all(a.n1y[i]), all(a.n1z[i])}, a2{all(a.n2x[i]), all(a.n2y[i]), all(a.n2z[i])};
        const V8 pa{all(a.x[i]), all(a.y[i]), all(a.z[i])};
        for (int j = 0; j < b.padded; j += kWide) {
            const V8 b1{load(b.n1x + j), load(b.n1y + j), load(b.n1z + j)},
                b2{load(b.n2x + j), load(b.n2y + j), load(b.n2z + j)};
            const V8 db{load(b.dx + j), load(b.dy + j), load(b.dz + j)};
            const f8 cba = dot(b1, da), dba = dot(b2, da), adc = dot(a1, db), bdc = dot(a2, db);
            const f8 zero = all(0);
            const i8 crosses = (cba * dba < zero) & (adc * bdc < zero) & (cba * bdc < zero);
            if (!any(crosses)) continue;
            const V8 pb{load(b.x + j), load(b.y + j), load(b.z + j)};
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
                if (separation[lane] > best.separation)
                    best = {i, j + lane, separation[lane], {axis.x[lane], axis.y[lane], axis.z[lane]}};
            }
        }
    }
    return best;
}

float separationAlong(const CornerArrays& a, const CornerArrays& b, const float axisA[3], const float axisB[3],
                      float offset) {
    f8 highest = all(-3e38f), lowest = all(3e38f);
    const f8 ax = all(axisA[0]), ay = all(axisA[1]), az = all(axisA[2]);
    for (int v = 0; v < a.padded; v += kWide) {
        highest = max8(highest, ax * load(a.x + v) + ay * load(a.y + v) + az * load(a.z + v));
    }
    const f8 bx = all(axisB[0]), by = all(axisB[1]), bz = all(axisB[2]);
    for (int v = 0; v < b.padded; v += kWide) {
        lowest = min8(lowest, bx * load(b.x + v) + by * load(b.y + v) + bz * load(b.z + v));
    }
    return offset + smallest(lowest) - largest(highest);
}
