"""Recordings that somebody damaged: every command that reads one ends with an answer or a sentence."""

import json
import math
import pathlib
import shutil
import sqlite3
import struct

from attacks import bench, odd, outputs, zstd

MATERIALS = {
    "clay": {"look": "clay", "fracture": {"method": "prescored", "threshold": 1, "pieces": 4}},
    "concrete": {"density": 2400, "fracture": {"method": "fem", "material": "concrete", "tets": 600, "max_generations": 3}},
    "steel": {"density": 7800, "look": "metal"},
}


def box(name, *size, **more):
    return {"name": name, "shape": {"name": "box", "width": size[0], "height": size[1], "depth": size[2]}, **more}


def scene(*bodies, **more):
    return {"version": 1, "materials": MATERIALS, "floor": True, "bodies": list(bodies), "output": {"checkpoint_every": 2}, **more}


BEAM = (
    box("left", 0.1, 0.3, 0.4, kind="static", position=[-0.85, 0.15, 0], material="steel"),
    box("right", 0.1, 0.3, 0.4, kind="static", position=[0.85, 0.15, 0], material="steel"),
    box("beam", 2, 0.2, 0.2, position=[0, 0.4, 0], material="concrete"),
    {"name": "ball", "shape": {"name": "sphere", "radius": 0.08, "resolution": 12}, "position": [0, 0.68, 0],
     "velocity": [0, -3, 0], "material": "steel"},
)  # fmt: skip

# name: (scene, frames); honest, and between them with all that a recording may hold
HONEST = {
    "rigid": (
        scene(box("a", 1, 1, 1, position=[0, 0.6, 0], velocity=[0, -3, 0]), box("b", 1, 1, 1, position=[0.2, 1.8, 0])), 8),
    "prescored": (
        scene(box("a", 1, 1, 1, position=[0, 0.6, 0], velocity=[0, -9, 0], material="clay"), box("b", 1, 1, 1, position=[0, 4, 0])), 6),
    "fem": (scene(*BEAM), 6),
    # cracks that end inside the pieces: bodies that are shown and solids that break
    "gaping": (
        scene(*BEAM[:2], *BEAM[2:], materials={**MATERIALS, "concrete": {"density": 2400, "fracture": {
            "method": "fem", "material": "concrete", "tets": 2500, "max_generations": 3}}}), 8),
    # anchors that give way, a body that comes late, an action, a blast, a scripted body, impacts of all kinds
    "events": (
        scene(
            box("held", 0.5, 0.5, 0.5, position=[0, 2, 0], anchored=5),
            box("weight", 0.5, 0.5, 0.5, position=[0, 2.6, 0], velocity=[0, -6, 0]),
            box("arm", 1.5, 0.1, 0.1, position=[-2.5, 0.3, 0], kind="kinematic", motion={"type": "spin", "speed": 3}),
            box("late", 0.2, 0.2, 0.2, position=[2, 0.3, 0], velocity=[0, -5, 0], material="clay", appears=0.1),
            explosions=[{"time": 0.2, "centre": [2, 0, 0], "radius": 2, "impulse": 20}],
            actions=[{"type": "push", "time": 0.1, "body": "weight", "impulse": [0, 5, 0]}]), 10),
}  # fmt: skip

BLOBS = [("mesh", "data"), ("frame", "poses"), ("checkpoint", "state"), ("impact", "data"), ("stress", "data")]
IDS = [("body", c) for c in ("id", "parent", "root", "generation", "mesh", "born", "died")] + [
    ("mesh", "id"), ("event", "id"), ("event", "frame"), ("event", "body"), ("checkpoint", "frame"), ("impact", "frame"),
    ("impact", "count"), ("stress", "event"), ("stress", "points"), ("solid", "body"), ("solid", "mesh")]  # fmt: skip
REALS = [("body", c) for c in ("mass", "volume", "cx", "cy", "cz")] + [("frame", "time")]
NAMES = [("body", "name"), ("body", "kind"), ("body", "material"), ("body", "method"), ("event", "kind"), ("mesh", "hash"),
         ("frame", "state_hash")]  # fmt: skip
