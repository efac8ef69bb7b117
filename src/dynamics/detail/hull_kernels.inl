// Included by hull_kernels_portable.cpp and hull_kernels_avx2.cpp inside a namespace of their own.

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
