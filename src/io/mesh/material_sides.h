#pragma once

#include <string>

#include "material/look.h"

namespace sunder {

/// Crack faces have a material of their own beside that of the surface: "stone_inside" beside "stone".
std::string insideNameOf(const std::string& material);
/// "stone" of both.
std::string withoutInside(const std::string& material);

/// What a material of that name looks like: the catalogue's look when the name is of a ready material, else two greys
/// that can be told apart. `inside`: of crack faces.
Look lookOfSide(const std::string& material, bool inside);

}  // namespace sunder
