// Included by field_kernels_portable.cpp and field_kernels_avx2.cpp inside a namespace of their own.

SUNDER_INLINE V8 placed(const Placement& place, const float* eight) {
    const f8 x = load(eight), y = load(eight + 8), z = load(eight + 16);
    const float *r = place.rotation, *t = place.translation;
    return {all(r[0]) * x + all(r[1]) * y + all(r[2]) * z + all(t[0]),
            all(r[3]) * x + all(r[4]) * y + all(r[5]) * z + all(t[1]),
            all(r[6]) * x + all(r[7]) * y + all(r[8]) * z + all(t[2])};
}

/// One bit per lane.
SUNDER_INLINE unsigned bitsOf(i8 mask) {
#ifdef __AVX__
    return static_cast<unsigned>(__builtin_ia32_movmskps256((f8)mask));
#else
    unsigned bits = 0;
    for (int i = 0; i < kWide; ++i) bits |= mask[i] != 0 ? 1u << i : 0u;
    return bits;
#endif
}

/// Which of eight clusters are there, when the last group is not full.
SUNDER_INLINE unsigned presentOf(const PointArrays& points, int firstCluster) {
    const int left = points.clusterCount - firstCluster;
    return left >= kWide ? 0xffu : (1u << left) - 1u;
}

struct Values8 {
    f8 value;
    V8 gradient;  // unit, or zero
    f8 sureness;
};

SUNDER_INLINE void normalise(Values8& v) {
    const f8 length = sqrt8(dot(v.gradient, v.gradient));
    const f8 inverse = length > all(1e-3f) ? all(1) / length : all(0);
    v.gradient = inverse * v.gradient;
    v.sureness = length;
}

/// Where eight points are on the lattice. Those outside are taken to the nearest point of it.
struct Place8 {
    i8 index;   // of the lowest corner of the cell
    V8 within;  // 0 .. 1 in the cell
    V8 beyond;  // m outside the lattice
    f8 squaredBeyond;
};

SUNDER_INLINE Place8 placeOnLattice(const FieldArrays& field, const V8& p) {
    const f8 perCell = all(1 / field.cellSize), cell = all(field.cellSize), zero = all(0);
    const f8 coordinate[3] = {p.x, p.y, p.z};
    Place8 place;
    i8 low[3];
    f8 *within[3] = {&place.within.x, &place.within.y, &place.within.z},
       *beyond[3] = {&place.beyond.x, &place.beyond.y, &place.beyond.z};
    for (int axis = 0; axis < 3; ++axis) {
        const float last = static_cast<float>(field.points[axis] - 1);
        const f8 inCells = coordinate[axis] * perCell;
        const f8 inside = min8(max8(inCells, zero), all(last));
        const f8 lowest = min8(inside, all(last - 1));
        low[axis] = __builtin_convertvector(lowest, i8);
        *within[axis] = inside - __builtin_convertvector(low[axis], f8);
        *beyond[axis] = (inCells - inside) * cell;
    }
    place.index = low[0] + field.points[0] * (low[1] + field.points[1] * low[2]);
    place.squaredBeyond = dot(place.beyond, place.beyond);
    return place;
}

/// Two neighbours along x, for each of the lanes.
SUNDER_INLINE i8 loadPairs(const int16_t* counts, i8 index) {
    i8 pairs;
    for (int lane = 0; lane < kWide; ++lane) {
        int pair;
        __builtin_memcpy(&pair, counts + index[lane], sizeof pair);
        pairs[lane] = pair;
    }
    return pairs;
}
SUNDER_INLINE f8 firstOf(i8 pairs) { return __builtin_convertvector((pairs << 16) >> 16, f8); }
SUNDER_INLINE f8 secondOf(i8 pairs) { return __builtin_convertvector(pairs >> 16, f8); }

