#pragma once

#include "scene/record.h"
#include "scene/scene.h"

/// The schema: one record per struct. Each is defined in one of the *_schema.cpp files, one line per field.
namespace sunder::scene {

// fracture_schema.cpp
template <>
const Record<Unbreakable>& recordOf<Unbreakable>();
template <>
const Record<PrescoredSettings>& recordOf<PrescoredSettings>();
template <>
const Record<Material>& recordOf<Material>();
TypePtr<MaterialChoice> materialChoice();

// body_schema.cpp
template <>
const Record<AxisAngle>& recordOf<AxisAngle>();
template <>
const Record<MeshSettings>& recordOf<MeshSettings>();
template <>
const Record<CollisionSettings>& recordOf<CollisionSettings>();
template <>
const Record<Array>& recordOf<Array>();
template <>
const Record<StrengthPaint>& recordOf<StrengthPaint>();
template <>
const Record<StrengthVolumeSettings>& recordOf<StrengthVolumeSettings>();
template <>
const Record<Body>& recordOf<Body>();
template <>
const Record<Instance>& recordOf<Instance>();
TypePtr<Rotation> rotation();

// shape_schema.cpp
TypePtr<ShapeSettings> shapeOfCatalogue();

// motion_schema.cpp
template <>
const Record<Keyframe>& recordOf<Keyframe>();
template <>
const Record<KeyframeMotion>& recordOf<KeyframeMotion>();
template <>
const Record<SpinMotion>& recordOf<SpinMotion>();
template <>
const Record<OscillationMotion>& recordOf<OscillationMotion>();
/// Tells the reader when a direction has no length.
void checkAxis(const Vec3& axis, Reader& reader, const char* key = "axis");

// world_schema.cpp
template <>
const Record<dynamics::StepOptions>& recordOf<dynamics::StepOptions>();
template <>
const Record<WorldSettings>& recordOf<WorldSettings>();
template <>
const Record<dynamics::UniformField>& recordOf<dynamics::UniformField>();
template <>
const Record<dynamics::RadialField>& recordOf<dynamics::RadialField>();
template <>
const Record<dynamics::DragField>& recordOf<dynamics::DragField>();
template <>
const Record<Blast>& recordOf<Blast>();

// action_schema.cpp
template <>
const Record<Placing>& recordOf<Placing>();
template <>
const Record<Pushing>& recordOf<Pushing>();
template <>
const Record<Pulling>& recordOf<Pulling>();

// scene_schema.cpp
template <>
const Record<Floor>& recordOf<Floor>();
template <>
const Record<Group>& recordOf<Group>();
template <>
const Record<Limits>& recordOf<Limits>();
template <>
const Record<Output>& recordOf<Output>();
template <>
const Record<Camera>& recordOf<Camera>();
template <>
const Record<View>& recordOf<View>();
template <>
const Record<Scene>& recordOf<Scene>();

}  // namespace sunder::scene
