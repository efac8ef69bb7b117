#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace sunder {

/// Typed indices are `enum class FooIndex : uint32_t {};`. This value means "none".
inline constexpr uint32_t kInvalidIndex = std::numeric_limits<uint32_t>::max();

/// An index with a type of its own, so that an array of tets cannot be opened by the number of a node.
template <class Index>
concept TypedIndex = std::is_enum_v<Index> && std::is_same_v<std::underlying_type_t<Index>, uint32_t>;

/// The index of nothing: what searches that find nothing return, and what fields have before they are set.
template <TypedIndex Index>
inline constexpr Index kNone = static_cast<Index>(kInvalidIndex);

/// The number behind a typed index, for arithmetic and printing.
template <TypedIndex Index>
constexpr uint32_t raw(Index index) {
    return static_cast<uint32_t>(index);
}

/// A run of typed indices for range-for and the standard algorithms. Our own instead of views::iota | transform, which
/// clang 14 cannot compile against this standard library.
template <TypedIndex Index>
class IndexRange {
public:
    /// Holds a number and nothing else, so it stays valid whatever becomes of the arrays that the index opens.
    class iterator {
    public:
        // what the standard algorithms ask of iterators
        using iterator_category = std::forward_iterator_tag;
        using value_type = Index;
        using difference_type = std::ptrdiff_t;
        using pointer = const Index*;
        using reference = Index;

        // counts up; what it gives is a value, not a reference
        iterator() = default;
        explicit iterator(uint32_t at) : at_(at) {}
        Index operator*() const { return static_cast<Index>(at_); }
        iterator& operator++() {
            ++at_;
            return *this;
        }
        iterator operator++(int) { return iterator(at_++); }
        friend bool operator==(iterator, iterator) = default;

    private:
        uint32_t at_ = 0;
    };

    explicit IndexRange(uint32_t count) : count_(count) {}  // not checked as indexRange() does
    iterator begin() const { return iterator(0); }
    iterator end() const { return iterator(count_); }
    size_t size() const { return count_; }      // how many indices
    bool empty() const { return count_ == 0; }  // loops over it do nothing

private:
    uint32_t count_;
};

/// All indices 0 .. count-1, in order: `for (TetIndex t : indexRange<TetIndex>(n))`.
template <TypedIndex Index>
IndexRange<Index> indexRange(size_t count) {
    ASSERT(count < kInvalidIndex);
    return IndexRange<Index>(static_cast<uint32_t>(count));
}

/// A vector opened only by its own kind of index.
template <TypedIndex Index, class T>
class IndexedVector {
public:
    using value_type = T;  // what the standard algorithms ask of containers

    IndexedVector() = default;
    explicit IndexedVector(size_t count, const T& value = T()) : items_(count, value) {}
    IndexedVector(std::initializer_list<T> items) : items_(items) {}
    explicit IndexedVector(std::vector<T> items) : items_(std::move(items)) {}

    /// The element of this index. One that is out of range, kNone too, stops the program in every build but the
    /// fastest.
    T& operator[](Index i) {
        ASSERT(raw(i) < items_.size());
        return items_[raw(i)];
    }
    const T& operator[](Index i) const {
        ASSERT(raw(i) < items_.size());
        return items_[raw(i)];
    }

    /// Appends and returns the new element's index.
    Index push_back(T item) {
        ASSERT(items_.size() < kInvalidIndex);
        items_.push_back(std::move(item));
        return static_cast<Index>(static_cast<uint32_t>(items_.size() - 1));
    }

    // as those of std::vector; the count is in elements, and new ones are copies of `value`
    size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    void clear() { items_.clear(); }
    void resize(size_t count, const T& value = T()) { items_.resize(count, value); }
    void reserve(size_t count) { items_.reserve(count); }
    void assign(size_t count, const T& value) { items_.assign(count, value); }

    /// Ascending, for loops that need to know where each element is.
    auto indices() const { return indexRange<Index>(items_.size()); }

    auto begin() { return items_.begin(); }
    auto end() { return items_.end(); }
    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }

    T* data() { return items_.data(); }  // the elements lie one behind the other
    const T* data() const { return items_.data(); }

    /// The plain vector underneath, for algorithms that take one.
    std::vector<T>& items() { return items_; }
    const std::vector<T>& items() const { return items_; }

    friend bool operator==(const IndexedVector&, const IndexedVector&) = default;

private:
    std::vector<T> items_;
};

}  // namespace sunder
