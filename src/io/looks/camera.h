#pragma once

#include <span>

#include "math/vec.h"

namespace sunder {

/// An eye, upright unless it looks straight up or down.
struct Camera {
    Vec3 position;            // m
    Vec3 target;              // m, in the middle of the picture
    double fieldOfView = 30;  // degrees, horizontal
};

/// From where to look when no camera is given.
inline const Vec3 kUsualDirection{-0.45, -0.38, -0.8};

/// How large a picture is.
struct PictureSize {
    int width = 800;   // pixels
    int height = 600;  // pixels
};

/// Whether a picture can be taken along it.
bool hasDirection(const Vec3& direction);

/// Right and up of a picture, and the direction into it; unit, at right angles.
struct ViewAxes {
    Vec3 right, up, forward;  // in the world
};
/// Upright, unless the view goes straight up or down.
ViewAxes axesAlong(const Vec3& direction);

/// The camera that just fits all points, seen along the direction.
Camera framedCamera(std::span<const Vec3> points, const Vec3& direction, const PictureSize& size);

}  // namespace sunder
