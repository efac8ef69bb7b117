"""Runs a command within limits of time and memory, and judges how it ended."""

import dataclasses
import os
import re
import resource
import signal
import subprocess
import tempfile
import time

MOST_SECONDS = 20  # of work; a command that does no work has three times as long
MOST_MEMORY = 1 << 30  # bytes, at its peak
MOST_ADDRESSES = 4 << 30  # bytes; beyond it memory is refused, so that no case brings the machine down
LARGEST_FILE = 1 << 30  # bytes
TO_END = 8  # s, once a signal asked for it

# what a library says of itself, and what no message of ours says
INTERNAL = re.compile(
    r"std::|_M_|json\.exception|bad_alloc|filesystem error|basic_string|terminate called|nlohmann|"
    r"Assertion|no such (?:column|table)|\bwhat\(\)"
)
SANITIZER = re.compile(r"(?:Address|Leak|Thread)Sanitizer|runtime error: ")
NO_MEMORY = re.compile(r"not enough memory")
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass(frozen=True)
class Limits:
    """What a command may take. A build with sanitizers is slow and has its own ideas of memory."""

    slower: int = 1
    memory: int = MOST_MEMORY  # 0: not looked at

    @property
    def seconds(self):
        return MOST_SECONDS * self.slower


@dataclasses.dataclass
class Answer:
    """How a command ended."""

    arguments: list
    code: int = 0  # as the shell has it; -n: signal n ended it
    hung: bool = False  # it did not end in time
    asked: int = 0  # the signal by which it was asked to end, if it was
    seconds: float = 0  # by the clock
    peak: int = 0  # bytes, of the largest process
    out: bytes = b""
    err: str = ""

    @property
    def done(self):
        return self.code == 0 and not self.asked

    @property
    def refused(self):
        return self.code in (1, 2)


def work(process):
    """Seconds of processor time so far."""
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS
    except (OSError, IndexError):
        return 0


def limited(limits):
    """Called in the child, between fork and exec."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        if limits.memory:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESSES, MOST_ADDRESSES))

    return limit


def start(program, arguments, folder, limits, out=subprocess.DEVNULL, err=subprocess.DEVNULL, environment=None):
    """The program beside us, in a group of its own, so that what it started goes with it."""
    return subprocess.Popen(
        [program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
        env=environment, preexec_fn=limited(limits), start_new_session=True)  # fmt: skip


def reap(process, until):
    """(exit code, peak memory) once it has ended, and with it what it started; None when `until` says that it takes too long."""
    pause = 0.001
    while not has_ended(process):
        if until():
            return None
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    # its number is not given to others before it is waited for
    os.killpg(process.pid, signal.SIGKILL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * 1024


def has_ended(process):
    return process.returncode is not None or os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def kill(process):
    """With what it started; once is enough."""
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
        reap(process, lambda: False)


def run(program, arguments, folder, limits, environment=None, may_be_long=False, stop_after=None, out=None):
    """Runs a command to its end. One that `may_be_long` is asked to stop when its time is over, which is no hang as long as
    it does; `stop_after` seconds it is asked anyway. `out`: a file for what it says, which is not judged then."""
    begun = time.monotonic()
    answer = Answer([str(argument) for argument in arguments])
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as complained:
        process = start(program, answer.arguments, folder, limits, out or said, complained, environment)

        def late():
            seconds = time.monotonic() - begun
            if stop_after is not None and seconds > stop_after:
                return True
            if seconds < limits.seconds:
                return False
            return seconds > 3 * limits.seconds or work(process.pid) >= limits.seconds

        ended = reap(process, late)
        if ended is None and (may_be_long or stop_after is not None):
            answer.asked = signal.SIGTERM
            process.send_signal(answer.asked)
            asked = time.monotonic()
            ended = reap(process, lambda: time.monotonic() - asked > TO_END * limits.slower)
        if ended is None:
            answer.hung = True
            process.kill()
            ended = reap(process, lambda: False)
        answer.code, answer.peak = ended
        answer.seconds = time.monotonic() - begun
        for file in (said, complained):
            file.seek(0)
        answer.out, answer.err = said.read(1 << 24), complained.read(1 << 20).decode(errors="replace")
    return answer


def complaints(answer, limits, own_signal=0):
    """[(kind, text)] of what is wrong with how it ended, whatever it was asked. `own_signal`: one that we ended it by."""
    found = []
    if answer.hung:
        found.append(("hang", f"did not end within {limits.seconds} s"))
    elif answer.code < 0 and -answer.code not in (own_signal, answer.asked):
        found.append(("crash", f"ended by {signal.Signals(-answer.code).name}"))
    elif answer.code > 2 and answer.code != 128 + answer.asked:
        found.append(("code", f"exit code {answer.code}"))
    if answer.refused and not answer.err.strip() and not answer.out.strip():  # with --json what is wrong goes to stdout
        found.append(("silence", f"exit code {answer.code} without a word"))
    # what is said
    for pattern in (INTERNAL, SANITIZER):
        match = pattern.search(answer.err)
        if match:
            found.append(("crash" if pattern is SANITIZER else "words", f"says {match[0]!r}: {shown(answer.err)}"))
    for text in (answer.out, answer.err.encode(errors="replace")):
        match = CONTROL.search(text)
        if match:
            found.append(("terminal", f"prints the control character {match[0]!r}: {shown(text.decode(errors='replace'))}"))
    # memory
    if limits.memory and answer.peak > limits.memory:
        found.append(("memory", f"took {answer.peak >> 20} MB"))
    elif NO_MEMORY.search(answer.err):
        found.append(("memory", f"wanted more than {MOST_ADDRESSES >> 20} MB: {shown(answer.err)}"))
    return found


def shown(text):
    """The end of what was said, on one line."""
    return repr(text.strip()[-300:])
