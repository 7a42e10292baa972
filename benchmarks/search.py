"""How well the library answers real questions: `python -m benchmarks.search` writes SEARCH.md.

The questions are those of `tests/data/library`: `questions.yaml`, which the search was made with,
`heldout.yaml`, which were written down before they were asked, and `incidents.yaml` and `newer_pages.yaml`,
about later pages: the SHA-256 of the question decides whether it was for tuning. The reciprocal rank of a
question is 1 divided by the place of its first right answer; MRR is the mean of them. Recall@5 is the share
of questions with a right answer among the first five. The same questions are put to PostgreSQL's own full
text over the same words: every word, as `websearch_to_tsquery` asks, and any of them; of a paste the first
forty, as ours does.
"""

from __future__ import annotations

import hashlib
import re
import signal
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import yaml
from sqlalchemy import text

from backend.core.db import migrate
from backend.core.http.pagination import Page
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.supervisor.supervisor import Supervisor
from backend.library import index
from backend.library.schemas import SearchQuery
from backend.library.search import MAX_WORDS, search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlalchemy.orm import Session

HELD_OUT = Path("tests/data/library/heldout.yaml")
QUESTIONS = Path("tests/data/library/questions.yaml")
INCIDENTS = Path("tests/data/library/incidents.yaml")
NEWER_PAGES = Path("tests/data/library/newer_pages.yaml")
RESULTS = Path(__file__).with_name("SEARCH.md")
FIRST = 5
ROWS = 30
TOLD = 10
SHOWN = 70
LIMIT_SECONDS = 1500
"""A run that takes longer ends with an error: the machine is too busy for its times to mean anything."""

_PLAIN = """
    select key from library_entry, {asks} as asks
    where words @@ asks order by ts_rank_cd(words, asks) desc, key
"""
_EVERY = _PLAIN.format(asks="websearch_to_tsquery('english', :query_text)")
_ANY = _PLAIN.format(
    asks="cast(replace(cast(plainto_tsquery('english', :query_text) as text), '&', '|') as tsquery)"
)


class Question(NamedTuple):
    """A query, the keys of its correct results, and whether they must rank first."""

    query_text: str
    right: frozenset[str]
    is_clear: bool
    shown: str


class Outcome(NamedTuple):
    """Rank of the first correct result, 0 for none, the number of results, and the duration."""

    place: int
    first: str
    shown: int
    seconds: float


def questions(file: Path, half: int | None = None) -> list[Question]:
    """Return the questions in the order of their file; of a half, 0 for tuning and 1 held out."""
    found = []
    for row in yaml.safe_load(file.read_text(encoding="utf-8")):
        if half is not None and half_of(row["asks"]) != half:
            continue
        query_text = row["asks"] if "asks" in row else _pasted(Path(row["file"]), row.get("lines"))
        shown = row.get("file", "").removeprefix("tests/data/") or " / ".join(query_text.split("\n")).strip()
        right = frozenset([row["right"], *row.get("also", [])] if "right" in row else [])
        found.append(Question(query_text, right, row.get("is_clear", False), shown))
    return found


def half_of(asks: str) -> int:
    """Return 0 when the first hexadecimal digit of the SHA-256 of a question is even, else 1."""
    return int(hashlib.sha256(asks.encode()).hexdigest()[0], 16) % 2


def _pasted(file: Path, lines: list[int] | None) -> str:
    """Return the whole file, or its lines from the first to the last of `lines`, 1-based."""
    whole = file.read_text(encoding="utf-8")
    if lines is None:
        return whole
    first, last = lines
    return "".join(whole.splitlines(keepends=True)[first - 1 : last])


def outcome(question: Question, answer: Callable[[str], Sequence[str]]) -> Outcome:
    """Ask and look for the first right answer."""
    began = time.perf_counter()
    keys = answer(question.query_text)
    seconds = time.perf_counter() - began
    place = next((at for at, key in enumerate(keys, start=1) if key in question.right), 0)
    return Outcome(place, keys[0] if keys else "", len(keys), seconds)


def mean_reciprocal_rank(outcomes: Sequence[Outcome]) -> float:
    """Return the mean of 1 / place, 0 for a question without a right answer."""
    return statistics.fmean(1 / one.place if one.place else 0.0 for one in outcomes)


def recall(outcomes: Sequence[Outcome], first: int = FIRST) -> float:
    """Return the share of questions with a right answer among the first ones."""
    return statistics.fmean(float(0 < one.place <= first) for one in outcomes)


def ours(session: Session, settings: Settings) -> Callable[[str], list[str]]:
    """Return what asks our search for its first page."""
    page = Page("", None, ROWS)
    return lambda query_text: [
        one.key for one in search(session, settings, SearchQuery(text=query_text), page).items
    ]


