"""Shipped scenes, mutated: `validate` and `run` agree on every one, and what runs has finite numbers."""

import copy
import json
import math
import re
import shutil

from attacks import bench, odd, outputs, running

COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.S)
FRAMES = 5

# what makes a shipped scene heavy, and how much of it is enough here
ENOUGH = {"tets": 1000, "max_tets": 4000, "cells": 24, "pieces": 10, "spheres": 12, "max_generations": 2, "resolution": 16}


def without_comments(text):
    return COMMENT.sub(lambda match: match[1] or "", text)


def shrunk(value, key=""):
    """The same scene, small enough for hundreds of runs."""
    if isinstance(value, dict):
        return {name: shrunk(item, name) for name, item in value.items()}
    if isinstance(value, list):
        most = 2 if key == "count" else None
        return [min(item, most) if most and isinstance(item, int) else shrunk(item) for item in value]
    most = ENOUGH.get(key.rpartition(".")[2])
    return min(value, most) if most and isinstance(value, (int, float)) and not isinstance(value, bool) else value


class SceneMutator(odd.Mutator):
    """Also what only scenes have."""

    def bodies(self):
        return [b for b in self.root.get("bodies", []) if isinstance(b, dict)] if isinstance(self.root.get("bodies"), list) else []

    def other_method(self):
        materials = [m for m in self.root.get("materials", {}).values() if isinstance(m, dict)]
        if materials:
            material = self.random.choice(materials)
            method = self.random.choice(["none", "prescored", "fem", "glue"])
            fracture = material.get("fracture")
            if isinstance(fracture, dict) and self.random.random() < 0.5:
                fracture["method"] = method
            else:
                material["fracture"] = {"method": method, "tets": 800, "threshold": 1, "pieces": 5}
                for name in {"none": ["tets", "threshold", "pieces"], "prescored": ["tets"], "fem": ["threshold", "pieces"]}.get(method, []):
                    del material["fracture"][name]
            return f"a material breaks by {method}"

    def other_material(self):
        if self.bodies():
            body = self.random.choice(self.bodies())
            names = list(self.root.get("materials", {})) + ["nothing", "steel", {"base": "glass"}, {"base": "wood", "density": 1e-9}]
            body["material"] = self.random.choice(names)
            return f"{body.get('name')!r} is of {str(body['material'])!r}"

    def other_shape(self):
        if self.bodies():
            body = self.random.choice(self.bodies())
            sizes = [1e-9, 1e-6, 1e-3, 0.1, 1, 100, 1e6]
            body["shape"] = self.random.choice([
                "box", "sphere", "goblet", "plane", "vase", "torus", {"name": "box", "scale": self.random.choice(sizes)},
                {"name": "sphere", "radius": self.random.choice(sizes)}, {"name": "pane", "thickness": self.random.choice(sizes)},
                {"name": "box", "width": self.random.choice(sizes), "height": self.random.choice(sizes)}])  # fmt: skip
            body.pop("mesh", None)
            return f"{body.get('name')!r} is {body['shape']}"

    def move(self):
        if self.bodies():
            body = self.random.choice(self.bodies())
            key = self.random.choice(["position", "velocity", "angular_velocity", "rotation"])
            body[key] = [self.random.choice([0, 0, 1e-3, 1, -50, 1e4, 1e6, 1e5]) for _ in range(3)]
            return f"{key} of {body.get('name')!r} is {body[key]}"

    def same_place(self):
        if self.bodies():
            body = self.random.choice(self.bodies())
            count = [self.random.choice([1, 2, 5, 20]) for _ in range(3)]
            body["array"] = {"count": count, "step": [0, 0, self.random.choice([0, 1e-6, 1])]}
            return f"{body.get('name')!r} is {math.prod(count)} bodies in one place"

    def grouped(self):
        """Bodies move into groups that are placed by instances, of instances, some in a circle."""
        if self.bodies():
            levels, each = self.random.choice([(1, 1), (2, 3), (5, 2), (30, 1), (70, 1), (8, 10)])
            groups = {"g0": {"bodies": [self.bodies()[0]] if self.random.random() < 0.5 else []}}
            for level in range(1, levels + 1):
                groups[f"g{level}"] = {"instances": [{"name": f"i{k}", "group": f"g{level - 1}"} for k in range(each)]}
            if self.random.random() < 0.2:
                groups["g0"]["instances"] = [{"name": "again", "group": f"g{levels}"}]
            self.root.setdefault("groups", {})
            if isinstance(self.root["groups"], dict):
                self.root["groups"].update(groups)
                self.root["instances"] = [{"name": "all", "group": f"g{levels}", "array": {"count": [self.random.choice([1, 3]), 1, 1]}}]
                return f"{levels} levels of groups, {each} instances each"

    def collision(self):
        if self.bodies():
            body = self.random.choice(self.bodies())
            body["collision"] = self.random.choice([
                {"form": "hull"}, {"form": "field"}, {"form": "field", "cells": self.random.choice([1, 4, 512])},
                {"layer": "a", "ignores": ["a"]}, {"ignores": ["default"]}, {"layer": "b", "ignores": ["default", "nobody"]}])  # fmt: skip
            return f"collision of {body.get('name')!r} is {body['collision']}"

    def later(self):
        if self.bodies():
            body = self.random.choice(self.bodies())
            choice = self.random.randrange(4)
            if choice == 0:
                body["appears"] = self.random.choice([0, 0.01, 0.1, 1e6, -1])
            elif choice == 1:
                body["anchored"] = self.random.choice([0, 1, 1e12])
            elif choice == 2:
                body["kind"] = self.random.choice(["static", "kinematic", "dynamic"])
                if body["kind"] == "kinematic":
                    body["motion"] = {"type": "spin", "speed": self.random.choice([0, 3, 1e4])}
            else:
                action = {"type": "push", "time": 0.05, "body": body.get("name"), "impulse": [0, self.random.choice([1, 1e6, 1e12]), 0]}
                self.root["actions"] = [action] * self.random.choice([1, 50])
            return f"later, {choice}: {body.get('name')!r}"

    WAYS = odd.Mutator.WAYS + [other_method, other_material, other_material, other_shape, other_shape, move, move, same_place, grouped,
                               collision, later, later]  # fmt: skip