JSONS = [("frame", "figures"), ("frame", "seconds"), ("event", "data")]
META = ["scene", "scene_name", "settings", "view", "looks", "program", "dt", "seed", "position_quantum", "rotation_quantum"]
SCHEMA = [
    "CREATE VIEW more AS SELECT * FROM body",
    "ALTER TABLE event RENAME TO e; CREATE VIEW event AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
    "SELECT e.* FROM e, c",
    "ALTER TABLE frame RENAME TO f; CREATE VIEW frame AS SELECT * FROM f",
    "CREATE TRIGGER t AFTER INSERT ON frame BEGIN DELETE FROM body; END",
    "CREATE TRIGGER t AFTER UPDATE ON body BEGIN DELETE FROM frame; END",
    "ALTER TABLE body DROP COLUMN method; ALTER TABLE body ADD COLUMN method AS (zeroblob(1000000000))",
    "ALTER TABLE frame DROP COLUMN figures; ALTER TABLE frame ADD COLUMN figures AS (printf('%.*c', 500000000, '['))",
    "CREATE VIRTUAL TABLE v USING fts5(x)",
    "CREATE TABLE stranger(x); INSERT INTO stranger VALUES (zeroblob(100000))",
    "CREATE INDEX odd ON body(abs(mass))",
    "CREATE UNIQUE INDEX odd ON frame(key) WHERE number < 1",
    "DROP TABLE checkpoint", "DROP TABLE impact", "DROP TABLE meta", "DROP TABLE mesh", "DROP TABLE stress", "DROP TABLE solid",
    "PRAGMA user_version = 1", "PRAGMA user_version = 3", "PRAGMA user_version = -1", "PRAGMA application_id = 0",
    "ALTER TABLE body ADD COLUMN more", "ALTER TABLE frame RENAME COLUMN poses TO pose",
    "PRAGMA journal_mode = WAL; UPDATE frame SET time = 2 * time", "PRAGMA auto_vacuum = 2; VACUUM", "PRAGMA encoding = 'UTF-16'; VACUUM",
]  # fmt: skip
ODD_REALS = [math.inf, -math.inf, 1e300, -1e300, 1e38, 1e-320, 0.0, -1.0, "nan", None, b"\0"]


def statement(database, sql, *values):
    """False when SQLite itself refuses it: some damage is none that it would let pass."""
    try:
        database.execute(sql, values)
        return True
    except (sqlite3.Error, OverflowError, UnicodeError):
        return False


def row_of(database, random, table):
    """The rowid, or key, of some row; None when there is none."""
    try:
        rows = database.execute(f"SELECT rowid FROM {table}").fetchall()
    except sqlite3.Error:
        return None
    return random.choice(rows)[0] if rows else None


def set_some(database, random, choices, value_of):
    """Gives some column of some rows another value; in words."""
    for _ in range(20):
        table, column = random.choice(choices)
        row = row_of(database, random, table)
        if row is None:
            continue
        old = database.execute(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,)).fetchone()[0]
        new = value_of(old)
        if new is None and old is None:
            continue
        every = random.random() < 0.15
        if statement(database, f"UPDATE {table} SET {column} = ?" + ("" if every else f" WHERE rowid = {row}"), new):
            return f"{table}.{column} of {'all' if every else row}: {str(old)[:40]!r} becomes {str(new)[:60]!r}"
    return "nothing"


# ---- the thirteen kinds of damage. The first three are done to the file, the others to the database; all say what they did.


def flip_bytes(path, random):
    data = bytearray(path.read_bytes())
    count = random.choice([1, 4, 32, 256])
    for _ in range(count):
        data[random.randrange(len(data))] ^= random.randrange(1, 256)
    path.write_bytes(data)
    return f"{count} bytes are others"


def cut(path, random):
    data = path.read_bytes()
    if random.random() < 0.2:
        path.write_bytes(data + random.randbytes(random.choice([1, 5000])))
        return "has bytes behind its end"
    length = random.choice([0, 1, 15, 16, 99, 100, 511, random.randrange(len(data)), random.randrange(len(data))])
    path.write_bytes(data[:length])
    return f"ends after {length} bytes"


