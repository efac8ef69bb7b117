"""kill -9 at any moment of a save in Studio, of a run and of an export: what stands under a final name is whole, old or new."""

import json
import time

from attacks import bench, running, websocket
from attacks.recordings import HONEST, box, scene


def large_scene(title):
    """Some hundred kilobytes of text: a save that takes a moment."""
    bodies = [box(f"b{i}", 0.5, 0.5, 0.5, position=[i % 40, 0.3, i // 40]) for i in range(2000)]
    return scene(*bodies, title=title)


EXPORTS = ["x.glb", "x.usda", "x.pvd", "x.pov", "x.html", "x"]


def content(path):
    """Of a file or a folder, to compare."""
    if path.is_dir():
        return {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
    return path.read_bytes()


class Kills(bench.Attack):
    name = "kills"
    whole = 25

    def prepare(self):
        bench.write_page(self.setting)
        self.folder = self.setting.scratch / "whole"
        self.folder.mkdir(exist_ok=True)
        # the unbroken run and exports, and how long they take
        (self.folder / "s.json").write_text(json.dumps(HONEST["gaping"][0]))
        begun = time.monotonic()
        bench.honest(self.setting, self.folder, "run", "s.json", "-o", "r.sunder", "--frames", HONEST["gaping"][1], "--no-cache", "--force")
        self.seconds = {"run": time.monotonic() - begun}
        self.digest = self.digest_of(bench.honest(self.setting, self.folder, "info", "--json", "r.sunder"))
        for name in EXPORTS:
            begun = time.monotonic()
            bench.honest(self.setting, self.folder, "export", "r.sunder", "-o", name, "--force")
            self.seconds[name] = time.monotonic() - begun

    def digest_of(self, answer):
        return json.loads(answer.out)["digest"]

    def attack(self, case):
        [self.save, self.run, self.export][case.number % 3](case)

    def kill(self, case, seconds, *arguments):
        """A command that is killed after some time; false when it was quicker."""
        case.last = case.line(arguments) + f"  # killed after {seconds:.4f} s"
        case.note(case.last)
        process = running.start(case.setting.program, [str(a) for a in arguments], case.folder, case.setting.limits,
                                      environment=case.setting.environment)  # fmt: skip
        time.sleep(seconds)
        killed = not running.has_ended(process)
        running.kill(process)
        case.counts["kills" if killed else "too late"] += 1
        return killed

    def run(self, case):
        """Killed up to three times, gone on with, and then as the unbroken one."""
        command = ["run", "s.json", "-o", "r.sunder", "--frames", HONEST["gaping"][1], "--no-cache", "--resume"]
        case.write("s.json", (self.folder / "s.json").read_bytes())
        for _ in range(case.random.choice([1, 2, 3])):
            self.kill(case, case.random.uniform(0, self.seconds["run"]), *command)
            case.run("info", "r.sunder")
        answer = case.run(*command)
        if not answer.done:
            case.complain("lost", f"cannot be gone on with: {running.shown(answer.err)}")
        elif self.digest_of(case.run("info", "--json", "r.sunder")) != self.digest:
            case.complain("lost", "its content is not that of the unbroken run")

    def export(self, case):
        name = case.random.choice(EXPORTS)
        case.write("r.sunder", (self.folder / "r.sunder").read_bytes())
        self.kill(case, case.random.uniform(0, 1.2 * self.seconds[name]), "export", "r.sunder", "-o", name)
        if case.file(name).exists() and content(case.file(name)) != content(self.folder / name):
            case.complain("lost", f"a part of {name} stands under its name")
        answer = case.run("export", "r.sunder", "-o", name, "--force")
        if not answer.done:
            case.complain("lost", f"what was left is in the way: {running.shown(answer.err)}")
        elif content(case.file(name)) != content(self.folder / name):
            case.complain("lost", f"{name} is another one than without the kill")

    def save(self, case):
        project = case.file("project")
        old = json.dumps(large_scene("old"))
        path = case.write("project/s.json", old)
        studio = websocket.Studio(case, project)
        try:
            socket = websocket.Socket(studio, case.setting.limits.seconds)
            socket.ask("open", path="s.json")
            socket.ask("edit", label="x", patch=[{"op": "replace", "path": "/title", "value": "new"}])
            socket.frame(json.dumps({"id": 99, "do": "save"}).encode())
            seconds = case.random.choice([0.002, 0.02, 0.1, 0.3]) * case.random.random()
            time.sleep(seconds)
            studio.kill()
            case.last = f"studio, save, killed after {seconds:.4f} s"
            case.note(case.last)
            case.counts["kills"] += 1
        finally:
            studio.kill()
            studio.err.close()
        try:
            found = json.loads(path.read_text())
        except ValueError as problem:
            case.complain("lost", f"the scene is broken: {problem}")
            return
        case.counts["saved" if found["title"] == "new" else "not saved yet"] += 1
        if len(found["bodies"]) != 2000 or found["title"] not in ("old", "new") or (found["title"] == "old" and path.read_text() != old):
            case.complain("lost", "the scene is neither the old nor the new one")
        self.start_again(case, project)

    def start_again(self, case, project):
        """Studio finds its way, and clears up."""
        studio = websocket.Studio(case, project)
        try:
            answer = websocket.Socket(studio, case.setting.limits.seconds).ask("open", path="s.json")
            if "error" in answer:
                case.complain("lost", f"the scene does not open: {answer['error']}")
            left = [entry.name for entry in project.iterdir() if entry.name not in ("s.json", ".sunder")]
            if left:
                case.complain("leftover", f"a part of the save is left: {left}")
        finally:
            studio.end(10)
            studio.err.close()
