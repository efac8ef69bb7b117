#pragma once

#include <memory_resource>
#include <vector>

#include "math/expansion.h"

namespace sunder::detail {

/// As Expansion, for sums too long to keep on the stack. Lives in an arena that is thrown away as a whole.
class ExactNumber {
public:
    explicit ExactNumber(std::pmr::memory_resource* arena) : components_(arena) {}
    ExactNumber(double value, std::pmr::memory_resource* arena) : components_(arena) { append(value); }

    int sign() const { return components_.empty() ? 0 : (components_.back() > 0 ? 1 : -1); }
    double approximate() const {
        double sum = 0;
        for (const double c : components_) sum += c;
        return sum;
    }

    friend ExactNumber operator+(const ExactNumber& a, const ExactNumber& b) { return sum(a, b, 1); }
    friend ExactNumber operator-(const ExactNumber& a, const ExactNumber& b) { return sum(a, b, -1); }

    friend ExactNumber operator*(const ExactNumber& a, double factor) {
        ExactNumber result(a.arena());
        if (a.components_.empty() || factor == 0) return result;
        result.components_.reserve(2 * a.components_.size());
        // scale-expansion of [shewchuk1997]: components stay ascending and do not overlap
        double running = 0;
        for (size_t i = 0; i < a.components_.size(); ++i) {
            const Rounded product = twoProduct(a.components_[i], factor);
            if (i == 0) {
                result.append(product.error);
                running = product.value;
                continue;
            }
            const Rounded low = twoSum(running, product.error);
            result.append(low.error);
            const Rounded high = fastTwoSum(product.value, low.value);
            result.append(high.error);
            running = high.value;
        }
        result.append(running);
        return result;
    }

    friend ExactNumber operator*(const ExactNumber& a, const ExactNumber& b) {
        if (a.components_.size() < b.components_.size()) return product(b, a, 0, a.components_.size());
        return product(a, b, 0, b.components_.size());
    }

private:
    std::pmr::memory_resource* arena() const { return components_.get_allocator().resource(); }
    void append(double component) {
        if (component != 0) components_.push_back(component);
    }

    static ExactNumber sum(const ExactNumber& a, const ExactNumber& b, double signOfB) {
        ExactNumber result(a.arena());
        const auto &p = a.components_, &q = b.components_;
        const size_t count = p.size() + q.size();
        if (count == 0) return result;
        result.components_.reserve(count);
        // the components of both merged by size, then summed from the smallest
        size_t i = 0, j = 0;
        const auto smallest = [&] {
            if (j == q.size() || (i < p.size() && std::abs(p[i]) < std::abs(q[j]))) return p[i++];
            return signOfB * q[j++];
        };
        double running = smallest();
        for (size_t k = 1; k < count; ++k) {
            const Rounded s = twoSum(running, smallest());
            result.append(s.error);
            running = s.value;
        }
        result.append(running);
        return result;
    }

    static ExactNumber product(const ExactNumber& a, const ExactNumber& b, size_t first, size_t last) {
        if (last == first) return ExactNumber(a.arena());
        if (last == first + 1) return a * b.components_[first];
        const size_t middle = (first + last) / 2;
        return product(a, b, first, middle) + product(a, b, middle, last);
    }

    std::pmr::vector<double> components_;
};

/// About 106 bits: a pair of doubles whose sum is the value.
struct DoubleDouble {
    double high = 0, low = 0;

    friend DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
        const Rounded s = twoSum(a.high, b.high), t = twoSum(a.low, b.low);
        const Rounded u = fastTwoSum(s.value, s.error + t.value);
        const Rounded v = fastTwoSum(u.value, u.error + t.error);
        return {v.value, v.error};
    }
    friend DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
    friend DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + (-b); }
    friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
        const Rounded p = twoProduct(a.high, b.high);
        const Rounded s = fastTwoSum(p.value, p.error + (a.high * b.low + a.low * b.high));
        return {s.value, s.error};
    }
};

}  // namespace sunder::detail
