"""Usual values for redaction, from the samples of the formats: writes ingest/redact/usual_values.txt.

python -m tools.usual_values

A token is a usual value when it stands alone behind a mark or in a column in the samples of two formats or
more, and all its parts are technical words: `none`, `read-only`, `kmalloc-*k`, where `*` stands for digits.
The second look of redaction lists other words of the vocabulary that stand so.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.native import _core
from ingest.redact.protected_words import USUAL, technical_words
from ingest.redact.second_look import CELL
from ingest.redact.texts import pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = (ROOT / "tests" / "data", ROOT / "signatures" / "library")
PLANTED = frozenset({"redaction", "__pycache__"})
LEAST_FORMATS = 2
MAX_SAMPLE = 3_000_000
MAX_TEXT = 500_000
_TOKEN = re.compile(r"[a-z][a-z0-9]{2,}(?:-[a-z0-9]+)*")
_NUMBER = re.compile(r"[0-9]+")
_PARTS = re.compile(r"[a-z]{3,}")


def main() -> None:
    """Write the tokens, a line each."""
    folders: dict[str, set[Path]] = defaultdict(set)
    for folder, text in samples():
        for token in values(text):
            folders[token].add(folder)
    usual = sorted(token for token, found in folders.items() if len(found) >= LEAST_FORMATS)
    USUAL.write_text("".join(f"{token}\n" for token in usual), encoding="utf-8")
    sys.stdout.write(f"{len(usual):,} usual values\n")


def samples() -> Iterator[tuple[Path, bytes]]:
    """Yield the beginning of each text with the folder of its format."""
    for root in SAMPLES:
        for file in sorted(root.rglob("*")):
            inside = file.relative_to(root)
            if file.is_file() and PLANTED.isdisjoint(inside.parts) and file.stat().st_size <= MAX_SAMPLE:
                with file.open("rb") as stream:
                    for piece in pieces(stream, file.name):
                        yield Path(root, *inside.parts[:2]), b"".join(piece.chunks)[:MAX_TEXT]


def values(text: bytes) -> Iterator[str]:
    """Yield the tokens of technical words that stand as values."""
    tokens = _core.OpenTokens(_core.Vocabulary([]), _core.Vocabulary([]))
    tokens.add(text)
    for token, _, _, _, _, standing in tokens.finish():
        low = token.decode("utf-8", "replace").lower()
        is_known = all(part in technical_words() for part in _PARTS.findall(low))
        if standing >= CELL and _TOKEN.fullmatch(low) and is_known:
            yield _NUMBER.sub("*", low)


if __name__ == "__main__":
    main()
