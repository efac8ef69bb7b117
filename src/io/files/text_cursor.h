#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "io/files/source.h"

namespace sunder {

/// Walks through a text file word by word and knows where it is. Lines end with LF, CRLF or lone CR; a word ends at a
/// blank or a line end; a word that starts with # and all behind it on its line is a comment. Numbers do not depend on
/// the locale.
class TextCursor {
public:
    enum class Continuation { None, Backslash };  // does a backslash at the end of a line join it with the next?

    explicit TextCursor(const Source& source, Continuation continuation = Continuation::None);
    /// Starts in the middle.
    TextCursor(const Source& source, size_t offset);

    size_t offset() const { return at_; }
    bool atEnd() const { return at_ == text_.size(); }
    /// Nothing but blanks and comment up to the end of this line? Skips the blanks.
    bool atLineEnd();

    /// The next word on this line; empty at its end.
    std::string_view word();
    /// The same without going on.
    std::string_view peek();
    /// The next word on this or a later line; empty at the end of the file.
    std::string_view wordAnywhere();
    /// What is left of this line without blanks around it. Comments are not cut off.
    std::string_view restOfLine();
    /// To the start of the next line.
    void skipLine();
    /// To the start of the next line that has a word on it; false at the end of the file.
    bool nextFilledLine();

    /// The next word on this line as a finite number. `what` names it in messages: "x of vertex 3".
    double number(const char* what);
    /// The same, but nan and infinity are taken as they are.
    double anyNumber(const char* what);
    int64_t integer(const char* what);

    InputError errorHere(const std::string& message) const { return errorAtLine(*source_, at_, message); }
    /// At the word read last.
    InputError errorAtWord(const std::string& message) const { return errorAtLine(*source_, wordStart_, message); }

private:
    void skipBlanks();
    InputError badNumber(std::string_view found, const char* what) const;

    const Source* source_;
    std::string_view text_;
    size_t at_ = 0;
    size_t wordStart_ = 0;
    Continuation continuation_;
};

/// A whole word as a number; '+' in front is allowed, too small becomes 0, too large infinity. Nothing when it is none.
std::optional<double> parseNumber(std::string_view word);

/// "1,5" and the like: what a program writes that was told to use a decimal comma.
bool looksLikeDecimalComma(std::string_view word);

}  // namespace sunder
