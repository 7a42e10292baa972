"""Shapes of formats: the data that a module of a format consists of, and the code that a shape shares.

    FORMAT = Table(name="proc-loadavg", …, row=_ENTRY, columns={"m1": Column("loadavg.1m", "count")})
    FACTS = {"nfsd.pool.<key>": Meaning("requests that came for a pool of threads …", "count", ("pool",))}

- `Table`: a line is a row by itself; groups of its expression are facts and labels.
- `Lines`: a function reads the lines, because the meaning of a line depends on others, or its names are made.
- `Document`: a whole decoded document.

A module ends in its `FORMAT`. `FACTS` has the facts that no other format has; those of several formats are in
`catalogue/facts.yaml`. `ingest.parsing.format_reader` gives a module of this form the attributes of
`ingest.parsing.protocols`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text
    from ingest.native.linear import Pattern

    Expression: TypeAlias = re.Pattern[str] | Pattern

DEFAULT_PRIORITY = 50


class Meaning(NamedTuple):
    """What a fact means; of a name with `<key>`, every fact of that shape.

    Attributes:
        meaning: One phrase.
        unit: What a number counts; "" for a text.
        labels: Labels that the fact may carry.
        example: A fact as it was read from committed evidence.
    """

    meaning: str
    unit: str = ""
    labels: tuple[str, ...] = ()
    example: str = ""


class Column(NamedTuple):
    """A group of a row that is a fact.

    Attributes:
        fact: Name of the fact.
        unit: What the number counts; "" for a text.
        factor: From what is printed to the unit.
    """

    fact: str
    unit: str = ""
    factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What every format states.

    Attributes:
        name: Unique; lower case with dashes.
        version: Raised when the same text is read differently.
        title: The tool or file, for people.
        example: A few lines, or a document, that the format reads.
        priority: Where several formats claim a line, the lowest reads it.
    """

    name: str
    title: str
    example: str
    version: int = 1
    priority: int = DEFAULT_PRIORITY

    def attributes(self) -> dict[str, Any]:
        """Return the attributes of the protocols that are known without reading."""
        return {
            "NAME": self.name,
            "VERSION": self.version,
            "TITLE": self.title,
            "EXAMPLE": self.example,
            "PRIORITY": self.priority,
        }

    def methods(self) -> frozenset[str]:
        """Return the names of the functions of the protocols that the shape has."""
        return frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextShape(Shape):
    """What formats of lines state.

    Attributes:
        paths: Glob patterns on the tail of the captured path; none for the output of a tool.
        commands: Regular expressions that a whole command line matches; of a captured file.
        hints: Glob patterns on a loose file's own name.
        command: A command line that prints it; of the output of a tool.
        first: Matches the first line, from its first character on; without look-around. Without it the text
            is recognised by its path only.
        below: Matches the line below the first.
        begins_once: The first word of a section stands once in it: with it, the file is printed again.
    """

    paths: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    command: str = ""
    first: Expression | None = None
    below: Expression | None = None
    begins_once: bool = False

    def occurring(self) -> tuple[Expression, ...]:
        """Return the expressions of the lines that can occur; one matches each."""
        raise NotImplementedError

    def attributes(self) -> dict[str, Any]:
        """Return the attributes of a captured file, or of the output of a tool."""
        found = Shape.attributes(self)
        if self.command:
            found["COMMAND"] = self.command
        else:
            found |= {"PATHS": self.paths, "COMMANDS": self.commands, "HINTS": self.hints}
        if self.first is not None:
            found |= {"STARTS": (self.first.pattern,), "BEGINS_ONCE": self.begins_once}
        return found

    def methods(self) -> frozenset[str]:
        """Return the functions; those of recognition need a first line."""
        recognition = () if self.first is None else ("begins", "continues")
        return frozenset(("read", *recognition))

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether the text starts at `lines[at]`."""
        if self.first is None or not self.first.match(lines[at]) or not self.continues(lines[at]):
            return False
        following = lines[at + 1] if at + 1 < len(lines) else ""
        return self.below is None or bool(self.below.match(following))

    def continues(self, line: str) -> bool:
        """Return whether `line` can occur in the text."""
        return any(one.match(line) for one in self.occurring())


def _no_labels(_path: str) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(TextShape):
    """Rows that mean the same wherever they stand; a fact seen again is of the next snapshot.

    Attributes:
        row: Matches a row.
        head: Matches a line that names the columns, or says nothing else.
        columns: By group of `row`, the fact. A group that is not in a row is no fact.
        labels: Groups of `row` that are labels of its facts, under their own names.
        labels_of_path: Labels by the captured path.
        skipped: Reason with which other lines are counted.
    """

    row: Expression
    head: Expression | None = None
    columns: Mapping[str, Column]
    labels: tuple[str, ...] = ()
    labels_of_path: Callable[[str], Mapping[str, str]] = _no_labels
    skipped: str

    def occurring(self) -> tuple[Expression, ...]:
        """Return the expressions of rows and head."""
        return (self.row,) if self.head is None else (self.row, self.head)

    def read(self, text: Text) -> Reading:
        """Read the columns of every row."""
        reader = FactReader(text)
        of_path = self.labels_of_path(text.path)
        for line, entry in reader.lines():
            if row := self.row.match(entry):
                stated = {group: row[group] for group in self.labels if row[group] is not None}
                labels = {**of_path, **stated}
                for group, column in self.columns.items():
                    if (printed := row[group]) is not None:
                        value = float(printed) * column.factor if column.unit else printed
                        reader.add(column.fact, value, line, column.unit, labels)
            elif self.head is None or not self.head.match(entry):
                reader.skips.add(self.skipped, line)
        return reader.result()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines(TextShape):
    """Lines that a function reads.

    Attributes:
        shapes: Expressions of the lines that can occur.
        read: Reads one section. Raises nothing but `IngestError`.
    """

    shapes: tuple[Expression, ...] = ()
    read: Callable[[Text], Reading]

    def occurring(self) -> tuple[Expression, ...]:
        """Return the expressions."""
        return self.shapes


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Shape):
    """A whole decoded document: JSON of a profiler, protocol buffers.

    Attributes:
        head: Matches the first bytes of every such document; only then `claims` is asked.
        claims: Whether decoded bytes that begin so are such a document.
        read_document: Reads a whole document. Raises nothing but `IngestError`.
    """

    head: str
    claims: Callable[[bytes], bool]
    read_document: Callable[[bytes], Reading]

    def attributes(self) -> dict[str, Any]:
        """Return the attributes of a document."""
        return {**Shape.attributes(self), "HEAD": self.head}

    def methods(self) -> frozenset[str]:
        """Return the functions of a document."""
        return frozenset(("claims", "read_document"))
