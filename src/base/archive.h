#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/hash.h"

namespace sunder {

static_assert(std::endian::native == std::endian::little, "archives are little-endian");

/// Values as bytes and back. One function template `transfer(archive, value)` per type lists the fields once: a
/// ByteWriter takes a constant and saves it, a ByteReader fills a variable, a ByteHasher takes a constant and mixes it
/// into a number. So what is saved, loaded and hashed cannot differ. All take numbers, enums, Eigen vectors and
/// quaternions, strings, and optionals, variants, arrays and vectors of whatever `transfer` takes.
class ByteWriter {
public:
    static constexpr bool kReads = false;  // values are looked at, not changed

    /// Every transfer() comes down to calls of this: the bytes as they lie in memory, little-endian.
    void raw(const void* data, size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), bytes, bytes + size);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }  // all that was written; the writer is empty afterwards

private:
    std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter wrote, in the same order. Throws std::runtime_error where bytes end early, or count more
/// than there is; other damage gives other values.
class ByteReader {
public:
    static constexpr bool kReads = true;  // values are filled, and take the sizes that were saved

    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}  // not copied: they outlive the reader

    /// Throws std::runtime_error when fewer bytes are left than asked for.
    void raw(void* data, size_t size) {
        if (size > bytes_.size())
            throw std::runtime_error("saved state ends early: " + std::to_string(size) + " bytes wanted, " +
                                     std::to_string(bytes_.size()) + " left");
        if (size > 0) std::memcpy(data, bytes_.data(), size);
        bytes_ = bytes_.subspan(size);
    }
    size_t left() const { return bytes_.size(); }  // bytes not read yet

private:
    std::span<const std::byte> bytes_;
};

/// A number for all that is transferred to it; the same on every machine.
class ByteHasher {
public:
    static constexpr bool kReads = false;  // values are looked at, not changed

    /// Mixes in the size first: the same bytes in other portions give another number.
    void raw(const void* data, size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        hash_.add(uint64_t{size});
        for (size_t done = 0; done < size; done += sizeof(uint64_t)) {
            uint64_t word = 0;
            std::memcpy(&word, bytes + done, std::min(sizeof word, size - done));
            hash_.add(word);
        }
    }
    uint64_t value() const { return hash_.value(); }  // all that came so far; more may follow

private:
    Hasher hash_;
};

/// T is the type itself or a constant of it.
template <class T, class Of>
concept Some = std::same_as<std::remove_const_t<T>, Of>;

/// Numbers and enums, as they lie in memory.
template <class Archive, class T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T> ||
         std::is_same_v<std::remove_const_t<T>, std::byte>) void transfer(Archive& archive, T& value) {
    archive.raw(&value, sizeof value);
}

/// Eigen's vectors and matrices of fixed size.
template <class Archive, class T>
requires requires { std::remove_const_t<T>::SizeAtCompileTime; }
void transfer(Archive& archive, T& value) {
    static_assert(std::remove_const_t<T>::SizeAtCompileTime > 0);
    archive.raw(value.data(), sizeof(typename T::Scalar) * static_cast<size_t>(value.size()));
}
/// Eigen's quaternions.
template <class Archive, class T>
requires requires { typename std::remove_const_t<T>::Coefficients; }
void transfer(Archive& archive, T& value) { archive.raw(value.coeffs().data(), 4 * sizeof(typename T::Scalar)); }

/// Numbers of vectors and strings: no more than the bytes that are left can hold.
template <class Archive>
size_t transferCount(Archive& archive, size_t count) {
    uint64_t number = count;
    transfer(archive, number);
    if constexpr (Archive::kReads) {
        if (number > archive.left())
            throw std::runtime_error("saved state is damaged: it counts " + std::to_string(number) +
                                     " things in its last " + std::to_string(archive.left()) + " bytes");
    }
    return static_cast<size_t>(number);
}

/// Strings: how many bytes, then these.
template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, std::string>
void transfer(Archive& archive, T& text) {
    const size_t size = transferCount(archive, text.size());
    if constexpr (Archive::kReads) text.resize(size);
    archive.raw(text.data(), size);
}

// which of the functions below a type is for
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, size_t n>
struct IsArray<std::array<T, n>> : std::true_type {};

// which of the functions below a type is for
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

/// Optionals: whether there is a value, then the value.
template <class Archive, class T>
requires IsOptional<std::remove_const_t<T>>::value void transfer(Archive& archive, T& value) {
    bool present = value.has_value();
    transfer(archive, present);
    if constexpr (Archive::kReads) {
        value.reset();
        if (present) value.emplace();
    }
    if (present) transfer(archive, *value);
}

/// Makes the variant hold a fresh value of the kind that is chosen by number.
template <class T, size_t... kinds>
void hold(T& value, size_t chosen, std::index_sequence<kinds...>) {
    ((chosen == kinds ? (void)value.template emplace<kinds>() : (void)0), ...);
}
/// Variants: the number of the alternative, one byte, then its value.
template <class Archive, class T>
requires IsVariant<std::remove_const_t<T>>::value void transfer(Archive& archive, T& value) {
    constexpr size_t kKinds = std::variant_size_v<std::remove_const_t<T>>;
    auto kind = static_cast<uint8_t>(value.index());
    transfer(archive, kind);
    if constexpr (Archive::kReads) {
        if (kind >= kKinds)
            throw std::runtime_error("saved state is damaged: it has a thing of kind " + std::to_string(kind) +
                                     " where there are " + std::to_string(kKinds));
        hold(value, kind, std::make_index_sequence<kKinds>());
    }
    std::visit([&](auto& held) { transfer(archive, held); }, value);
}

/// Arrays: their values alone, since everybody knows how many.
template <class Archive, class T>
requires IsArray<std::remove_const_t<T>>::value void transfer(Archive& archive, T& values) {
    for (auto& value : values) transfer(archive, value);
}
/// Vectors: how many values, then these. Those of one byte go in one piece.
template <class Archive, class T>
requires IsVector<std::remove_const_t<T>>::value void transfer(Archive& archive, T& values) {
    using Value = typename std::remove_const_t<T>::value_type;
    const size_t size = transferCount(archive, values.size());
    if constexpr (Archive::kReads) values.resize(size);
    if constexpr (sizeof(Value) == 1 && std::is_trivially_copyable_v<Value>) {
        archive.raw(values.data(), size);
    } else {
        for (auto& value : values) transfer(archive, value);
    }
}

/// Each value in turn: the fields of a struct, in the order in which they lie in the bytes.
template <class Archive, class... T>
void transferAll(Archive& archive, T&... values) {
    (transfer(archive, values), ...);
}

}  // namespace sunder
