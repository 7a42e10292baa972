"""Text that no reader takes: what it looks like, what it resembles most, and the largest quantities in it.

    unread(evidence)  ->  Not read: a table of 3 rows with the columns osd, commit_latency(ms), …
                          The largest time in it is 1.812 s: commit_latency(ms); whether that is normal is …

The readings of text say what stands there (`ingest.readers.logs.text`); which format is nearest is looked up
when the sentence is made. Prose has no shape, and no statement.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, get_args

from ingest.format_list import format_rows
from ingest.nearest_format import nearest
from ingest.readers.logs import text
from ingest.readers.logs.text import shape, stated, unread_values
from signatures.documents.overview import QuestionName
from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Quantity, Statement, place
from signatures.overview.questions import QUESTIONS
from signatures.overview.reading_values import kinds
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.facts import Fact
    from ingest.nearest_format import Nearest
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import ScopeEvidence

LIMITS = thresholds_of("unread")
MOST_NAMED, MOST_STATED = int(LIMITS["names"]), int(LIMITS["quantities"])
MOST_TEXTS, FEWEST_LINES = int(LIMITS["texts"]), int(LIMITS["lines_beside_others"])

NONE: QuestionName = "scheduling"
"""The question of text that is about none, as of other readings (`context.yaml`)."""

NOT_READ = "Not read: "
UNKNOWN = "; whether that is normal is not known from this"
ASKS = "its output is read"

LONGEST = "app.longest_latency_seconds"
"""The longest time of a log; another statement has it."""

WORDS = {
    "table": "a table of {count} with the columns {names}",
    "pairs": "{count} of keys and values: {names}",
    "json": "JSON with the keys {names}",
    "stacks": "call stacks, {count}: {names}",
    "log": "a log, {count} with times: {names}",
    "rows": "{count} without a head",
    "text": "{count} of text with quantities",
}
"""What a shape is called; without names the text ends before the colon or `with`."""

COUNTED = {"table": "row", "stacks": "frame", "rows": "row"}


def unread(evidence: ScopeEvidence) -> Answer:
    """Return statements about texts without a format, shape before quantities, and sections without a row."""
    texts = [item for item in evidence.items if item.format == text.NAME]
    is_alone = len(texts) == len(evidence.items)
    shaped = [(item, fact) for item in texts for fact in item.reading.facts if fact.name == shape.FACT]
    shown = [one for one in shaped if is_alone or int(one[1].labels["lines"]) >= FEWEST_LINES]
    told = [one for item, fact in shown[:MOST_TEXTS] for one in _of_text(item, fact)]
    told += islice(filter(None, map(_of_skipped, evidence.items)), MOST_TEXTS)
    if not told:
        return Answer("Every text is read, or prose.")
    statements, figures = (tuple(one) for one in zip(*told, strict=True))
    return Answer(f"{statements[0].text}.", figures, statements=statements, is_undecided=True)


def _of_text(item: Item, fact: Fact) -> Iterator[tuple[Statement, Figure]]:
    """Yield what a text looks like, then its largest quantities, each as a statement and as a figure."""
    names = [name for name in fact.labels["names"].split(", ") if name]
    found = nearest(names, fact.labels.get("command", ""))
    topic = _topic(item)
    question = topic or NONE
    capture, asks = (found.row.command, ASKS) if found else _capture_about(topic)
    looks, resembles = _looks(fact, names), _resembles(found) if found else ""
    lines = item.last_line - item.first_line + 1
    if lines - min(lines, unread_values.MOST_LINES):
        looks += f", by the first {unread_values.MOST_LINES:,} of its {lines:,} lines"
    places = (place(item, fact.lines.first, fact.lines.last),)
    statement = Statement(
        question,
        f"{NOT_READ}{looks}",
        places,
        "fact",
        "context",
        capture,
        asks=asks,
        subject=f"text {', '.join(names[:MOST_NAMED])}",
        qualifiers=(resembles,) if resembles else (),
        engine="quantities",
    )
    yield statement, Figure("Looks like", f"{looks}{resembles}", "", places)
    quantities = [one for one in item.reading.facts if one.name == stated.FACT]
    if any(one.name == LONGEST for one in item.reading.facts):
        quantities = [one for one in quantities if one.unit != "seconds"]
    order = list(kinds())
    for one in sorted(quantities, key=lambda one: order.index(one.unit))[:MOST_STATED]:
        quantity = Quantity(float(one.value), one.unit)
        statement = _of_quantity(item, one, question, quantity)
        yield statement, Figure(statement.subject or "Largest", *quantity, statement.places)


def _of_skipped(item: Item) -> tuple[Statement, Figure] | None:
    """Return what a known format says of its lines where it could keep none of them; None for any other."""
    reading = item.reading
    kept = (reading.facts, reading.row_sets, reading.profiles, reading.tables, reading.histograms)
    if item.format == text.NAME or any(kept) or reading.log_records or not reading.skipped:
        return None
    row = next((one for one in format_rows() if one.name == item.format), None)
    if row is None:
        return None
    most = max(reading.skipped, key=lambda one: one.count)
    said = f"{most.count:,} {'line' if most.count == 1 else 'lines'} of {row.title}: {most.reason}"
    places = (place(item, most.first_line),)
    statement = Statement(
        NONE,
        f"{NOT_READ}{said}",
        places,
        "fact",
        "context",
        row.command,
        asks=ASKS,
        subject=f"lines of {row.title}",
        engine="quantities",
    )
    return statement, Figure("Skipped", said, "", places)


def _of_quantity(item: Item, fact: Fact, question: QuestionName, quantity: Quantity) -> Statement:
    label = fact.labels["label"]
    shown = quantity_words(*quantity) if fact.unit != "count" else fact.labels["written"]
    words = f"The largest {kinds()[fact.unit].noun} in it is {shown}{f': {label}' if label else ''}"
    return Statement(
        question,
        words,
        (place(item, fact.lines.first, fact.lines.last),),
        "fact",
        "context",
        subject=label,
        quantity=quantity,
        qualifiers=(UNKNOWN,),
        engine="quantities",
    )


def _looks(fact: Fact, names: Sequence[str]) -> str:
    kind, lines = str(fact.value), int(fact.labels["lines"])
    noun = COUNTED.get(kind, "line")
    unique = list(dict.fromkeys(names))
    more = f" and {len(unique) - MOST_NAMED} more" if len(unique) > MOST_NAMED else ""
    listed = ", ".join(unique[:MOST_NAMED]) + more
    words = WORDS[kind].format(count=f"{lines:,} {noun}{'' if lines == 1 else 's'}", names=listed)
    return words if names else words.removesuffix(": ")


def _resembles(found: Nearest) -> str:
    if found.program:
        return f"; of {found.program}, {found.row.title} is read"
    shared = ", ".join(found.shared[:MOST_NAMED])
    return f"; it looks most like {found.row.title}, which prints {shared} too"


def _topic(item: Item) -> QuestionName | None:
    """Return the question that most lines of the text are about; None without any."""
    counted: Counter[str] = Counter()
    for fact in item.reading.facts:
        if fact.name == unread_values.FACT:
            counted[fact.labels["question"]] += int(fact.value)
    most = counted.most_common(1)
    return next((name for name in get_args(QuestionName) if most and name == most[0][0]), None)


def _capture_about(topic: QuestionName | None) -> tuple[str, str]:
    """Return the command that answers a question, and what it shows; "" for both without one."""
    return next(
        ((one.capture, f"what is known about {one.title}") for one in QUESTIONS if one.name == topic),
        ("", ""),
    )
