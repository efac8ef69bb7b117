#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sunder {

static_assert(std::endian::native == std::endian::little, "archives are little-endian");

/// Values as bytes and back. One function template `transfer(archive, value)` per type, called with a ByteWriter and a
/// constant or with a ByteReader and a variable, lists the fields once, so that writing and reading cannot differ.
/// Both take numbers, enums, Eigen vectors and quaternions, strings, optionals and vectors of whatever `transfer`
/// takes.
class ByteWriter {
public:
    static constexpr bool kReads = false;

    void raw(const void* data, size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), bytes, bytes + size);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

class ByteReader {
public:
    static constexpr bool kReads = true;

    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    void raw(void* data, size_t size) {
        if (size > bytes_.size())
            throw std::runtime_error("saved state ends early: " + std::to_string(size) + " bytes wanted, " +
                                     std::to_string(bytes_.size()) + " left");
        if (size > 0) std::memcpy(data, bytes_.data(), size);
        bytes_ = bytes_.subspan(size);
    }
    size_t left() const { return bytes_.size(); }

private:
    std::span<const std::byte> bytes_;
};

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

template <class Archive, class T>
requires std::is_same_v<std::remove_const_t<T>, std::string>
void transfer(Archive& archive, T& text) {
    const size_t size = transferCount(archive, text.size());
    if constexpr (Archive::kReads) text.resize(size);
    archive.raw(text.data(), size);
}

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, size_t n>
struct IsArray<std::array<T, n>> : std::true_type {};

template <class Archive, class T>
requires IsArray<std::remove_const_t<T>>::value void transfer(Archive& archive, T& values) {
    for (auto& value : values) transfer(archive, value);
}
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

template <class Archive, class... T>
void transferAll(Archive& archive, T&... values) {
    (transfer(archive, values), ...);
}

}  // namespace sunder
