"""Key and value: `key: value`, `key=value`, `key value`, YAML objects, Prometheus text, JSON lines.

    Reallocated_Sector_Ct: 24
    container_cpu_cfs_throttled_periods_total{pod="web"} 1213
    {"name": "mysql", "mem": {"used": 123}}
    ->  rows of name, value, unit and what it is of

A word and a number alone are key and value only among several such lines, or where the dictionary has the
key.
"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ingest.engines.quantities.cells import words_of
from ingest.engines.quantities.grid import OF, SUBJECT, VALUES, Grid
from ingest.engines.quantities.meanings import meaning_of, sized

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.row_columns import Cell

LEAST_LINES = 3
MOST_WORDS = 6
"""Of a value before a bracket; more are a sentence."""

MOST_JSON = 200_000
MOST_DEPTH = 4
MOST_TEXT = 80
NAMING_KEYS = ("name", "device", "ifname", "pod", "container", "host", "id")
"""Keys of JSON that name what it is of, the most telling first."""

LIMIT_WORDS = frozenset({"crit", "critical", "max", "maximum", "limit", "emerg"})
"""Words before the limit of a value, on its line: `+101.0 C (high = +80.0 C, crit = +100.0 C)`."""


_INDENTED = re.compile(
    r"^\s*(?:- )?(?P<key>'?[A-Za-z0-9_%/][\w %./()#-]{0,60}?'?)\s*(?:[:=]|\s\.+)\s*(?P<value>\S.*)?$"
)
_PAIR = re.compile(
    r"^\s*(?P<key>[A-Za-z_][\w.:/-]{1,60})\s+(?P<value>[-+]?[\d.]+(?:\s?[A-Za-z%/]{1,6})?)\s*$"
)
_DOTTED = re.compile(
    r"^\s*(?:STAT )?(?P<path>(?:\w{1,40}[.:]){0,6})(?P<key>[A-Za-z]\w{0,80})\s+"
    r"(?P<value>[-+]?[\d.]{1,30}[KMGT%]?)(?:\s.*)?$"
)
"""A name with its number first on the line, whatever follows; counts only with a known name."""

_SAMPLE = re.compile(
    r"^(?P<key>[a-zA-Z_:][\w:]{0,120})(?:\{(?P<labels>[^}]{0,1000})\})?\s+"
    r"(?P<value>[-+]?[\d.]+(?:[eE][-+]?\d+)?)(?: \d{10,13})?$"
)
_LIMITS = re.compile(r"\([^()]{1,80}\)$")
_LABEL = re.compile(r"(?P<name>\w{1,60})=\"(?P<text>[^\"]{0,200})\"")


class _Values:
    """Collects key and value."""

    def __init__(self) -> None:
        self.rows: list[tuple[Cell, ...]] = []
        self.lines: list[int] = []

    def add(self, at: int, key: str, subject: str, value: float | None, *words: str) -> None:
        """Add a value with its unit and its text, in this order; none that stands there twice."""
        if key.endswith("_human"):
            return
        unit, text = (*words, "", "")[:2]
        self.rows.append((subject or None, key, value, unit or None, text[:MOST_TEXT] or None))
        self.lines.append(at)

    def add_text(self, at: int, key: str, subject: str, text: str) -> None:
        """Add a value as printed: a number with its unit, whole and share, else words."""
        words = words_of(text)
        if not words or words[0].number is None:
            self.add(at, key, subject, None, "", text.strip())
            return
        value, unit = sized(key, (words[0].number, words[0].unit, words[0].suffix), (subject,))
        self.add(at, key, subject, value, unit, text.strip())
        for before, word in pairwise(words):
            if word.role == "whole" and word.number is not None:
                self.add(at, f"{key}{OF}", subject, word.number, word.unit)
            elif before.number is None and before.text.lower() in LIMIT_WORDS and word.number is not None:
                self.add(at, f"{key} max", subject, word.number, word.unit)

    def grid(self) -> Grid:
        columns = ((SUBJECT, ""), ("key", ""), ("value", ""), ("unit", ""), ("text", ""))
        return Grid(VALUES, columns, self.rows, self.lines)


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield key and value among the lines with the indices `free`, with the indices that they take."""
    found = _Values()
    taken: list[int] = []
    for at in free:
        line = lines[at].strip()
        if line.startswith("{") and line.endswith("}") and len(line) <= MOST_JSON and _json(line, at, found):
            taken.append(at)
        elif (sample := _SAMPLE.match(line)) and (
            sample["labels"] or sample["key"].endswith(("_total", "_bytes", "_seconds"))
        ):
            labels = ", ".join(
                f"{one['name']} {one['text']}" for one in _LABEL.finditer(sample["labels"] or "")
            )
            found.add(at, sample["key"], labels, float(sample["value"]), "")
            taken.append(at)
    rest = sorted(set(free).difference(taken))
    for block in _blocks(rest):
        taken += _indented(lines, block, found)
    if found.rows:
        yield found.grid(), taken


