#pragma once

#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "base/progress.h"
#include "geometry/mesh/mass_properties.h"
#include "geometry/repair/diagnose.h"
#include "io/files/escaped.h"
#include "io/mesh/reports.h"
#include "math/box.h"
#include "schema/json.h"

namespace sunder::cli {

/// Keys stay in the order they were written.
using schema::Json;

/// Refuses to overwrite unless forced, and then whatever is no regular file (io/files/replaceable.h), also of what is
/// written beside the output; and to write into a folder that is not there.
void checkOutput(const std::filesystem::path& path, bool force);
/// The same for a picture, whose name says that it is one.
void checkPngOutput(const std::filesystem::path& path, bool force);

/// Text as a terminal may have it: most of it comes from files.
template <class T>
using Printable = std::conditional_t<std::is_convertible_v<const T&, std::string_view>, std::string, T>;
template <class T>
decltype(auto) printable(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) {
        return forTerminal(value);
    } else {
        return (value);
    }
}

/// Text as it is, whole. Whether it got there, main() asks at the end.
void printRaw(std::FILE* stream, std::string_view text);
/// Lines of our own with texts of files in them: what a terminal would obey is shown instead.
template <class... T>
void print(std::FILE* stream, fmt::format_string<Printable<T>...> format, const T&... values) {
    printRaw(stream, fmt::vformat(format, fmt::make_format_args(printable(values)...)));
}
template <class... T>
void print(fmt::format_string<Printable<T>...> format, const T&... values) {
    printRaw(stdout, fmt::vformat(format, fmt::make_format_args(printable(values)...)));
}
/// The same for a text of several lines.
inline void printLines(std::FILE* stream, std::string_view text) {
    printRaw(stream, forTerminal(text, LineFeeds::Keep));
}
/// "a, b, c"
std::string joined(std::span<const std::string> words);

void printJson(const Json& json);

using sunder::toJson, schema::toJson;  // besides those of this folder

/// "12.3 MB"
std::string describeBytes(size_t bytes);
/// "0.156 x 0.154 x 0.121"
std::string describeSize(const Vec3& size);

/// Shows progress on stderr when that is a terminal; Ctrl-C, or SIGTERM, asks the job to stop in good order;
/// the second one ends the program.
Progress& terminalProgress();

/// The exit code of a program that was asked to stop, as shells have it: 130 after Ctrl-C, 143 after SIGTERM.
int stoppedCode();

/// Called first: a stream that is closed takes no other file's place, and a file that may not grow is an error of the
/// write instead of the program's end.
void prepareStreams();
/// Whether all of stdout got where it should; says so when it did not.
bool finishOutput();

}  // namespace sunder::cli
