#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

#include "math/vec.h"

namespace sunder {

/// Text of words and numbers; numbers are the shortest that read back to the same bits, in any locale.
class TextBuilder {
public:
    TextBuilder& operator<<(std::string_view word) {
        text_ += word;
        return *this;
    }
    TextBuilder& operator<<(char c) {
        text_ += c;
        return *this;
    }
    template <class Number>
    requires std::integral<Number> || std::floating_point<Number> TextBuilder& operator<<(Number number) {
        char digits[40];
        const auto result = std::to_chars(digits, digits + sizeof(digits), number);
        text_.append(digits, result.ptr);
        return *this;
    }
    TextBuilder& operator<<(const Vec2& v) { return *this << v.x() << ' ' << v.y(); }
    TextBuilder& operator<<(const Vec3& v) { return *this << v.x() << ' ' << v.y() << ' ' << v.z(); }

    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

}  // namespace sunder
