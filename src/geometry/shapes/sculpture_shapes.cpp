#include "geometry/shapes/detail/catalogue.h"
namespace sunder::shapes {
Catalogue sculptureShapes() { return {}; }
}  // namespace sunder::shapes
