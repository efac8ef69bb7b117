"""Messages to Studio's server that no page would send. It still answers, stays small, ends when it is asked to, and touches
nothing outside its project. A case is a server and some messages."""

import json
import os
import shutil
import socket

from attacks import bench, odd, running, websocket
from attacks.recordings import BEAM, HONEST, scene

MESSAGES = 25  # of one case
TO_END = 5  # s, from SIGTERM on
BUSY = {"run", "step", "restart", "render", "export", "repair", "pace"}

PATHS = ["s.json", "beam.json", "r.sunder", "box.obj", "new.json", "new.sunder", "x.glb", "x.png", "x", "nothing.json", "", ".", "..", "../out",
         "/etc/passwd", ".sunder/lock", ".sunder/recent.json", "pipe.json", "loop.json", "leads_out.json", "leads_out/x.json", "a" * 300 + ".json",
         "x\ny.json", "\u00e9.json", "\0.json", "deep/er/x.json", "noise.sunder", "s.json/x"]  # fmt: skip
POINTERS = ["/bodies/-", "/bodies/0", "/bodies/0/position/1", "/bodies/99", "/title", "/materials/clay/fracture/pieces", "", "/", "/bodies",
            "/world", "/bodies/0/array", "no", "/~2", "/version"]  # fmt: skip

# command: its arguments, and of what kind each is
COMMANDS = {
    "scene": {}, "undo": {"restart": "flag"}, "redo": {"restart": "flag"}, "new": {"discard": "flag"},
    "edit": {"label": "text", "patch": "patch", "merge": "text", "base": "number", "restart": "flag"},
    "open": {"path": "path", "discard": "flag"}, "save": {"path": "path", "force": "flag"}, "files": {"folder": "path"}, "recent": {},
    "recover": {"which": "text"}, "forget_recovery": {"which": "text"},
    "bodies": {"take": "number", "from": "number", "deaths_from": "number"},
    "frames": {"take": "number", "from": "number", "to": "number"}, "meshes": {"hashes": "list"}, "canvas": {"hash": "text"},
    "grains": {"body": "body"}, "figures": {"take": "number", "from": "number", "to": "number"},
    "events": {"take": "number", "from": "number"}, "stream": {"take": "number", "name": "stream", "of": "number"},
    "stress": {"take": "number", "event": "number"}, "impacts": {"take": "number", "frame": "number"},
    "run": {"from": "number", "frames": "few", "pace": "pace"}, "step": {"frames": "few"}, "pause": {}, "restart": {}, "pace": {"pace": "pace"},
    "take_before": {}, "throw": {"body": "new body", "at": "number"}, "act": {"action": "action", "at": "number", "merge": "text"},
    "pull_begin": {"body": "body", "point": "vector"}, "pull_move": {"target": "vector"}, "pull_end": {},
    "log": {"from": "number"}, "diagnose": {"path": "path"}, "repair": {"path": "path", "close_openings": "flag"},
    "export": {"path": "path", "first": "number", "last": "number", "tolerance": "number", "every": "number", "pieces_as": "text",
               "blender_script": "flag", "without_stress": "flag", "force": "flag"},
    "render": {"path": "path", "frame": "number", "first": "number", "last": "number", "every": "number", "width": "small", "height": "small",
               "contact_sheet": "flag", "force": "flag"},
    "cancel": {"job": "number"}, "keep": {"path": "path", "force": "flag"},
}  # fmt: skip


