#include "io/files/text_cursor.h"

#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace sunder {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
bool isLineEnd(char c) { return c == '\n' || c == '\r'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// A well-formed decimal number that no double can hold: infinity or zero, with its sign. from_chars does not say
/// which.
double overflowOrUnderflow(std::string_view word) {
    const bool negative = word.front() == '-';
    const size_t exponentAt = word.find_first_of("eE");
    int64_t exponent = 0;
    if (exponentAt != std::string_view::npos) {
        std::string_view digits = word.substr(exponentAt + 1);
        if (digits.front() == '+') digits.remove_prefix(1);
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
        const int64_t huge = std::numeric_limits<int32_t>::max();
        if (result.ec != std::errc()) exponent = digits.front() == '-' ? -huge : huge;
    }
    // digits between the first that is not zero and the point, to judge 0.0001e310 and 1000e-320 rightly
    const std::string_view mantissa = word.substr(0, exponentAt);
    const int64_t point = static_cast<int64_t>(std::min(mantissa.find('.'), mantissa.size()));
    const int64_t first = static_cast<int64_t>(mantissa.find_first_of("123456789"));
    const bool overflow = exponent + point - first > 0;
    const double magnitude = overflow ? std::numeric_limits<double>::infinity() : 0.0;
    return negative ? -magnitude : magnitude;
}

}  // namespace

std::optional<double> parseNumber(std::string_view word) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end != word.data() + word.size() || word.empty()) return std::nullopt;
    if (error == std::errc::result_out_of_range) return overflowOrUnderflow(word);
    if (error != std::errc()) return std::nullopt;
    return value;
}

bool looksLikeDecimalComma(std::string_view word) {
    const size_t comma = word.find(',');
    return comma != std::string_view::npos && comma + 1 < word.size() && isDigit(word[comma + 1]) &&
           word.find_first_not_of("+-0123456789,eE") == std::string_view::npos;
}

TextCursor::TextCursor(const Source& source, Continuation continuation)
    : source_(&source), text_(source.bytes), continuation_(continuation) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // UTF-8 byte order mark
}

TextCursor::TextCursor(const Source& source, size_t offset)
    : source_(&source), text_(source.bytes), at_(offset), wordStart_(offset), continuation_(Continuation::None) {}

void TextCursor::skipBlanks() {
    while (at_ < text_.size()) {
        if (isBlank(text_[at_])) {
            ++at_;
        } else if (continuation_ == Continuation::Backslash && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                   isLineEnd(text_[at_ + 1])) {
            at_ += text_[at_ + 1] == '\r' && at_ + 2 < text_.size() && text_[at_ + 2] == '\n' ? 3 : 2;
        } else {
            return;
        }
    }
}

bool TextCursor::atLineEnd() {
    skipBlanks();
    return at_ == text_.size() || isLineEnd(text_[at_]) || text_[at_] == '#';
}

std::string_view TextCursor::word() {
    if (atLineEnd()) {
        wordStart_ = at_;
        return {};
    }
    wordStart_ = at_;
    while (at_ < text_.size() && !isBlank(text_[at_]) && !isLineEnd(text_[at_])) {
        if (text_[at_] == '\\' && continuation_ == Continuation::Backslash && at_ + 1 < text_.size() &&
            isLineEnd(text_[at_ + 1])) {
            break;
        }
        ++at_;
    }
    return text_.substr(wordStart_, at_ - wordStart_);
}

std::string_view TextCursor::peek() {
    const size_t start = wordStart_;
    skipBlanks();
    const size_t here = at_;
    const std::string_view next = word();
    at_ = here;
    wordStart_ = start;
    return next;
}

std::string_view TextCursor::wordAnywhere() {
    if (!nextFilledLine()) {
        wordStart_ = at_;
        return {};
    }
    return word();
}

std::string_view TextCursor::restOfLine() {
    skipBlanks();
    const size_t start = at_;
    while (at_ < text_.size() && !isLineEnd(text_[at_])) ++at_;
    std::string_view rest = text_.substr(start, at_ - start);
    while (!rest.empty() && isBlank(rest.back())) rest.remove_suffix(1);
    return rest;
}

void TextCursor::skipLine() {
    // a comment does not continue, whatever it ends with
    while (!atLineEnd()) word();
    while (at_ < text_.size() && !isLineEnd(text_[at_])) ++at_;
    if (at_ == text_.size()) return;
    at_ += text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
}

bool TextCursor::nextFilledLine() {
    while (atLineEnd()) {
        if (atEnd()) return false;
        skipLine();
    }
    return true;
}

InputError TextCursor::badNumber(std::string_view found, const char* what) const {
    if (found.empty()) {
        return errorAtWord(fmt::format("{} is missing: {}; a number is expected", what,
                                       atEnd() ? "the file ends here" : "the line ends here"));
    }
    if (looksLikeDecimalComma(found)) {
        return errorAtWord(
            fmt::format("{} is {}, with a decimal comma; numbers need a decimal point: export again with "
                        "an English locale",
                        what, inQuotes(found)));
    }
    return errorAtWord(fmt::format("{} is {}; a number such as -1.5e3 is expected", what, inQuotes(found)));
}

double TextCursor::anyNumber(const char* what) {
    const std::string_view found = word();
    const std::optional<double> value = parseNumber(found);
    if (!value) throw badNumber(found, what);
    return *value;
}

double TextCursor::number(const char* what) {
    const double value = anyNumber(what);
    if (std::isfinite(value)) return value;
    throw errorAtWord(
        fmt::format("{} is {}, a non-finite number; only finite coordinates (up to 1.8e308) are allowed: "
                    "repair the file or export it again",
                    what, inQuotes(text_.substr(wordStart_, at_ - wordStart_))));
}

int64_t TextCursor::integer(const char* what) {
    const std::string_view found = word();
    std::string_view digits = found;
    if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
    int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (found.empty()) throw badNumber(found, what);
    if (error == std::errc::result_out_of_range && end == digits.data() + digits.size()) {
        return digits.front() == '-' ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
    }
    if (error != std::errc() || end != digits.data() + digits.size()) {
        throw errorAtWord(fmt::format("{} is {}; a whole number is expected", what, inQuotes(found)));
    }
    return value;
}

}  // namespace sunder
