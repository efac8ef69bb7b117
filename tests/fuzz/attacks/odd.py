"""Odd values, texts and JSON. Everything follows from the generator of random numbers that is given."""

import copy
import json

NUMBERS = [0, -1, 1, 2, 3, 1e-9, 1e9, 1e308, -1e308, 1e-320, 0.5, -0.0, 1e18, 2**31, 2**32, 2**53, 2**63 - 1, 2**64, -(2**63), 1e400]
TEXTS = [
    "", " ", "a", "$a", "$", "a/b", "..", "../x", "a" * 300, "\u00e9\u4e2d\U0001f600", "x\ny", "\x1b[2J", "\x00", "%n%s", "-", "=1+1",
    "\"'<>&\\", "con", "a.b", "#", "\u202e", "\ud800", "floor", "default", "true", "1", "null",
]  # fmt: skip


def number(random):
    return random.choice(NUMBERS) if random.random() < 0.8 else random.uniform(-10, 10) * 10.0 ** random.randint(-12, 12)


def text(random):
    return random.choice(TEXTS)


def deep(random, most=200_000):
    """Text of JSON that nests too deep; of that an object, a list, or both."""
    levels = random.choice([60, 65, 70, 1000, most])
    opened, closed = random.choice([("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
    return opened * levels + "1" + closed * levels


def value(random, depth=0):
    """Anything that JSON can say."""
    kind = random.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return None
    if kind == 1:
        return random.random() < 0.5
    if kind in (2, 3):
        return number(random)
    if kind in (4, 5):
        return text(random)
    if kind == 6:
        return [value(random, depth + 1) for _ in range(random.choice([0, 1, 2, 3, 4, 20]))]
    if kind == 7:
        return [number(random)] * random.choice([0, 3, 4, 1000])
    return {text(random): value(random, depth + 1) for _ in range(random.choice([0, 1, 3]))}


def places(json_value):
    """[(container, key)] of all values inside one, depth first."""
    found, left = [], [json_value]
    while left:
        container = left.pop()
        keys = container if isinstance(container, dict) else range(len(container)) if isinstance(container, list) else ()
        for key in keys:
            found.append((container, key))
            if isinstance(container[key], (dict, list)):
                left.append(container[key])
    return found


class Mutator:
    """Changes a JSON value here and there. What JSON as Python has it cannot say (a key twice, nesting without end) is put in
    when it becomes text."""

    def __init__(self, random, json_value):
        self.random = random
        self.root = copy.deepcopy(json_value)
        self.replacements = []  # (what stands in for it, what it becomes)
        self.done = []  # in words

    def stand_in(self, becomes):
        name = f"@@{len(self.replacements)}@@"
        self.replacements.append((name, becomes))
        return name

    def place(self, kind=None):
        """A place whose value is of a kind, or any; None when there is none."""
        fit = [(c, k) for c, k in places(self.root) if kind is None or isinstance(c[k], kind) and not isinstance(c[k], bool)]
        return self.random.choice(fit) if fit else None

    # the ways; each returns what it did in words, or nothing

    def drop(self):
        container, key = self.place() or (None, None)
        if container is not None:
            del container[key]
            return f"drops {key!r}"

    def set_any(self):
        container, key = self.place() or (None, None)
        if container is not None:
            container[key] = value(self.random)
            return f"{key!r} is {str(container[key])[:60]!r}"

    def set_number(self):
        container, key = self.place((int, float)) or (None, None)
        if container is not None:
            container[key] = number(self.random)
            return f"number {key!r} is {container[key]!r}"

    def set_text(self):
        container, key = self.place(str) or (None, None)
        if container is not None:
            container[key] = text(self.random)
            return f"text {key!r} is {container[key]!r}"

    def scale_number(self):
        container, key = self.place((int, float)) or (None, None)
        if container is not None:
            container[key] *= self.random.choice([-1, 2, 0.5, 10, 0.1, 1000, 1e-3, 1e6, 1e-6])
            return f"number {key!r} becomes {container[key]!r}"

    def rename(self):
        container, key = self.place() or (None, None)
        if isinstance(container, dict):
            other = self.random.choice([key + "x", key.upper(), key[:-1], text(self.random), key + " "])
            container[other] = container.pop(key)
            return f"{key!r} is called {other!r}"

    def twice(self):
        container, key = self.place() or (None, None)
        if isinstance(container, dict) and container[key] is not None:
            container[self.stand_in(json.dumps(key)[1:-1])] = value(self.random)
            return f"{key!r} is there twice"

    def nest(self):
        container, key = self.place() or (None, None)
        if container is not None:
            levels = self.random.choice([1, 2, 30, 63, 64, 70])
            for _ in range(levels):
                container[key] = [container[key]] if levels < 3 or self.random.random() < 0.5 else {"a": container[key]}
            return f"{key!r} is {levels} deep"

    def nest_without_end(self):
        container, key = self.place() or (None, None)
        if container is not None:
            container[key] = self.stand_in(deep(self.random))
            return f"{key!r} is very deep"

    def many(self):
        container, key = self.place(list) or (None, None)
        if container is not None and container[key]:
            times = self.random.choice([2, 10, 100, 1000])
            items = container[key]
            container[key] = [copy.deepcopy(self.random.choice(items)) for _ in range(min(times * len(items), 2000))]
            return f"{key!r} has {len(container[key])} items"

    def swap(self):
        one, other = self.place(), self.place()
        if one and other and one[0] is other[0]:
            (a, i), (b, k) = one, other
            a[i], b[k] = b[k], a[i]
            return f"{i!r} and {k!r} change places"

    def copy_elsewhere(self):
        one, other = self.place(), self.place()
        if one and other:
            (a, i), (b, k) = one, other
            b[k] = copy.deepcopy(a[i])
            return f"{k!r} is a copy of {i!r}"

    WAYS = [drop, set_any, set_number, set_number, set_text, scale_number, scale_number, rename, twice, nest, nest_without_end, many,
            swap, copy_elsewhere]  # fmt: skip

    def mutate(self, times, ways=None):
        """Does so many of the ways, chosen by chance."""
        tries = 0
        while len(self.done) < times and tries < 50:
            tries += 1
            did = self.random.choice(ways or self.WAYS)(self)
            if did:
                self.done.append(did)
        return self

    def text(self):
        result = json.dumps(self.root, indent=1)
        for name, becomes in self.replacements:
            quoted = f'"{name}"'
            # as a key it stays in quotes, as a value it goes with them
            result = result.replace(f"{quoted}:", f'"{becomes}":').replace(quoted, becomes)
        return result


def damaged_text(random, whole):
    """A text with letters lost, doubled or changed; as bytes."""
    data = bytearray(whole.encode(errors="surrogatepass"))
    for _ in range(random.choice([1, 1, 2, 10])):
        at = random.randrange(len(data)) if data else 0
        way = random.randrange(5)
        if way == 0:
            del data[at : at + random.choice([1, 1, 3, 50])]
        elif way == 1:
            data[at:at] = random.choice([b",", b"{", b"}", b"[", b"]", b'"', b"\0", b"\xff", b"//", b"/*", b"-", b"e", b"\xef\xbb\xbf"])
        elif way == 2 and data:
            data[at] = random.randrange(256)
        elif way == 3:
            data[at:at] = data[at : at + random.choice([1, 10, 200])]
        else:
            del data[at:]
    return bytes(data)
