"""States of objects that tools list: which object, in what state, why, since when, how often started again.

    states(evidence)  ->  Container app was killed at its memory limit (OOMKilled): 61 restarts, exit code 137

Words of states and how bad they are stand in `ingest/engines/status/states.yaml`. Healthy objects make no
statement; where nothing else is said of a text, how many there are in which state is context.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.engines.status.model import ROWS, Status, statuses_of
from ingest.engines.status.words import word_by_name
from ingest.readers.logs.text.split_rows import BEYOND
from signatures.overview.model import Answer, Figure, Statement, kind_of, place, shortened_words
from signatures.overview.quantities.trends import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.engines.status.words import Word
    from signatures.judging.scope import Item
    from signatures.overview.first_steps import Topic
    from signatures.overview.scope_evidence import ScopeEvidence

MOST_MESSAGE = 120
_ONE_OR_MANY = re.compile(r"\[([^|\]\[]*)\|([^|\]\[]*)\]")
_EVENTS = frozenset({"Normal", "Warning"})
_PLURALS = {
    "device of a pool": "devices of a pool",
    "member of an array": "members of an array",
    "disk in slot": "disks in slots",
}


def states(evidence: ScopeEvidence) -> Answer:
    """Return what objects in a state of trouble say; else how many there are in which state."""
    found: list[Statement] = []
    listed: list[Statement] = []
    for item in evidence.items:
        rows = list(_rows(item))
        words = {row.word for row in rows}
        groups: dict[tuple[str, str], list[Status]] = {}
        for row in rows:
            if row.word and words.isdisjoint(word_by_name()[row.word].after):
                groups.setdefault((row.word, row.kind), []).append(row)
        found += [_statement(item, word_by_name()[word], own) for (word, _), own in groups.items()]
        if rows and not groups:
            listed.append(_listed(item, rows))
    statements = tuple(found or listed)
    if not statements:
        return Answer("No object of a list is in a state of trouble.")
    figures = tuple(
        Figure(one.subject, shortened_words(one.words, MOST_MESSAGE), "", one.places, one.kind == "alarm")
        for one in statements
    )
    return Answer(f"{statements[0].text}.", figures, (), statements, is_undecided=not found)


def _rows(item: Item) -> Iterator[Status]:
    for rows in item.reading.row_sets:
        if rows.name == ROWS:
            for one in statuses_of(rows):
                yield one if one.word in word_by_name() else one._replace(word="")


def _statement(item: Item, word: Word, rows: Sequence[Status]) -> Statement:
    first = max(rows, key=lambda row: (row.restarts or 0, row.times or 0))
    is_one = len({row.name for row in rows}) == 1
    says = _ONE_OR_MANY.sub(lambda found: found[1] if is_one else found[2], word.says)
    details = list(_details(first))
    if not is_one:
        others = [row.name for row in rows if row.name and row.name != first.name]
        named = ", ".join(dict.fromkeys(others[: int(LIMITS["shown"])]))
        more = f" ({'; '.join(details)})" if details else ""
        details = [f"{first.name or 'one'}{more}, {named}".rstrip(", ")]
    told = f": {'; '.join(details)}" if details else ""
    words = f"{_subject(word, first, rows)} {says}{told}"
    return Statement(
        word.about,  # type: ignore[arg-type]
        f"{words[:1].upper()}{words[1:]}",
        tuple(place(item, row.line) for row in rows[: int(LIMITS["shown"])]),
        kind_of(is_alarm=word.is_alarm),
        word.level,  # type: ignore[arg-type]
        word.run,
        is_notable=True,
        asks=word.asks,
        topic=_topic(word),
        subject=f"{first.kind or word.of} {first.name}".rstrip(),
        qualifiers=tuple(_cut(item)),
        names=(word.name,),
    )


def _cut(item: Item) -> Iterator[str]:
    """Yield that more lines follow than were looked at."""
    beyond = sum(one.count for one in item.reading.skipped if one.reason == BEYOND)
    if beyond:
        yield f"; {beyond:,} more lines were not looked at"


def _topic(word: Word) -> Topic:
    return word.topic  # type: ignore[return-value]


def _subject(word: Word, first: Status, rows: Sequence[Status]) -> str:
    kind = first.kind or word.of
    count = len({row.name for row in rows})
    if count > 1:
        return f"{count:,} {_PLURALS.get(kind, f'{kind}s')}"
    article = "an" if kind[0] in "aeio" else "a"
    return f"{kind} {first.name}" if first.name else f"{article} {kind}"


def _details(row: Status) -> Iterator[str]:
    """Yield message, restarts, exit code, count and since when."""
    if row.message:
        yield shortened_words(" ".join(row.message.split()), MOST_MESSAGE)
    elif row.reason and row.reason not in {row.state, "OOMKilled", "oom-kill"}:
        yield f"reason {row.reason}"
    if row.restarts:
        yield f"{row.restarts:,.0f} {'restart' if row.restarts == 1 else 'restarts'}"
    if row.exit_code:
        yield f"exit code {row.exit_code:.0f}"
    if row.times and row.times > 1:
        yield f"{row.times:,.0f} times"
    if row.since and row.state in _EVENTS:
        yield f"last seen {row.since.partition(' ')[0]} ago"
    elif row.since:
        yield row.since if row.since.endswith("ago") else f"since {row.since}"


def _listed(item: Item, rows: Sequence[Status]) -> Statement:
    """Return how many objects are in which state, none of which means trouble."""
    counts = Counter(f"{row.state or row.reason}" for row in rows)
    shown = ", ".join(f"{count:,} {state[:40]}" for state, count in counts.most_common(int(LIMITS["shown"])))
    more = len(counts) - int(LIMITS["shown"])
    words = f"{len(rows):,} states of objects are listed: {shown}{f' and {more} more' if more > 0 else ''}"
    places = (place(item, rows[0].line, rows[-1].line),)
    return Statement("scheduling", words, places, "fact", "context", subject="states", engine="quantities")
