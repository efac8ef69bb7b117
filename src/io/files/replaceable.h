#pragma once

#include <filesystem>

namespace sunder {

/// What an output may take the place of. Every writer asks here, before its work and again when it is done.

enum class Overwrite { No, Yes };

/// Throws InputError unless a file may be written under this name. A regular file may be replaced if that was asked
/// for, and so may a link to one: the link goes, what it leads to stays as it is. Folders, devices, pipes, sockets and
/// links that lead to one of these or nowhere are never replaced.
void checkReplaceable(const std::filesystem::path& path, Overwrite overwrite);

/// Throws InputError unless a folder may be made under this name. An empty folder may be taken, one that we made may be
/// replaced if that was asked for; links, files and folders of others stay.
void checkReplaceableFolder(const std::filesystem::path& path, Overwrite overwrite);

/// By this file later runs know that all in a folder was made by us.
inline constexpr const char* kFolderMark = ".sunder-export";
/// False for links to such a folder.
bool isFolderOfOurs(const std::filesystem::path& path);
/// Throws InputError when it cannot be written.
void markFolder(const std::filesystem::path& folder);

}  // namespace sunder