def pages(path, random):
    data = bytearray(path.read_bytes())
    size = struct.unpack_from(">H", data, 16)[0]
    size = 65536 if size == 1 else size
    count = len(data) // size
    done = []
    for _ in range(random.choice([1, 1, 3])):
        one, other = random.randrange(count), random.randrange(count)
        a, b = slice(one * size, (one + 1) * size), slice(other * size, (other + 1) * size)
        way = random.randrange(4)
        if way == 0:
            data[a] = bytes(size)
        elif way == 1:
            data[a], data[b] = data[b], data[a]
        elif way == 2:
            data[a] = data[b]
        else:
            data[a] = random.randbytes(size)
        done.append(f"page {one} {['is empty', f'and {other} change places', f'is page {other}', 'is noise'][way]}")
    path.write_bytes(data)
    return ", ".join(done)


def rows(database, random):
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'sqlite_stat1'")]
    for _ in range(20):
        table = random.choice(tables)
        if table == "meta":
            key = random.choice(META)
            statement(database, "DELETE FROM meta WHERE key = ?", key)
            return f"meta has no {key}"
        row = row_of(database, random, table)
        if row is None:
            continue
        way = random.choice(["one", "some", "all", "double"])
        if way == "double":
            columns = [c[1] for c in database.execute(f"PRAGMA table_info({table})")]
            copied = ", ".join([str(row + random.choice([1000, 1, 1 << 40])), *columns[1:]])
            statement(database, f"INSERT INTO {table} SELECT {copied} FROM {table} WHERE rowid = {row}")
        else:
            which = {"one": f"= {row}", "some": f"% 3 = {row % 3}", "all": "NOT NULL"}[way]
            statement(database, f"DELETE FROM {table} WHERE rowid {which}")
        return f"{table}: {way} ({row})"
    return "nothing"


def values(database, random):
    columns = [("meta", "value")] + IDS + REALS + NAMES + JSONS + BLOBS
    if random.random() < 0.3:
        key = random.choice(META)
        new = random.choice([odd.number(random), odd.text(random), None, b"\0\1", "[]", "{}"])
        statement(database, "UPDATE meta SET value = ? WHERE key = ?", new, key)
        return f"meta {key} becomes {new!r}"
    odds = [0, -1, 2**31, 2**40, 1e300, "", "x", b"", b"\xff" * 8, None]
    return set_some(database, random, columns[1:], lambda _: random.choice(odds))


def ids(database, random):
    done = []
    for _ in range(random.choice([1, 1, 2, 5])):
        new = lambda old: random.choice([0, -1, 1, 2, 3, 2**31, 2**32, 2**40, 2**63 - 1, -(2**63), (old or 0) + 1, (old or 0) - 1])
        done.append(set_some(database, random, IDS, new))
    return "; ".join(done)


def frames(database, random):
    last = database.execute("SELECT max(number) FROM frame").fetchone()[0]
    far = random.choice([last + 1, last + 2, 2**40, 2**62, -1])
    one = random.randint(0, last)
    return_to = {
        "one is elsewhere": f"UPDATE frame SET number = {far} WHERE number = {one}",
        "all are later": f"UPDATE frame SET number = -number - 1; UPDATE frame SET number = -number + {random.choice([0, 5, 2**40])}",
        "one is missing": f"DELETE FROM frame WHERE number = {one}",
        "no key": "UPDATE frame SET key = 0",
        "all are keys": "UPDATE frame SET key = 1",
        "time": f"UPDATE frame SET time = {random.choice(['-time', '9e999', '0', '1e300'])}",
        "moved": f"UPDATE frame SET moved = {random.choice([0, -1, 2**40])}",
        "checkpoint": f"UPDATE checkpoint SET frame = {random.choice([0, last + 5, 2**40, -1])}",
        "two checkpoints": "INSERT INTO checkpoint SELECT frame + 1, state FROM checkpoint LIMIT 1",
        "other checkpoint": f"UPDATE checkpoint SET frame = {one}",
        "births": f"UPDATE body SET born = {far} WHERE id % 2 = 0",
    }  # fmt: skip
    way = random.choice(sorted(return_to))
    try:
        database.executescript(return_to[way])
    except sqlite3.Error:
        pass
    return f"frames: {return_to[way]}"


