#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "io/scene/asset_folder.h"

namespace sunder::cli {

/// Where commands that break things keep pattern assets from run to run.
struct AssetCacheArguments {
    std::string folder;
    bool none = false;

    void addTo(CLI::App& command) {
        CLI::Option* chosen = command.add_option(
            "--cache", folder,
            "folder for pattern assets that take long to make; default: $SUNDER_CACHE, or sunder in the user's caches");
        command.add_flag("--no-cache", none, "keep none")->excludes(chosen);
    }
    /// Null when none are kept.
    std::unique_ptr<AssetFolder> open() const {
        const auto usual = usualAssetFolder();
        if (none || (folder.empty() && !usual)) return nullptr;
        return std::make_unique<AssetFolder>(folder.empty() ? *usual : std::filesystem::path(folder));
    }
};

}  // namespace sunder::cli
