#!/usr/bin/env python3
"""The attacks see what they are there to see: each kind of misbehaviour, done by a shell in the program's place."""

import dataclasses
import json
import pathlib
import random
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from attacks import known, odd, outputs, running, zstd  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Short(running.Limits):
    memory: int = 100 << 20

    @property
    def seconds(self):
        return 0.3


def answer_of(script, **options):
    return running.run("/bin/sh", ["-c", script], "/", Short(), **options)


def kinds(script, **options):
    return [kind for kind, _ in running.complaints(answer_of(script, **options), Short())]


class Judge(unittest.TestCase):
    def test_honest_answers_are_no_matter(self):
        self.assertEqual(kinds("echo done"), [])
        self.assertEqual(kinds("echo 's.json: is a pipe' >&2; exit 1"), [])

    def test_signals_are_crashes(self):
        self.assertEqual(kinds("kill -SEGV $$"), ["crash"])
        self.assertEqual(kinds("kill -ABRT $$"), ["crash"])

    def test_what_does_not_end_hangs(self):
        self.assertEqual(kinds("exec sleep 60"), ["hang"])
        self.assertEqual(kinds("trap '' TERM; while :; do :; done"), ["hang"])

    def test_what_may_be_long_ends_when_it_is_asked(self):
        answer = answer_of("exec sleep 60", may_be_long=True)
        self.assertTrue(answer.asked and not answer.hung)
        self.assertEqual(running.complaints(answer, Short()), [])

    def test_codes_and_words(self):
        self.assertEqual(kinds("echo no >&2; exit 3"), ["code"])
        self.assertEqual(kinds("exit 1"), ["silence"])
        self.assertEqual(kinds("echo '[json.exception.type_error.304]' >&2; exit 1"), ["words"])
        self.assertEqual(kinds("echo 'ERROR: AddressSanitizer' >&2; exit 1"), ["crash"])
        self.assertEqual(kinds("printf '\\033[2J'"), ["terminal"])

    def test_memory_is_measured(self):
        self.assertEqual(kinds(f"exec {sys.executable} -c 'bytearray(200 << 20)'"), ["memory"])


class Outputs(unittest.TestCase):
    def problem(self, name, content):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_bytes(content)
            return outputs.problem_in(path)

    def test_numbers_that_are_not_finite(self):
        for bad in (b"1,nan,2\n", b"x\n-inf\n", b"(0, inf, 1)"):
            self.assertTrue(self.problem("x.csv", bad), bad)
        for good in (b"1,2\n", b"infinite,nano\n", b'"inf",1\n', b"box.inf,1\n"):
            self.assertEqual(self.problem("x.csv", good), "", good)
        self.assertTrue(self.problem("x.json", b'{"a": NaN}'))
        self.assertTrue(self.problem("x.json", b'{"a": 1e999}'))
        self.assertEqual(self.problem("x.json", b'{"a": 1e30}'), "")

    def glb(self, *numbers):
        content = struct.pack(f"<{len(numbers)}f", *numbers)
        facts = {"accessors": [{"componentType": 5126, "bufferView": 0, "count": len(numbers), "type": "SCALAR"}], "bufferViews": [{}]}
        text = json.dumps(facts).encode()
        return b"glTF" + bytes(8) + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(content), 0x004E4942) + content

    def test_floats_of_gltf(self):
        self.assertEqual(self.problem("x.glb", self.glb(1, 2)), "")
        self.assertTrue(self.problem("x.glb", self.glb(1, float("nan"))))

    def test_statistics_tell_of_them(self):
        self.assertTrue(outputs.not_finite_in_stats('{"energy": {"end": null}, "not_finite": {"frames": 0, "events": 0, "first": null}}'))
        self.assertEqual(outputs.not_finite_in_stats('{"energy": {"end": null}, "not_finite": {"frames": 2, "events": 0, "first": 1}}'), "")


class Oddities(unittest.TestCase):
    def test_the_same_seed_does_the_same(self):
        base = {"bodies": [{"name": "a", "position": [0, 1, 2]}], "floor": True}
        texts = [[odd.Mutator(random.Random(seed), base).mutate(2).text() for seed in range(40)] for _ in range(2)]
        self.assertEqual(*texts)
        self.assertGreater(len(set(texts[0])), 30)

    @unittest.skipUnless(zstd.can_unpack(), "there is no program zstd")
    def test_frames_of_zstd_are_what_they_hold(self):
        for data in (b"", b"abc", bytes(range(256)) * 2000):
            self.assertEqual(zstd.unpacked(zstd.packed(data)), data)
        self.assertEqual(zstd.unpacked(zstd.repeated(7, 3)), b"\7" * (3 << 17))

    def test_the_table_of_what_is_known_is_sound(self):
        for row in known.KNOWN:
            self.assertTrue(row.why and row.text)


if __name__ == "__main__":
    unittest.main()
