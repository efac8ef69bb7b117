"""Command lines that make no sense: options of every command, as its help lists them, with odd values and odd files.

What is written goes to plain names in the case's folder: no value of an option that names an output is absolute or leads out of
it, and --force is given with such names alone."""

import json
import os
import re
import shutil

from attacks import bench, odd, running
from attacks.recordings import HONEST

OPTION = re.compile(r"^  (?:(-\w),)?(--[\w-]+)(?: ([A-Z][^ ].*?|[A-Z]))?(?:  +.*)?$", re.M)
COMMAND = re.compile(r"^  ([a-z]+)  +\S", re.M)
OUTPUTS = {"--output", "--cache", "--project"}
BOX = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")  # fmt: skip

# what makes each command a good one, in a folder with the files below
GOOD = {
    "run": ["s.json", "-o", "out.sunder", "--frames", "2"], "stats": ["r.sunder"], "info": ["box.obj"],
    "repair": ["box.obj", "-o", "out.ply"], "shapes": ["box", "-o", "out.obj"], "tets": ["box.obj", "-o", "out.msh"],
    "export": ["r.sunder", "-o", "out.glb"], "fracture": ["box.obj", "-o", "out_pieces"], "materials": [], "methods": [],
    "slices": ["box.obj", "-o", "out.png"], "picture": ["box.obj", "-o", "out.png", "--width", "32", "--height", "32"],
    "render": ["r.sunder", "-o", "out.png", "--width", "32", "--height", "32"], "validate": ["s.json"], "studio": ["--no-browser"],
}  # fmt: skip
FILES = ["s.json", "r.sunder", "box.obj", "nothing.obj", "empty.sunder", "empty.json", "folder", "pipe.json", "pipe.obj", "pipe.sunder",
         "noise.sunder", "noise.glb", "noise.nrrd", "noise.msh", "link.json", "loop.obj", "", "-", "a" * 5000, "\u00e9.obj", "x\ny.json",
         "--", "/proc/version", "/proc/self/mem", "."]  # fmt: skip
NAMES = ["out.obj", "out.ply", "out.glb", "out.stl", "out.off", "out.msh", "out.vol", "out.node", "out.png", "out.mp4", "out.usda",
         "out.pvd", "out.pov", "out.html", "out.xyz", "out", "folder", "no/such/folder/x.obj", "pipe.obj", "s.json", "box.obj", "loop.obj",
         "x\ny.obj", "a" * 300 + ".obj", "b" * 5000, ".", "r.sunder", "", " ", ".obj", "out.sunder", "\u00e9.glb"]  # fmt: skip
VALUES = ["0", "-1", "1", "2", "nan", "inf", "-inf", "1e308", "1e-320", "1e400", "99999999999999999999", "18446744073709551615", "0x10",
          " 1", "1 ", "1e", "+5", "", "x", "1,2", "1,2,3", "0,0,0", "nan,nan,nan", "[1,2,3]", "[" * 1000, "{" * 70, "a=b", "a=", "=", "=1",
          "world.frames=2", "world.frames=-1", "bodies.a.position=[nan,0,0]", "/bodies/0/velocity/2=1e308", "/bodies/99=1", "frames=$frames",
          "%n%s%n", "\x1b[2J", "a" * 10000, "obj", "ply", "draft", "fem", "prescored", "--help", "0.5", "1e9", "3", "7"]  # fmt: skip


class Commands(bench.Attack):
    name = "commands"
    whole = 1000

    def prepare(self):
        bench.write_page(self.setting)
        self.folder = self.setting.scratch / "files"
        (self.folder / "folder").mkdir(parents=True, exist_ok=True)
        (self.folder / "s.json").write_text(json.dumps(HONEST["prescored"][0]))
        (self.folder / "box.obj").write_text(BOX)
        for empty in ("empty.sunder", "empty.json"):
            (self.folder / empty).touch()
        for noise in ("noise.sunder", "noise.glb", "noise.nrrd", "noise.msh"):
            (self.folder / noise).write_bytes(bytes(range(256)) * 8)
        bench.honest(self.setting, self.folder, "run", "s.json", "-o", "r.sunder", "--frames", "2", "--force")
        # the commands and their options, by what the program says of itself
        said = bench.honest(self.setting, self.folder, "--help").out.decode()
        self.options = {name: self.options_of(name) for name in COMMAND.findall(said.partition("Subcommands:")[2])}
        if set(self.options) != set(GOOD) or sum(map(len, self.options.values())) < 60:
            raise RuntimeError(f"the commands of --help are not those that are known here: {sorted(set(self.options) ^ set(GOOD))}")

    def options_of(self, command):
        """[(name, whether it takes a value)]"""
        said = bench.honest(self.setting, self.folder, command, "--help").out.decode()
        return [(name, bool(kind)) for _, name, kind in OPTION.findall(said)]

    def attack(self, case):
        random = case.random
        shutil.copytree(self.folder, case.folder, dirs_exist_ok=True)
        for pipe in ("pipe.json", "pipe.obj", "pipe.sunder"):
            os.mkfifo(case.file(pipe))
        case.file("link.json").symlink_to("nowhere.json")
        case.file("loop.obj").symlink_to("loop.obj")
        command = random.choice(sorted(self.options))
        arguments = [command, *self.words(random, command)]
        own_file = case.file("s.json").read_bytes()
        waits = {"stop_after": 1.5} if command == "studio" else {"may_be_long": True}
        answer = case.run(*arguments, **waits)
        if answer.code not in (0, 1, 2) and not answer.asked:
            case.note(running.shown(answer.err))
        if case.file("s.json").read_bytes() != own_file:
            case.complain("lost", "a scene was written over")

    def words(self, random, command):
        """The rest of a command line: good words, some of them replaced, some options more."""
        words = list(GOOD[command])
        # another file, another output
        if words and not words[0].startswith("-") and random.random() < 0.3:
            words[0] = random.choice(FILES)
        if "-o" in words and random.random() < 0.4:
            words[words.index("-o") + 1] = random.choice(NAMES)
        # options with odd values
        for _ in range(random.choice([0, 1, 1, 2, 4])):
            name, takes_value = random.choice(self.options[command])
            words.append(name)
            if name in OUTPUTS:
                words.append(random.choice(NAMES))
            elif takes_value:
                words += random.choices(VALUES, k=random.choice([0, 1, 1, 1, 1, 3]))
            elif random.random() < 0.05:
                words[-1] += "=" + random.choice(VALUES)
        if random.random() < 0.1:
            words.insert(random.randrange(len(words) + 1), random.choice([odd.text(random), "--nothing", "-x", "--set"]))
        # nothing that stands there can be an absolute output, whatever an option took for its value
        words = [word for word in words if "\0" not in word and "\ud800" not in word]
        return words
