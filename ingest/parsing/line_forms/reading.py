"""One text read by its form, line by line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.profile import Frame
from ingest.model.reading import Reading
from ingest.parsing.bare_stacks import stacks as bare_stacks
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.profile import Profile
    from ingest.model.reading import Cell
    from ingest.model.section import Text
    from ingest.parsing.line_forms.form import FactRule, Form, Kind

UNKNOWN = "[unknown]"
"""What tools print for a frame without a name."""


@dataclass(slots=True)
class _Row:
    """A row that lines below may complete."""

    kind: Kind
    line: int
    values: dict[str, str | None]
    last: int

    def cells(self) -> dict[str, Cell]:
        """Return its cells by column."""
        found = ((name, one, one.of(self.values)) for name, one in self.kind.cells.items())
        return {name: cell for name, one, cell in found if cell is not None or not one.is_optional}


@dataclass(slots=True)
class _Lines:
    """The lines of one text so far."""

    form: Form
    facts: FactReader
    kept: dict[str, str | None] = field(default_factory=dict)
    rows: list[_Row] = field(default_factory=list)
    open_row: _Row | None = None
    stacks: StackBuilder = field(default_factory=StackBuilder)
    frames: list[PlacedFrame] = field(default_factory=list)
    printed: Counter[tuple[int, str]] = field(default_factory=Counter)

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        for kind in self.form.kinds:
            found = kind.shape.match(line)
            if found is None:
                continue
            values = {**self.kept, **found.groupdict()}
            if kind.fits(values, has_row=self.open_row is not None):
                self._apply(kind, found.groupdict(), values, number)
                return
        if line.strip() and not (self.form.has_stacks and bare_stacks.continues(line)):
            self.facts.skips.add(self.form.rest, number)

    def _apply(
        self, kind: Kind, groups: Mapping[str, str | None], values: dict[str, str | None], number: int
    ) -> None:
        if kind.frame:
            self._add_frame(kind.frame, values, number)
        elif self.frames:
            self.end_stack()
        if kind.keeps:
            self.kept.update(groups)
        if kind.ends:
            self.open_row = None
        if kind.row:
            self.open_row = _Row(kind, number, values, number)
            self.rows.append(self.open_row)
        elif self.open_row is not None and (kind.completes or kind.first or kind.frame):
            row = self.open_row
            row.last = number
            row.values.update({name: values.get(group) for name, group in kind.completes.items()})
            for name, group in kind.first.items():
                row.values[name] = row.values.get(name) or values.get(group)
        if kind.skip:
            self.facts.skips.add(kind.skip, number)
        if kind.skips and (values.get(kind.skips) or "").strip():
            self.facts.skips.add(self.form.rest, number)
        if kind.each is None:
            self._add_facts(kind.facts, values, number)
        else:
            for found in kind.each.finditer(values.get(kind.each_of) or ""):
                self._add_facts(kind.facts, {**values, **found.groupdict()}, number)

    def _add_facts(self, rules: tuple[FactRule, ...], values: Mapping[str, str | None], number: int) -> None:
        for rule in rules:
            stated, name = rule.value.of(values), str(rule.name.of(values))
            if stated is None:
                continue
            self.printed[id(rule), name] += 1
            if rule.most is None or self.printed[id(rule), name] <= rule.most:
                self.facts.add(name, stated, number, rule.unit, _labels(rule, values))

    def _add_frame(self, frame: Mapping[str, str], values: Mapping[str, str | None], number: int) -> None:
        name, module = values.get(frame["name"]) or "", values.get(frame.get("module", ""))
        kind = "unknown" if name == UNKNOWN else "module" if module else "kernel"
        self.frames.append(PlacedFrame(Frame(name, f"[{module}]" if module else "", kind), number))

    def end_stack(self) -> None:
        """Add the frames as one stack."""
        if self.frames:
            ordered = self.frames if self.form.is_innermost_first else self.frames[::-1]
            self.stacks.add(list(ordered), line=self.frames[0].line)
            self.frames.clear()

    def row_facts(self) -> Iterator[Fact]:
        """Yield the facts of rows together."""
        for total in self.form.totals:
            sums: dict[tuple[str, tuple[tuple[str, str], ...]], list[tuple[float, _Row]]] = {}
            for row in self._rows_of(total.of):
                added = total.add.of(row.values)
                if isinstance(added, float) and all(row.values.get(name) for name in total.given):
                    labels = tuple(_labels(total.fact, row.values).items())
                    key = str(total.fact.name.of(row.values)), labels
                    sums.setdefault(key, []).append((added, row))
            for (name, labels), several in sums.items():
                places = Lines(several[0][1].line, several[-1][1].last)
                yield Fact(name, sum(one for one, _ in several), places, total.fact.unit, dict(labels))
        for longest in self.form.longest:
            numbers = [(one, longest.by.of(one.values)) for one in self._rows_of(longest.of)]
            known = [(row, number) for row, number in numbers if isinstance(number, float)]
            if known:
                row, _ = max(known, key=lambda one: one[1])
                for rule in longest.facts:
                    stated = rule.value.of(row.values)
                    if stated is not None:
                        labels_of = _labels(rule, row.values)
                        yield Fact(
                            str(rule.name.of(row.values)), stated, Lines.at(row.line), rule.unit, labels_of
                        )

    def _rows_of(self, name: str) -> Iterator[_Row]:
        return (one for one in self.rows if one.kind.row == name)


def _labels(rule: FactRule, values: Mapping[str, str | None]) -> dict[str, str]:
    found = ((name, one.of(values)) for name, one in rule.labels.items())
    return {name: str(text) for name, text in found if text}


def reading_of(form: Form, text: Text) -> Reading:
    """Read the rows, facts and stacks of one section."""
    facts, pasted = FactReader(text), transcript(text)
    lines = _Lines(form, facts)
    if form.of_command is not None and (named := form.of_command.search(pasted.command)):
        lines.kept.update(named.groupdict())
    facts.skips = pasted.skips
    for number, line, _ in pasted.lines:
        lines.take(number, line)
    lines.end_stack()
    sets = {kind.row: Rows(kind.row) for kind in form.kinds if kind.row}
    for row in lines.rows:
        sets[row.kind.row].add(row.line, row.cells())
    profiles: tuple[Profile, ...] = ()
    if len(lines.stacks):
        pasted.remark("no_weights", form.remark, lines.rows[0].line if lines.rows else text.first_line)
        profiles = (lines.stacks.build(event="", unit="count", what="bare", has_weights=False),)
    row_sets = tuple(found for rows in sets.values() for found in rows.sets())
    quality = tuple(pasted.quality)
    if form.has_stacks:
        stacks = bare_stacks.read(text)
        profiles, row_sets = stacks.profiles, (*row_sets, *stacks.row_sets)
        quality = (*quality, *stacks.quality)
    return Reading(
        profiles=profiles,
        facts=(*facts.result().facts, *lines.row_facts()),
        row_sets=row_sets,
        skipped=pasted.skips.result(),
        quality=quality,
    )
