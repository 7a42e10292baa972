"""Signatures as values for JSON, story included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.capture import CaptureDocument
from signatures.documents.codec import to_document
from signatures.judging.observe import conditions_of
from signatures.kernels.fix_records import fix_records
from signatures.kernels.package_lines import release_words
from signatures.reporting.signature_parts import capture_document, reference_document

if TYPE_CHECKING:
    from signatures.documents.signature import (
        DecideDocument,
        FixRecordDocument,
        PublishedSignatureDocument,
        SignatureDocument,
    )
    from signatures.kernels.fix_records import FixRecord
    from signatures.language.model import Decide, Signature


def fix_document(fix: FixRecord) -> FixRecordDocument:
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


def decide_document(decide: Decide) -> DecideDocument:
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


def signature_document(signature: Signature) -> SignatureDocument:
    """Return a signature as JSON values, story included."""
    return {**published_document(signature), "story": signature.story, "library": signature.library}


def published_document(signature: Signature) -> PublishedSignatureDocument:
    """Return a signature as JSON values, without its story."""
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
            name: [to_document(capture_document(capture, CaptureDocument)) for capture in row]
            for name, row in signature.next.items()
        },
        "fixes": [dict(fix) for fix in signature.fixes],
        "references": [to_document(reference_document(reference)) for reference in signature.references],
    }
