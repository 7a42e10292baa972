r"""The query language: text to a tree, with errors that point at the column.

    memory host:db7 -status:closed (finding:md OR class:oom_kill) line:"out of memory" fact:loadavg.1m>4

Terms side by side must all hold; `OR` binds less than that, `-` before a term negates it. In quotes `\"` is a
quote. A word with a colon after something that is no name, such as `0000:01:00.0`, is a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from backend.core.errors import UnsupportedQueryError
from backend.search.fields import FIELDS

MAX_TERMS = 60
MAX_DEPTH = 20
NEAR = 0.6

_NAME = re.compile(r"[A-Za-z_]++")
_WORD_END = re.compile(r'[\s()"]')
_FACT = re.compile(r"(?P<name>[^<>=!\s]++)(?P<op>>=|<=|!=|>|<|=)?(?P<value>.*+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """Text that is looked for; `is_phrase`: its words are neighbours."""

    text: str
    column: int
    is_phrase: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """A condition on a field; `op` is `:` but for facts that are compared, whose name is in `name`."""

    field: str
    value: str
    column: int
    op: str = ":"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of a part."""

    part: Node


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold; with none, every case does."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One of the parts holds."""

    parts: tuple[Node, ...]


Node: TypeAlias = Word | Term | Not | Every | Some


class QueryError(UnsupportedQueryError):
    """The query cannot be read; `column` counts characters from 1."""

    def __init__(self, words: str, column: int) -> None:
        """Refuse a query with what is wrong and where."""
        super().__init__(f"{words} (column {column})")
        self.column = column


def parse(text: str) -> Node:
    """Return the tree of a query.

    Raises:
        QueryError: It cannot be read.
    """
    reader = _Reader(text)
    node = reader.alternatives(0)
    if reader.at < len(text):
        raise QueryError("this parenthesis closes nothing", reader.at + 1)
    return node


def quoted(value: str) -> str:
    """Return a value as it is written in a query."""
    if value and not re.search(r'[\s()"\\]', value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Reader:
    """Reads a query from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._terms = 0

    def alternatives(self, depth: int) -> Node:
        """Read parts that `OR` separates, up to the end or a closing parenthesis."""
        if depth > MAX_DEPTH:
            raise QueryError(f"more than {MAX_DEPTH} nested parentheses", self.at + 1)
        parts = [self._together(depth)]
        while self._takes_or():
            column = self.at - 1
            following = self._together(depth)
            if Every(()) in {parts[-1], following}:
                raise QueryError("`OR` stands between two terms", column)
            parts.append(following)
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _together(self, depth: int) -> Node:
        parts: list[Node] = []
        while self._skip_space() and self.text[self.at] != ")" and not self._is_or():
            parts.append(self._one(depth))
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    def _one(self, depth: int) -> Node:
        self._terms += 1
        if self._terms > MAX_TERMS:
            raise QueryError(f"more than {MAX_TERMS} terms", self.at + 1)
        start = self.at
        if self.text[start] == "-" and self.text[start + 1 : start + 2].strip():
            self.at += 1
            return Not(self._one(depth))
        if self.text[start] == "(":
            self.at += 1
            inner = self.alternatives(depth + 1)
            if self.at >= len(self.text):
                raise QueryError("this parenthesis is not closed", start + 1)
            self.at += 1
            return inner
        if self.text[start] == '"':
            return Word(self._string(), start + 1, is_phrase=True)
        name = _NAME.match(self.text, start)
        if name and self.text[name.end() : name.end() + 1] == ":":
            term = self._term(name[0].lower(), start, name.end() + 1)
            if term is not None:
                return term
        return Word(self._bare(), start + 1)

    def _term(self, field: str, start: int, after: int) -> Term | None:
        """Read the value of a field; None for a word such as `nvme:`."""
        has_value = self.text[after : after + 1].strip() not in {"", "(", ")"}
        if field not in FIELDS:
            if not has_value:
                return None
            raise QueryError(f"there is no field {field!r}; {_near(field)}", start + 1)
        if not has_value:
            raise QueryError(f"`{field}:` needs a value, such as {field}:{FIELDS[field].example}", after + 1)
        self.at = after
        value = self._string() if self.text[after] == '"' else self._bare()
        if not value.strip():
            raise QueryError(f"`{field}:` needs a value, such as {field}:{FIELDS[field].example}", after + 1)
        if FIELDS[field].kind != "fact":
            return Term(field, value.strip(), after + 1)
        found = _FACT.fullmatch(value)
        if found is None:
            raise QueryError(f"a fact is compared as in fact:{FIELDS[field].example}", after + 1)
        return Term(field, found["value"].strip(), after + 1, found["op"] or "", found["name"])

    def _bare(self) -> str:
        start = self.at
        end = _WORD_END.search(self.text, start)
        self.at = end.start() if end else len(self.text)
        # A quote inside a word, as in memory="4 GiB", is one word with what it quotes.
        if end and end[0] == '"' and self.at > start:
            return self.text[start : self.at] + self._string()
        return self.text[start : self.at]

    def _string(self) -> str:
        start = self.at
        characters = []
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            self.at += self.text[self.at] == "\\" and self.at + 1 < len(self.text)
            characters.append(self.text[self.at])
            self.at += 1
        if self.at >= len(self.text):
            raise QueryError("this quote is not closed", start + 1)
        self.at += 1
        return "".join(characters)

    def _skip_space(self) -> bool:
        """Move to the next term; return whether there is one."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at < len(self.text)

    def _is_or(self) -> bool:
        after = self.text[self.at + 2 : self.at + 3]
        return self.text.startswith("OR", self.at) and (not after.strip() or after in "()")

    def _takes_or(self) -> bool:
        if not self._skip_space() or not self._is_or():
            return False
        self.at += 2
        return True


def _near(field: str) -> str:
    close = get_close_matches(field, FIELDS, n=2, cutoff=NEAR)
    return f"did you mean {' or '.join(close)}?" if close else "quote the text to search for it"