def _blocks(free: Sequence[int]) -> Iterator[list[int]]:
    block: list[int] = []
    for at in free:
        if block and at != block[-1] + 1:
            yield block
            block = []
        block.append(at)
    if block:
        yield block


def _json(line: str, at: int, found: _Values) -> bool:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(document, dict):
        return False
    keys = {key.lower(): value for key, value in document.items()}
    subject = next((str(keys[key]) for key in NAMING_KEYS if keys.get(key)), "")
    _flat(document, "", subject[:MOST_TEXT], at, found)
    return True


def _flat(value: Any, key: str, subject: str, at: int, found: _Values, *, depth: int = 0) -> None:
    if isinstance(value, dict) and depth < MOST_DEPTH:
        for name, inner in value.items():
            _flat(inner, f"{key} {name}".strip(), subject, at, found, depth=depth + 1)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        found.add(at, key, subject, float(value) if abs(value) < 1e300 else None, "")
    elif isinstance(value, str) and len(value) <= MOST_TEXT:
        found.add_text(at, key, subject, value)


def _is_counter(found: re.Match[str]) -> bool:
    """Return whether a line begins with the name of a counter that the dictionary knows by itself."""
    parts = found["path"].count(".") + found["path"].count(":")
    is_name = parts > 0 or "_" in found["key"]
    return parts > 1 or (is_name and meaning_of(found["key"]) is not None)


def _indented(lines: Sequence[str], block: Sequence[int], found: _Values) -> list[int]:
    """Add the keys of one block, below the keys that they are indented under; return the lines taken."""
    path: list[tuple[int, str]] = []
    kept: list[tuple[int, str, str, str]] = []
    numbers = 0
    for at in block:
        line = lines[at].expandtabs()
        if (dotted := _DOTTED.match(line)) and _is_counter(dotted):
            kept.append((at, dotted["key"], dotted["path"].rstrip(".:"), dotted["value"]))
            numbers += 1
            continue
        pair = _INDENTED.match(line)
        bare = None if pair else _PAIR.match(line)
        if pair is None and bare is None:
            continue
        indent = len(line) - len(line.lstrip())
        key = (pair or bare)["key"].strip(" '") if (pair or bare) else ""  # type: ignore[index]
        value = ((pair or bare)["value"] or "").strip()  # type: ignore[index]
        while path and path[-1][0] >= indent:
            path.pop()
        if not value:
            path.append((indent, key))
            kept.append((at, "", "", ""))
            continue
        if len(value) > MOST_TEXT or len(_LIMITS.sub("", value).split()) > MOST_WORDS:
            continue
        words = words_of(value)
        is_number = bool(words) and words[0].number is not None
        numbers += is_number
        kept.append((at, key, " ".join(name for _, name in path), value))
    known = [one for one in kept if one[1] and meaning_of(one[1]) is not None]
    values = [one for one in kept if one[1]]
    if numbers < LEAST_LINES or len(kept) * 2 < len(block):
        values = known
        kept = known
    for at, key, subject, value in values:
        found.add_text(at, key, subject, value)
    return [one[0] for one in kept]
