#pragma once

#include <exception>
#include <stdexcept>
#include <string>

/// Sunder breaks rigid things: meshes, bodies, stress, fracture, scenes and recordings.
namespace sunder {

/// The user's mistake: thrown in scene and io, caught in cli and studio.
/// `where` names the place (file, line or byte, JSON pointer); `message` says what was found, what is allowed, what to
/// do.
class InputError : public std::runtime_error {
public:
    /// what() is both, with ": " between them.
    InputError(std::string where, std::string message)
        : std::runtime_error(where + ": " + message), where_(std::move(where)), message_(std::move(message)) {}

    const std::string& where() const { return where_; }      // empty: no place is named
    const std::string& message() const { return message_; }  // a sentence for the user, without the place

private:
    std::string where_;
    std::string message_;
};

/// A long job was asked to stop and did so in good order; what it had finished is kept by its caller. No runtime_error:
/// whoever goes on after a failure of the numbers must not go on after this.
class Cancelled : public std::exception {
public:
    /// The same for all jobs: why it was asked to stop is not kept.
    const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace sunder