def argument(random, kind):
    """One that a page might send, or nearly."""
    if random.random() < 0.15:
        return odd.value(random)
    if kind == "flag":
        return random.random() < 0.5
    if kind == "number":
        return random.choice([0, 1, 2, 3, -1, 10, odd.number(random)])
    if kind == "few":
        return random.choice([0, 1, 3, 5, 10, -1, 1e6, 2**53])
    if kind == "small":
        return random.choice([0, 16, 32, 64, -1, 16384, 2**31])
    if kind == "path":
        return random.choice(PATHS)
    if kind == "pace":
        return random.choice(["real", "fast", "slow"])
    if kind == "stream":
        return random.choice(["impact", "stress", "frame", "body; DROP TABLE body"])
    if kind == "body":
        return random.choice(["a", "b", "beam", "floor", "a/p0", 0, 1, 99, -1])
    if kind == "vector":
        return random.choice([[0, 1, 0], [1, 2], [1e308, 0, 0], [0, 1e400, 0], ["x", 0, 0], [0, 2, 0]])
    if kind == "list":
        return random.choice([[], ["0" * 32], [1, 2], ["x"] * 1000])
    if kind == "new body":
        return {"name": "t", "shape": random.choice(["sphere", "box", "nothing", {"name": "box", "width": odd.number(random)}]),
                "position": [0, 3, 0], "velocity": [0, odd.number(random), 0]}  # fmt: skip
    if kind == "action":
        return {"type": random.choice(["push", "place", "pull", "kick"]), "body": argument(random, "body"),
                "impulse": argument(random, "vector"), "position": [0, 1, 0]}  # fmt: skip
    if kind == "patch":
        return [operation(random) for _ in range(random.choice([0, 1, 1, 2, 30]))]
    return odd.text(random)


def operation(random):
    """Of a JSON Patch."""
    values = [{"name": "n", "shape": "box", "position": [0, 5, 0]}, 3, "x", None, odd.value(random), odd.number(random)]
    return {"op": random.choice(["add", "replace", "remove", "copy", "move", "test", "melt"]), "path": random.choice(POINTERS),
            "from": random.choice(POINTERS), "value": random.choice(values)}  # fmt: skip


def doubling():
    """A patch whose document would be 2^18 deep."""
    patch, depth = [{"op": "add", "path": "/x", "value": {"a": {}}}], 1
    for step in range(18):
        patch.append({"op": "copy", "from": "/x", "path": "/x" + "/a" * (depth + 1)})
        depth = 2 * depth + 1 if step else 3
    return patch


