"""What is a head: names only; the groups above it, and the title of its section.

are_names(["Device", "r/s", "%util"])  ->  True
are_names(["sda", "12", "99 %"])       ->  False
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.quantities.cells import number_of
from ingest.engines.quantities.head_forms import bars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.engines.quantities.head_forms import Form

MOST_COLUMNS = 200
MOST_NAME = 40
MOST_TITLE_LINES = 12
"""Lines above a table that are looked at for the title of its section."""

_PERCENTILE = re.compile(r"\d{1,2}(?:\.\d{1,5})?%$")
_BETWEEN = re.compile(r"[\s,;|│┃]+")
_PROMPTS = ("$", "%", ">", "~", "(", "[")
_WORD, _WORDS = re.compile(r"\S+"), re.compile(r"\S+(?: \S+)*")
_DASHED = re.compile(r"--\w")
_DATE = re.compile(r"\d{4}[-/]\d\d[-/]\d\d")
_NAME_AND_NUMBER = re.compile(r"[A-Za-z#]\S*(?: \S+)?\s+[\d.]+\s?\S{0,6}$")
_BLANK_WIDE = re.compile(r"\S\s{3,}\S")


def are_names(names: Sequence[str], form: Form) -> bool:
    """Return whether the cells of a line are names only, and no prompt, values or pairs."""
    if not form.least_columns <= len(names) <= MOST_COLUMNS:
        return False
    if any(len(name) > MOST_NAME for name in names) or sum(not name for name in names) > 1:
        return False
    if any(name.endswith((".", ":", ",")) for name in names) and form.row is not bars:
        return False
    if any(_DATE.match(name) for name in names) or sum(map(_is_pair, names)) * 2 > len(names):
        return False
    is_prompt = names[0] in _PROMPTS or (names[0].startswith(_PROMPTS) and not names[0].startswith("%"))
    return not any(_is_value(name) for name in names) and not is_prompt


def _is_pair(name: str) -> bool:
    """Return whether a cell has a name and its number: `user   184%`."""
    return _NAME_AND_NUMBER.match(name) is not None


def _is_value(name: str) -> bool:
    """Return whether a cell is none of a head: a number, key and value; `99%` is a name."""
    bare = name.strip("()[]<>")
    is_percentile = _PERCENTILE.match(name) is not None
    return "=" in name or (number_of(bare) is not None and not is_percentile) or bare.count("/") > 3


def are_values(below: Sequence[int], lines: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the first line below has numbers, and is not made of the same words."""
    words = _BETWEEN.split(lines[below[0]].strip())
    head = {word for name in names for word in name.split()}
    return sum(word in head for word in words) * 2 < len(words)


def has_number(line: str) -> bool:
    """Return whether a line has a word that is a number."""
    return any(number_of(word.strip("()[]<>,|")) is not None for word in _BETWEEN.split(line.strip()))


def is_head_alone(lines: Sequence[str], at: int) -> bool:
    """Return whether a line with blank lines around it has the wide names of a head, and no number."""
    line = lines[at]
    return not any(map(str.isdigit, line)) and len(_BLANK_WIDE.findall(line)) > 1 and ":" not in line


def has_groups(names: Sequence[str]) -> bool:
    """Return whether names repeat, which groups above them tell apart."""
    return len(set(names)) < len(names)


def grouped(above: str, head: str, names: Sequence[str]) -> list[str]:
    """Return names with the group above each, of a head with names that repeat."""
    has_dashes = _DASHED.search(above) is not None
    pattern = _WORD if has_dashes else _WORDS
    groups = [(found.start(), found.end(), found[0]) for found in pattern.finditer(above)]
    if not groups or any(number_of(word) for _, _, text in groups for word in text.split()):
        return list(names)
    found: list[str] = []
    at = 0
    for name in names:
        start = head.find(name, at)
        if start < 0 or (has_dashes and names.count(name) == 1):
            found.append(name)
            at = max(at, start)
            continue
        at = start + len(name)
        middle = (start + at) / 2
        nearest = min(groups, key=lambda one: abs((one[0] + one[1]) / 2 - middle))
        is_below = nearest[0] - len(name) <= middle <= nearest[1] + len(name)
        text = nearest[2].strip("-")
        found.append(f"{text} {name}" if is_below and text else name)
    return found


def title(lines: Sequence[str], block: Sequence[int], begin: int) -> str:
    """Return the line right above the table, or one blank line above it, if it is a short title.

    Without one, the title of the section: a line that ends in a colon after a blank one.
    """
    at = block[begin] - 1
    while at >= 0 and at >= block[begin] - 2 and not lines[at].strip():
        at -= 1
    for place in range(at, max(-1, at - MOST_TITLE_LINES), -1):
        text = lines[place].strip()
        is_first = place in {at, 0} or not lines[place - 1].strip()
        if 0 < len(text) <= 2 * MOST_NAME and text.endswith(":") and is_first:
            return text.rstrip(":")
    return ""
