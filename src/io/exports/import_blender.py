"""Brings an export of Sunder into Blender (3.4 to 4.x): a .glb, or a folder of pieces.

    blender --python import_blender.py -- wall.glb
    blender --python import_blender.py -- wall_folder

Or open it in Blender's text editor and press Run: it takes what lies beside it, or what PATH says. It sets frame rate
and frame range, and pieces appear and vanish by visibility keys.
"""

import csv
import json
import os
import re
import struct
import sys

import bpy
import numpy
from mathutils import Matrix, Quaternion, Vector

PATH = ""  # of a .glb or a folder; empty: the command line's, or what lies beside this script

if "bool" not in numpy.__dict__:  # the glTF importer of Blender up to 3.4 wants a name that numpy 1.24 has no more
    numpy.bool = bool

# Sunder has Y up, Blender Z
BLENDER_FROM_SUNDER = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
SUN_STRENGTH = 3.0  # W/m^2


def chosen_path():
    if "--" in sys.argv and len(sys.argv) > sys.argv.index("--") + 1:
        return sys.argv[sys.argv.index("--") + 1]
    if PATH:
        return PATH
    text = getattr(bpy.context, "space_data", None) and getattr(bpy.context.space_data, "text", None)
    here = os.path.dirname(bpy.path.abspath(text.filepath) if text else os.path.abspath(__file__))
    if os.path.exists(os.path.join(here, "bodies.json")):
        return here
    found = sorted(name for name in os.listdir(here) if name.endswith(".glb"))
    if len(found) != 1:
        raise SystemExit(f"import_blender.py: {len(found)} .glb files in {here}; set PATH to the one to import")
    return os.path.join(here, found[0])


def set_time(scene, frames_per_second, first, last):
    scene.render.fps = max(1, round(frames_per_second))
    scene.render.fps_base = scene.render.fps / frames_per_second
    scene.frame_start, scene.frame_end = first, last


def set_curve(action, path, index, frames, values, interpolation):
    """All keys of one number at once: one by one takes minutes for thousands of pieces."""
    curve = action.fcurves.new(path, index=index)
    curve.keyframe_points.add(len(frames))
    coordinates = numpy.empty(2 * len(frames), dtype=numpy.float32)
    coordinates[0::2], coordinates[1::2] = frames, values
    curve.keyframe_points.foreach_set("co", coordinates)
    kinds = curve.keyframe_points[0].bl_rna.properties["interpolation"].enum_items
    curve.keyframe_points.foreach_set("interpolation", [kinds[interpolation].value] * len(frames))
    curve.update()


def show_during(thing, action, born, died, first):
    """Visible from frame `born` on, hidden from `died` on (None: never)."""
    frames, hidden = [first], [born > first]
    if born > first:
        frames.append(born)
        hidden.append(False)
    if died is not None:
        frames.append(died)
        hidden.append(True)
    if len(frames) == 1:
        return
    for path in ("hide_viewport", "hide_render"):
        set_curve(action, path, 0, frames, hidden, "CONSTANT")
    # Blender does not place what is hidden, nor later when it appears, unless it moves: a key for what does not
    if action.fcurves.find("location") is None:
        for axis in range(3):
            set_curve(action, "location", axis, [born], [thing.location[axis]], "CONSTANT")


def collection_of(root, collections, parent):
    if root not in collections:
        collections[root] = bpy.data.collections.new(root)
        parent.children.link(collections[root])
    return collections[root]


def sort_into_collections(things, title):
    """One collection for the recording, and in it one for each body of the scene with all its fragments."""
    scene = bpy.context.scene
    whole = bpy.data.collections.new(title)
    scene.collection.children.link(whole)
    collections = {}
    for thing in things:
        for holder in list(thing.users_collection):
            holder.objects.unlink(thing)
        (collection_of(thing["root"], collections, whole) if "root" in thing else whole).objects.link(thing)


# ---- .glb


def glb_json(path):
    with open(path, "rb") as file:
        header = file.read(20)
        return json.loads(file.read(struct.unpack("<I", header[12:16])[0]))


def retime(action, frames_per_second, first):
    """Blender's importer counts from 0, at a whole number of frames per second, with the rounding of seconds."""
    scale = frames_per_second / bpy.context.scene.render.fps
    for curve in action.fcurves:
        coordinates = numpy.empty(2 * len(curve.keyframe_points), dtype=numpy.float32)
        curve.keyframe_points.foreach_get("co", coordinates)
        coordinates[0::2] = numpy.round(coordinates[0::2] * scale) + first
        curve.keyframe_points.foreach_set("co", coordinates)
        curve.update()


def import_glb(path):
    document = glb_json(path)
    facts = document["scenes"][0].get("extras", {})
    if "frames_per_second" not in facts:
        raise SystemExit(f"import_blender.py: {path} is no recording exported by Sunder")
    first, last = facts["first_frame"], facts["last_frame"]
    scene = bpy.context.scene
    set_time(scene, facts["frames_per_second"], first, last)  # before the import, which makes frames of seconds
    before = set(bpy.data.objects)
    bpy.ops.import_scene.gltf(filepath=path)
    things = [thing for thing in bpy.data.objects if thing not in before]
    for thing in things:
        motion = thing.animation_data
        if motion is not None and motion.action is not None:
            for track in list(motion.nla_tracks):  # copies of the action that would go on being played
                motion.nla_tracks.remove(track)
            retime(motion.action, facts["frames_per_second"], first)
            for curve in [c for c in motion.action.fcurves if c.data_path == "scale"]:
                motion.action.fcurves.remove(curve)
        if "born" in thing:
            thing.scale = (1, 1, 1)
            died = thing.get("died")
            if died is not None and died > last:
                died = None
            if thing["born"] > first or died is not None:
                if motion is None or motion.action is None:
                    motion = thing.animation_data_create()
                    motion.action = bpy.data.actions.new(thing.name)
                show_during(thing, motion.action, thing["born"], died, first)
        if thing.type == "LIGHT":
            thing.data.energy = SUN_STRENGTH
        if thing.type == "CAMERA":
            scene.camera = thing
    sort_into_collections(things, os.path.splitext(os.path.basename(path))[0])
    return things