class Talk:
    """One case's conversation: a socket that is opened again when the server closes it."""

    def __init__(self, case, studio):
        self.case = case
        self.studio = studio
        self.socket = None
        self.sent = 0

    def open(self):
        if self.socket is None:
            self.socket = websocket.Socket(self.studio, self.case.setting.limits.seconds)
        return self.socket

    def drop(self):
        if self.socket is not None:
            self.socket.close()
        self.socket = None

    def send(self, content, number=None):
        """A text message, and what was answered to it; nothing when the server closed the socket."""
        self.sent += 1
        self.case.counts["messages"] += 1
        self.case.last = f"message {self.sent}: {content[:300]!r}"
        try:
            self.open().frame(content)
            answer = self.socket.answer(number)
        except (websocket.Closed, ConnectionError):
            self.drop()
            if self.studio.alive():
                self.case.counts["closed"] += 1
            return None
        except TimeoutError:
            self.drop()
            self.case.complain("hang", f"no answer within {self.case.setting.limits.seconds} s")
            return None
        self.judge(answer)
        return answer

    def judge(self, answer):
        self.case.counts["refused" if "error" in answer else "done"] += 1
        if "error" in answer:
            message = json.dumps(answer["error"], ensure_ascii=False)
            match = running.INTERNAL.search(message)
            if match or not answer["error"].get("message"):
                self.case.complain("words", f"answers {message[:300]!r}")

    # ways to say something

    def command(self, random):
        do = random.choice(sorted(COMMANDS))
        given = {name: argument(random, kind) for name, kind in COMMANDS[do].items() if random.random() < 0.8}
        message = {"id": self.sent + 1, "do": do, **given}
        self.send(json.dumps(message).replace("Infinity", "1e400").encode(), message["id"])

    def odd_message(self, random):
        number = self.sent + 1
        messages = [
            json.dumps(odd.value(random)), json.dumps({"id": odd.value(random), "do": "scene"}), json.dumps({"id": number}),
            json.dumps({"id": number, "do": odd.value(random)}), "", "{", '{"id": 1, "id": 2, "do": "scene", "do": "undo"}',
            odd.deep(random, 100_000), '{"id": 9, "do": "edit", "label": "x", "patch": ' + odd.deep(random, 50_000) + "}",
            json.dumps({"id": number, "do": "edit", "label": "x", "patch": doubling()}),
            json.dumps({"id": number, "do": "edit", "label": "y" * 10**6, "merge": "z" * 10**6, "patch": []}),
            json.dumps({"id": number, "do": "render", "path": "e.png", "every": 0}),
        ]  # fmt: skip
        self.send(random.choice(messages).replace("Infinity", "1e400").encode(errors="replace"))

    def odd_bytes(self, random):
        base = json.dumps({"id": self.sent + 1, "do": "edit", "label": "x", "patch": [operation(random)]})
        self.send(odd.damaged_text(random, base))

    def odd_frame(self, random):
        """Frames that the protocol forbids, or that are never finished."""
        ways = {
            "binary": lambda s: s.frame(b"\0" * 10, websocket.BINARY), "no mask": lambda s: s.frame(b"{}", masked=False),
            "reserved": lambda s: s.frame(b"{}", reserved=7), "operation": lambda s: s.frame(b"{}", 11),
            "claims much": lambda s: s.frame(b"{}", claimed=2**62), "unfinished": lambda s: s.frame(b"{}", claimed=1000),
            "long ping": lambda s: s.frame(b"x" * 200, websocket.PING), "parts": lambda s: [s.frame(b"{", final=False), s.frame(b"}", 0)],
            "text in parts": lambda s: [s.frame(b"{", final=False), s.frame(b"}")], "no text": lambda s: s.frame(b"\xff\xfe\xfd"),
            "close": lambda s: s.frame(b"\0", websocket.CLOSE), "noise": lambda s: s.connection.sendall(random.randbytes(500)),
            "many": lambda s: [s.frame(b'{"id":1,"do":"scene"}') for _ in range(100)],
        }  # fmt: skip
        way = random.choice(sorted(ways))
        self.sent += 1
        self.case.counts["frames"] += 1
        self.case.last = f"frame: {way}"
        try:
            ways[way](self.open())
            self.socket.connection.settimeout(0.2)
            self.socket.message()
        except (websocket.Closed, OSError, ValueError):
            pass
        self.drop()

    def odd_request(self, random):
        host = f"Host: {self.studio.host}\r\n"
        token = f"X-Sunder-Token: {self.studio.token}\r\n"
        path = random.choice(["/", "/schema.json", "/mesh/x", "/file?path=s.json", "/file?path=../x", "/file?path=%00", "/../../etc/passwd",
                              "/assets/%2e%2e/x", "/upload?name=x.obj", "/upload?name=../x.obj", "/%", "/" + "a" * 20000, "*"])  # fmt: skip
        body = random.choice([b"", BOX_NOISE, b"v 1 2 3\nf 1 1 1\n"])
        requests = [
            f"GET {path} HTTP/1.1\r\n{host}{token}\r\n".encode(), f"GET {path} HTTP/1.1\r\n{host}\r\n".encode(),
            f"POST {path} HTTP/1.1\r\n{host}{token}Content-Length: {len(body)}\r\n\r\n".encode() + body,
            f"POST {path} HTTP/1.1\r\n{host}{token}Content-Length: 99999999999999999999\r\n\r\n".encode() + body,
            f"POST {path} HTTP/1.1\r\n{host}{token}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n".encode(),
            f"GET {path} HTTP/1.1\r\n{host}{host}\r\n".encode(), b"GET / HTTP/9.9\r\n\r\n", random.randbytes(300),
            f"{odd.text(random)} {path} HTTP/1.1\r\n{host}\r\n\r\n".encode(errors="replace"),
        ]  # fmt: skip
        self.case.counts["requests"] += 1
        self.case.last = f"request for {path[:80]}"
        try:
            self.studio.http(random.choice(requests), 0.5)
        except OSError as problem:
            if not self.studio.alive():
                self.case.complain("crash", f"the server is gone: {problem}")

    WAYS = [command] * 7 + [odd_message, odd_bytes, odd_frame, odd_request]


