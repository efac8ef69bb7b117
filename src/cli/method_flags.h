#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "fracture/methods.h"

namespace sunder::cli {

/// A method of fracture and its settings, from flags that are made of the methods' records: --method NAME,
/// --set key=value, and a flag of its own for every key.
class MethodFlags {
public:
    /// `others`: settings that the command has flags of its own for; --set still reaches them.
    void addTo(CLI::App& command, const std::vector<std::string>& others = {});

    /// What was given; `over` goes over it. Throws InputError: an unknown method or value, or a flag that the method
    /// does not have.
    fracture::MethodSettings settings(const schema::Json& over = schema::Json::object()) const;

private:
    struct Flag {
        std::string key;                   // "smallest_piece"
        std::vector<std::string> methods;  // that have it
        std::string value;                 // as given
        CLI::Option* option = nullptr;
    };
    schema::Json given(const fracture::MethodEntry& entry) const;

    std::string method_ = "prescored";
    std::vector<std::string> sets_;
    std::vector<std::shared_ptr<Flag>> flags_;
};

}  // namespace sunder::cli
