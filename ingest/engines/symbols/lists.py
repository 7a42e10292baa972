"""Lists of functions with shares read line by line, whatever profiler printed them.

listed([(6, "     3.82s 15.51% 15.51%     11.60s 47.10%  runtime.pcvalue")], form)
->  (Row("runtime.pcvalue", 0.1551, 0.471, "", 6),)
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.native.linear import Pattern
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

AHEAD = 8
"""Lines below a head within which a row follows."""

WHOLE = 100.0


class Row(NamedTuple):
    """A function: the shares of the time in it, and in it with what it calls; None where not printed."""

    name: str
    self_share: float | None
    total_share: float | None
    module: str
    line: int


@dataclass(frozen=True, slots=True)
class Form:
    """How a profiler lists functions; the attributes are those of `forms.yaml`."""

    name: str
    title: str
    heads: tuple[Pattern, ...]
    row: Pattern
    rows: int
    others: tuple[Pattern, ...]


@cache
def forms() -> tuple[Form, ...]:
    """Return every form."""
    return tuple(map(_form, documents()))


def documents() -> Sequence[Mapping[str, Any]]:
    """Return the rows of the table as data."""
    rows: Sequence[Mapping[str, Any]] = table(files(__package__) / "forms.yaml")["forms"]
    return rows


def form_at(lines: Sequence[str], at: int) -> Form | None:
    """Return the form of the list that starts at `lines[at]`, None where none does."""
    line = lines[at]
    for form in forms():
        if form.heads:
            is_head = any(one.match(line) for one in form.heads)
            if is_head and any(form.row.match(one) for one in lines[at + 1 : at + AHEAD]):
                return form
        elif form.row.match(line):
            ahead = [one for one in lines[at : at + AHEAD] if form.row.match(one)]
            if len(ahead) >= form.rows:
                return form
    return None


def continues(line: str) -> bool:
    """Return whether `line` can occur in a list."""
    return not line.strip() or any(
        one.match(line) for form in forms() for one in (*form.heads, form.row, *form.others)
    )


def listed(lines: Iterable[tuple[int, str]], form: Form) -> tuple[list[Row], list[int]]:
    """Return the functions of a list, and the numbers of lines that are none of its lines."""
    found: list[Row] = []
    skipped = []
    for number, line in lines:
        is_other = any(one.match(line) for one in (*form.heads, *form.others))
        if not is_other and (row := form.row.match(line)):
            groups = row.groupdict()
            own, total = (_share(groups.get(name)) for name in ("self", "total"))
            found.append(
                Row(html.unescape(groups["name"] or ""), own, total, groups.get("module") or "", number)
            )
        elif line.strip() and not is_other:
            skipped.append(number)
    return found, skipped


def _share(printed: str | None) -> float | None:
    """Return a share of a percentage; None without one, or for one that no share can be."""
    try:
        value = float(printed) / WHOLE if printed else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value <= 1 else None


def _form(row: Mapping[str, Any]) -> Form:
    heads, others = (tuple(map(Pattern, row.get(name, ()))) for name in ("heads", "others"))
    return Form(row["form"], row["title"], heads, Pattern(row["row"]), row.get("rows", 1), others)
