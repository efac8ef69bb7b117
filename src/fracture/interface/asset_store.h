#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "geometry/mesh/tri_mesh.h"

namespace sunder::fracture {

/// Names a pattern asset by all that it is made from. Equal content, equal name, on every machine.
struct ContentHash {
    uint64_t high = 0, low = 0;  // 64 bits each, of hashes that begin differently
    std::string text() const;    // 32 hexadecimal digits
    friend auto operator<=>(const ContentHash&, const ContentHash&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Takes words one after the other.
class ContentHasher {
public:
    /// The kind of asset comes first: equal content for another purpose has another name.
    explicit ContentHasher(uint64_t kind) {
        high_.add(kind);
        low_.add(~kind);
    }
    /// A number, a place or a mesh (positions and triangles); the order counts.
    template <class Word>
    void add(Word word) {
        high_.add(word);
        low_.add(word);
    }
    /// As a number for each axis.
    void add(const Vec3& v) {
        for (int axis = 0; axis < 3; ++axis) add(v[axis]);
    }
    void add(const TriMesh& mesh);
    ContentHash value() const { return {high_.value(), low_.value()}; }  // for all that was added so far

private:
    Hasher high_, low_;
};

/// Where assets are kept from run to run: io has one that is a folder. Called from several threads at once. An asset
/// that is lost or spoilt is made again: what get() gives is checked.
class AssetStore {
public:
    virtual ~AssetStore() = default;
    virtual std::optional<std::vector<std::byte>> get(const ContentHash& name) const = 0;  // nothing: it is not there
    /// Keeps it where that can be done. Throws nothing: a store that is full or broken must not stop a run.
    virtual void put(const ContentHash& name, std::span<const std::byte> bytes) = 0;
};

/// Assets in memory, by name. The first thread that asks for one makes it; what it is does not depend on the thread.
template <class Asset>
class AssetCache {
public:
    /// The asset of that name, made when it is not there. 64 are kept; then all are let go, those in use live on.
    std::shared_ptr<const Asset> get(const ContentHash& name, const std::function<Asset()>& make) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = assets_.find(name); found != assets_.end()) return found->second;
        }
        auto made = std::make_shared<const Asset>(make());  // unlocked: others need not wait
        const std::lock_guard lock(mutex_);
        if (assets_.size() >= kMost) assets_.clear();
        return assets_.try_emplace(name, std::move(made)).first->second;
    }

private:
    static constexpr size_t kMost = 64;
    std::mutex mutex_;
    std::map<ContentHash, std::shared_ptr<const Asset>> assets_;
};

}  // namespace sunder::fracture
