"""Numbers that are not finite, in what a command wrote."""

import array
import json
import math
import re
import sqlite3
import struct

WORD = re.compile(r"(?<![\w.\"'/])[-+]?(?:nan|inf|infinity)(?![\w.\"'/])", re.I)
TEXTS = {".csv", ".usda", ".obj", ".mtl", ".pov", ".ini", ".pvd"}
LARGEST = 1 << 26  # bytes; what is larger is not looked at


def not_finite(constant):
    raise ValueError(f"holds {constant}")


def of_json(text):
    """What is wrong with it as JSON, or nothing."""
    try:
        json.loads(text, parse_constant=not_finite, parse_float=finite)
    except (ValueError, RecursionError) as problem:
        return str(problem)
    return ""


def finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"holds {text}")
    return value


def nulls(value, path=""):
    """Paths of all null in JSON, which is how a number that is not finite looks there."""
    if value is None:
        return [path or "/"]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in nulls(item, f"{path}/{key}")]


def of_glb(data):
    """Its JSON, and all its accessors of floats."""
    if len(data) < 20 or data[:4] != b"glTF":
        return "is no glTF"
    length = struct.unpack_from("<I", data, 12)[0]
    text = data[20 : 20 + length].decode(errors="replace")
    problem = of_json(text)
    if problem:
        return problem
    gltf = json.loads(text)
    if nulls(gltf):
        return f"has null at {nulls(gltf)[0]}"
    binary = data[20 + length + 8 :]
    sizes = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
    for number, accessor in enumerate(gltf.get("accessors", [])):
        if accessor["componentType"] != 5126 or "bufferView" not in accessor:
            continue
        view = gltf["bufferViews"][accessor["bufferView"]]
        if "byteStride" in view:
            continue
        begin = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        values = array.array("f", binary[begin : begin + 4 * accessor["count"] * sizes[accessor["type"]]])
        if not all(map(math.isfinite, values)):
            return f"accessor {number} has numbers that are not finite"
    return ""


def problem_in(path):
    """What is wrong with a file that a command left, or nothing."""
    if path.stat().st_size > LARGEST:
        return ""
    if path.suffix == ".glb":
        return of_glb(path.read_bytes())
    if path.suffix in (".json", ".gltf"):
        return of_json(path.read_text(errors="replace"))
    if path.suffix in TEXTS:
        match = WORD.search(path.read_text(errors="replace"))
        return f"holds {match[0]!r}" if match else ""
    return ""


def problems_below(folder):
    """[(file, problem)] of all files in a folder."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            problem = problem_in(path)
            if problem:
                found.append((path.relative_to(folder), problem))
    return found


def not_finite_in_recording(path):
    """The first frame whose figures hold a number that is not finite, in words; nothing when all is well."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        for frame, figures in database.execute("SELECT number, figures FROM frame ORDER BY number"):
            found = nulls(json.loads(figures))
            if found:
                return f"{found[0]} of frame {frame} is not finite"
    except sqlite3.Error as problem:
        return f"the recording cannot be read: {problem}"
    finally:
        database.close()
    return ""


def last_figures(path):
    """Of a recording that is whole."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return json.loads(database.execute("SELECT figures FROM frame ORDER BY number DESC").fetchone()[0])
    finally:
        database.close()


def not_finite_in_stats(text):
    """Null in `stats --json` that its account of such numbers does not tell of."""
    try:
        stats = json.loads(text)
    except ValueError as problem:
        return f"stats --json is no JSON: {problem}"
    account = stats.pop("not_finite", {})
    if account.get("frames") or account.get("events"):
        return ""
    return f"stats --json has null at {nulls(stats)[0]}" if nulls(stats) else ""
