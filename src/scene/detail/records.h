#pragma once

#include "scene/scene.h"
#include "schema/record.h"

/// Records of values of the engine that scenes set: found in the namespace of the value.
namespace sunder::dynamics {

// scene/world_schema.cpp
const schema::Record<StepOptions>& recordFor(schema::Of<StepOptions>);
const schema::Record<UniformField>& recordFor(schema::Of<UniformField>);
const schema::Record<RadialField>& recordFor(schema::Of<RadialField>);
const schema::Record<DragField>& recordFor(schema::Of<DragField>);

}  // namespace sunder::dynamics

/// The schema: one record per struct. Each is defined in one of the *_schema.cpp files, one line per field.
namespace sunder::scene {

using namespace schema;

// material_schema.cpp
const Record<Material>& recordFor(Of<Material>);
TypePtr<MaterialChoice> materialChoice();

// body_schema.cpp
const Record<AxisAngle>& recordFor(Of<AxisAngle>);
const Record<MeshSettings>& recordFor(Of<MeshSettings>);
const Record<CollisionSettings>& recordFor(Of<CollisionSettings>);
const Record<Array>& recordFor(Of<Array>);
const Record<StrengthPaint>& recordFor(Of<StrengthPaint>);
const Record<StrengthVolumeSettings>& recordFor(Of<StrengthVolumeSettings>);
const Record<Body>& recordFor(Of<Body>);
const Record<Instance>& recordFor(Of<Instance>);
TypePtr<Rotation> rotation();

// shape_schema.cpp
TypePtr<ShapeSettings> shapeOfCatalogue();

// motion_schema.cpp
const Record<Keyframe>& recordFor(Of<Keyframe>);
const Record<KeyframeMotion>& recordFor(Of<KeyframeMotion>);
const Record<SpinMotion>& recordFor(Of<SpinMotion>);
const Record<OscillationMotion>& recordFor(Of<OscillationMotion>);
/// Tells the reader when a direction has no length.
void checkAxis(const Vec3& axis, Reader& reader, const char* key = "axis");

// world_schema.cpp
const Record<WorldSettings>& recordFor(Of<WorldSettings>);
const Record<Blast>& recordFor(Of<Blast>);

// action_schema.cpp
const Record<Placing>& recordFor(Of<Placing>);
const Record<Pushing>& recordFor(Of<Pushing>);
const Record<Pulling>& recordFor(Of<Pulling>);

// scene_schema.cpp
const Record<Floor>& recordFor(Of<Floor>);
const Record<Group>& recordFor(Of<Group>);
const Record<Limits>& recordFor(Of<Limits>);
const Record<Output>& recordFor(Of<Output>);
const Record<Camera>& recordFor(Of<Camera>);
const Record<View>& recordFor(Of<View>);
const Record<Scene>& recordFor(Of<Scene>);

}  // namespace sunder::scene
