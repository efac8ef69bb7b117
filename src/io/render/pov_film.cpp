#include "io/render/pov_film.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/error.h"
#include "io/files/escaped.h"
#include "io/files/file_access.h"
#include "io/render/pov_text.h"

namespace sunder {

namespace {

/// What POV-Ray takes as a name.
std::string identifier(const std::string& name) {
    std::string result;
    for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return result;
}

std::string lookName(const Film& film, size_t look) {
    ASSERT(look < film.looks().size());
    return fmt::format("look_{}_{}", look, identifier(film.looks()[look].name));
}

std::string meshName(int64_t mesh, size_t look) { return fmt::format("mesh_{}_{}", mesh, look); }

std::string hashOf(const std::string& text) { return contentHash(std::as_bytes(std::span(text))); }

/// Far away, spots would flicker.
Look planeLook(Look look) {
    look.mottle = look.bumps = 0;
    return look;
}

}  // namespace

PovFilm::PovFilm(Film& film, std::filesystem::path pov, PovQuality quality, std::filesystem::path folder)
    : film_(film),
      pov_(std::move(pov)),
      folder_(std::move(folder)),
      name_(pov_.stem().string() + "_pov"),
      quality_(quality) {
    if (folder_.empty()) folder_ = pov_.parent_path() / name_;
    std::error_code problem;
    std::filesystem::create_directories(folder_, problem);
    if (problem) throw InputError(folder_.string(), "cannot be made: " + problem.message());
    constant_ = hashOf(mainText() + writeView() + writeLooks());
}

std::string PovFilm::write(const std::string& name, std::string text) const {
    const std::filesystem::path path = folder_ / name;
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw InputError(path.string(), "cannot be written; is the disk full?");
    return text;
}

std::string PovFilm::included(const std::string& name) const { return name_ + "/" + name; }

std::string PovFilm::mainText() const {
    const FilmOptions& options = film_.options();
    const std::string file = pov_.filename().string(), title = film_.recording().meta("scene_name");
    return povrayHeader(quality_) +
           fmt::format(
               "// {} of Sunder; metres, seconds, Y is up. In this folder:\n"
               "//     povray {}.ini                     all frames\n"
               "//     povray {} Declare=Frame={} +W{} +H{} +A0.1     one\n"
               "// The view and the looks are in {}: change them there, or put your own in their place.\n",
               title.empty() ? "A recording" : forComment(title), pov_.stem().string(), file, options.frames.front(),
               options.size.width, options.size.height, name_) +
           fmt::format(
               "#ifndef (Frame)\n#declare Frame = frame_number;\n#end\n"
               "#include \"{}\"\n#include \"{}\"\n#include concat(\"{}\", str(Frame, -5, 0), \".inc\")\n",
               included("view.inc"), included("looks.inc"), included("frame_"));
}

void PovFilm::writeMain() const {
    const FilmOptions& options = film_.options();
    const uint64_t first = options.frames.front(), last = options.frames.back();
    std::filesystem::path ini = pov_;
    writeFileAtomically(
        ini.replace_extension(".ini"),
        fmt::format("Input_File_Name={}\nLibrary_Path=.\nInitial_Frame={}\nFinal_Frame={}\n"
                    "Initial_Clock=0\nFinal_Clock={:.9g}\nWidth={}\nHeight={}\nAntialias=on\n"
                    "Antialias_Threshold=0.1\nSampling_Method=2\nDisplay=off\n",
                    pov_.filename().string(), first, last, static_cast<double>(last - first) * film_.recording().dt(),
                    options.size.width, options.size.height));
    writeFileAtomically(pov_, mainText());
}

std::string PovFilm::writeView() const {
    const Camera& camera = film_.camera();
    const Backdrop& backdrop = film_.backdrop();
    const double distance = (camera.target - camera.position).norm();
    std::string text = fmt::format("background{{rgb {}}}\n", pov::vector(backdrop.horizon));
    if (backdrop.zenith)
        text += fmt::format("sky_sphere{{pigment{{gradient y color_map{{[0 rgb {}][0.6 rgb {}]}}}}}}\n",
                            pov::vector(backdrop.horizon), pov::vector(*backdrop.zenith));
    // far away a floor goes over into the background
    if (std::ranges::any_of(film_.bodies(), [](const RecordedBody& body) { return !body.mesh; }))
        text += fmt::format("fog{{distance {:.6g} rgb {}}}\n", 14 * distance, pov::vector(backdrop.horizon));
    text += pov::camera(camera);
    text += pov::lights(camera.target, distance, 3.4 * film_.light().normalized(),
                        axesAlong(camera.target - camera.position));
    return write("view.inc", std::move(text));
}

std::string PovFilm::writeLooks() const {
    std::string text;
    for (size_t look = 0; look < film_.looks().size(); ++look) {
        const Looks& looks = film_.looks()[look].looks;
        const std::string name = lookName(film_, look);
        text += fmt::format("#declare {0} = {1}\n#declare {0}_inside = {2}\n#declare {0}_plane = {3}\n", name,
                            pov::texture(looks.outside), pov::texture(looks.inside),
                            pov::texture(planeLook(looks.outside)));
    }
    return write("looks.inc", std::move(text));
}

const std::string& PovFilm::writeMeshes(uint64_t born) {
    // meshes of bodies born in the same frame share a file, written once
    const auto [hash, fresh] = meshHash_.try_emplace(born);
    if (!fresh) return hash->second;
    std::set<std::pair<int64_t, size_t>> written;
    std::string text;
    // one declaration for each mesh and look, however many bodies have it
    for (const RecordedBody& body : film_.bodies()) {
        if (body.born != born || !body.mesh) continue;
        const size_t look = film_.lookOf(body.id);
        if (!written.insert({*body.mesh, look}).second) continue;
        const TriMesh mesh = film_.mesh(body.id);
        const Looks& looks = film_.looks()[look].looks;
        // broken faces look different from the surface
        pov::MeshTextures textures;
        textures.textures = {fmt::format("texture{{{}}}", lookName(film_, look)),
                             fmt::format("texture{{{}_inside}}", lookName(film_, look))};
        if (looks.outside.transmission > 0) textures.ior = looks.outside.ior;
        textures.ofTriangle.resize(mesh.triangleCount());
        for (const TriangleIndex t : mesh.triangles.indices())
            textures.ofTriangle[t] = !mesh.inside.empty() && mesh.inside[t] != 0 ? 1 : 0;
        const std::string name = meshName(*body.mesh, look);
        text += fmt::format("#ifndef ({0})\n#declare {0} = {1}#end\n", name, pov::mesh2(mesh, textures));
    }
    // a file that changed makes all pictures that include it old
    hash->second = hashOf(text);
    write(fmt::format("meshes_{:05}.inc", born), std::move(text));
    return hash->second;
}

std::string PovFilm::writeFrame(uint64_t frame) {
    // bodies of this frame; the frames in which they were born name the files of their meshes
    const FilmFrame shown = film_.frame(frame);
    std::set<uint64_t> births;
    std::string things;
    for (const FilmBody& body : shown.bodies) {
        const RecordedBody& facts = film_.bodies()[body.body];
        births.insert(facts.born);
        things += fmt::format("object{{{} {}}}\n", meshName(*facts.mesh, body.look), pov::matrix(body.worldFromMesh));
    }
    for (const FilmPlane& plane : shown.planes) {
        if (plane.normal.dot(film_.camera().position - plane.point) <= 0) continue;  // it would hide everything
        things += fmt::format("plane{{{},{:.9g} texture{{{}_plane}}}}\n", pov::vector(plane.normal),
                              plane.normal.dot(plane.point), lookName(film_, plane.look));
    }
    // files of meshes, by the frame in which their bodies were born
    std::string includes, hashes = constant_;
    for (const uint64_t born : births) {
        hashes += writeMeshes(born);
        includes += fmt::format("#include \"{}\"\n", included(fmt::format("meshes_{:05}.inc", born)));
    }
    // the hash tells what the picture depends on: everything included, and its size
    const std::string text = write(fmt::format("frame_{:05}.inc", frame), includes + things);
    const PictureSize& size = film_.options().size;
    return hashOf(fmt::format("{}{} {} {}", hashes, text, size.width, size.height));
}

PovrayJob PovFilm::job(uint64_t frame, const std::filesystem::path& png) const {
    return {.pov = pov_,
            .png = png,
            .size = film_.options().size,
            .quality = quality_,
            .declarations = {fmt::format("Frame={}", frame)}};
}

}  // namespace sunder