# those that leave most scenes good: so that many are run
MILD = [SceneMutator.scale_number, SceneMutator.other_material, SceneMutator.other_shape, SceneMutator.move, SceneMutator.same_place,
        SceneMutator.collision, SceneMutator.later, SceneMutator.other_method, SceneMutator.swap]  # fmt: skip

# a run that stops by itself, for a reason that no validation sees: it names the frame
STOPS = re.compile(r"go on all the same|become more and more|frame \d+: body ")


def agree(case, scene, frames=FRAMES):
    """validate, info and run of one scene; the answer of run."""
    checked = case.run("validate", scene)
    if case.number % 3 == 0:
        case.run("info", scene)
    ran = case.run("run", scene, "-o", "r.sunder", "--frames", frames, "--threads", 1, "--no-cache", may_be_long=True)
    ended = ran.done or ran.asked
    if checked.done and not ended and not ran.hung and not STOPS.search(ran.err) and not running.NO_MEMORY.search(ran.err):
        case.complain("disagreement", f"validate accepts it, run says {ran.err.strip()[-300:]!r}")
    if checked.refused and ended:
        case.complain("disagreement", f"run accepts it, validate says {checked.err.strip()[:300]!r}")
    if checked.refused and case.file("r.sunder").exists():
        case.complain("leftover", "a scene that is refused leaves a recording")
    if ran.done:
        problem = outputs.not_finite_in_recording(case.file("r.sunder"))
        if problem and "finite" not in ran.err:
            case.complain("not finite", f"{problem}, and run says nothing of it")
    case.counts["good" if checked.done else "bad"] += 1
    return ran


