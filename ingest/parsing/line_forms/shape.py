"""Formats of lines: the shape of readers that are rows of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.parsing.bare_stacks import stacks as bare_stacks
from ingest.parsing.line_forms.form import Form, form_of
from ingest.parsing.line_forms.reading import reading_of
from ingest.parsing.shapes import DEFAULT_PRIORITY, Meaning, TextShape

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text
    from ingest.native.linear import Pattern
    from ingest.parsing.shapes import Expression


@dataclass(frozen=True, slots=True)
class Step:
    """One of the lines with which a text begins.

    Attributes:
        kinds: What it may be.
        within: How many lines below the one before.
        past: Kinds of lines that may stand between; the first other line decides.
    """

    kinds: tuple[Pattern, ...]
    within: int = 1
    past: tuple[Pattern, ...] = ()

    def found(self, lines: Sequence[str], at: int) -> int:
        """Return where the line is, from `at` on; -1 where it is not."""
        for place in range(at, min(at + self.within, len(lines))):
            if any(one.match(lines[place]) for one in self.kinds):
                return place
            if self.past and not any(one.match(lines[place]) for one in self.past):
                return -1
        return -1


@dataclass(frozen=True, slots=True, kw_only=True)
class LineForm(TextShape):
    """A format whose lines are data.

    Attributes:
        ways: Ways in which a text begins.
        form: What is read of its lines.
    """

    ways: tuple[tuple[Step, ...], ...]
    form: Form

    def occurring(self) -> tuple[Expression, ...]:
        """Return the expressions of the lines that can occur."""
        return tuple(one.shape for one in self.form.kinds)

    def attributes(self) -> dict[str, Any]:
        """Return the attributes of a format of lines, with all expressions of first lines."""
        firsts = dict.fromkeys(one.pattern for first, *_ in self.ways for one in first.kinds)
        return {**TextShape.attributes(self), "STARTS": tuple(firsts), "BEGINS_ONCE": self.begins_once}

    def methods(self) -> frozenset[str]:
        """Return the functions of a format of lines."""
        return frozenset(("read", "begins", "continues"))

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether the text starts at `lines[at]`."""
        return any(_is_way(way, lines, at) for way in self.ways)

    def continues(self, line: str) -> bool:
        """Return whether `line` can occur in the text."""
        return TextShape.continues(self, line) or (self.form.has_stacks and bare_stacks.continues(line))

    def read(self, text: Text) -> Reading:
        """Read the lines of one section."""
        return reading_of(self.form, text)


def _is_way(way: Sequence[Step], lines: Sequence[str], at: int) -> bool:
    for step in way:
        place = step.found(lines, at)
        if place < 0:
            return False
        at = place + 1
    return True


def format_of(document: Mapping[str, Any]) -> LineForm:
    """Return the format that a YAML document describes."""
    form = form_of(document)
    shapes = {one.name: one.shape for one in form.kinds}
    return LineForm(
        name=document["name"],
        version=document.get("version", 1),
        title=document["title"],
        command=document["command"],
        example=document["example"].rstrip("\n"),
        priority=document.get("priority", DEFAULT_PRIORITY),
        ways=tuple(_way(row, shapes) for row in document["begins"]),
        form=form,
    )


def meanings_of(document: Mapping[str, Any]) -> dict[str, Meaning]:
    """Return what the facts mean that no other format has."""
    return {
        name: Meaning(
            row["meaning"], row.get("unit", ""), tuple(row.get("labels", ())), row.get("example", "")
        )
        for name, row in document.get("facts", {}).items()
    }


def _way(steps: Sequence[Any], shapes: Mapping[str, Pattern]) -> tuple[Step, ...]:
    return tuple(_step(one if isinstance(one, dict) else {"line": one}, shapes) for one in steps)


def _step(row: Mapping[str, Any], shapes: Mapping[str, Pattern]) -> Step:
    line = row["line"]
    names = (line,) if isinstance(line, str) else tuple(line)
    past = tuple(shapes[one] for one in row.get("past", ()))
    return Step(tuple(shapes[one] for one in names), row.get("within", 1), past)