def changed_bytes(data, random):
    """What was in a blob, otherwise."""
    data = bytearray(data)
    way = random.randrange(7)
    if way == 0 and data:
        for _ in range(random.choice([1, 3, 30])):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    elif way == 1:
        del data[random.randrange(len(data) + 1) :]
    elif way == 2:
        data += random.randbytes(random.choice([1, 8, 1000]))
    elif way == 3 and data:
        at = random.randrange(len(data))
        data[at : at + 8] = random.choice([b"\xff" * 8, bytes(8), b"\xff\xff\xff\xff\xff\xff\xff\x7f", b"\0\0\0\0\0\0\xf0\x7f"])
    elif way == 4:
        data[:8] = struct.pack("<Q", random.choice([0, 1, 2**20, 2**32, 2**60, 2**64 - 1]))
    elif way == 5:
        data = bytearray(random.randbytes(random.choice([0, 1, 48, len(data)])))
    else:
        at = random.randrange(len(data) + 1)
        del data[at : at + random.choice([1, 8, 48])]
    return bytes(data)


def blobs(database, random):
    def other(old):
        data = zstd.unpacked(old) if isinstance(old, bytes) else None
        return zstd.packed(changed_bytes(data, random)) if data is not None else b""

    return "; ".join(set_some(database, random, BLOBS, other) for _ in range(random.choice([1, 1, 3])))


def claims(database, random):
    giant = random.choice([2**33, 2**36, 2**63, 2**64 - 1])
    ways = [
        lambda old: zstd.claim(random.choice([0, 2, 10**6, giant])),
        lambda old: zstd.repeated(random.choice([0, 1, 0x80, 0xFF]), random.choice([1, 100, 500, 4000])),
        lambda old: zstd.packed(struct.pack("<Q", giant) + random.randbytes(64)),
        lambda old: zstd.packed(struct.pack("<QQQ", 2**20, 2**40, 2**61)),
        lambda old: bytes(10**6),
        lambda old: zstd.header(5) + zstd.block(3, 5, b"\0" * 5, True),
    ]
    return set_some(database, random, BLOBS, random.choice(ways))


def json_of(text):
    try:
        return json.loads(text)
    except (ValueError, TypeError):
        return {}


def jsons(database, random):
    def other(old):
        if random.random() < 0.2:
            return odd.deep(random)
        if random.random() < 0.1:
            return odd.damaged_text(random, old or "").decode(errors="replace")
        return odd.Mutator(random, json_of(old)).mutate(random.choice([1, 2, 5])).text()

    if random.random() < 0.5:
        key = random.choice(["scene", "settings", "view", "looks"])
        old = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
        new = other(old)
        statement(database, "UPDATE meta SET value = ? WHERE key = ?", new, key)
        return f"meta {key} becomes {new[:80]!r}"
    return set_some(database, random, JSONS, other)