def plain(session: Session, query: str) -> Callable[[str], list[str]]:
    """Return what asks PostgreSQL's own full text; more words than these it refuses."""

    def answer(query_text: str) -> list[str]:
        words = " ".join(re.findall(r"[^\W_]+", query_text)[:MAX_WORDS])
        return list(session.scalars(text(query), {"query_text": words}))

    return answer


def measure(session: Session, settings: Settings) -> str:
    """Return all tables as Markdown."""
    ask = ours(session, settings)
    ask("the first question starts the process that reads")
    day = datetime.now(UTC).date().isoformat()
    lines = [
        "# Searching the library",
        "",
        f"Questions with their right answer, {day}; written by `make bench-search`. The others have the same",
        "words, weights and database. *Shown* is the median number of results.",
    ]
    for title, file, half in (
        ("Newest pages, held out", NEWER_PAGES, 1),
        ("Later pages, held out", INCIDENTS, 1),
        ("Held out", HELD_OUT, None),
        ("Newest pages, for tuning", NEWER_PAGES, 0),
        ("Later pages, tuned with", INCIDENTS, 0),
        ("Made with these", QUESTIONS, None),
    ):
        entries = questions(file, half)
        _say(f"{title}: {len(entries)} questions")
        lines += ["", *_table(title, file, [one for one in entries if one.right], session, ask)]
        lines += _unanswerable([one for one in entries if not one.right], session, ask)
    return "\n".join(lines) + "\n"


def _answered(entries: Sequence[Question], ask: Callable[[str], Sequence[str]]) -> Iterator[Outcome]:
    """Ask the questions one by one and say after every tenth how far it is."""
    began = time.monotonic()
    for count, question in enumerate(entries, start=1):
        yield outcome(question, ask)
        if count % TOLD == 0:
            _say(f"  {count} of {len(entries)}, {time.monotonic() - began:.0f} s")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _unanswerable(
    entries: Sequence[Question], session: Session, ask: Callable[[str], Sequence[str]]
) -> Iterator[str]:
    if not entries:
        return
    yield from ("", f"Results shown for {len(entries)} questions that the library has no answer to:", "")
    for name, answer in (("Casebook", ask), ("PostgreSQL full text, any word", plain(session, _ANY))):
        shown = sorted(outcome(question, answer).shown for question in entries)
        yield f"- {name}: {', '.join(map(str, shown))}"


def _table(
    title: str,
    file: Path,
    entries: Sequence[Question],
    session: Session,
    ask: Callable[[str], Sequence[str]],
) -> Iterator[str]:
    found = list(_answered(entries, ask))
    every = [outcome(question, plain(session, _EVERY)) for question in entries]
    any_word = [outcome(question, plain(session, _ANY)) for question in entries]
    yield from (f"## {title}", "", f"{len(entries)} questions: `{file}`.", "")
    yield "| search | MRR | recall@5 | first | found | shown | median |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    yield _row("Casebook: judged, functions, words", found)
    yield _row("PostgreSQL `websearch_to_tsquery`, every word", every)
    yield _row("PostgreSQL full text, any word", any_word)
    yield from ("", "Place of the first right answer; – is nowhere.", "")
    yield "| question | ours | every word | any word | came first, where it was not right |"
    yield "| --- | --- | --- | --- | --- |"
    for question, one, two, three in zip(entries, found, every, any_word, strict=True):
        wrong = "" if one.place == 1 else f"`{one.first}`" if one.first else "nothing"
        shown = question.shown if len(question.shown) <= SHOWN else f"{question.shown[:SHOWN]}…"
        places = " | ".join(str(answer.place or "–") for answer in (one, two, three))
        yield f"| {shown.replace('|', ' ')} | {places} | {wrong} |"


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    median = statistics.median(one.seconds for one in outcomes) * 1000
    first = sum(one.place == 1 for one in outcomes)
    return (
        f"| {name} | {mean_reciprocal_rank(outcomes):.3f} | {recall(outcomes):.3f} "
        f"| {first} of {len(outcomes)} | {sum(one.place > 0 for one in outcomes)} "
        f"| {statistics.median(one.shown for one in outcomes):.0f} | {median:.0f} ms |"
    )


def _end(number: int, _frame: object) -> None:
    raise SystemExit(f"benchmarks.search: ended by {signal.Signals(number).name}; SEARCH.md is as it was")


def main() -> None:
    """Measure on a throw-away database and write the table.

    Its servers stop with it, also when it is terminated or takes longer than its limit.
    """
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, _end)
    signal.alarm(LIMIT_SECONDS)
    with tempfile.TemporaryDirectory() as directory:
        settings = Settings(data_dir=Path(directory))
        with Supervisor(settings, say=lambda _: None) as supervisor:
            supervisor.open_servers()
            migrate.upgrade(settings)
            index.fill(settings)
            sessions = create_sessions(settings, pool_size=1)
            with sessions() as session:
                RESULTS.write_text(measure(session, settings), encoding="utf-8")
            sessions.kw["bind"].dispose()


if __name__ == "__main__":
    main()
