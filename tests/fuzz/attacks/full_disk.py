"""Full disks, devices and links, as every kind of output meets them.

All of it happens in a namespace of its own: the disks are small ones in memory, and the only device is one that is bound to a plain
file there, read-only. Nothing of the machine's is mounted, removed or written to."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys

from attacks import bench, running, websocket
from attacks.kills import content
from attacks.recordings import HONEST, box, scene

INSIDE = "SUNDER_ATTACK_INSIDE"  # set for whoever is in the namespace
SMALL = ["--width", "32", "--height", "24", "--quality", "draft"]


def permitted():
    """Whether this user may have namespaces and mount in them."""
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0  # fmt: skip


def inside():
    return os.environ.get(INSIDE) == "1"


def go_inside():
    """Runs this very command again in a namespace; its exit code."""
    return subprocess.run(["unshare", "-rm", sys.executable, *sys.argv], env={**os.environ, INSIDE: "1"}).returncode


def mount(*arguments):
    subprocess.run(["mount", *(str(a) for a in arguments)], check=True, capture_output=True)


class FullDisk(bench.Attack):
    name = "full_disk"
    whole = 30  # twice and more each place

    def prepare(self):
        if not inside():
            raise RuntimeError("namespaces are not permitted to this user (unshare -rm): full disks are left to kill_test and "
                               "hostile_files_test, which make writes fail")  # fmt: skip
        bench.write_page(self.setting)
        self.folder = pathlib.Path(self.setting.scratch / "roomy")
        self.folder.mkdir(exist_ok=True)
        (self.folder / "s.json").write_text(json.dumps(HONEST["gaping"][0]))
        (self.folder / "box.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        bench.honest(self.setting, self.folder, "run", "s.json", "-o", "r.sunder", "--frames", HONEST["gaping"][1], "--no-cache", "--force")
        self.digest = json.loads(bench.honest(self.setting, self.folder, "info", "--json", "r.sunder").out)["digest"]

    PLACES = ["record", "go on", "x.glb", "x.usda", "x.pvd", "x.pov", "x.html", "folder", "film", "mesh", "tets", "save", "answer",
              "device", "links"]  # fmt: skip

    def attack(self, case):
        place = self.PLACES[case.number % len(self.PLACES)]
        case.note(f"place: {place}")
        for name in ("s.json", "box.obj", "r.sunder"):
            shutil.copy(self.folder / name, case.folder)
        case.file("disk").mkdir()
        size = case.random.choice([16, 40, 100, 200, 400])
        mount("-t", "tmpfs", "-o", f"size={size}k", "none", case.file("disk"))
        try:
            case.note(f"a disk of {size} kB")
            {"record": self.record, "go on": self.go_on, "save": self.save, "answer": self.answer, "device": self.device,
             "links": self.links}.get(place, self.output)(case, place)  # fmt: skip
        finally:
            subprocess.run(["umount", "-l", case.file("disk")], check=False, capture_output=True)

    def fill(self, case, left):
        """Until so many bytes are left."""
        free = os.statvfs(case.file("disk"))
        with open(case.file("disk/filler"), "wb") as file:
            file.write(bytes(max(0, free.f_bavail * free.f_frsize - left)))

    def make_room(self, case):
        mount("-o", "remount,size=64m", case.file("disk"))
        case.file("disk/filler").unlink(missing_ok=True)

    def told(self, case, answer):
        """Done, or refused with the reason."""
        if answer.refused and not any(word in answer.err for word in ("No space left", "disk is full", "full", "could not be written")):
            case.complain("words", f"does not say that the disk is full: {running.shown(answer.err)}")

    def left(self, case, *allowed):
        names = sorted(entry.name for entry in case.file("disk").iterdir() if entry.name not in ("filler", *allowed))
        if names:
            case.complain("leftover", f"on the disk: {names}")

    # ---- the places

    def record(self, case, _):
        self.fill(case, case.random.choice([0, 4, 16, 60, 120]) * 1024)
        command = ["run", "../s.json", "-o", "r.sunder", "--frames", HONEST["gaping"][1], "--no-cache"]
        self.finish(case, command, case.run(*command, folder=case.file("disk")))

    def go_on(self, case, _):
        command = ["run", "../s.json", "-o", "r.sunder", "--frames", 3, "--no-cache"]
        self.make_room(case)
        case.run(*command, folder=case.file("disk"))
        self.fill(case, case.random.choice([0, 4, 16]) * 1024)
        command[5] = HONEST["gaping"][1]
        self.finish(case, command, case.run(*command, "--resume", folder=case.file("disk")))

    def finish(self, case, command, answer):
        """With room, a run that found none goes on to the same content."""
        self.told(case, answer)
        self.make_room(case)
        if not case.run(*command, "--resume", folder=case.file("disk")).done:
            case.complain("lost", "the run cannot be gone on with")
        elif json.loads(case.run("info", "--json", "disk/r.sunder").out)["digest"] != self.digest:
            case.complain("lost", "its content is not that of the unbroken run")
        self.left(case, "r.sunder")

    def output(self, case, place):
        command = {"folder": ["export", "r.sunder", "-o", "disk/x"], "film": ["render", "r.sunder", "-o", "disk/x.png", *SMALL],
                   "mesh": ["shapes", "goblet", "-o", "disk/x.obj"], "tets": ["tets", "box.obj", "--count", 5000, "-o", "disk/x.msh"],
                   }.get(place, ["export", "r.sunder", "-o", f"disk/{place}"])  # fmt: skip
        if place == "film" and not shutil.which("povray"):
            return
        output = case.file(command[command.index("-o") + 1])
        self.fill(case, case.random.choice([0, 1, 4, 12]) * 1024)
        answer = case.run(*command)
        self.told(case, answer)
        if not answer.done:
            self.left(case)
        # what stood there before stays when its successor does not fit
        self.make_room(case)
        shutil.rmtree(output, ignore_errors=True)
        if not case.run(*command, "--force").done:
            case.complain("lost", "with room it does not go either")
            return
        whole = content(output)
        self.fill(case, 0)
        answer = case.run(*command, "--force")
        self.told(case, answer)
        if not output.exists() or content(output) != whole:
            case.complain("lost", f"{output.name} was there, and is not what it was")

    def answer(self, case, _):
        """What is printed, into a file on the disk."""
        self.fill(case, 0)
        for command in (["info", "r.sunder"], ["stats", "--json", "r.sunder"], ["validate", "s.json"], ["shapes"], ["--help"]):
            with open(case.file("disk/said"), "wb") as file:
                if case.run(*command, out=file).done:
                    case.complain("silence", "its answer is lost, and it says that all is well")

    def save(self, case, _):
        """A scene in Studio, and what it keeps for itself."""
        self.make_room(case)
        old = json.dumps(scene(*(box(f"b{i}", 1, 1, 1, position=[2 * i, 1, 0]) for i in range(100))))
        path = case.file("disk/s.json")
        path.write_text(old)
        studio = websocket.Studio(case, case.file("disk"))
        try:
            socket = websocket.Socket(studio, self.setting.limits.seconds)
            socket.ask("open", path="s.json")
            self.fill(case, case.random.choice([0, 4]) * 1024)
            socket.ask("edit", label="x", patch=[{"op": "add", "path": "/title", "value": "new" * 3000}])
            for do in ("save", "run", "save"):
                answer = socket.ask(do)
                case.counts["refused" if "error" in answer else "done"] += 1
                if running.INTERNAL.search(json.dumps(answer)):
                    case.complain("words", f"{do}: {json.dumps(answer)[:300]}")
            if path.read_text() != old:
                case.complain("lost", "the scene is not what it was")
            self.make_room(case)
            if "error" in socket.ask("save") or json.loads(path.read_text())["title"] != "new" * 3000:
                case.complain("lost", "with room it is not saved either")
            self.left(case, "s.json", ".sunder")
        finally:
            code, _ = studio.end(5 * self.setting.limits.slower)
            studio.err.close()
        if code != 0:
            case.complain("hang" if code is None else "crash", f"ends with {code} after SIGTERM: {running.shown(studio_said(case))}")

    def device(self, case, _):
        """One that --force must neither replace nor remove. It is bound to a plain file of this folder."""
        self.make_room(case)
        device = case.write("disk/null.sunder", "")
        mount("--bind", "/dev/null", device)
        mount("-o", "remount,bind,ro", device)
        case.file("disk/link.sunder").symlink_to("null.sunder")
        named = scene(box("a", 1, 1, 1, position=[0, 1, 0]), output={"file": "disk/null.sunder"})
        case.write("named.json", json.dumps(named))
        for name in ("null.sunder", "link.sunder"):
            output = f"disk/{name}"
            for command in (["run", "s.json", "--frames", 1, "-o", output], ["export", "r.sunder", "-o", output],
                            ["shapes", "box", "-o", output], ["render", "r.sunder", "-o", output, *SMALL]):  # fmt: skip
                self.refused(case, case.run(*command, "--force"))
        self.refused(case, case.run("run", "named.json", "--frames", 1, "--force"))
        if not stat.S_ISCHR(device.stat().st_mode):
            case.complain("lost", "a device was replaced")
        subprocess.run(["umount", device], check=True)

    def links(self, case, _):
        """To a file outside, to nowhere, to a folder, to themselves: what they lead to stays."""
        self.make_room(case)
        precious = case.write("precious", "precious")
        case.file("outside").mkdir()
        for name, target in {"file": precious, "nowhere": "no/such", "outside": case.file("outside"), "loop": "loop.glb"}.items():
            case.file(f"disk/{name}.glb").symlink_to(target)
        for name in ("file", "nowhere", "outside", "loop"):
            for command in (["export", "r.sunder", "-o"], ["shapes", "box", "-o"], ["run", "s.json", "--frames", 1, "-o"]):
                for more in ([], ["--force"]):
                    case.run(*command, f"disk/{name}.glb", *more)
        if precious.read_text() != "precious" or list(case.file("outside").iterdir()) or case.file("disk/no").exists():
            case.complain("lost", "what a link leads to was changed")

    def refused(self, case, answer):
        if answer.done:
            case.complain("lost", "writes to a device, or in its place")


def studio_said(case):
    return case.file("studio.err").read_text(errors="replace")
