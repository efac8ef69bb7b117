#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "io/render/film.h"
#include "io/render/povray.h"

namespace sunder {

/// A film in POV-Ray's language: NAME.pov, and beside it the folder NAME_pov with what it includes. View and looks have
/// files of their own, to be changed or replaced; meshes are written once, by the frame their bodies appear in; a frame
/// only says what is where.
class PovFilm {
public:
    /// Writes the view and the looks. `folder`: where to put what belongs into NAME_pov, if it gets that name later.
    PovFilm(Film& film, std::filesystem::path pov, PovQuality quality, std::filesystem::path folder = {});

    /// Writes what the frame needs and is not there yet. Returns a hash of everything its picture depends on.
    std::string writeFrame(uint64_t frame);
    /// Writes NAME.pov, and NAME.ini, which renders all frames.
    void writeMain() const;
    /// That renders a frame that has been written.
    PovrayJob job(uint64_t frame, const std::filesystem::path& png) const;

private:
    std::string mainText() const;
    // each returns what it wrote
    std::string writeView() const;
    std::string writeLooks() const;
    std::string write(const std::string& name, std::string text) const;
    /// The meshes of bodies that appear in a frame; returns a hash of them.
    const std::string& writeMeshes(uint64_t born);
    std::string included(const std::string& name) const;  // as #include wants it

    Film& film_;
    std::filesystem::path pov_, folder_;
    std::string name_;  // of the folder, as NAME.pov has it
    PovQuality quality_;
    std::string constant_;                      // hash of what is the same for all frames
    std::map<uint64_t, std::string> meshHash_;  // by frame of birth
};

}  // namespace sunder
