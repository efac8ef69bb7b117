"""What the attacks find and nobody has mended yet. A finding that fits a row is listed, and is no failure; take the row off
with the mistake. An empty table is the aim."""

import re
from typing import NamedTuple


class Known(NamedTuple):
    attack: str  # its name, as a pattern
    kind: str  # of the complaint, as a pattern
    text: str  # what is said, the command, or what was done to the input, as a pattern
    why: str


KNOWN: list[Known] = []


def reason(finding, about):
    """Why a finding is no surprise, or nothing. `about`: the case's notes."""
    said = "\n".join([finding.text, finding.command, *about])
    for row in KNOWN:
        if re.fullmatch(row.attack, finding.attack) and re.fullmatch(row.kind, finding.kind) and re.search(row.text, said):
            return row.why
    return ""
