#!/usr/bin/env python3
"""Attacks a sunder program, as somebody hostile or unlucky would. Nothing may crash, hang, take too much memory, fail without a
word, or write numbers that are not finite without saying so.

    attack.py --sunder build/release/src/sunder scenes             a thousand mutated scenes
    attack.py --sunder PROGRAM --seed 217 --count 1 recordings     case 217 again
    attack.py --sunder PROGRAM all                                 everything: what ./dev test --full attack does

Every case is a seed. A case that found something stays as a folder below --scratch, with FOUND.txt: what, and the command that
does it again. What is known and not mended yet is in attacks/known.py; it is listed, and is no failure."""

import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import shutil
import sys
import time
import traceback

sys.dont_write_bytecode = True

from attacks import bench, full_disk, known, running  # noqa: E402
from attacks.commands import Commands  # noqa: E402
from attacks.kills import Kills  # noqa: E402
from attacks.recordings import Recordings  # noqa: E402
from attacks.scenes import Reproducers, Scenes  # noqa: E402
from attacks.studio import StudioMessages  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ATTACKS = {a.name: a for a in (Recordings, Scenes, Reproducers, StudioMessages, Commands, Kills, full_disk.FullDisk)}


def run_case(attack, number):
    """In a process of its own, so that an attack that fails itself takes no other with it."""
    case = bench.Case(attack.setting, attack.name, number)
    try:
        attack.attack(case)
    except Exception:
        case.complain("attack", f"the attack itself failed: {traceback.format_exc()}")
    for finding in case.findings:
        finding.known = known.reason(finding, case.about)
    case.close()
    return case.findings, case.counts, case.slowest, case.largest


class Account:
    """Of all cases of an attack."""

    def __init__(self, name):
        self.name = name
        self.cases = 0
        self.counts = collections.Counter()
        self.findings = []
        self.slowest, self.largest = (0, ""), (0, "")

    def add(self, result):
        findings, counts, slowest, largest = result
        self.cases += 1
        self.counts += counts
        self.slowest, self.largest = max(self.slowest, slowest), max(self.largest, largest)
        for finding in findings:
            self.findings.append(finding)
            print(f"{'known: ' + finding.known + ': ' if finding.known else ''}{finding}", flush=True)

    def report(self, seconds):
        counts = ", ".join(f"{count} {what}" for what, count in sorted(self.counts.items()))
        new = sum(not finding.known for finding in self.findings)
        print(f"{self.name}: {self.cases} cases in {seconds:.0f} s: {counts}; slowest {self.slowest[0]:.1f} s ({self.slowest[1][:80]}), "
              f"largest {self.largest[0] >> 20} MB ({self.largest[1][:80]}); {new} findings, {len(self.findings) - new} known",
              flush=True)  # fmt: skip
        return new


def run_attack(attack, seed, count, jobs):
    """How many findings are new; None when it could not begin."""
    begun = time.monotonic()
    account = Account(attack.name)
    try:
        attack.prepare()
    except RuntimeError as problem:
        print(f"{attack.name}: not begun: {problem}", file=sys.stderr)
        return None
    with concurrent.futures.ProcessPoolExecutor(jobs, multiprocessing.get_context("fork")) as pool:
        for future in [pool.submit(run_case, attack, number) for number in attack.cases(seed, count or attack.whole)]:
            account.add(future.result())
    return account.report(time.monotonic() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sunder", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--seed", type=int, default=0, help="of the first case")
    parser.add_argument("--count", type=int, help="cases; without: as many as ./dev test --full does")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at a time")
    parser.add_argument("--scratch", type=pathlib.Path, help="where it happens; without: out/attack of the repository")
    parser.add_argument("--sanitized", action="store_true", help="a build with sanitizers: slow, and memory is not looked at")
    parser.add_argument("attack", choices=[*ATTACKS, "all"])
    arguments = parser.parse_args()
    program = arguments.sunder.resolve()
    if not os.access(program, os.X_OK):
        parser.error(f"there is no program {program}")
    # full disks are in a namespace: the rest of it is done there, too
    names = [*ATTACKS] if arguments.attack == "all" else [arguments.attack]
    if full_disk.FullDisk.name in names and not full_disk.inside() and full_disk.permitted():
        return full_disk.go_inside()
    scratch = (arguments.scratch or SOURCE / "out" / "attack").resolve() / "-".join(names[:1] if len(names) == 1 else ["all"])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    limits = running.Limits(10, 0) if arguments.sanitized else running.Limits()
    setting = bench.Setting(program, scratch, limits, SOURCE)
    results = {name: run_attack(ATTACKS[name](setting), arguments.seed, arguments.count, arguments.jobs) for name in names}
    if all(results[name] == 0 for name in names):
        shutil.rmtree(scratch, ignore_errors=True)
        return 0
    print(f"what was found is kept in {scratch}: FOUND.txt in each folder says how to do it again", file=sys.stderr)
    # full disks cannot be had everywhere, and that is said
    return 0 if all(result == 0 or (result is None and name == full_disk.FullDisk.name) for name, result in results.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
