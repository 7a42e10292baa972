"""The tree of a query as conditions on the search index.

Conditions on lexemes are joined to one text search query, which the index answers in one scan; numbers and
times are conditions of their own.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, cast, literal, not_, or_, select, true
from sqlalchemy.dialects.postgresql import TSQUERY

from backend.models.case_search import CaseNumber, CaseSearch
from backend.search.fields import FIELDS
from backend.search.language import Every, Not, QueryError, Some, Term, Word
from backend.search.words import LINE, NUMBER, PAIR, STRONG, pairs_of, stem_of, value_of, words_of
from signatures.document import known_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import ColumnElement

    from backend.search.language import Node

NOBODY = "none"
_AGE = re.compile(r"(\d{1,4})([mhdwy])", re.IGNORECASE)
_AGES = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "y": timedelta(days=365),
}
_CASE_NUMBER = re.compile(r"#?(\d{1,10})")


class Asker(NamedTuple):
    """The principal and time of a query: `owner:me` and `since:7d` depend on them."""

    name: str
    now: datetime


class Lexemes(NamedTuple):
    """A condition on lexemes, in the syntax of `tsquery`; "" holds always."""

    text: str


def condition_of(node: Node, asker: Asker) -> ColumnElement[bool]:
    """Return the condition on `CaseSearch` of a query.

    Raises:
        QueryError: A value cannot be read, or the field has no such value.
    """
    return _sql(_part(node, asker))


def required_lexemes(node: Node, asker: Asker) -> tuple[Lexemes, bool]:
    """Return lexemes without which a query finds no case, and whether they are all that it asks for.

    Raises:
        QueryError: As `condition_of`.
    """
    whole = _part(node, asker)
    if isinstance(whole, Lexemes):
        return whole, True
    if not isinstance(node, Every):
        return Lexemes(""), False
    parts = [part for part in (_part(one, asker) for one in node.parts) if isinstance(part, Lexemes)]
    return _joined(parts, "&"), False


def strength_conditions_of(node: Node) -> tuple[ColumnElement[bool], ColumnElement[bool]] | None:
    """Return the conditions that title, headline and findings say all words of a query, and that they do not.

    None without words. Cases without the words meet neither, so the index answers the second one, too.
    """
    words = _required_words(node)
    strong = _joined([_word(word, STRONG) for word in words], "&")
    if not strong.text:
        return None
    said = _joined([_word(word) for word in words], "&")
    return matches(strong), matches(Lexemes(f"{said.text} & !({strong.text})"))


def matches(lexemes: Lexemes) -> ColumnElement[bool]:
    """Return the condition that the index has lexemes."""
    return CaseSearch.terms.op("@@")(cast(literal(lexemes.text), TSQUERY)) if lexemes.text else true()


def lexeme(text: str, *, is_prefix: bool = False) -> Lexemes:
    """Return the condition that a lexeme, or one that begins so, is there."""
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return Lexemes(f"'{escaped}'{':*' if is_prefix else ''}")


def _part(node: Node, asker: Asker) -> Lexemes | ColumnElement[bool]:
    match node:
        case Word():
            return _phrase(node.text) if node.is_phrase else _word(node)
        case Term():
            return _term(node, asker)
        case Not():
            inner = _part(node.part, asker)
            if isinstance(inner, Lexemes):
                return Lexemes(f"!({inner.text})") if inner.text else not_(true())
            return not_(inner)
        case Every():
            return _combined([_part(one, asker) for one in node.parts], "&")
        case Some():
            return _combined([_part(one, asker) for one in node.parts], "|")


def _combined(parts: Sequence[Lexemes | ColumnElement[bool]], operator: str) -> Lexemes | ColumnElement[bool]:
    lexemes = [part for part in parts if isinstance(part, Lexemes)]
    others = [part for part in parts if not isinstance(part, Lexemes)]
    if operator == "&" and others and lexemes and all(map(_is_absence, lexemes)):
        return and_(*map(_absent, lexemes), *others)
    joined = _joined(lexemes, operator)
    if not others:
        return joined
    combine = and_ if operator == "&" else or_
    return combine(*([_sql(joined)] if lexemes else []), *others)


def _joined(parts: Iterable[Lexemes], operator: str) -> Lexemes:
    texts = [part.text for part in parts]
    if operator == "|" and "" in texts:
        return Lexemes("")
    texts = [text for text in texts if text]
    return Lexemes(f"({f' {operator} '.join(texts)})" if len(texts) > 1 else "".join(texts))


def _sql(part: Lexemes | ColumnElement[bool]) -> ColumnElement[bool]:
    return matches(part) if isinstance(part, Lexemes) else part


def _absent(part: Lexemes) -> ColumnElement[bool]:
    """Return the condition of a negation, where the index answers what is negated only."""
    return CaseSearch.case_id.not_in(select(CaseSearch.case_id).where(matches(Lexemes(part.text[1:]))))


def _is_absence(part: Lexemes) -> bool:
    return part.text.startswith("!")


def _word(word: Word, prefix: str = "") -> Lexemes:
    """Return the condition of a word: it begins a word of the case; digits are also the number of a case."""
    if found := _CASE_NUMBER.fullmatch(word.text):
        own = lexeme(f"{prefix}{NUMBER}{int(found[1])}")
        return own if word.text.startswith("#") else _joined([own, lexeme(prefix + found[1])], "|")
    parts = words_of(word.text)
    return _joined([lexeme(prefix + stem_of(part), is_prefix=True) for part in parts], "&")


def _phrase(text: str) -> Lexemes:
    words = words_of(text)
    if len(words) < 2:
        return _joined([lexeme(word) for word in words], "&")
    return _joined(
        [
            _joined([lexeme(pair) for pair in (PAIR + one for one in pairs_of(text))], "&"),
            _joined([lexeme(pair) for pair in (LINE + PAIR + one for one in pairs_of(text))], "&"),
        ],
        "|",
    )


def _term(term: Term, asker: Asker) -> Lexemes | ColumnElement[bool]:
    field = FIELDS[term.field]
    if field.kind == "fact":
        return _fact(term)
    if field.kind == "time":
        return _time(term, asker)
    if field.kind == "line":
        return _line(term)
    if field.kind == "words":
        words = [value_of(field.name, stem_of(word)) for word in words_of(term.value)]
        return _joined([lexeme(word, is_prefix=True) for word in words], "&")
    if field.kind == "begins":
        return lexeme(value_of(field.name, term.value.rstrip("*.-")))
    return _value(term, asker)


def _value(term: Term, asker: Asker) -> Lexemes:
    field, value = FIELDS[term.field], term.value.lower()
    if field.name == "owner" and value == "me":
        value = asker.name.lower()
    bare = value.removesuffix("*")
    if field.values and bare == value and value not in field.values:
        close = get_close_matches(value, field.values, n=1)
        near = f"; did you mean {close[0]}?" if close else f"; it is {', '.join(field.values)}"
        raise QueryError(f"no case has {field.name}:{value}{near}", term.column)
    return lexeme(value_of(field.name, bare), is_prefix=bare != value)


def _line(term: Term) -> Lexemes:
    pairs = list(pairs_of(term.value))
    words = [lexeme(LINE + word, is_prefix=not pairs) for word in words_of(term.value)]
    return _joined([lexeme(LINE + PAIR + pair) for pair in pairs] or words, "&")


def _fact(term: Term) -> Lexemes | ColumnElement[bool]:
    name = term.name.lower()
    if not known_names.is_fact(name):
        near = get_close_matches(name, known_names.fact_names(), n=2)
        words = f"did you mean {' or '.join(near)}?" if near else "`casebook signature catalog` lists them"
        raise QueryError(f"there is no fact {name!r}; {words}", term.column)
    if not term.op:
        return lexeme(value_of("fact", name))
    try:
        number = float(term.value)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        if term.op not in {"=", "!="} or not term.value:
            raise QueryError(f"{term.value!r} is no number", term.column)
        text = lexeme(value_of("fact", f"{name}={term.value}"))
        return text if term.op == "=" else Lexemes(f"({value_named(name)} & !{text.text})")
    own = CaseNumber.name == name
    compared = {
        ">": CaseNumber.greatest > number,
        ">=": CaseNumber.greatest >= number,
        "<": CaseNumber.least < number,
        "<=": CaseNumber.least <= number,
        "=": and_(CaseNumber.least <= number, CaseNumber.greatest >= number),
        "!=": or_(CaseNumber.least != number, CaseNumber.greatest != number),
    }[term.op]
    return CaseSearch.case_id.in_(select(CaseNumber.case_id).where(own, compared))


def value_named(name: str) -> str:
    """Return the condition that a case has a fact, in the syntax of `tsquery`."""
    return lexeme(value_of("fact", name)).text


def _time(term: Term, asker: Asker) -> ColumnElement[bool]:
    if age := _AGE.fullmatch(term.value):
        try:
            at = asker.now - int(age[1]) * _AGES[age[2].lower()]
        except OverflowError:
            at = datetime.min.replace(tzinfo=UTC)
    else:
        try:
            at = datetime.fromisoformat(term.value)
        except ValueError:
            raise QueryError(
                f"{term.value!r} is neither a date such as 2026-11-01 nor an age such as 7d", term.column
            ) from None
        at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return CaseSearch.created_at >= at if term.field == "since" else CaseSearch.created_at < at


def _required_words(node: Node) -> list[Word]:
    """Return the words that every case of a query says."""
    if isinstance(node, Word):
        return [] if node.is_phrase else [node]
    if isinstance(node, Every):
        return [word for part in node.parts for word in _required_words(part)]
    return []
