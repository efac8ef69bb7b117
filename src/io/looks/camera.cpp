#include "io/looks/camera.h"

#include <algorithm>
#include <cmath>

#include "math/box.h"

namespace sunder {

bool hasDirection(const Vec3& direction) { return direction.allFinite() && direction.stableNorm() > 0; }

ViewAxes axesAlong(const Vec3& direction) {
    const Vec3 forward = direction.stableNormalized();
    const Vec3 worldUp = std::abs(forward.y()) < 0.999 ? Vec3(0, 1, 0) : Vec3(0, 0, -1);
    const Vec3 right = forward.cross(worldUp).normalized();
    return {right, right.cross(forward), forward};
}

Camera framedCamera(std::span<const Vec3> points, const Vec3& direction, const PictureSize& size) {
    Camera camera;
    const ViewAxes axes = axesAlong(direction);
    const double tanX = std::tan(camera.fieldOfView * M_PI / 360), tanY = tanX * size.height / size.width;
    Box3 box;
    for (const Vec3& p : points) box.add(p);
    if (box.empty()) box = {Vec3::Constant(-1), Vec3::Constant(1)};
    const Vec3 pivot = box.centre();

    // For every point: how far back must the eye be, along the view, to see it? The tightest pair on each picture axis
    // also says how to shift the eye sideways.
    double rightMost = -INFINITY, leftMost = -INFINITY, topMost = -INFINITY, bottomMost = -INFINITY;
    for (const Vec3& p : points) {
        const Vec3 d = p - pivot;
        const double x = d.dot(axes.right), y = d.dot(axes.up), z = d.dot(axes.forward);
        rightMost = std::max(rightMost, x / tanX - z);
        leftMost = std::max(leftMost, -x / tanX - z);
        topMost = std::max(topMost, y / tanY - z);
        bottomMost = std::max(bottomMost, -y / tanY - z);
    }
    // without points any distance will do
    if (!std::isfinite(rightMost)) rightMost = leftMost = topMost = bottomMost = 1;
    const double back = 1.06 * std::max(0.5 * (rightMost + leftMost), 0.5 * (topMost + bottomMost));
    const double shiftX = 0.5 * (rightMost - leftMost) * tanX, shiftY = 0.5 * (topMost - bottomMost) * tanY;
    camera.target = pivot + shiftX * axes.right + shiftY * axes.up;
    camera.position = camera.target - std::max(back, 1e-12) * axes.forward;
    return camera;
}

}  // namespace sunder