def numbers(database, random):
    def doubles(old):
        data = bytearray(zstd.unpacked(old) or b"")
        wide = len(data) >= 8 and random.random() < 0.7
        for _ in range(random.choice([1, 3])):
            size = 8 if wide else 4
            if len(data) >= size:
                at = random.randrange(len(data) // size) * size
                odd_value = random.choice([math.nan, math.inf, -math.inf, 1e300 if wide else 1e38, -0.0])
                data[at : at + size] = struct.pack("<d" if wide else "<f", odd_value)
        return zstd.packed(bytes(data))

    if random.random() < 0.4 and zstd.can_unpack():
        return set_some(database, random, [("mesh", "data"), ("impact", "data"), ("checkpoint", "state"), ("stress", "data")], doubles)
    if random.random() < 0.3:
        key = random.choice(["dt", "position_quantum", "rotation_quantum", "seed"])
        new = random.choice(ODD_REALS)
        statement(database, "UPDATE meta SET value = ? WHERE key = ?", new, key)
        return f"meta {key} becomes {new!r}"
    return set_some(database, random, REALS, lambda _: random.choice(ODD_REALS))


def schema(database, random):
    sql = random.choice(SCHEMA)
    try:
        database.executescript(sql)
    except sqlite3.Error as problem:
        return f"{sql} ({problem})"
    return sql


def names(database, random):
    odd_names = [t for t in odd.TEXTS if "\ud800" not in t] + ["../../x", "/etc/x", "a" * 100_000, "x\n#fopen F \"w.txt\" write\n", "a\x07b"]
    if random.random() < 0.25:
        new = random.choice(odd_names)
        statement(database, "UPDATE meta SET value = ? WHERE key = 'scene_name'", new)
        return f"meta scene_name becomes {new[:60]!r}"
    done = set_some(database, random, NAMES, lambda _: random.choice(odd_names))
    if random.random() < 0.2:
        statement(database, "UPDATE body SET name = CAST(x'fffe2f2e2e' AS TEXT) WHERE id = 1")
        done += "; a name that is no text"
    return done


DAMAGES = [flip_bytes, cut, pages, rows, values, ids, frames, blobs, claims, jsons, numbers, schema, names]
TO_FILES = {flip_bytes, cut, pages}


def damage(path, random, kind):
    if kind in TO_FILES:
        return kind(path, random)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("PRAGMA foreign_keys = OFF")
        return kind(database, random)
    finally:
        database.close()


class Recordings(bench.Attack):
    name = "recordings"
    whole = 300

    EXPORTS = ["x.glb", "x.usda", "x.pvd", "x.pov", "x.html", "x"]

    def prepare(self):
        if not zstd.can_unpack():
            print("recordings: there is no program zstd, so what is inside blobs stays as it is")
        bench.write_page(self.setting)
        self.folder = pathlib.Path(self.setting.scratch / "honest")
        self.folder.mkdir(exist_ok=True)
        for name, (content, frame_count) in HONEST.items():
            (self.folder / f"{name}.json").write_text(json.dumps(content))
            bench.honest(self.setting, self.folder, "run", f"{name}.json", "-o", f"{name}.sunder", "--frames", frame_count, "--force")
        self.check_honest()

    def check_honest(self):
        """They hold what they are there for."""
        have = lambda name, table: sqlite3.connect(self.folder / f"{name}.sunder").execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for name, table in [("prescored", "event"), ("fem", "stress"), ("gaping", "solid"), ("events", "event"), ("rigid", "impact")]:
            if not have(name, table):
                raise RuntimeError(f"the honest recording '{name}' has nothing in its table {table}")

    def attack(self, case):
        kind = DAMAGES[case.number % len(DAMAGES)]
        if kind is blobs and not zstd.can_unpack():
            kind = claims
        base = sorted(HONEST)[case.number % len(HONEST)]  # with the kinds of damage: all pairs in 65 cases
        for end in (".json", ".sunder"):
            shutil.copy(self.folder / f"{base}{end}", case.file(f"r{end}"))
        case.note(f"recording '{base}', {kind.__name__}: {damage(case.file('r.sunder'), case.random, kind)}")
        self.read(case)
        self.export(case)
        # gone on with, which changes it: last
        answer = case.run("run", "r.json", "-o", "r.sunder", "--resume", "--frames", HONEST[base][1] + 2, "--no-cache")
        if answer.done:
            problem = outputs.not_finite_in_recording(case.file("r.sunder"))
            if problem and "not finite" not in answer.err:
                case.counts["not finite, before it was gone on with"] += 1

    def read(self, case):
        for command in (["info", "r.sunder"], ["info", "--json", "r.sunder"], ["stats", "r.sunder"], ["stats", "--json", "r.sunder"]):
            answer = case.run(*command)
            if answer.done and command[0] == "stats" and "--json" in command:
                problem = outputs.not_finite_in_stats(answer.out.decode(errors="replace"))
                if problem:
                    case.complain("not finite", problem)

    def export(self, case):
        case.file("out").mkdir()
        commands = [["export", "r.sunder", "-o", f"out/{name}"] for name in self.EXPORTS]
        if case.number % 6 == 0:
            size = ["--width", "16", "--height", "16", "--quality", "draft"]
            commands.append(["render", "r.sunder", "-o", "out/x.png", *size])
        for command in commands:
            answer = case.run(*command)
            there = case.file(command[3]).exists()
            if there != answer.done:
                case.complain("leftover" if there else "lost", f"exit code {answer.code}, and the output is {'' if there else 'not '}there")
        for name, problem in outputs.problems_below(case.file("out")):
            case.complain("not finite", f"{name} {problem}", f"sunder export r.sunder -o {name}")
        for part in case.folder.rglob("*.part*"):
            case.complain("leftover", f"{part.name} is left")