class Scenes(bench.Attack):
    name = "scenes"
    whole = 1000

    def prepare(self):
        bench.write_page(self.setting)
        self.assets = self.setting.source / "scenes"
        self.scenes = {path.name: shrunk(json.loads(without_comments(path.read_text()))) for path in sorted(self.assets.glob("*.json"))}
        if len(self.scenes) < 5:
            raise RuntimeError(f"{self.assets} has no scenes")

    def attack(self, case):
        random = case.random
        name = random.choice(sorted(self.scenes))
        mutator = SceneMutator(random, self.scenes[name])
        mutator.mutate(random.choice([1, 1, 2, 3]), MILD if random.random() < 0.5 else None)
        text = mutator.text()
        if random.random() < 0.05:
            text = odd.damaged_text(random, text)
            mutator.done.append("damaged as text")
        case.write("s.json", text)
        for asset in self.assets.iterdir():
            if asset.suffix not in (".json", ".md") and asset.is_file():
                shutil.copy(asset, case.folder)
        case.note(f"{name}: {'; '.join(mutator.done)}")
        agree(case, "s.json")


def nested_groups():
    groups = {"g0": {"bodies": []}}
    for level in range(1, 10):
        groups[f"g{level}"] = {"instances": [{"name": f"i{k}", "group": f"g{level - 1}"} for k in range(10)]}
    return {"version": 1, "groups": groups, "instances": [{"name": "all", "group": "g9"}]}


def one_body(**body):
    return {"version": 1, "floor": True, "bodies": [{"name": "a", "position": [0, 2, 0], **body}]}


# what was found before: (scene, frames, what must hold besides)
REPRODUCERS = {
    "layer": (one_body(shape="box", collision={"layer": "debris", "ignores": ["debris"]}), 60, "should stay above the floor"),
    "groups": (nested_groups(), FRAMES, ""),
    "shell": (one_body(mesh="open.obj"), FRAMES, ""),
    "shape without an inside": (one_body(shape="boat"), FRAMES, ""),
    "flat mesh": (one_body(mesh="flat.obj", collision={"form": "hull"}), FRAMES, ""),
    "flat hull": (one_body(shape={"name": "sphere", "scale": [1, 1.5, 1e-320]}, collision={"form": "hull"}), FRAMES, ""),
    "spot": (one_body(shape={"name": "sphere", "radius": 0.1}, array={"count": [20, 20, 25], "step": [0, 0, 0]}), 1, ""),
    "tiny": (one_body(shape={"name": "box", "scale": 1e-9}, rotation=[10, 20, 30], velocity=[0, -12, 0]), FRAMES, ""),
}

# a box without its lid, and a triangle that is extruded by nothing
OPEN = "\n".join([f"v {x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)] + [
    "f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 1 3 7 5", "f 2 6 8 4"]) + "\n"  # fmt: skip
FLAT = "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1e-9 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n"


class Reproducers(bench.Attack):
    """Scenes by which mistakes were found, each as it is."""

    name = "reproducers"
    whole = len(REPRODUCERS)

    def cases(self, seed, count):
        return range(len(REPRODUCERS)) if count >= len(REPRODUCERS) else range(seed % len(REPRODUCERS), len(REPRODUCERS))[:count]

    def attack(self, case):
        name = list(REPRODUCERS)[case.number]
        scene, frames, demand = copy.deepcopy(REPRODUCERS[name])
        case.note(f"reproducer '{name}'")
        case.write("open.obj", OPEN)
        case.write("flat.obj", FLAT)
        file = f"{name.replace(' ', '_')}.json"
        case.write(file, json.dumps(scene))
        ran = agree(case, file, frames)
        case.run("info", file)
        if demand and ran.done:
            potential = outputs.last_figures(case.file("r.sunder"))["energy"]["potential"]
            if potential < 0:
                case.complain("lost", f"what {demand} does not: its potential energy is {potential:.3g} J in the end")
