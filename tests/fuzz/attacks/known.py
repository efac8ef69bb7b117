"""What the attacks find and nobody has mended yet. A finding that fits a row is listed, and is no failure; take the row off
with the mistake. An empty table is the aim."""

import re
from typing import NamedTuple


class Known(NamedTuple):
    attack: str  # its name, as a pattern
    kind: str  # of the complaint, as a pattern
    text: str  # what is said, the command, or what was done to the input, as a pattern
    why: str


KNOWN = [
    Known("reproducers", "lost", r"reproducer 'layer'", "a layer that ignores itself falls through the floor"),
    Known("reproducers|scenes", "hang|memory", r"groups", "groups of groups have no limit but that of bodies"),
    Known("reproducers|scenes", "disagreement", r"is open|not closed|hull:|span a volume", "open shells and thin hulls: validate sees less than run"),
    Known("reproducers", "memory", r"flat_hull\.json", "the hull of a body of no thickness takes all memory"),
    Known("reproducers|scenes", "memory", r"spot\.json|\d{3,} bodies in one place", "the number of pairs has no limit"),
    Known("scenes", "memory", r"'cells': 512", "a distance field of 512 cells takes 2.7 GB: 20 bytes for each of 134 million points"),
    Known("scenes", "memory", r"tets' (?:is|becomes) \d{6,}", "a million tets, as a scene may ask for, take 2.6 GB in run"),
    Known("reproducers|scenes", "not finite", r"tiny\.json|1e-0[69]", "bodies of a nanometre become NaN, and nobody says so"),
]


def reason(finding, about):
    """Why a finding is no surprise, or nothing. `about`: the case's notes."""
    said = "\n".join([finding.text, finding.command, *about])
    for row in KNOWN:
        if re.fullmatch(row.attack, finding.attack) and re.fullmatch(row.kind, finding.kind) and re.search(row.text, said):
            return row.why
    return ""