# ---- a folder of pieces


def share_materials(mesh, materials):
    """Every file brings its own "stone", which Blender calls "stone.001" and so on: they are one."""
    for slot, material in enumerate(list(mesh.materials)):
        name = re.sub(r"\.\d\d\d$", "", material.name)
        if materials.setdefault(name, material) != material:
            mesh.materials[slot] = materials[name]
            bpy.data.materials.remove(material)


def load_mesh(path, centre, materials):
    """Moved so that the object's origin is the centre of mass."""
    before = set(bpy.data.objects)
    if not path.endswith(".ply"):
        bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z")
    elif "ply_import" in dir(bpy.ops.wm):  # from Blender 3.6 on
        bpy.ops.wm.ply_import(filepath=path, forward_axis="Y", up_axis="Z")
    else:
        bpy.ops.import_mesh.ply(filepath=path)
    made = [thing for thing in bpy.data.objects if thing not in before]
    mesh = made[0].data
    mesh.transform(Matrix.Translation(-centre))
    share_materials(mesh, materials)
    for thing in made:
        bpy.data.objects.remove(thing)
    return mesh


def read_poses(path):
    """Of each body: frames, and matrices there. Rows are where a pose changed."""
    poses = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            place = Vector((float(row["x"]), float(row["y"]), float(row["z"])))
            turn = Quaternion((float(row["qw"]), float(row["qx"]), float(row["qy"]), float(row["qz"])))
            poses.setdefault(int(row["body"]), []).append((int(row["frame"]), place, turn))
    return poses


def held(poses):
    """With a key before each jump of the frame number: what did not change stays."""
    result = []
    for pose in poses:
        if result and pose[0] > result[-1][0] + 1:
            result.append((pose[0] - 1,) + result[-1][1:])
        result.append(pose)
    return result


def animate(thing, poses, centre):
    """`worldFromMesh` into Blender's axes, about the centre of mass."""
    axes = BLENDER_FROM_SUNDER.to_quaternion()
    frames, places, turns = [], [], []
    for frame, place, turn in held(poses):
        turned = axes @ turn
        if turns and turned.dot(turns[-1]) < 0:
            turned.negate()
        frames.append(frame)
        places.append(BLENDER_FROM_SUNDER @ (turn @ centre + place))
        turns.append(turned)
    thing.rotation_mode = "QUATERNION"
    thing.location, thing.rotation_quaternion = places[0], turns[0]
    action = bpy.data.actions.new(thing.name)
    thing.animation_data_create().action = action
    if len(frames) > 1:
        for axis in range(3):
            set_curve(action, "location", axis, frames, [place[axis] for place in places], "LINEAR")
        for axis in range(4):
            set_curve(action, "rotation_quaternion", axis, frames, [turn[axis] for turn in turns], "LINEAR")
    return action


def import_folder(folder):
    with open(os.path.join(folder, "bodies.json")) as file:
        document = json.load(file)
    first, last = document["first_frame"], document["last_frame"]
    set_time(bpy.context.scene, document["frames_per_second"], first, last)
    poses = read_poses(os.path.join(folder, "transforms.csv"))
    meshes, materials, things = {}, {}, []
    for body in document["bodies"]:
        centre = Vector(body["centre"])
        if body["file"] not in meshes:
            meshes[body["file"]] = load_mesh(os.path.join(folder, body["file"]), centre, materials)
        thing = bpy.data.objects.new(body["name"], meshes[body["file"]])
        for key, value in body.items():
            if value is not None and key not in ("name", "file"):
                thing[key] = value
        action = animate(thing, poses[body["id"]], centre)
        died = body["died"] if body["died"] is not None and body["died"] <= last else None
        show_during(thing, action, body["born"], died, first)
        bpy.context.scene.collection.objects.link(thing)
        things.append(thing)
    sort_into_collections(things, os.path.basename(os.path.normpath(folder)))
    return things


def is_untouched(thing):
    """Is it as Blender starts with it: the cube, the light or the camera, where nobody moved it?"""
    places = {"Cube": (0, 0, 0), "Light": (4.076, 1.005, 5.904), "Camera": (7.359, -6.926, 4.958)}
    corners = thing.type != "MESH" or len(thing.data.vertices) == 8
    return (thing.name in places and thing.parent is None and corners and not thing.modifiers and not thing.animation_data
            and (thing.location - Vector(places[thing.name])).length < 0.001 and thing.scale == Vector((1, 1, 1)))


def remove_start_up(types):
    """Half of the scene would stand in the cube; light and camera go where the export brings its own."""
    for thing in list(bpy.data.objects):
        if thing.type in types and is_untouched(thing):
            bpy.data.objects.remove(thing)


def main():
    path = os.path.abspath(chosen_path())
    if not os.path.exists(path):
        raise SystemExit(f"import_blender.py: there is no {path}")
    remove_start_up({"MESH"})
    before = set(bpy.data.objects)
    things = import_folder(path) if os.path.isdir(path) else import_glb(path)
    remove_start_up({thing.type for thing in bpy.data.objects if thing not in before})
    scene = bpy.context.scene
    scene.frame_set(scene.frame_start)
    print(f"import_blender.py: {len(things)} objects, frames {scene.frame_start} to {scene.frame_end}")


if __name__ == "__main__":
    main()
