"""What leads on each host, and which hosts it is the same on.

leads_of(findings, statements)
-> (HostLead(("web-02", "web-04", …), "statement", "Swap and the file system on nvme0n1p2 …", …), …)
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.levels import LEVELS
from signatures.judging.decide import MATCH, SUSPECT
from signatures.overview.headline import Lead, headline_of_findings, observed_headline
from signatures.overview.short_headline import short_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.documents.citation import Place
    from signatures.documents.finding import FindingDocument
    from signatures.documents.levels import HeadlineKind, Level
    from signatures.overview.statement_order import Shown

POSITIVE = frozenset({MATCH, SUSPECT})


class HostLead(NamedTuple):
    """The headline that each of some hosts has on its own.

    Attributes:
        hosts: By name.
        text: Within the grammar of headlines; "" where nothing is stated.
        signature: Of the finding; "" of a statement.
        citation: Lines of the first of the hosts; None without any.
    """

    hosts: tuple[str, ...]
    kind: HeadlineKind
    text: str
    level: Level = "context"
    signature: str = ""
    citation: Place | None = None


def leads_of(findings: Sequence[FindingDocument], statements: Sequence[Shown]) -> tuple[HostLead, ...]:
    """Return what leads on each host, the worst level first, then what most hosts have.

    Hosts with the same headline are together. There is nothing to tell apart of fewer than two hosts.
    """
    found: dict[str, list[FindingDocument]] = defaultdict(list)
    stated: dict[str, list[Shown]] = defaultdict(list)
    for finding in findings:
        found[finding.host].append(finding)
    for one in statements:
        stated[one.host].append(one)
    names = sorted((found.keys() | stated.keys()) - {""})
    if len(names) < 2:
        return ()
    alike: dict[tuple[str, str], list[HostLead]] = defaultdict(list)
    for name in names:
        lead = _lead(name, [one for one in found[name] if one.verdict in POSITIVE], stated[name])
        alike[lead.kind, lead.text].append(lead)
    joined = (
        max(group, key=lambda one: LEVELS.index(one.level))._replace(
            hosts=tuple(name for one in group for name in one.hosts)
        )
        for group in alike.values()
    )
    return tuple(sorted(joined, key=lambda one: (not one.text, -LEVELS.index(one.level), -len(one.hosts))))


def _lead(name: str, findings: Sequence[FindingDocument], statements: Sequence[Shown]) -> HostLead:
    """Return what leads on one host: as of a case, without what was assessed and found calm."""
    lead, suspicion = headline_of_findings(findings, statements)
    lead = lead or observed_headline(statements) or (Lead(suspicion) if suspicion else None)
    if lead is None:
        return HostLead((name,), "not assessed", "")
    short = short_of(lead, findings)
    about = next((one for one in findings if one.signature == lead.headline.signature), None)
    statement = lead.of.statement if lead.of else None
    level = about.level if about else statement.level if statement else "context"
    place = statement.places[0] if statement else next((one.place for one in short.chips), None)
    if place is None and about:
        cited = (one for each in about.conditions if each.state == "TRUE" for one in each.citations)
        place = next(cited, None)
    return HostLead((name,), lead.headline.kind, short.text, level, lead.headline.signature, place)


def same_hosts(leads: Sequence[HostLead], host: str) -> tuple[str, ...]:
    """Return the hosts that have the same headline as a host; empty where no other has."""
    return next((one.hosts for one in leads if host in one.hosts and len(one.hosts) > 1), ())
