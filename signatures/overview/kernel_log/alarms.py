"""The kernel log: alarms with their causes first, errors of no known class, and what the log cannot say.

assess(evidence).chains[0].lead.log_class.name -> "nvme_timeout"
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from ingest.catalogue.log_classes import classes_by_name
from signatures.overview import calm
from signatures.overview.decided_steps import decided, near_of
from signatures.overview.kernel_log import suppressed
from signatures.overview.kernel_log.allocation import slab_in_use
from signatures.overview.kernel_log.boot_phase import boots_in
from signatures.overview.kernel_log.captures import ASKS, capture_of
from signatures.overview.kernel_log.chain import Chain, Placed
from signatures.overview.kernel_log.chain_words import (
    ending,
    explained,
    extent_of,
    further,
    links_of,
    none_uncorrected,
    reports_of,
    state_at_end,
    telling,
    then,
)
from signatures.overview.kernel_log.chains import chains_of, deciding
from signatures.overview.kernel_log.deciding_fields import named, named_beside
from signatures.overview.kernel_log.device_paths import printed_device
from signatures.overview.kernel_log.devices import device_of, joined, one_of_each
from signatures.overview.kernel_log.figures import (
    errors_of,
    figures_of,
    places_of,
    unclassified_figure,
)
from signatures.overview.kernel_log.noted import is_noted, noted_statements
from signatures.overview.kernel_log.preceding import preceding
from signatures.overview.kernel_log.printed_once import by_evidence
from signatures.overview.kernel_log.sentences import (
    cause_of,
    message_of,
    questions_of,
    quote_of,
    quoted,
    sentence_of,
    things_of,
)
from signatures.overview.kernel_log.topics import topic_of
from signatures.overview.kernel_log.unclassified import Error, errors, unseen_errors
from signatures.overview.levels import level_of_classes
from signatures.overview.memory import oom
from signatures.overview.model import Answer, Covers, Figure, Statement, place
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import LogRecord
    from signatures.judging.scope import Item
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

LogState: TypeAlias = Literal["alarm", "unclassified errors", "no alarm", "not assessed"]

FIRST_SECOND = 1.0
"""A log that begins later than the first second of uptime lacks its beginning."""

SHOWN = 8
STATED = 64
"""Chains with a statement: more than people read, since each can fail a build."""

CAPTURE = "dmesg -r"
WHOLE = "journalctl -k -b -o json"
"""The log since boot with levels: what a log without them, or without its beginning, lacks."""

EXCERPT_LINES = 100
"""A log of fewer lines that does not begin at boot is an excerpt: the cause may be in what was left out."""

BARE = "call_trace"
"""The class of a stack without a reason: it says nothing beside an alarm that has one."""


@dataclass(slots=True)
class LogAssessment:
    """What the kernel logs of one scope say.

    Attributes:
        chains: Causes with consequences, errors and worse before warnings, each in the order of the log.
        unclassified: Records at error level of no known class, printed by no healthy machine, that are not
            stated with their driver.
        stated: Errors of no known class that are stated with their driver (`catalogued`).
        notable: Chains that want a look and are no alarm: a file system that was not unmounted cleanly.
        noted: Records of classes that are no alarm, of an excerpt: changes of state before harmless errors.
        has_levels: Some record states its level: without levels errors of no class are not recognised.
        is_whole: Some log begins at boot and nothing was cut out.
        whole: Where the logs are.
    """

    chains: list[Chain] = field(default_factory=list)
    unclassified: list[Placed] = field(default_factory=list)
    stated: tuple[Error, ...] = ()
    notable: list[Chain] = field(default_factory=list)
    noted: list[Placed] = field(default_factory=list)
    has_levels: bool = False
    is_whole: bool = False
    whole: tuple[Place, ...] = ()

    @property
    def state(self) -> LogState:
        """`no alarm` only for a log with levels and its beginning, without alarms and unclassified errors."""
        if self.chains:
            return "alarm"
        if self.unclassified or self.stated:
            return "unclassified errors"
        return "no alarm" if self.has_levels and self.is_whole else "not assessed"


def assessed(evidence: ScopeEvidence) -> LogAssessment | None:
    """Return what the kernel logs say; computed once."""
    if assessed not in evidence.memo:
        evidence.memo[assessed] = assess(evidence)
    return cast("LogAssessment | None", evidence.memo[assessed])


def assess(evidence: ScopeEvidence) -> LogAssessment | None:
    """Return what the kernel logs say; None without one."""
    found = LogAssessment()
    records = evidence.records
    if not records:
        return None
    for group in by_evidence(deciding(records)):
        chains = joined(chains_of(group))
        suppressed.mark(chains, group)
        boots = boots_in(group)
        noted = [one for one in chains if is_noted(one, boots, near_of(evidence))]
        found.notable += noted
        found.chains += [one for one in chains if one not in noted]
        found.unclassified += unseen_errors(group)
    if any(chain.lead.log_class.name != BARE for chain in found.chains):
        found.chains = [chain for chain in found.chains if chain.lead.log_class.name != BARE]
    found.chains.sort(key=lambda chain: chain.severity == "warning")
    found.has_levels = any(record.level is not None for record, _ in records)
    if evidence.engines.catalogue == "on":
        found.stated = tuple(errors(evidence))
        said = {id(one.record) for error in found.stated for one in error.placed}
        found.unclassified = [one for one in found.unclassified if id(one.record) not in said]
    logs = [item for item in evidence.items if item.reading.log_records]
    found.noted = [
        Placed(*pair) for pair in evidence.classified if _is_excerpt(pair[1]) and _is_noted(pair[0])
    ]
    found.is_whole = any(_is_whole(one) for one in logs)
    found.whole = tuple(place(item, item.first_line, item.last_line) for item in logs)[:SHOWN_PLACES]
    return found


def _is_noted(record: LogRecord) -> bool:
    """Return whether a record is of a class that is no alarm and ends none, as a link that comes up does."""
    log_class = classes_by_name().get(record.kind)
    return log_class is not None and not log_class.is_alarming and not log_class.ends


def _is_excerpt(item: Item) -> bool:
    """Return whether somebody chose the lines of a log: it is short and does not begin at boot."""
    return item.last_line - item.first_line < EXCERPT_LINES and not _is_whole(item)


def _is_whole(item: Item) -> bool:
    """Return whether a log begins at boot and nothing was cut out of it."""
    if item.reading.quality_names & {"excerpt", "filtered", "cut_off"}:
        return False
    first = [fact.value for fact in item.reading.facts if fact.name == "log.first_uptime_seconds"]
    return any(isinstance(value, float) and value <= FIRST_SECOND for value in first)


def alarms(evidence: ScopeEvidence) -> Answer:
    """Show the first cause and what followed, the other chains, and errors of no known class."""
    found = assessed(evidence)
    if found is None:
        return Answer("No kernel log.", lacks=(CAPTURE,))
    if not found.chains and not found.unclassified:
        quiet = _quiet(evidence, found)
        return quiet._replace(
            statements=(*noted_statements(found.notable, near_of(evidence)), *quiet.statements)
        )
    figures = [figure for chain in found.chains[:SHOWN] for figure in figures_of(chain)]
    if not found.chains:
        summary = f"{errors_of(found.unclassified)}: {quoted(found.unclassified[0].record.message)}"
    else:
        first = found.chains[0]
        summary = f"First alarm: {quoted(message_of(first.lead.first.record))}{then(first)}"
    if found.unclassified:
        figures.append(unclassified_figure(found.unclassified))
    lacks = () if found.has_levels else (WHOLE,)
    return Answer(summary, tuple(figures), lacks, tuple(_statements(found, evidence)))


def _quiet(evidence: ScopeEvidence, found: LogAssessment) -> Answer:
    """Say that nothing alarms, or what keeps the log from saying so."""
    if found.stated:
        return Answer("No alarm of a known class in the kernel log.", lacks=(WHOLE,))
    if found.state == "no alarm":
        figure = Figure("alarms", 0.0, "count", found.whole)
        covers = Covers("kernel-log", found.whole)
        words = calm.words(
            evidence, covers, "No alarm in the kernel log", "None is in the lines that were read"
        )
        return Answer(f"{words}.", (figure,), (), (), (covers,))
    missing = [
        words
        for words, is_there in (("levels", found.has_levels), ("its beginning", found.is_whole))
        if not is_there
    ]
    words = f"No known alarm in the kernel log, which lacks {' and '.join(missing)}"
    statement = Statement("kernel-log", words, found.whole, "fact", "context", WHOLE)
    if found.noted:
        noted = found.noted[0].record
        log_class = classes_by_name()[noted.kind]
        meaning = sentence_of(log_class, noted)
        meaning += named(log_class, [noted], meaning)
        text = f"No known alarm in the kernel log, which notes: {meaning}: {quoted(noted.message)}"
        of_class = [one for one in found.noted if one.record.kind == noted.kind]
        of_lines = decided(noted.kind, of_class, near_of(evidence), device_of(noted))
        statement = Statement(
            "kernel-log",
            text,
            places_of(found.noted),
            "fact",
            "context",
            WHOLE,
            first_step=of_lines.step,
            short=of_lines.headline,
        )
    return Answer(f"{words}.", (), (WHOLE,), (statement,))


def _statements(found: LogAssessment, evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield a sentence per chain, the first alarm first, and one for all errors of no known class."""
    for chain in found.chains[:STATED]:
        lead = telling(chain)
        before = preceding(lead, found.chains)
        cause = cause_of(lead)
        cause += named_beside(
            lead.log_class, lead.first.record, near_of(evidence).records(*lead.first), cause
        )
        gist = f"{cause}{none_uncorrected(lead, found.chains)}{before}{state_at_end(chain)}"
        gist += slab_in_use(lead.first.record, near_of(evidence).records(*lead.first))
        gist += oom.contradiction(lead.first.record, evidence) if lead.log_class.name == oom.CLASS else ""
        quote = "" if ending(chain) else quote_of(lead)
        record, item = lead.first
        rest = WHOLE if _is_excerpt(item) else ""
        capture = capture_of(record, lead.log_class, rest, is_stopped=bool(ending(chain)))
        names = tuple(dict.fromkeys(alarm.log_class.name for alarm in chain.alarms))
        device = device_of(record) or printed_device(record.message)
        of_lines = decided(lead.log_class.name, lead.places, near_of(evidence), device)
        yield Statement(
            "kernel-log",
            gist,
            places_of(one_of_each(lead)),
            "alarm",
            level_of_classes(names),
            capture,
            questions_of(chain),
            gist,
            asks=ASKS.get(lead.log_class.name, ""),
            extent=extent_of(chain),
            topic=topic_of(lead.log_class, record),
            log_classes=names,
            things=things_of(lead),
            device=device_of(record),
            first_step=of_lines.step,
            short=of_lines.headline,
            qualifiers=tuple(filter(None, (quote, further(chain)))),
            names_preceding=bool(before),
            explained=explained(chain),
            chain=links_of(chain),
            reports=reports_of(chain),
            subject=" ".join((*names, device_of(record))),
            names=_named(record, quote),
        )
    yield from noted_statements(found.notable, near_of(evidence))
    if found.unclassified:
        text = f"{errors_of(found.unclassified)}: {quoted(found.unclassified[0].record.message)}"
        yield Statement("kernel-log", text, places_of(found.unclassified), "fact", "notable", is_notable=True)


def _named(record: LogRecord, quote: str) -> tuple[str, ...]:
    """Return the names that a report states, such as functions, and its message."""
    return (*(value for value in record.fields.values() if isinstance(value, str)), quote)
