#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// What a file says is data: text of scenes, meshes and recordings goes through one of these wherever it is written
/// into a language that would read more into it.

/// Control characters, and bytes that are no UTF-8, as \x1b. A terminal would obey them.
enum class LineFeeds { Escape, Keep };
std::string forTerminal(std::string_view text, LineFeeds lineFeeds = LineFeeds::Escape);

/// Text and attributes of XML. What XML cannot hold becomes a question mark.
std::string forXml(std::string_view text);

/// A field of CSV, in quotes where it has to be. What a spreadsheet would take for a formula has a ' in front.
std::string forCsv(std::string_view text);

/// A string of USD's text form, with its quotes.
std::string forUsd(std::string_view text);

/// The rest of a comment's line, in POV-Ray's language and whatever else ends comments with the line.
std::string forComment(std::string_view text);

}  // namespace sunder
