#pragma once

#include <CLI/CLI.hpp>

namespace sunder::cli {

// Each adds one command to the program; its callback does the work and throws InputError when the user can mend it.
void addExport(CLI::App& program);
void addFracture(CLI::App& program);
void addInfo(CLI::App& program);
void addMaterials(CLI::App& program);
void addMethods(CLI::App& program);
void addRepair(CLI::App& program);
void addShapes(CLI::App& program);
void addSlices(CLI::App& program);
void addTets(CLI::App& program);
void addPicture(CLI::App& program);
void addRender(CLI::App& program);
void addRun(CLI::App& program);
void addStats(CLI::App& program);
void addStudio(CLI::App& program);
void addValidate(CLI::App& program);

}  // namespace sunder::cli
