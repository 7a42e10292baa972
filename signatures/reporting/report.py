"""Findings, captures and signatures as values for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.judging.observation import State
from signatures.judging.observe import conditions_of
from signatures.kernels.fix_records import commit_url, cve_url, fix_records
from signatures.kernels.package_lines import release_words
from signatures.language.number_format import common_unit, word_of
from signatures.rendering.verdict import certainty, headline
from signatures.reporting.finding_fields import common_fields
from signatures.reporting.next_captures import deciding_capture

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.judging.finding import Finding, NextCapture
    from signatures.judging.observation import Cited
    from signatures.judging.states import ClauseState
    from signatures.kernels.fix_records import FixRecord
    from signatures.language.model import Capture, Decide, Signature


def finding_document(finding: Finding) -> dict[str, Any]:
    """Return one finding as JSON values."""
    decision = finding.decision
    signature = finding.signature
    return {
        **common_fields(signature.id, signature.severity, finding.host, finding.phase),
        "signature": signature.id,
        "version": signature.version,
        "title": finding.title,
        "severity": signature.severity,
        "status": signature.status,
        "host": finding.host,
        "phase": finding.phase,
        "verdict": finding.verdict,
        "headline": headline(finding, deciding_capture(finding)),
        "certainty": certainty(finding),
        "because": decision.because,
        "score": round(decision.score, 4),
        "confidence": None if decision.confidence is None else round(decision.confidence, 4),
        "confidence_word": None if decision.confidence is None else word_of(decision.confidence),
        "coverage": round(decision.coverage, 4),
        "coverage_word": word_of(decision.coverage),
        "caps": [{"reason": reason, "clause": clause} for reason, clause in decision.caps],
        "rivals_open": list(finding.rivals_open),
        "affected": {
            "verdict": finding.affected.verdict,
            "basis": finding.affected.basis,
            "sentence": finding.sentence,
            "aspects": [aspect._asdict() for aspect in finding.affected.aspects],
            "reported": [dict(row) for row in signature.reported],
        },
        "entity": dict(finding.entity),
        "extract": dict(finding.extract),
        "clauses": [_clause(state) for state in finding.clauses],
        "fixes": [dict(fix) for fix in finding.fixes],
        "next": [
            {"clause": state.clause.id, **capture_document(capture)}
            for state in finding.clauses
            if state.state is State.UNKNOWN
            for capture in signature.next.get(state.clause.id, ())
        ],
        "references": [reference_document(reference) for reference in signature.references],
        "superseded_by": finding.superseded_by,
        "caused_by": finding.caused_by,
        "suspected_cause": finding.suspected_cause,
        "is_near_miss": finding.is_near_miss,
    }


def _clause(state: ClauseState) -> dict[str, Any]:
    outcome = state.outcome
    return {
        "id": state.clause.id,
        "title": state.clause.title,
        "role": state.clause.role,
        "weight": state.clause.weight,
        "veto": state.clause.is_veto,
        "state": state.state.value,
        "reason": outcome.reason,
        "observed": _rounded(outcome.observed),
        "threshold": _rounded(outcome.threshold),
        "unit": common_unit(outcome.unit, outcome.observed, outcome.threshold),
        "distance": _rounded(outcome.distance),
        "strength": round(outcome.strength, 4),
        "is_seen": outcome.is_seen,
        "assumed": outcome.assumed,
        "note": outcome.note,
        "caps": list(outcome.caps),
        "remarks": list(outcome.remarks),
        "citations": [citation_document(*citation) for citation in outcome.citations],
    }


def _rounded(value: float | str | None) -> float | str | None:
    is_exact = not isinstance(value, float) or value.is_integer()
    return value if is_exact else float(f"{value:.6g}")


def citation_document(evidence: str, section: int, cited: Cited) -> dict[str, Any]:
    """Return one citation as JSON values."""
    return {
        "evidence": evidence,
        "section": section,
        "first_line": cited.first_line,
        "last_line": cited.last_line,
        "profile": cited.profile,
        "nodes": list(cited.nodes),
    }


def capture_document(capture: Capture) -> dict[str, Any]:
    """Return a capture as JSON values."""
    return {
        "name": capture.name,
        "title": capture.title,
        "run": capture.run,
        "cost": capture.cost,
        "needs": list(capture.needs),
        "alternatives": list(capture.alternatives),
        "unsafe_if": list(capture.unsafe_if),
    }


def next_document(captures: Iterable[NextCapture]) -> list[dict[str, Any]]:
    """Return the next captures as JSON values."""
    return [
        {
            **capture_document(wanted.capture),
            "settles": [one._asdict() for one in wanted.settles],
        }
        for wanted in captures
    ]


def fix_document(fix: FixRecord) -> dict[str, Any]:
    """Return the record of a fix as JSON values: releases of every branch, and links."""
    return {
        "name": fix.name,
        "commit": fix.commit,
        "subject": fix.subject,
        "status": fix.status,
        "introduced": _version(fix.introduced),
        "fixed": [
            _version(fix.mainline),
            *(_version(one.fixed) for one in fix.branches.values() if one.fixed),
        ],
        "absent": [_version(one.absent) for one in fix.branches.values() if one.absent],
        "lines": {
            name: {key: release_words(order) for key, order in line._asdict().items() if order}
            for name, line in fix.lines.items()
        },
        "verified": {"day": fix.verified.day.isoformat(), "by": fix.verified.by},
        "links": [{"title": title, "url": url} for title, url in fix.links],
        "sources": list(fix.sources),
        "note": fix.note,
    }


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []


def _version(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)


def reference_document(reference: Mapping[str, str]) -> dict[str, str]:
    """Return a reference with the canonical URL of its commit or CVE."""
    document = dict(reference)
    identifier = document.get("id", "")
    if not document.get("url") and document.get("kind") == "commit":
        document["url"] = commit_url(identifier)
    if not document.get("url") and document.get("kind") == "cve":
        document["url"] = cve_url(identifier)
    return document


def decide_document(decide: Decide) -> dict[str, Any]:
    """Return which clauses a verdict needs, and its scores, as a person follows them."""
    require = decide.require
    return {
        "require": {
            "all": list(require.all),
            "not_false": list(require.not_false),
            "any": list(require.any),
            "at_least": {"count": require.at_least[0], "of": list(require.at_least[1])},
        },
        "suspect": {"score": decide.suspect_score, "any": list(decide.suspect_any)},
        "match": {
            "score": decide.match_score,
            "all": list(decide.match_all),
            "any": list(decide.match_any),
            "any_of_pairs": [list(pair) for pair in decide.match_pairs],
        },
    }


def signature_document(signature: Signature) -> dict[str, Any]:
    """Return a signature as JSON values, story included."""
    return {
        "id": signature.id,
        "version": signature.version,
        "title": signature.title,
        "severity": signature.severity,
        "status": signature.status,
        "kind": signature.kind,
        "reason": signature.reason,
        "symptoms": list(signature.symptoms),
        "aliases": list(signature.aliases),
        "clauses": [
            {
                "id": clause.id,
                "title": clause.title,
                "role": clause.role,
                "weight": clause.weight,
                "veto": clause.is_veto,
                "ruled_out_by": list(clause.ruled_out_by),
                "asks": [condition.describe()._asdict() for condition in conditions_of(clause.test)],
            }
            for clause in signature.clauses
        ],
        "decide": decide_document(signature.decide),
        "affected": [
            {name: getattr(row, name) for name in row.__slots__ if getattr(row, name)}
            for row in signature.affected
        ],
        "fix_records": [
            fix_document(fix_records()[name])
            for name in dict.fromkeys(
                [
                    *(name for row in signature.affected for name in row.fixes),
                    *(str(name) for fix in signature.fixes for name in _listed(fix.get("records"))),
                ]
            )
        ],
        "reported": [dict(row) for row in signature.reported],
        "supersedes": list(signature.supersedes),
        "next": {
            name: [capture_document(capture) for capture in row] for name, row in signature.next.items()
        },
        "fixes": [dict(fix) for fix in signature.fixes],
        "references": [reference_document(reference) for reference in signature.references],
        "story": signature.story,
    }
