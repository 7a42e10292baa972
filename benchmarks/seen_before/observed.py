"""What the evidence of an incident shows, and of its twin: the traits that a service would store."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from backend.search.traits import Shown, traits_of
from benchmarks.seen_before.twins import twin_of
from cli.evidence.analysis import analyse
from ingest.export.heaviest import heaviest
from signatures.case_analysis import CaseItem, screen_case
from signatures.documents.alarm import FIRING
from signatures.judging.scope import items_of
from signatures.rendering.report import flat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.search.traits import Traits
    from benchmarks.seen_before.incidents import Incident
    from benchmarks.seen_before.twins import Form
    from ingest.evidence import Evidence

KERNEL_FILES = {"uname.txt", "proc_version", "ver.txt"}
"""Files that say the kernel only: the twin of an incident comes without them."""
Files = tuple[tuple[str, bytes], ...]


class Observed(NamedTuple):
    """An incident and its twin.

    Attributes:
        forms: Of the files of the twin.
        matches: Signatures that match in the incident.
        twin_matches: Those that match in the twin.
    """

    name: str
    family: str
    is_tuned: bool
    forms: frozenset[Form]
    traits: Traits
    twin: Traits
    matches: frozenset[str]
    twin_matches: frozenset[str]


def observe(incident: Incident) -> Observed:
    """Analyse an incident and its twin."""
    shown, evidences = shown_by(incident.files)
    by_name = {Path(one.name).name: one for one in evidences}
    twins = []
    forms: set[Form] = set()
    for name, content in incident.files:
        if len(incident.files) == 1 or Path(name).name not in KERNEL_FILES:
            text = content.decode("utf-8", "replace")
            form, other = twin_of(incident.name + name, text, by_name.get(Path(name).name))
            forms.add(form)
            twins.append((name, other.encode()))
    twin, _ = shown_by(twins)
    return Observed(
        incident.name,
        incident.family,
        incident.is_tuned,
        frozenset(forms),
        traits_of(shown),
        traits_of(twin),
        _matches(shown),
        _matches(twin),
    )


def shown_by(files: Sequence[tuple[str, bytes]]) -> tuple[Shown, list[Evidence]]:
    """Return what files show, and their readings."""
    with TemporaryDirectory(prefix="casebook-seen-") as folder:
        for name, content in files:
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        analysis = analyse([folder])
        evidences = list(flat(analysis.evidences))
        report = analysis.report
        items = [CaseItem(item) for item in items_of(analysis.evidences)]
        screen = screen_case(items, report.findings, report.captures)
        found = [(one.signature, one.verdict) for one in report.findings if one.verdict in FIRING]
        return Shown(found, screen.alarms, screen.waits, screen.overview, _functions(evidences)), evidences


def _functions(evidences: Sequence[Evidence]) -> list[tuple[str, float]]:
    """Return the functions of all profiles with their weights, as the index of a service has them."""
    weights: dict[str, float] = {}
    for profile in (
        one for evidence in evidences for section in evidence.sections for one in section.reading.profiles
    ):
        for name, total, own in heaviest(profile):
            weights[name] = max(weights.get(name, 0.0), 0.2 * total + 0.8 * own)
    return sorted(weights.items(), key=lambda one: (-one[1], one[0]))


def _matches(shown: Shown) -> frozenset[str]:
    return frozenset(signature for signature, verdict in shown.findings if verdict == "match")
