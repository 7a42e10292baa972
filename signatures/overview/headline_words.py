"""The grammar of headlines: limits, and the short form of sentences and of clauses of a kernel report.

    short_words("4 tasks wait for ZFS in zfs_zget (nfsd:34310); its holder is not in the evidence")
    -> ("Tasks wait for ZFS in zfs_zget", ["4 tasks"])

The rows are in `headline_grammar.yaml`; a sentence of no row is reduced clause by clause.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict, cast

from ingest.catalogue.log_classes import classes_by_name
from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.rendering.words import IS, IS_NOT, MAY_BE, capital

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from re import Match

_TABLE = Path(__file__).parent / "headline_grammar.yaml"
FEWEST_NEW = 2
"""A quote that shares as many words with the headline says nothing new."""

MOST = 2_000
"""Characters of a sentence that is compared with the rows."""

VERDICTS = frozenset({IS, MAY_BE, IS_NOT})
"""What stands before a claim."""

_PARENTHESES = Pattern(r" ?\([^()]*\)")
_CALLERS = Pattern(r"(?: ← [^\s,;:)]+)+")
_RELATIVE = Pattern(r", (?:which|where|who|that|as) [^,;:]+,?")
_TAIL = Pattern(
    r"(?: since it was made| in [\d.]+ \S+ between the first look and the last| in \d+ of \d+ rows)$"
)
_PREFIX = Pattern(r"^(?:[^\s:]+(?: [^\s:]+){0,2}: ?)+")
_MESSAGE_END = Pattern(r"[;,(\[\]]|\. |: |\w*\d{3,}| …")


class _Clause(TypedDict):
    match: str
    say: str | list[str]
    chips: NotRequired[list[str]]


_LITERAL = re.compile(r"[A-Za-z ,:]*(?![?*{])")
_NUMBER = re.compile(r"\(\?P<\w+>\[?\\d")
"""The beginnings of a row: words, or a group that begins with a digit, a point or a comma."""


class _Row(NamedTuple):
    match: str
    say: tuple[str, ...]
    chips: tuple[str, ...]

    def found_in(self, sentence: str) -> Match[str] | None:
        """Return the match of a sentence; the expression is compiled for one that begins as the row does."""
        if _NUMBER.match(self.match):
            may_be = sentence[:1].isdecimal() or sentence[:1] in (".", ",")
        else:
            literal = _LITERAL.match(self.match)
            may_be = literal is None or sentence.startswith(literal[0])
        return _pattern(self.match).match(sentence) if may_be else None


class _Limits(TypedDict):
    words: int
    characters: int
    chips: int


def limits() -> _Limits:
    """Return the greatest number of words, characters and chips of a headline."""
    return cast("_Limits", table(_TABLE)["limits"])


def is_short(text: str) -> bool:
    """Return whether a text keeps to the limits."""
    return len(text) <= limits()["characters"] and len(text.split()) <= limits()["words"]


def short_titles(signature: str, title: str) -> list[str]:
    """Return the short title of a signature, and the shorter one before the words of a report."""
    row = cast("Mapping[str, str | list[str]]", table(_TABLE)["signatures"]).get(signature, title)
    found = [row] if isinstance(row, str) else row
    return found if is_short(found[0]) else [_reduced(found[0])]


def short_words(sentence: str) -> tuple[str, list[str]]:
    """Return a sentence in short, and its numbers: as it is, else by its row, else reduced."""
    if is_short(sentence):
        return sentence, []
    for row in _rows("statements") if len(sentence) <= MOST else ():
        if found := row.found_in(sentence):
            groups = {name: value or "" for name, value in found.groupdict().items()}
            said = [_said(one, groups) for one in row.say if all(groups[name] for name in _names(one))]
            chips = [
                chip.format(**groups) for chip in row.chips if all(groups[name] for name in _names(chip))
            ]
            if said:
                return next(filter(is_short, said), None) or _reduced(said[-1]), chips
    return _reduced(sentence), []


def _said(template: str, groups: Mapping[str, str]) -> str:
    """Return a template filled; a name at its beginning stays as it is written."""
    text = template.format(**groups)
    return text if template.startswith("{who}") else capitalised(text)


def _names(template: str) -> list[str]:
    return re.findall(r"{(\w+)}", template)


def _reduced(sentence: str) -> str:
    """Return what is left of a sentence without parentheses, callers, relative and later clauses.

    The verdict before a claim stays, and is never all that is left.
    """
    verdict, colon, claim = sentence.partition(": ")
    before = f"{verdict}{colon}" if verdict.lower() in VERDICTS else ""
    steps: tuple[Callable[[str], str], ...] = (
        lambda text: _CALLERS.sub("", text),
        _without_parentheses,
        lambda text: text.partition("; ")[0],
        lambda text: _TAIL.sub("", text),
        lambda text: _RELATIVE.sub("", text),
        lambda text: text.partition(": ")[0] if len(text.partition(": ")[0].split()) > 2 else text,
        lambda text: text.partition(", ")[0],
        lambda text: text.partition(": ")[0],
    )
    text = claim if before else sentence
    for step in steps:
        text = step(text).strip(" :,")
        if is_short(f"{before}{text}"):
            return f"{before}{text}"
    words, most = text.split(), limits()
    while words and not is_short(f"{before}{' '.join(words)} …"):
        words = words[: min(len(words) - 1, most["words"] - 1)]
    return f"{before}{' '.join(words) or text[: most['characters'] - 2 - len(before)]} …"


def _without_parentheses(text: str) -> str:
    """Return a text without what stands in parentheses, nested ones too."""
    while (shorter := _PARENTHESES.sub("", text)) != text:
        text = shorter
    return text


def clauses(gist: str, classes: Sequence[str]) -> list[str]:
    """Return the clauses of a report, the first in the short phrase of its class."""
    first, *others = gist.split("; ")
    short = cast("Mapping[str, str]", table(_TABLE)["classes"])
    for name in classes:
        phrase = classes_by_name()[name].meaning.partition(";")[0]
        if name in short and first.lower().startswith(phrase.lower()):
            first = f"{short[name]}{first[len(phrase) :]}"
            break
    return [first, *others]


def phrase_of(sentence: str, log_class: str) -> str:
    """Return the first clause of what a kernel report says, in the short phrase of its class."""
    return short_words(capitalised(clauses(sentence, (log_class,))[0]))[0]


def with_clauses(text: str, clauses: Sequence[str]) -> str:
    """Return a text with the further clauses of a report that a row takes and that fit."""
    for clause in clauses:
        bare = _without_parentheses(clause)
        for row in _rows("clauses"):
            if found := row.found_in(bare):
                text = with_part(text, row.say[0].format(**found.groupdict()))
                break
    return text


def with_part(text: str, part: str) -> str:
    """Return a text with a further part, if it fits and says nothing twice."""
    longer = f"{text}{part}"
    return longer if is_short(longer) and not repeats(longer) else text


def with_quote(text: str, sentence: str, gist: str) -> str:
    """Return a text with the words of the driver in quotes, without prefix and numbers, if they fit."""
    _, _, message = sentence.removeprefix(capitalised(gist)).partition(": ")
    bare = _PREFIX.sub("", message)
    end = _MESSAGE_END.search(bare)
    phrase = bare[: end.start() if end else None].strip(" .-=!'\"")
    longer = f"{text}: “{phrase}”"
    is_new = sum(word in text.lower() for word in phrase.lower().split()) < FEWEST_NEW
    return longer if len(phrase.split()) > 1 and is_new and is_short(longer) and not repeats(longer) else text


def repeats(text: str) -> bool:
    """Return whether a text has two neighbouring content words twice."""
    words = [word for word in re.findall(r"[\w/-]+", text.lower()) if len(word) > 3]
    pairs = list(pairwise(words))
    return len(pairs) > len(set(pairs))


def capitalised(text: str) -> str:
    """Return a text with a capital letter, unless it begins with a name."""
    first = text.partition(" ")[0]
    return capital(text) if first.isalpha() and first.islower() and first not in _names_of_things() else text


@cache
def _names_of_things() -> frozenset[str]:
    return frozenset({"khugepaged", "ext4", "btrfs", "top", "jbd2"})


@cache
def _pattern(match: str) -> Pattern:
    return Pattern(f"^(?:{match})$")


@cache
def _rows(name: str) -> tuple[_Row, ...]:
    rows = cast("list[_Clause]", table(_TABLE)[name])
    says = [[one["say"]] if isinstance(one["say"], str) else one["say"] for one in rows]
    return tuple(
        _Row(one["match"], tuple(say), tuple(one.get("chips", ())))
        for one, say in zip(rows, says, strict=True)
    )
