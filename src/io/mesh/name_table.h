#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sunder {

/// Numbers names in order of first use.
class NameTable {
public:
    uint32_t number(const std::string& name) {
        const auto [entry, isNew] = numbers_.try_emplace(name, static_cast<uint32_t>(names_.size()));
        if (isNew) names_.push_back(name);
        return entry->second;
    }
    const std::vector<std::string>& names() const { return names_; }

private:
    std::map<std::string, uint32_t> numbers_;
    std::vector<std::string> names_;
};

}  // namespace sunder
