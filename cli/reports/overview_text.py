"""The overview in words, shared by terminal, Markdown and chat."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cli.evidence.paths import flat, name_of
from cli.reports.evidence_lines import TEXT
from cli.reports.finding_rows import places_of
from signatures.rendering import words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cli.evidence.analysis import Analysis
    from ingest.evidence import Evidence
    from signatures.overview import Place
    from signatures.overview.first_screen import Overview
    from signatures.overview.statement_order import Shown

MAX_REJECTED = 2
MAX_NAMED = 2
MAX_PLACES = 2
MAX_CLOSE = 2
MAX_STEPS = 2
MAX_ALARMS = 10
PARTIAL = "partial"


class Said(NamedTuple):
    """A statement with its host, when there are several, and where it is seen."""

    text: str
    places: str
    is_alarm: bool


def assessed_words(overview: Overview) -> str:
    """Return every question under its state: `Alarm: kernel log. Not decided: CPU. Not looked at: …`."""
    titles: dict[str, list[str]] = {state: [] for state in words.QUESTIONS}
    for one in overview.questions:
        noted = f" ({one.note})" if one.note else ""
        titles[PARTIAL if one.is_partial else one.state].append(f"{one.question.title}{noted}")
    return " ".join(
        f"{words.capital(words.QUESTIONS[state])}: {', '.join(named)}."
        for state, named in titles.items()
        if named
    )


def next_words(overview: Overview) -> str:
    """Return what stands before the next command: `Next` and what its output shows."""
    reason = overview.next_capture.reason
    return f"Next ({reason})" if reason else "Next"


def steps_words(overview: Overview) -> str:
    """Return the first steps as sentences; "" where none is known."""
    return "".join(f"{step}. " for step in overview.first_steps[:MAX_STEPS]).rstrip()


def headline_words(overview: Overview) -> Said:
    """Return the headline; a statement with its host and where it is seen."""
    if overview.is_led_by_statement:
        return _said(overview.statements[0], has_hosts=_has_hosts(overview))
    return Said(overview.headline.text, "", overview.headline.signature != "")


def suspicion_words(overview: Overview) -> str:
    """Return the suspected cause below a headline that is not of it, with its signature; "" without one."""
    suspicion = overview.suspicion
    return f"{suspicion.text} [{suspicion.signature}]" if suspicion else ""


def statements(overview: Overview) -> list[Said]:
    """Return the strongest statements below the headline."""
    has_hosts = _has_hosts(overview)
    return [_said(one, has_hosts=has_hosts) for one in overview.strongest]


def stated(overview: Overview) -> frozenset[str]:
    """Return the texts of the statements that headline and first lines show."""
    shown = [one.statement.text for one in overview.strongest]
    return frozenset((*shown, overview.headline.text))


def further_alarms(analysis: Analysis, stated: Collection[str]) -> Iterator[Said]:
    """Yield the alarms that no match explains and that are not `stated`; many are counted."""
    open_ = [one for one in analysis.alarms if not one.explained_by and one.headline not in stated]
    for one in open_[:MAX_ALARMS]:
        host = f"{one.host}: " if one.host else ""
        yield Said(f"{host}{one.headline}", ", ".join(places_of(one.citations)), is_alarm=True)
    if len(open_) > MAX_ALARMS:
        yield Said(f"{len(open_) - MAX_ALARMS} more alarms", "", is_alarm=True)


def _has_hosts(overview: Overview) -> bool:
    return len({one.host for one in overview.statements}) > 1


def _said(shown: Shown, *, has_hosts: bool) -> Said:
    statement = shown.statement
    places = list(dict.fromkeys(place_words(place) for place in statement.places))
    more = len(places) - MAX_PLACES
    where = ", ".join(places[:MAX_PLACES]) + (f" and {more} more" if more > 0 else "")
    host = f"{shown.host or 'unknown host'}: " if has_hosts else ""
    return Said(f"{host}{statement.text}", where, statement.kind != "fact")


def place_words(place: Place) -> str:
    """Return `file:first-last`."""
    last = f"-{place.last_line}" if place.last_line != place.first_line else ""
    return f"{place.evidence}:{place.first_line}{last}"


def signature_words(overview: Overview) -> str:
    """Return how many signatures were evaluated, with the closest."""
    checked = f"{words.NO_SIGNATURE}: {overview.checked} checked"
    if not overview.close:
        return checked
    more = len(overview.close) - MAX_CLOSE
    named = ", ".join(overview.close[:MAX_CLOSE]) + (f" and {more} more" if more > 0 else "")
    return f"{checked}, {len(overview.close)} close: {named}"


def read_words(analysis: Analysis) -> str:
    """Return what was read, by format, and how many lines were skipped."""
    files = [one for one in flat(analysis.evidences) if one.state == "read" and not one.members]
    noun = "file" if len(files) == 1 else "files"
    if len(files) <= MAX_NAMED:
        named = [f"{name_of(one)}: {_formats(one)}" for one in files]
        read = f"Read {len(files)} {noun}: {'; '.join(named)}"
    else:
        read = f"Read {len(files):,} {noun}: {_counted(files)}"
    skipped = sum(row.count for one in files for section in one.sections for row in section.reading.skipped)
    return f"{read}; {skipped:,} lines skipped" if skipped else read


def _formats(evidence: Evidence) -> str:
    return ", ".join(dict.fromkeys(section.format for section in evidence.sections)) or "no known format"


def _counted(files: Sequence[Evidence]) -> str:
    """Return the formats with their number of files, the most frequent first."""
    # In the order of the evidence, not of a set, which differs from run to run.
    formats = Counter(name for one in files for name in dict.fromkeys(part.format for part in one.sections))
    as_text = formats.pop(TEXT, 0)
    kinds = [name if count == 1 else f"{name} {count}" for name, count in formats.most_common()]
    kinds += [f"unrecognised text {as_text}"] if as_text else []
    return ", ".join(kinds)


def rejected_words(analysis: Analysis) -> Iterator[str]:
    """Yield a line for each file that could not be read, and one for the rest."""
    rejected = [one for one in flat(analysis.evidences) if one.state != "read"]
    for one in rejected[:MAX_REJECTED]:
        yield f"rejected  {name_of(one)}: {one.reason}"
    if len(rejected) > MAX_REJECTED:
        yield f"rejected  {len(rejected) - MAX_REJECTED} more files; --all shows each"
