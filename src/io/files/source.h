#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace sunder {

/// The bytes of one input file, lent to a reader.
struct Source {
    std::string name;  // as messages show it
    std::string_view bytes;
    std::filesystem::path folder;  // where files named by this one are looked up; empty = nowhere
};

/// "bunny.obj: line 12", counting lines from 1 at LF, CRLF or lone CR.
InputError errorAtLine(const Source& source, size_t offset, const std::string& message);
/// "bunny.stl: byte 84".
InputError errorAtByte(const Source& source, size_t offset, const std::string& message);
/// No place in the file to point at.
InputError errorInFile(const Source& source, const std::string& message);

/// Found text made fit for a message: in quotes, shortened, control and non-ASCII bytes escaped.
std::string inQuotes(std::string_view found);

/// Bytes of the UTF-8 character that starts here; 0 when there is none.
size_t utf8Length(std::string_view text);

/// Text of unknown encoding as UTF-8: valid UTF-8 is kept, anything else is taken as Latin-1.
std::string utf8FromAny(std::string_view text);

/// "1 face", "2 faces".
std::string counted(size_t count, std::string_view singular, std::string_view plural = {});

/// Letters without regard to case (ASCII only).
bool equalIgnoringCase(std::string_view a, std::string_view b);

/// What the file is if it plainly is something else than a mesh in the expected format ("an HTML page"); empty if
/// nothing is recognised.
std::string recogniseForeign(std::string_view bytes);

}  // namespace sunder
