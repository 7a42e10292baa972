"""The overview in words, shared by terminal, Markdown and chat."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from signatures.rendering import words
from signatures.rendering.evidence_lines import TEXT
from signatures.rendering.places import place_words, places_of
from signatures.rendering.report import flat, name_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ingest.evidence import Evidence
    from signatures.documents.overview import HostLeadDocument, OverviewDocument, StatementDocument
    from signatures.rendering.report import Report

MAX_REJECTED = 2
MAX_NAMED = 2
MAX_PLACES = 2
MAX_STEPS = 2
MAX_ALARMS = 10
MAX_HOST_LEADS = 3
PARTIAL = "partial"


class Said(NamedTuple):
    """A statement with its host, when there are several, and where it is seen."""

    text: str
    places: str
    is_alarm: bool


def assessed_words(overview: OverviewDocument) -> str:
    """Return every question under its state: `Alarm: kernel log. Not decided: CPU. Not looked at: …`."""
    titles: dict[str, list[str]] = {state: [] for state in words.QUESTIONS}
    for one in overview.questions:
        noted = f" ({one.note})" if one.note else ""
        titles[PARTIAL if one.is_partial else one.state].append(f"{one.title}{noted}")
    return " ".join(
        f"{words.capital(words.QUESTIONS[state])}: {', '.join(named)}."
        for state, named in titles.items()
        if named
    )


def host_words(lead: HostLeadDocument) -> str:
    """Return the hosts of a headline: `web-02`, or `web-02 and 19 more`."""
    first, *others = lead.hosts
    return f"{first} and {len(others)} more" if others else first


def other_hosts_words(overview: OverviewDocument) -> str:
    """Return what leads on the hosts that the headline is not of; "" where no other host shows something."""
    others = [one for one in overview.by_host if one.text and overview.headline.host not in one.hosts]
    said = [f"{host_words(one)}: {one.text}" for one in others[:MAX_HOST_LEADS]]
    hidden = sum(len(one.hosts) for one in others[MAX_HOST_LEADS:])
    if hidden:
        said.append(f"{hidden} more {'host' if hidden == 1 else 'hosts'}")
    return f"Other hosts: {'; '.join(said)}." if said else ""


def steps_words(overview: OverviewDocument) -> str:
    """Return the first steps as sentences; "" where none is known."""
    return "".join(f"{step}. " for step in overview.first_steps[:MAX_STEPS]).rstrip()


def headline_words(overview: OverviewDocument) -> Said:
    """Return the headline with its numbers, and where a statement that it is of is seen."""
    headline, lead = overview.headline, overview.lead
    numbers = "".join(f" [{one.text}]" for one in headline.chips)
    if lead and not headline.signature:
        return _said(lead, has_hosts=False)._replace(text=f"{headline.text}{numbers}")
    return Said(f"{headline.text}{numbers}", "", headline.signature != "")


def lead_words(overview: OverviewDocument) -> Said | None:
    """Return the statement that completes the headline: of a finding, or in full; None without one."""
    headline, lead = overview.headline, overview.lead
    is_said = headline.is_stated if headline.signature else headline.detail in {"", headline.text}
    return None if lead is None or is_said else _said(lead, has_hosts=False)


def chain_words(overview: OverviewDocument) -> str:
    """Return `a → b + c`: what followed, and what was there with it; "" where one thing happened."""
    marks = {"": "", "with": " + "}
    return "".join(f"{marks.get(one.edge, ' → ')}{one.text}" for one in overview.chain)


def suspicion_words(overview: OverviewDocument) -> str:
    """Return the suspected cause below a headline that is not of it, with its signature; "" without one."""
    suspicion = overview.suspicion
    return f"{suspicion.text} [{suspicion.signature}]" if suspicion else ""


def statements(overview: OverviewDocument) -> list[Said]:
    """Return the strongest statements below the headline."""
    has_hosts = _has_hosts(overview)
    unstated = [Said(overview.unstated, "", is_alarm=False)] if overview.unstated else []
    return [*unstated, *(_said(one, has_hosts=has_hosts) for one in overview.strongest)]


def stated(overview: OverviewDocument) -> frozenset[str]:
    """Return the texts of the statements that headline and first lines show."""
    return frozenset((*(one.text for one in overview.strongest), overview.headline.detail))


def further_alarms(report: Report, stated: Collection[str]) -> Iterator[Said]:
    """Yield the alarms that no match explains and that are not `stated`; many are counted."""
    open_ = [one for one in report.alarms if not one.explained_by and one.headline not in stated]
    for one in open_[:MAX_ALARMS]:
        host = f"{one.host}: " if one.host else ""
        yield Said(f"{host}{one.headline}", ", ".join(places_of(one.citations)), is_alarm=True)
    if len(open_) > MAX_ALARMS:
        yield Said(f"{len(open_) - MAX_ALARMS} more alarms", "", is_alarm=True)


def _has_hosts(overview: OverviewDocument) -> bool:
    return len({one.host for one in overview.statements}) > 1


def _said(statement: StatementDocument, *, has_hosts: bool) -> Said:
    places = list(dict.fromkeys(place_words(place) for place in statement.citations))
    more = len(places) - MAX_PLACES
    where = ", ".join(places[:MAX_PLACES]) + (f" and {more} more" if more > 0 else "")
    host = f"{statement.host or 'unknown host'}: " if has_hosts else ""
    return Said(f"{host}{statement.text}", where, statement.kind != "fact")


def signature_words(overview: OverviewDocument) -> str:
    """Return how many signatures were evaluated."""
    return f"{words.NO_SIGNATURE}: {overview.signatures.checked} checked"


def read_words(report: Report) -> str:
    """Return what was read, by format, and how many lines were skipped."""
    files = [one for one in flat(report.evidences) if one.state == "read" and not one.members]
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


def rejected_words(report: Report) -> Iterator[str]:
    """Yield a line for each file that could not be read, and one for the rest."""
    rejected = [one for one in flat(report.evidences) if one.state != "read"]
    for one in rejected[:MAX_REJECTED]:
        yield f"rejected  {name_of(one)}: {one.reason}"
    if len(rejected) > MAX_REJECTED:
        yield f"rejected  {len(rejected) - MAX_REJECTED} more files; --all shows each"