/// The field and its gradient; outside the lattice as CompactField says.
SUNDER_INLINE Values8 fieldAt(const FieldArrays& field, const V8& p) {
    // the eight corners of each point's cell, in pairs along x
    const Place8 place = placeOnLattice(field, p);
    const int row = field.points[0], layer = row * field.points[1];
    const i8 r0 = loadPairs(field.counts, place.index), r1 = loadPairs(field.counts + row, place.index);
    const i8 r2 = loadPairs(field.counts + layer, place.index), r3 = loadPairs(field.counts + layer + row, place.index);
    const f8 c0 = firstOf(r0), c1 = firstOf(r1), c2 = firstOf(r2), c3 = firstOf(r3);
    const f8 dx0 = secondOf(r0) - c0, dx1 = secondOf(r1) - c1, dx2 = secondOf(r2) - c2, dx3 = secondOf(r3) - c3;
    // between them
    const f8 x = place.within.x, y = place.within.y, z = place.within.z;
    const f8 v0 = c0 + x * dx0, v1 = c1 + x * dx1, v2 = c2 + x * dx2, v3 = c3 + x * dx3;
    const f8 dyLow = v1 - v0, dyHigh = v3 - v2;
    const f8 low = v0 + y * dyLow, high = v2 + y * dyHigh;
    const f8 dxLow = dx0 + y * (dx1 - dx0), dxHigh = dx2 + y * (dx3 - dx2);
    const f8 unit = all(field.unit), perCell = all(field.unit / field.cellSize), zero = all(0);

    Values8 result;
    result.value = unit * (low + z * (high - low));
    result.gradient = {perCell * (dxLow + z * (dxHigh - dxLow)), perCell * (dyLow + z * (dyHigh - dyLow)),
                       perCell * (high - low)};
    // beyond the lattice distances grow as from a ball
    const i8 outside = place.squaredBeyond > zero;
    if (any(outside)) {
        const f8 whole = sqrt8(result.value * result.value + place.squaredBeyond);
        const f8 safe = outside ? whole : all(1);
        V8& g = result.gradient;
        g.x = outside ? (place.beyond.x != zero ? place.beyond.x : g.x * result.value) / safe : g.x;
        g.y = outside ? (place.beyond.y != zero ? place.beyond.y : g.y * result.value) / safe : g.y;
        g.z = outside ? (place.beyond.z != zero ? place.beyond.z : g.z * result.value) / safe : g.z;
        result.value = outside ? whole : result.value;
    }
    normalise(result);
    return result;
}

/// The distance alone.
SUNDER_INLINE f8 fieldValueAt(const FieldArrays& field, const V8& p) {
    const Place8 place = placeOnLattice(field, p);
    const int row = field.points[0], layer = row * field.points[1];
    const i8 r0 = loadPairs(field.counts, place.index), r1 = loadPairs(field.counts + row, place.index);
    const i8 r2 = loadPairs(field.counts + layer, place.index), r3 = loadPairs(field.counts + layer + row, place.index);
    const f8 x = place.within.x, y = place.within.y, z = place.within.z;
    const f8 c0 = firstOf(r0), c1 = firstOf(r1), c2 = firstOf(r2), c3 = firstOf(r3);
    const f8 v0 = c0 + x * (secondOf(r0) - c0), v1 = c1 + x * (secondOf(r1) - c1);
    const f8 v2 = c2 + x * (secondOf(r2) - c2), v3 = c3 + x * (secondOf(r3) - c3);
    const f8 low = v0 + y * (v1 - v0), high = v2 + y * (v3 - v2);
    const f8 value = all(field.unit) * (low + z * (high - low));
    return place.squaredBeyond > all(0) ? sqrt8(value * value + place.squaredBeyond) : value;
}

SUNDER_INLINE void appendHits(const Values8& v, unsigned lanes, int cluster, FieldHits& out) {
    while (lanes != 0) {
        const int lane = __builtin_ctz(lanes);
        lanes &= lanes - 1;
        FieldHit& hit = out.hits[out.count++];
        hit.index = static_cast<uint32_t>(kWide * cluster + lane);
        hit.value = v.value[lane];
        hit.gradient[0] = v.gradient.x[lane];
        hit.gradient[1] = v.gradient.y[lane];
        hit.gradient[2] = v.gradient.z[lane];
        hit.sureness = v.sureness[lane];
    }
}

/// The part of eight balls that stays; what is farther lowers the bound no more than it must.
SUNDER_INLINE unsigned keepNear(f8 distance, float reach, unsigned lanes, FieldHits& out) {
    const unsigned near = bitsOf(distance <= all(reach)) & lanes;
    if (near != lanes) {
        for (int lane = 0; lane < kWide; ++lane) {
            if (((lanes & ~near) >> lane & 1u) != 0 && distance[lane] < out.bound) out.bound = distance[lane];
        }
    }
    return near;
}

SUNDER_INLINE void lookUpInField(const FieldArrays& field, const PointArrays& points, const Placement& place,
                                 float reach, int cluster, FieldHits& out) {
    const Values8 v = fieldAt(field, placed(place, points.clusters + 24 * cluster));
    const float lowest = smallest(v.value);
    out.bound = lowest < out.bound ? lowest : out.bound;
    if (lowest <= reach) appendHits(v, bitsOf(v.value <= all(reach)), cluster, out);
}

