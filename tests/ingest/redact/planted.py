"""Secrets planted in evidence, from `tests/data/redaction`: kind, encoding and line of each."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import NamedTuple

import yaml

FOLDER = Path("tests/data/redaction")
OPENS, CLOSES = "⟨", "⟩"
PART = 6
"""A leak is also a part of at least six characters that is half of the secret or more."""

ENCODINGS = {
    "": lambda secret: secret,
    "upper": str.upper,
    "base64": lambda secret: base64.b64encode(secret.encode()).decode(),
    "hex": lambda secret: secret.encode().hex(),
    "HEX": lambda secret: secret.encode().hex().upper(),
    "backwards": lambda secret: secret[::-1],
}


class Planted(NamedTuple):
    """One secret.

    Attributes:
        written: The secret as it is in `line`.
        line: Without its end.
    """

    kind: str
    encoded_as: str
    written: str
    line: str

    def is_in(self, text: str) -> bool:
        """Return whether `text` contains the secret or half of it, ignoring case."""
        written, low = self.written.lower(), text.lower()
        size = max(PART, (len(written) + 1) // 2)
        has_half = len(written) > size and (written[:size] in low or written[-size:] in low)
        return written in low or has_half


class Case(NamedTuple):
    """Evidence of one case: lines with plain names, and lines with planted secrets.

    Attributes:
        remaining: Encodings that are not replaced, and why.
    """

    plain: str
    planted: list[Planted]
    remaining: dict[str, str]

    @property
    def text(self) -> str:
        """All planted lines."""
        return "".join(f"{one.line}\n" for one in self.planted)


def load(name: str) -> Case:
    """Load the case from the file `name`."""
    document = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    plain = "".join(f"{line}\n" for line in document["plain"])
    return Case(plain, [_planted(*row) for row in document["planted"]], document.get("remaining", {}))


def _planted(kind: str, encoded_as: str, secret: str, line: str, how: str = "") -> Planted:
    if OPENS in line:
        before, _, rest = line.partition(OPENS)
        written, _, behind = rest.partition(CLOSES)
        line = f"{before}{written}{behind}".replace("{{", "{").replace("}}", "}")
        return Planted(kind, encoded_as, written, line)
    written = ENCODINGS[how](secret)
    return Planted(kind, encoded_as, written, line.format(written))
