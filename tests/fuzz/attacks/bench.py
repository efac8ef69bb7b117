"""A case: a folder, the commands that are run in it, and what was complained of. An attack: many cases, one for each seed."""

import collections
import dataclasses
import os
import pathlib
import random
import shlex
import shutil

from attacks import running


@dataclasses.dataclass(frozen=True)
class Setting:
    """What all cases share."""

    program: pathlib.Path
    scratch: pathlib.Path  # everything happens below
    limits: running.Limits
    source: pathlib.Path  # of the repository: its scenes

    @property
    def environment(self):
        """Nothing of the user's is read or written."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "ASAN_OPTIONS", "TSAN_OPTIONS", "LD_LIBRARY_PATH")
                if name in os.environ}  # fmt: skip
        return {**kept, "HOME": str(self.scratch), "SUNDER_CACHE": "", "SUNDER_WEB": str(self.scratch / "web"),
                "TMPDIR": str(self.scratch)}  # fmt: skip


@dataclasses.dataclass
class Finding:
    attack: str
    case: int
    kind: str
    text: str
    command: str  # by which it was seen
    known: str = ""  # why it is no surprise

    def __str__(self):
        return f"{self.attack} {self.case}: {self.kind}: {self.text}\n    {self.command}"


class Case:
    """One seed of an attack at work."""

    def __init__(self, setting, attack, number):
        self.setting = setting
        self.attack = attack
        self.number = number
        self.random = random.Random(f"{attack} {number}")
        self.folder = setting.scratch / f"{attack}-{number}"
        self.findings = []
        self.counts = collections.Counter()
        self.slowest = (0, "")  # s, of which command
        self.largest = (0, "")  # bytes
        self.last = ""  # command
        self.about = []  # lines for whoever looks into it
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def file(self, name):
        return self.folder / name

    def write(self, name, content):
        path = self.file(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(errors="surrogatepass"))
        return path

    def note(self, text):
        self.about.append(text)

    def line(self, arguments):
        """As one would type it, in the case's folder."""
        return shlex.join(["sunder", *(str(argument)[:300] for argument in arguments)])

    def complain(self, kind, text, command=None):
        self.findings.append(Finding(self.attack, self.number, kind, text, command or self.last))

    def run(self, *arguments, judged=True, **options):
        """A command in the case's folder; how it ended is judged, what it answered is for the caller."""
        self.last = self.line(arguments)
        answer = running.run(self.setting.program, arguments, options.pop("folder", self.folder), self.setting.limits,
                             environment=self.setting.environment, **options)  # fmt: skip
        self.counts["commands"] += 1
        self.counts["long" if answer.asked else "done" if answer.done else "refused" if answer.refused else "failed"] += 1
        self.slowest = max(self.slowest, (answer.seconds, self.last))
        self.largest = max(self.largest, (answer.peak, self.last))
        if judged:
            for kind, text in running.complaints(answer, self.setting.limits):
                self.complain(kind, text)
        return answer

    def close(self):
        """Keeps the folder when there is something to look at."""
        if not self.findings:
            shutil.rmtree(self.folder, ignore_errors=True)
            return
        again = f"attack.py --sunder {shlex.quote(str(self.setting.program))} --seed {self.number} --count 1 {self.attack}"
        lines = [f"again: {again}", *self.about, *(str(finding) for finding in self.findings)]
        (self.folder / "FOUND.txt").write_text("\n".join(lines) + "\n", errors="backslashreplace")


class Attack:
    """Derive, and say what one case does. Cases know nothing of each other, and run in several processes."""

    name = ""
    whole = 0  # cases of ./dev test --full

    def __init__(self, setting):
        self.setting = setting

    def prepare(self):
        """Once, before all cases. Throws RuntimeError when there is nothing to begin with."""

    def cases(self, seed, count):
        """The numbers of the cases; each is a seed."""
        return range(seed, seed + count)

    def attack(self, case):
        raise NotImplementedError


def honest(setting, folder, *arguments):
    """A command that has to go well before anything can be attacked."""
    answer = running.run(setting.program, arguments, folder, running.Limits(10, 0), environment=setting.environment)
    if answer.code != 0:
        raise RuntimeError(f"{shlex.join(answer.arguments)}: exit code {answer.code}: {answer.err.strip()}")
    return answer


def write_page(setting):
    """A page that replays can be made of, without the web's build."""
    page = setting.scratch / "web"
    page.mkdir(parents=True, exist_ok=True)
    (page / "replay.html").write_text('<script id="sunder-recording" type="application/octet-stream"></script>')
