"""A bare WebSocket client of Studio's server, which can also say what no client would."""

import base64
import json
import os
import re
import select
import signal
import socket
import struct
import time

from attacks import running

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Closed(Exception):
    """The other side ended the connection."""


class Studio:
    """A `sunder studio` of a project folder, on a free port of this machine alone."""

    def __init__(self, case, project, arguments=()):
        self.limits = case.setting.limits
        self.err = open(case.file("studio.err"), "a+b")
        case.last = case.line(["studio", "--project", project, *arguments])
        self.process = running.start(
            case.setting.program, ["studio", "--project", str(project), "--no-browser", "--no-cache", "--threads", "1", *arguments],
            case.folder, self.limits, out=running.subprocess.PIPE, err=self.err, environment=case.setting.environment)  # fmt: skip
        self.peak = 0
        line, begun = b"", time.monotonic()
        while b"\n" not in line and time.monotonic() - begun < 3 * self.limits.seconds:
            if select.select([self.process.stdout], [], [], 0.2)[0]:
                more = os.read(self.process.stdout.fileno(), 4096)
                line += more
                if not more:
                    break
        match = re.search(rb"http://127\.0\.0\.1:(\d+)/#(\S+)", line)
        if not match:
            self.kill()
            raise RuntimeError(f"studio has no address: {line!r} {self.said()!r}")
        self.port, self.token = int(match[1]), match[2].decode()
        self.host = f"127.0.0.1:{self.port}"

    def said(self):
        """On stderr, so far."""
        self.err.seek(0)
        return self.err.read(1 << 20).decode(errors="replace")

    def memory(self):
        """Bytes, at its peak so far."""
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                self.peak = max(self.peak, int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) * 1024)
        except (OSError, TypeError):
            pass
        return self.peak

    def alive(self):
        return not running.has_ended(self.process)

    def end(self, seconds):
        """By SIGTERM; (exit code, seconds it took), the code None when it did not end in time."""
        self.memory()
        if self.alive():
            self.process.send_signal(signal.SIGTERM)
        begun = time.monotonic()
        ended = running.reap(self.process, lambda: time.monotonic() - begun > seconds)
        taken = time.monotonic() - begun
        self.kill()
        return ended and ended[0], taken

    def kill(self):
        running.kill(self.process)
        self.process.stdout.close()

    def http(self, request, seconds=20):
        """The answer to bytes, as far as it comes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            answer = b""
            try:
                connection.sendall(request)
                while len(answer) < 1 << 22:
                    more = connection.recv(1 << 16)
                    if not more:
                        break
                    answer += more
                    head, end, body = answer.partition(b"\r\n\r\n")
                    length = re.search(rb"content-length: (\d+)", head, re.I)
                    if end and length and len(body) >= int(length[1]):
                        break
            except OSError:
                pass
            return answer


class Socket:
    """A WebSocket to a Studio."""

    def __init__(self, studio, seconds=20):
        self.connection = socket.create_connection(("127.0.0.1", studio.port), timeout=seconds)
        self.rest = b""
        self.next = 0
        self.status = None
        request = (
            f"GET /socket HTTP/1.1\r\nHost: {studio.host}\r\nOrigin: http://{studio.host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: sunder.{studio.token}\r\n\r\n")  # fmt: skip
        self.connection.sendall(request.encode())
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Closed(head.decode(errors="replace"))

    def more(self):
        data = self.connection.recv(1 << 16)
        if not data:
            raise Closed("closed")
        self.rest += data

    def take(self, count):
        while len(self.rest) < count:
            self.more()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def frame(self, content, operation=TEXT, final=True, masked=True, reserved=0, claimed=None):
        """As it is written on the wire; `claimed`: a length other than the true one."""
        length = len(content) if claimed is None else claimed
        first = final << 7 | reserved << 4 | operation
        mask = masked << 7
        if length < 126:
            head = struct.pack("!BB", first, mask | length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", first, mask | 126, length)
        else:
            head = struct.pack("!BBQ", first, mask | 127, length)
        self.connection.sendall(head + (b"\0\0\0\0" if masked else b"") + content)

    def message(self):
        """(operation, bytes) of the next one."""
        whole, kind = b"", None
        while True:
            first, second = self.take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack("!H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack("!Q", self.take(8))[0]
            content = self.take(length)
            operation = first & 15
            if operation == CLOSE:
                raise Closed(f"closed: {content!r}")
            if operation == PING:
                self.frame(content, PONG)
                continue
            if operation == PONG:
                continue
            kind = kind or operation
            whole += content
            if first & 128:
                return kind, whole

    def answer(self, number):
        """To the message of that id (None: whatever comes next), or to one without; notices of the status are kept."""
        while True:
            kind, content = self.message()
            if kind == BINARY:
                length = struct.unpack_from("<I", content)[0]
                said = json.loads(content[4 : 4 + length])
            else:
                said = json.loads(content)
            if "status" in said and "id" not in said:
                self.status = said["status"]
            elif number is None or said.get("id", number) == number:
                return said

    def ask(self, do, **arguments):
        self.next += 1
        self.frame(json.dumps({"id": self.next, "do": do, **arguments}).encode())
        return self.answer(self.next)

    def job(self, answer, seconds):
        """Waits until a job has ended; its entry in the status, or nothing."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for job in (self.status or {}).get("jobs", []):
                if job["id"] == answer["job"] and job["state"] != "running":
                    return job
            self.ask("log", **{"from": 0})
            time.sleep(0.05)
        return None

    def close(self):
        self.connection.close()
