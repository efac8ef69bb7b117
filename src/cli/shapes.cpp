#include "geometry/shapes/shapes.h"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/ranges.h"
#include "io/mesh/mesh_io.h"

namespace sunder::cli {

namespace {

struct ShapesArguments {
    std::string name;
    std::string output;
    std::vector<std::string> settings;
    int resolution = 48;
    bool force = false;
    bool json = false;
};

void printShape(const ShapeInfo& shape) {
    print("{}: {}{}\n", shape.name, shape.help, shape.open ? " (open shell)" : "");
    for (const ShapeParameter& p : shape.parameters) {
        print("  {:<12} {} (default {:g}, {:g} to {:g})\n", p.name, p.help, p.value, p.min, p.max);
    }
}

/// The whole catalogue, a line for each shape.
void listShapes(const ShapesArguments& arguments) {
    if (arguments.json) {
        Json list = Json::array();
        for (const ShapeInfo& shape : allShapes()) list.push_back(toJson(shape));
        printJson(list);
        return;
    }
    for (const ShapeInfo& shape : allShapes()) {
        print("{:<16} {}{}\n", shape.name, shape.help, shape.open ? " (open shell)" : "");
    }
}

/// "height=0.3" -> ("height", 0.3)
std::pair<std::string, double> parseSetting(const std::string& setting) {
    const size_t equals = setting.find('=');
    double value = 0;
    const char* end = setting.data() + setting.size();
    const char* begin = equals == std::string::npos ? end : setting.data() + equals + 1;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end || begin == end || !std::isfinite(value)) {
        throw InputError("--set " + setting, "give a name and a number, as in --set height=0.3");
    }
    return {setting.substr(0, equals), value};
}

void runShapes(const ShapesArguments& arguments) {
    // without a name the catalogue, without an output what the shape can be
    if (arguments.name.empty()) {
        listShapes(arguments);
        return;
    }
    if (arguments.output.empty()) {
        if (!arguments.settings.empty()) {
            throw InputError("--set " + arguments.settings.front(),
                             "changes the shape that is written, and none is: add -o FILE");
        }
        const ShapeInfo* shape = findShape(arguments.name);
        if (shape == nullptr) (void)makeShape(arguments.name);  // says which names there are
        arguments.json ? printJson(toJson(*shape)) : printShape(*shape);
        return;
    }
    // mistakes in names and settings are told before anything is made
    (void)meshFormatOf(arguments.output);
    checkOutput(arguments.output, arguments.force);
    ShapeValues values;
    for (const std::string& setting : arguments.settings) {
        const auto [name, value] = parseSetting(setting);
        if (!values.try_emplace(name, value).second) {
            throw InputError("--set " + setting, "'" + name + "' was already set: give it once");
        }
    }
    // an open shape has no volume
    const TriMesh mesh = makeShape(arguments.name, values, arguments.resolution);
    writeMesh(mesh, arguments.output);
    if (arguments.json) {
        printJson({{"name", arguments.name},
                   {"output", arguments.output},
                   {"vertices", mesh.vertexCount()},
                   {"triangles", mesh.triangleCount()},
                   {"volume", findShape(arguments.name)->open ? Json(nullptr) : Json(volume(mesh))}});
    } else {
        print("{}: {} triangles -> {}\n", arguments.name, mesh.triangleCount(), arguments.output);
    }
}

}  // namespace

void addShapes(CLI::App& program) {
    auto arguments = std::make_shared<ShapesArguments>();
    CLI::App* command = program.add_subcommand("shapes",
                                               "Ready-made models: list them, or make one.\n\n"
                                               "  sunder shapes                                  list all\n"
                                               "  sunder shapes goblet                           its parameters\n"
                                               "  sunder shapes goblet -o goblet.obj\n"
                                               "  sunder shapes vase -o vase.glb --set height=0.4 --resolution 96\n");
    command->add_option("name", arguments->name, "the shape");
    command->add_option("-o,--output", arguments->output, "mesh file to write (obj, ply, stl, off, glb)");
    command->add_option("--set", arguments->settings, "a parameter, as NAME=VALUE; may be repeated");
    command->add_option("--resolution", arguments->resolution, "segments around the shape, roughly")
        ->check(wholeWithin(kMinShapeResolution, kMaxShapeResolution))
        ->capture_default_str();
    command->add_flag("--force", arguments->force, "overwrite the output");
    command->add_flag("--json", arguments->json, "JSON on stdout");
    command->callback([arguments] { runShapes(*arguments); });
}

}  // namespace sunder::cli
