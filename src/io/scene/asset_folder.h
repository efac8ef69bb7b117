#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "fracture/interface/asset_store.h"

namespace sunder {

/// Pattern assets in a folder, a file each, named by the hash of what they are made from. Files appear whole or not at
/// all, so that any number of programs may use one folder at once. Trouble with it never stops a run: it is told once,
/// and assets are made anew. When the folder grows beyond its limit, what was not used for longest goes.
class AssetFolder : public fracture::AssetStore {
public:
    static constexpr uint64_t kUsualLimit = uint64_t{512} << 20;  // bytes

    /// `limit`, bytes: of all files together. The folder is made when there is something to put.
    explicit AssetFolder(std::filesystem::path folder, uint64_t limit = kUsualLimit)
        : folder_(std::move(folder)), limit_(limit) {}

    std::optional<std::vector<std::byte>> get(const fracture::ContentHash& name) const override;
    /// What alone is larger than the limit is not kept.
    void put(const fracture::ContentHash& name, std::span<const std::byte> bytes) override;

    std::filesystem::path pathOf(const fracture::ContentHash& name) const;  // where it is, or would be

private:
    void removeOldest() const;
    void complain(const std::string& what) const;

    std::filesystem::path folder_;
    uint64_t limit_;
    mutable std::atomic<bool> complained_{false};
};

/// Where assets are kept unless said otherwise: $SUNDER_CACHE, else sunder/ in $XDG_CACHE_HOME, else in ~/.cache. None
/// when SUNDER_CACHE is empty or there is no home.
std::optional<std::filesystem::path> usualAssetFolder();

}  // namespace sunder
