"""Full-text queries: scores of words and functions per entry, and highlighted excerpts.

Words score by rarity and field: title and symptoms (A), headings (B), conditions (C), text (D). Only the best
variant of a word counts, so a synonym never counts twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select, text

from backend.models.library_entry import LibraryEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy.orm import Session

WEIGHTS = "{0.12, 0.35, 0.6, 1.0}"
"""Weights of D, C, B and A, in the order of PostgreSQL."""

MOST_STEMS = 1 << 14
_known_stems: dict[str, str] = {}

HIT_BEGINS, HIT_ENDS = "\x02", "\x03"

_WORDS = text("""
    with asked as (
        select term.word, term.weight, to_tsquery('english', term.asks) as asks
        from unnest(cast(:words as int[]), cast(:asks as text[]), cast(:weights as float[]))
            as term(word, asks, weight)
    ),
    hit as (
        select asked.word, asked.weight, asked.asks, entry.id,
            ts_rank(cast(:places as real[]), entry.words, asked.asks) as place
        from asked join library_entry entry on entry.words @@ asked.asks
    ),
    rarity as (
        select asks, ln(1 + (select count(*) from library_entry) / cast(count(*) as float)) as rare
        from hit group by asks
    )
    select hit.id, hit.word, max(hit.weight * hit.place * rarity.rare) as score, max(hit.weight) as spelling
    from hit join rarity using (asks)
    group by hit.id, hit.word
""")

_FRAMES = text("""
    with asked as (
        select * from unnest(cast(:names as text[]), cast(:weights as float[])) as asked(name, weight)
    ),
    hit as (
        select entry.id, asked.name, asked.weight
        from library_entry entry
        cross join lateral unnest(entry.frames) as own(name)
        join asked on asked.name = own.name
        where entry.frames && cast(:names as text[])
    ),
    rarity as (
        select name, ln(1 + (select count(*) from library_entry) / cast(count(*) as float)) as rare
        from hit group by name
    )
    select entry.id, kind, key, area, severity, groups, has_fix, signatures,
        hit.name, hit.weight * rarity.rare as score
    from library_entry entry left join hit on hit.id = entry.id left join rarity on rarity.name = hit.name
    where hit.id is not null or signatures && cast(:signatures as text[])
""")

_SHOWN = text("""
    select id, case when asks = '' then title
            else ts_headline('english', title, to_tsquery('english', asks), :whole) end as title,
        case when asks <> '' then ts_headline('english', body, to_tsquery('english', asks), :part) end
            as excerpt,
        headline, body, status, symptoms, updated_at
    from library_entry
    join unnest(cast(:ids as uuid[]), cast(:asks as text[])) as asked(id, asks) using (id)
""")
_STEMS = text(
    "select coalesce((ts_lexize('english_stem', asked.word))[1], '') "
    "from unnest(cast(:words as text[])) with ordinality as asked(word, at) order by asked.at"
)
_MARKED = f"StartSel={HIT_BEGINS}, StopSel={HIT_ENDS}"


class Term(NamedTuple):
    """One variant of the word numbered `word`, as a `tsquery`."""

    word: int
    asks: str
    weight: float


class WordHit(NamedTuple):
    """Score of a word in an entry; `spelling` is the weight of the best variant."""

    id: UUID
    word: int
    score: float
    spelling: float


class FrameHit(NamedTuple):
    """Score of a function in an entry."""

    id: UUID
    name: str
    score: float


class Entry(NamedTuple):
    """What an entry is ranked and filtered by: see `LibraryEntry`."""

    id: UUID
    kind: str
    key: str
    area: str
    severity: str
    groups: list[str]
    has_fix: bool
    signatures: list[str]


_ENTRIES = select(*(getattr(LibraryEntry, name) for name in Entry._fields))


class Shown(NamedTuple):
    """What else is shown of an entry; in title and best excerpt hits are between `HIT_BEGINS` and `HIT_ENDS`.

    Attributes:
        excerpt: None without a query.
    """

    title: str
    excerpt: str | None
    headline: str
    body: str
    status: str
    symptoms: list[str]
    updated_at: datetime


def entries(session: Session) -> list[Entry]:
    """Return all entries."""
    return [Entry(*row) for row in session.execute(_ENTRIES)]


def entries_of(
    session: Session, weights: Mapping[str, float], signatures: Collection[str]
) -> tuple[list[Entry], list[FrameHit]]:
    """Return the entries that name functions in their conditions, or are of or about signatures.

    With the score of every function in every entry.
    """
    asked = {"names": list(weights), "weights": list(weights.values()), "signatures": list(signatures)}
    entries: dict[UUID, Entry] = {}
    hits = []
    for *entry, name, score in session.execute(_FRAMES, asked):
        entries.setdefault(entry[0], Entry(*entry))
        if name is not None:
            hits.append(FrameHit(entry[0], name, score))
    return list(entries.values()), hits


def stems(session: Session, words: Sequence[str]) -> list[str]:
    """Return the stem of every word; "" for a stop word such as `the`. Each process asks once for a word."""
    known = {word: stem for word in words if (stem := _known_stems.get(word)) is not None}
    missing = [word for word in dict.fromkeys(words) if word not in known]
    if missing:
        found = dict(zip(missing, session.scalars(_STEMS, {"words": missing}), strict=True))
        if len(_known_stems) + len(found) > MOST_STEMS:
            _known_stems.clear()
        _known_stems.update(found)
        known |= found
    return [known[word] for word in words]


def word_hits(session: Session, terms: Sequence[Term]) -> list[WordHit]:
    """Return the score of every word in every entry that contains it."""
    if not terms:
        return []
    asked = {
        "words": [term.word for term in terms],
        "asks": [term.asks for term in terms],
        "weights": [term.weight for term in terms],
        "places": WEIGHTS,
    }
    return [WordHit(*row) for row in session.execute(_WORDS, asked)]


def frame_hits(session: Session, weights: Mapping[str, float]) -> list[FrameHit]:
    """Return the score of every function in every entry whose conditions name it."""
    if not weights:
        return []
    return entries_of(session, weights, ())[1]


def known_functions(session: Session, names: Sequence[str]) -> set[str]:
    """Return those of `names` found anywhere in the library, in a condition or a text."""
    query = text(
        """
        select asked.name from unnest(cast(:names as text[])) as asked(name)
        where exists (
            select from library_entry entry
            where entry.frames @> array[asked.name] or entry.body like '%' || asked.name || '%'
        )
        """
    )
    return set(session.scalars(query, {"names": list(names)})) if names else set()


def version_of_library(session: Session) -> str:
    """Return a digest of the sources of all entries."""
    return session.scalar(text("select md5(string_agg(digest, ' ' order by id)) from library_entry")) or ""


def vocabularies(session: Session) -> list[str]:
    """Return the searchable words of every entry, separated by blanks."""
    return list(session.scalars(select(LibraryEntry.vocabulary)))


def shown(session: Session, asks: Mapping[UUID, str]) -> dict[UUID, Shown]:
    """Return what is shown of entries, highlighted for a query each; "" highlights nothing."""
    if not asks:
        return {}
    parameters = {
        "ids": list(asks),
        "asks": list(asks.values()),
        "whole": f"{_MARKED}, HighlightAll=true",
        "part": f'{_MARKED}, MaxFragments=2, MaxWords=24, MinWords=10, FragmentDelimiter=" … "',
    }
    return {row.id: Shown(*row[1:]) for row in session.execute(_SHOWN, parameters)}