void inField(const FieldArrays& field, const PointArrays& points, const Placement& place, float reach, FieldHits& out) {
    if (points.balls == nullptr) {
        for (int c = 0; c < points.clusterCount; ++c) lookUpInField(field, points, place, reach, c, out);
        return;
    }
    for (int first = 0; first < points.clusterCount; first += kWide) {
        const float* balls = points.balls + 4 * first;
        const f8 radius = load(balls + 24), zero = all(0);
        const V8 p = placed(place, balls);
        // far from the solid's box
        const V8 outside{max8(max8(all(field.low[0]) - p.x, p.x - all(field.high[0])), zero),
                         max8(max8(all(field.low[1]) - p.y, p.y - all(field.high[1])), zero),
                         max8(max8(all(field.low[2]) - p.z, p.z - all(field.high[2])), zero)};
        const f8 distance = sqrt8(dot(outside, outside)) - radius;
        unsigned near = keepNear(distance, reach, presentOf(points, first), out);
        if (near == 0) continue;
        // far from the solid itself; the interpolated field may be off by a part of a cell. Lanes that are out look
        // where the first of the others does, which costs no memory of its own.
        const i8 isNear = distance <= all(reach);
        const int lane = __builtin_ctz(near);
        const V8 q{isNear ? p.x : all(p.x[lane]), isNear ? p.y : all(p.y[lane]), isNear ? p.z : all(p.z[lane])};
        near = keepNear(fieldValueAt(field, q) - radius - all(0.25f * field.cellSize), reach, near, out);
        for (; near != 0; near &= near - 1)
            lookUpInField(field, points, place, reach, first + __builtin_ctz(near), out);
    }
}

SUNDER_INLINE Values8 planesAt(const ConvexArrays& convex, const V8& p) {
    Values8 result;
    result.value = all(-3e38f);
    result.gradient = {all(0), all(0), all(0)};
    for (int f = 0; f < convex.planeCount; ++f) {
        const float* plane = convex.planes + static_cast<long>(f) * convex.planeStride;
        const V8 n{all(plane[0]), all(plane[1]), all(plane[2])};
        const f8 height = dot(n, p) - all(plane[3]);
        const i8 higher = height > result.value;
        result.value = higher ? height : result.value;
        result.gradient.x = higher ? n.x : result.gradient.x;
        result.gradient.y = higher ? n.y : result.gradient.y;
        result.gradient.z = higher ? n.z : result.gradient.z;
    }
    result.value -= all(convex.radius);
    result.sureness = all(1);
    return result;
}

SUNDER_INLINE Values8 segmentAt(const ConvexArrays& convex, const V8& p) {
    const V8 direction{all(convex.direction[0]), all(convex.direction[1]), all(convex.direction[2])};
    const V8 away = p - V8{all(convex.end[0]), all(convex.end[1]), all(convex.end[2])};
    const f8 t = min8(max8(dot(away, direction) * all(convex.inverseSquaredLength), all(0)), all(1));
    Values8 result;
    const V8 across = away - t * direction;
    const f8 length = sqrt8(dot(across, across));
    const i8 there = length > all(1e-6f * convex.radius);
    const f8 inverse = there ? all(1) / length : all(0);
    result.gradient = inverse * across;
    result.value = length - all(convex.radius);
    result.sureness = there ? all(1) : all(0);
    return result;
}

void inConvex(const ConvexArrays& convex, const PointArrays& points, const Placement& place, float reach,
              FieldHits& out) {
    const auto at = [&](const V8& p) __attribute__((always_inline)) {
        return convex.planeCount > 0 ? planesAt(convex, p) : segmentAt(convex, p);
    };
    for (int first = 0; first < points.clusterCount; first += kWide) {
        const float* balls = points.balls + 4 * first;
        unsigned near =
            keepNear(at(placed(place, balls)).value - load(balls + 24), reach, presentOf(points, first), out);
        for (; near != 0; near &= near - 1) {
            const int cluster = first + __builtin_ctz(near);
            const Values8 v = at(placed(place, points.clusters + 24 * cluster));
            const float lowest = smallest(v.value);
            out.bound = lowest < out.bound ? lowest : out.bound;
            if (lowest <= reach) appendHits(v, bitsOf(v.value <= all(reach)), cluster, out);
        }
    }
}