BOX_NOISE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


class StudioMessages(bench.Attack):
    name = "studio"
    whole = 60  # times MESSAGES

    def prepare(self):
        self.folder = self.setting.scratch / "project"
        (self.folder / "deep" / "er").mkdir(parents=True, exist_ok=True)
        (self.folder / "s.json").write_text(json.dumps(HONEST["prescored"][0]))
        (self.folder / "beam.json").write_text(json.dumps(scene(*BEAM)))
        (self.folder / "box.obj").write_bytes(BOX_NOISE)
        (self.folder / "noise.sunder").write_bytes(bytes(5000))
        bench.honest(self.setting, self.folder, "run", "s.json", "-o", "r.sunder", "--frames", "4", "--force")

    def attack(self, case):
        project, outside = case.file("project"), case.file("outside")
        shutil.copytree(self.folder, project)
        outside.mkdir()
        precious = case.write("outside/x.json", json.dumps(HONEST["rigid"][0]))
        (project / "leads_out.json").symlink_to(precious)
        (project / "leads_out").symlink_to(outside)
        (project / "loop.json").symlink_to("loop.json")
        os.mkfifo(project / "pipe.json")
        studio = websocket.Studio(case, project)
        try:
            self.talk(case, studio)
        finally:
            studio.kill()
            studio.err.close()
        if precious.read_text() != json.dumps(HONEST["rigid"][0]) or len(list(outside.iterdir())) != 1:
            case.complain("lost", "something outside the project was changed")
        others = {entry.name for entry in case.folder.iterdir()} - {"project", "outside", "studio.err"}
        if others:
            case.complain("lost", f"something outside the project was made: {sorted(others)}")

    def talk(self, case, studio):
        talk = Talk(case, studio)
        talk.send(json.dumps({"id": 0, "do": "open", "path": case.random.choice(["s.json", "beam.json", "r.sunder"])}).encode(), 0)
        while talk.sent < MESSAGES and studio.alive():
            case.random.choice(Talk.WAYS)(talk, case.random)
        if not studio.alive():
            code, _ = running.reap(studio.process, lambda: False)
            case.complain("crash", f"the server ended with {code}: {running.shown(studio.said())}")
            return
        # it is still there for an honest client, and ends when it is asked to
        talk.drop()
        last = talk.case.last
        try:
            patient = websocket.Socket(studio, case.setting.limits.seconds)
            if "version" not in patient.ask("scene") or "messages" not in patient.ask("log", **{"from": 0}):
                case.complain("lost", "an honest client is not answered", last)
            patient.close()
        except (websocket.Closed, OSError, socket.timeout) as problem:
            case.complain("hang", f"an honest client is not answered: {problem!r}", last)
        code, seconds = studio.end(TO_END * case.setting.limits.slower)
        case.slowest = max(case.slowest, (seconds, "SIGTERM"))
        case.largest = max(case.largest, (studio.peak, "studio"))
        if code is None:
            case.complain("hang", f"SIGTERM does not end it within {TO_END} s", last)
        elif code not in (0, 130, 143):
            case.complain("crash", f"ends with {code} after SIGTERM: {running.shown(studio.said())}", last)
        said = studio.said()
        for pattern in (running.INTERNAL, running.SANITIZER):
            if pattern.search(said):
                case.complain("words", f"says {running.shown(said)}", last)
        if case.setting.limits.memory and studio.peak > case.setting.limits.memory:
            case.complain("memory", f"took {studio.peak >> 20} MB", last)
