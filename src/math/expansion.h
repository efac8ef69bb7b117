#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/assert.h"

namespace sunder {

/// A real number held exactly as a sum of doubles: ascending magnitude, not overlapping, no zeros, so that the last
/// component alone carries the sign [shewchuk1997]. `Capacity` is the most components it can ever need; every operation
/// states the capacity of its result in its type, nothing is allocated. Exact while nothing overflows and no product
/// falls below the smallest normal number times 2^53.
template <size_t Capacity>
class Expansion {
public:
    Expansion() = default;
    explicit Expansion(double value) { append(value); }  // exactly this number

    int sign() const { return size_ == 0 ? 0 : (components_[size_ - 1] > 0 ? 1 : -1); }  // -1, 0 or 1; exact
    /// Within one ulp or so.
    double approximate() const {
        double sum = 0;
        for (size_t i = 0; i < size_; ++i) sum += components_[i];
        return sum;
    }

    size_t size() const { return size_; }                         // components in use; 0: the number is 0
    double operator[](size_t i) const { return components_[i]; }  // component i, from the smallest
    /// Only in ascending order of magnitude; zeros are left out.
    void append(double component) {
        if (component == 0) return;
        ASSERT(size_ < Capacity);
        components_[size_++] = component;
    }
    /// Exact, as all operators here are.
    Expansion operator-() const {
        Expansion result;
        for (size_t i = 0; i < size_; ++i) result.append(-components_[i]);
        return result;
    }

private:
    std::array<double, Capacity> components_;
    size_t size_ = 0;
};

namespace detail {

/// What rounding lost: value + error is the exact result.
struct Rounded {
    double value;
    double error;
};

inline Rounded twoSum(double a, double b) {
    const double sum = a + b;
    const double bPart = sum - a;
    return {sum, (a - (sum - bPart)) + (b - bPart)};
}
/// Needs |a| >= |b|.
inline Rounded fastTwoSum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}
inline Rounded twoProduct(double a, double b) {
    const double product = a * b;
    return {product, std::fma(a, b, -product)};
}

}  // namespace detail

/// a - b without rounding.
inline Expansion<2> exactDifference(double a, double b) {
    const detail::Rounded d = detail::twoSum(a, -b);
    Expansion<2> result;
    result.append(d.error);
    result.append(d.value);
    return result;
}

/// a * b without rounding.
inline Expansion<2> exactProduct(double a, double b) {
    const detail::Rounded p = detail::twoProduct(a, b);
    Expansion<2> result;
    result.append(p.error);
    result.append(p.value);
    return result;
}

/// [shewchuk1997] fig. 8, FAST-EXPANSION-SUM with zeros left out: merge by magnitude, then one sweep of twoSum.
template <size_t M, size_t N>
Expansion<M + N> operator+(const Expansion<M>& a, const Expansion<N>& b) {
    Expansion<M + N> result;
    size_t i = 0, j = 0;
    const auto smallest = [&] {
        if (j == b.size() || (i < a.size() && std::abs(a[i]) < std::abs(b[j]))) return a[i++];
        return b[j++];
    };
    const size_t count = a.size() + b.size();
    if (count == 0) return result;
    double running = smallest();
    for (size_t k = 1; k < count; ++k) {
        const detail::Rounded s = detail::twoSum(running, smallest());
        result.append(s.error);
        running = s.value;
    }
    result.append(running);
    return result;
}

/// a - b without rounding.
template <size_t M, size_t N>
Expansion<M + N> operator-(const Expansion<M>& a, const Expansion<N>& b) {
    return a + (-b);
}

/// [shewchuk1997] fig. 13, SCALE-EXPANSION with zeros left out.
template <size_t M>
Expansion<2 * M> operator*(const Expansion<M>& a, double factor) {
    Expansion<2 * M> result;
    if (a.size() == 0 || factor == 0) return result;
    detail::Rounded product = detail::twoProduct(a[0], factor);
    result.append(product.error);
    double running = product.value;
    for (size_t i = 1; i < a.size(); ++i) {
        product = detail::twoProduct(a[i], factor);
        const detail::Rounded low = detail::twoSum(running, product.error);
        result.append(low.error);
        const detail::Rounded high = detail::fastTwoSum(product.value, low.value);
        result.append(high.error);
        running = high.value;
    }
    result.append(running);
    return result;
}

/// Splits b in halves, so that only operands of like length are added.
template <size_t M, size_t N>
Expansion<2 * M * N> operator*(const Expansion<M>& a, const Expansion<N>& b) {
    if constexpr (N == 1) {
        return b.size() == 0 ? Expansion<2 * M>() : a * b[0];
    } else {
        constexpr size_t kLow = N / 2;
        Expansion<kLow> low;
        Expansion<N - kLow> high;
        for (size_t i = 0; i < b.size(); ++i) i < kLow ? low.append(b[i]) : high.append(b[i]);
        return a * low + a * high;
    }
}

}  // namespace sunder
