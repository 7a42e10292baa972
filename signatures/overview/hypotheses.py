"""Could it be something else? The hypotheses of a case, what separates them, and the capture that decides.

    matrix_of(Asked(findings, captures, lead, suspicion, short)).captures[0].decides
    -> "between A and B"

The columns are the finding of the headline, what is suspected, and the nearest of the others: those with a
condition that the evidence decides. All of it is of conditions that were observed when the case was judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.hypotheses import (
    DecidingCaptureDocument,
    HypothesisDocument,
    MatrixDocument,
    ObservationDocument,
)
from signatures.judging.decide import MATCH, NO_MATCH, SUSPECT, UNKNOWN
from signatures.overview.headline_details import is_cited
from signatures.overview.headline_words import short_titles
from signatures.overview.information_gain import entropy
from signatures.overview.observation_matrix import Row, rows_of
from signatures.overview.symptoms import causes_of, compared
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from signatures.documents.capture import ConditionCaptureDocument
    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.overview.headline import Headline, Lead
    from signatures.overview.model import Statement
    from signatures.overview.next_capture import NextCapture

LIMITS = thresholds_of("hypotheses")
LETTERS = "ABC"


class Asked(NamedTuple):
    """What the matrix is made of.

    Attributes:
        findings: Documents of signatures, by rank.
        captures: Commands that are safe here, the most useful first.
        lead: The headline with its statement.
        suspicion: The suspicion below it.
    """

    findings: Sequence[FindingDocument]
    captures: Sequence[str]
    lead: Lead
    suspicion: Headline | None


class Competing(NamedTuple):
    """The hypotheses with their weights, and all observations that separate them.

    Attributes:
        weights: One of each hypothesis, and that of something else; they sum to 1.
        captures: What shows open observations, the one to run next first.
    """

    findings: tuple[FindingDocument, ...]
    weights: tuple[float, ...]
    rows: tuple[Row, ...]
    captures: tuple[DecidingCaptureDocument, ...] = ()

    def next_of(self, signatures: Collection[str]) -> str:
        """Return the capture to run next; "" where these signatures are no hypotheses."""
        is_led = any(one.signature in signatures for one in self.findings)
        return self.captures[0].run if is_led and self.captures else ""

    def without(self, is_harmful: Callable[[str], bool]) -> Competing:
        """Return the same without captures that are harmful here."""
        return self._replace(captures=tuple(one for one in self.captures if not is_harmful(one.run)))


def competing(asked: Asked) -> Competing:
    """Return the hypotheses of a case, what separates them, and the captures that decide, best first.

    A statement is what is observed and no column: what may explain it is.
    """
    findings = _hypotheses(asked)
    raw = [*map(_weight, findings), LIMITS["something_else"]]
    weights = tuple(one / sum(raw) for one in raw)
    found = Competing(tuple(findings), weights, tuple(rows_of(findings, weights)))
    return found._replace(captures=tuple(_deciding(found, asked.captures)))


def _hypotheses(asked: Asked) -> list[FindingDocument]:
    """Return the findings that compete, of the host and phase of the headline, the leading one first."""
    most = int(LIMITS["hypotheses"])
    leading = [one.signature for one in (asked.lead.headline, asked.suspicion) if one and one.signature]
    shown = [one for one in asked.findings if not one.superseded_by and not one.fault]
    own = [one for one in shown if one.signature in leading and one.verdict in {MATCH, SUSPECT}]
    host = own[0].host if own else asked.lead.headline.host
    phase = own[0].phase if own else "during"
    near = [one for one in shown if (one.host, one.phase) == (host, phase) and _is_near(one, asked)]
    ranked = [*sorted(own[:most], key=lambda one: leading.index(one.signature)), *near]
    by_signature = {one.signature: one for one in reversed(ranked)}
    kept = [by_signature[name] for name in dict.fromkeys(one.signature for one in ranked)]
    return kept[:most]


def _is_near(finding: FindingDocument, asked: Asked) -> bool:
    """Return whether a finding may explain the same: a suspect, or one that the evidence touches."""
    if finding.verdict == SUSPECT or (finding.verdict == MATCH and asked.lead.headline.kind != MATCH):
        return True
    if finding.verdict not in {UNKNOWN, NO_MATCH}:
        return False
    own = [one for one in finding.conditions if one.role in {"core", "corroborates"} and one.citations]
    met = [one for one in own if one.state == "TRUE"]
    if finding.is_near_miss or finding.is_listed:
        return bool(met) or any(one.role == "core" and one.state == "FALSE" for one in own)
    return finding.verdict == UNKNOWN and _is_on_lead(met, asked.lead)


def _is_on_lead(conditions: Iterable[ConditionDocument], lead: Lead) -> bool:
    """Return whether conditions rest on a line of the headline."""
    places = lead.of.statement.places if lead.of else ()
    return any(is_cited(place, cited) for one in conditions for cited in one.citations for place in places)


def _weight(finding: FindingDocument) -> float:
    """Return how likely a finding is before anything more is known, by verdict and confidence."""
    if finding.verdict == MATCH:
        return max(LIMITS["statement"], finding.confidence or 0.0)
    if finding.verdict == SUSPECT:
        return LIMITS["suspect"] + LIMITS["suspect_confidence"] * (finding.confidence or 0.0)
    if finding.verdict == UNKNOWN:
        return LIMITS["unknown"] + LIMITS["unknown_coverage"] * finding.coverage
    return LIMITS["refuted"]


def _deciding(found: Competing, captures: Sequence[str]) -> Iterator[DecidingCaptureDocument]:
    """Yield the captures of open observations: the first of the case leads, the others by information gain.

    That first one is what the author of a signature would look at next. On published evidence it is what an
    expert asks for; the gain of conditions alone, which knows no cost and no order, often is not.
    """
    wanted: dict[str, tuple[ConditionCaptureDocument, list[Row]]] = {}
    for row in found.rows:
        for capture in _captures_of(row, found.findings, captures):
            wanted.setdefault(capture.run, (capture, []))[1].append(row)
    most = entropy(found.weights)
    gains = {run: min(most, sum(row.gain for row in rows)) for run, (_, rows) in wanted.items()}
    first = min(gains, key=captures.index, default="")
    for run in sorted(gains, key=lambda run: (run != first, -round(gains[run], 3), captures.index(run))):
        capture, rows = wanted[run]
        yield DecidingCaptureDocument(
            name=capture.name,
            title=capture.title,
            run=run,
            cost=capture.cost,
            needs=capture.needs,
            alternatives=capture.alternatives,
            unsafe_if=capture.unsafe_if,
            decides=_decides(found, rows),
            gain=round(gains[run], 4),
        )


def _captures_of(
    row: Row, findings: Sequence[FindingDocument], captures: Sequence[str]
) -> Iterator[ConditionCaptureDocument]:
    """Yield the captures that are safe here and show an open observation, each once."""
    if not row.is_open:
        return
    ids = {one.id for own in row.conditions for one in own}
    seen = set()
    for finding in findings:
        for capture in finding.next:
            if capture.condition in ids and capture.run in captures and capture.run not in seen:
                seen.add(capture.run)
                yield capture


def _decides(found: Competing, rows: Sequence[Row]) -> str:
    """Return between which hypotheses observations decide, by the letters of the columns."""
    columns = range(len(found.findings))
    spoken = [at for at in columns if any(row.conditions[at] for row in rows)]
    if not columns[1:]:
        return f"whether it is {LETTERS[0]}"
    others = [at for at in columns if at not in spoken]
    first, second = sorted([*spoken, *others][:2])
    return f"between {LETTERS[first]} and {LETTERS[second]}"


def matrix_document(found: Competing, wanted: NextCapture, statements: Sequence[Statement]) -> MatrixDocument:
    """Return the matrix as a wire value.

    Args:
        found: The hypotheses of findings; without one the causes of a symptom compete.
        wanted: The capture that leads, of the matrix or of a statement.
        statements: What may show the sign of such a cause.
    """
    causes = causes_of(wanted.reason, wanted.command) if not found.findings else ()
    if causes:
        hypotheses, observations = compared(causes, statements)
        decides = f"between {', '.join(LETTERS[: len(causes) - 1])} and {LETTERS[len(causes) - 1]}"
        gains = round(sum(one.gain for one in observations), 4)
        capture = DecidingCaptureDocument(
            name="", title=wanted.reason, run=wanted.command, decides=decides, gain=gains
        )
        return MatrixDocument(hypotheses=hypotheses, observations=observations, captures=(capture,))
    columns = [
        HypothesisDocument(
            text=short_titles(one.signature, one.title)[0],
            signature=one.signature,
            verdict=one.verdict,
            fingerprint=one.fingerprint,
            weight=round(weight, 4),
        )
        for one, weight in zip(found.findings, found.weights, strict=False)
    ]
    captures = sorted(found.captures, key=lambda one: one.run != wanted.command)
    if wanted.command and wanted.command not in {one.run for one in captures}:
        own = DecidingCaptureDocument(name="", title=wanted.reason, run=wanted.command)
        captures = [own, *captures]
    return MatrixDocument(
        hypotheses=tuple(columns),
        observations=tuple(_observation(row, found) for row in _shown(found.rows)),
        captures=tuple(captures[: int(LIMITS["captures"])]),
    )


def _shown(rows: Sequence[Row]) -> list[Row]:
    """Return at most as many rows as are read at a glance; open ones keep their place."""
    decided = [one for one in rows if not one.is_open]
    undecided = [one for one in rows if one.is_open]
    most = int(LIMITS["rows"])
    shown = undecided[: max(int(LIMITS["open"]), most - len(decided))]
    return [*decided[: most - len(shown)], *shown]


def _observation(row: Row, found: Competing) -> ObservationDocument:
    runs = [one.run for one in found.captures]
    capture = next(_captures_of(row, found.findings, runs), None)
    return ObservationDocument(
        title=row.title,
        measured=row.measured,
        cells=row.cells,
        capture=capture.name if capture else "",
        gain=round(row.gain, 4),
    )
