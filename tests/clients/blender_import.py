"""Imports an export as a user would, and says what Blender made of it.

    blender -b --factory-startup --python blender_import.py -- EXPORT ANSWER.json SCRIPT FRAME...

SCRIPT: import_blender.py. The answer has, in Sunder's axes (Y up), how far every visible object reaches into a few
skew directions: equal sets of these mean equal place, orientation and size.
"""
import numpy as np; np.bool = bool  # before Blender's own importer is loaded
import json
import runpy
import sys

import bpy

export, answer, script = sys.argv[sys.argv.index("--") + 1:][:3]
frames = [int(frame) for frame in sys.argv[sys.argv.index("--") + 4:]]
DIRECTIONS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-0.48, 0.6, 0.64], [0.36, -0.48, 0.8], [-0.8, -0.36, -0.48]])


def reach(thing, graph):
    mesh = thing.evaluated_get(graph).data
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    place = np.array(thing.evaluated_get(graph).matrix_world)
    world = points.reshape(-1, 3).astype(float) @ place[:3, :3].T + place[:3, 3]
    sunder = np.stack([world[:, 0], world[:, 2], -world[:, 1]], axis=1)
    return (sunder @ DIRECTIONS.T).max(axis=0).tolist()


def seen(thing):
    return not thing.hide_viewport and not thing.hide_render and min(thing.scale) > 0


# what Blender starts with is there, as it is for a user, and something of the user's own
mine = bpy.data.objects["Cube"].copy()
mine.name = "mine"
bpy.context.collection.objects.link(mine)
sys.argv = sys.argv[:sys.argv.index("--") + 1] + [export]
runpy.run_path(script, run_name="__main__")
bpy.data.objects.remove(mine)  # fails if it has gone

scene = bpy.context.scene
result = {
    "fps": scene.render.fps / scene.render.fps_base,
    "range": [scene.frame_start, scene.frame_end],
    "camera": scene.camera.name if scene.camera else None,
    "materials": sorted(material.name for material in bpy.data.materials),
    "objects": {},
    "frames": {},
}
for thing in bpy.data.objects:
    if thing.type != "MESH":
        continue
    uses = sorted({thing.data.materials[polygon.material_index].name for polygon in thing.data.polygons
                   if thing.data.materials and thing.data.materials[polygon.material_index]})
    result["objects"][thing.name] = {"materials": uses, "triangles": len(thing.data.polygons),
                                     "facts": {key: thing[key] for key in thing.keys() if key in
                                               ("parent", "root", "born", "died", "mass", "volume", "generation")}}
for frame in frames:
    scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    result["frames"][frame] = {thing.name: reach(thing, graph) for thing in bpy.data.objects
                               if thing.type == "MESH" and seen(thing)}
with open(answer, "w") as file:
    json.dump(result, file)
