"""Completion of a query at the cursor: names of fields, values of the visible cases with counts, facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from backend.search import retrieval
from backend.search.fields import FIELDS
from backend.search.index_row import used_facts
from backend.search.language import Every, quoted
from backend.search.schemas import CompletionRead, Suggestion
from signatures.document import known_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.search.fields import Field

MAX_SUGGESTIONS = 12
_TERM = re.compile(r'-?(?:(?P<field>[A-Za-z_]++):)?(?P<value>"[^"]*+"?|[^\s()"]*+)\Z')


def complete(session: Session, principal: Principal, query: str, cursor: int) -> CompletionRead:
    """Return suggestions for the term that ends at the character `cursor` of a query."""
    before = query[:cursor]
    start = _start_of_term(before)
    found = _TERM.match(before, start)
    if found is None:
        return CompletionRead(start=cursor, end=cursor, items=[])
    name, value = found["field"], found["value"].strip('"').lower()
    negation = before[start : start + 1] if before[start : start + 1] == "-" else ""
    field = FIELDS.get((name or "").lower())
    if field is None:
        items = [] if name else list(_fields(negation, value))
    else:
        items = [
            Suggestion(text=f"{negation}{field.name}:{one.text}", says=one.says, count=one.count)
            for one in _values(session, principal, field, value)
        ]
    return CompletionRead(start=start, end=cursor, items=items[:MAX_SUGGESTIONS])


def _start_of_term(text: str) -> int:
    """Return where the last term of a text begins: after the last space outside of quotes."""
    start, is_quoted = 0, False
    for at, character in enumerate(text):
        if character == '"':
            is_quoted = not is_quoted
        elif not is_quoted and (character.isspace() or character in "()"):
            start = at + 1
    return start


def _fields(negation: str, beginning: str) -> Iterator[Suggestion]:
    for field in FIELDS.values():
        if field.name.startswith(beginning):
            yield Suggestion(text=f"{negation}{field.name}:", says=field.says, count=None)


def _values(session: Session, principal: Principal, field: Field, beginning: str) -> Iterator[Suggestion]:
    if field.kind == "fact":
        names = used_facts() | {name for name in known_names.fact_names() if "<" not in name}
        near = sorted((name for name in names if beginning in name), key=lambda name: (len(name), name))
        yield from (Suggestion(text=name, says="", count=None) for name in near)
        return
    if not field.is_counted:
        yield Suggestion(text=field.example, says=f"for example: {field.says}", count=None)
        return
    counted = retrieval.facets_of(session, principal, Every(()), is_counted=False).values.get(field.name, [])
    known = {value for value, _ in counted}
    for value, count in [*counted, *((value, 0) for value in field.values if value not in known)]:
        if value.lower().startswith(beginning) or f"/{beginning}" in value.lower():
            yield Suggestion(text=quoted(value), says="", count=count)
