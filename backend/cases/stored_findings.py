"""Findings of cases in the database: one document per case, compressed with what its signatures determine.

A finding is 7 KB of JSON of which evidence determines a few hundred bytes. The rest is the same in every case
and is stored once, as the dictionary of the compression (ADR 33). Columns of `finding` are for queries.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json
from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert

from backend.core.db.base import among, clean_json, json_text
from backend.models.case_findings import CaseFindings, FindingDictionary
from ingest.model.zstd import zstd
from signatures.documents.codec import InvalidDocumentError, from_documents
from signatures.documents.finding import FindingDocument
from signatures.documents.finding_text import findings_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from uuid import UUID

    from sqlalchemy.orm import Session

LEVEL = 12
WINDOW_LOG = 21
"""Window of 2 MiB: the dictionary of a library of 87 signatures has 0.9 MB."""

REQUIRED = frozenset({"signature", "title", "severity", "host", "phase", "verdict"})
"""Fields without which a stored row is no finding."""

LISTED = ("is_listed", "is_near_miss")
"""Fields of which one is set of a finding that the page of a case shows: a tenth of all."""

LOADED = 4
"""Dictionaries in memory: a service has one, and for a while that of the release before."""


def text_of(findings: Iterable[FindingDocument]) -> bytes:
    """Return findings as the text that is stored."""
    return checked(findings_text(findings).encode())


def checked(text: bytes) -> bytes:
    """Return the text of findings (`findings_text`) as it is stored: with replacements of broken characters.

    Raises:
        InvalidDocumentError: It is no text of findings.
    """
    try:
        if b"\\u0000" in text or b"\\ud" in text:
            text = json_text(clean_json(json.loads(text))).encode()
        rows = from_json(text)
    except ValueError as error:
        raise InvalidDocumentError(f"the findings are no JSON: {error}") from error
    if not isinstance(rows, list) or not all(map(_is_finding, rows)):
        raise InvalidDocumentError("the findings lack a field that identifies them")
    return text


def _is_finding(row: Any) -> bool:
    return isinstance(row, dict) and row.keys() >= REQUIRED


def compressed(text: bytes, dictionary: bytes) -> bytes:
    """Return the text of findings compressed with that of a dictionary."""
    options = {
        int(zstd.CompressionParameter.compression_level): LEVEL,
        int(zstd.CompressionParameter.window_log): WINDOW_LOG,
    }
    raw = _raw(dictionary)
    # Digested, it keeps the tables of the compressor: half the CPU time.
    return zstd.compress(text, options=options, zstd_dict=raw and raw.as_digested_dict)


def decompressed(document: bytes, dictionary: bytes, *, with_all: bool = True) -> tuple[FindingDocument, ...]:
    """Return the findings of a compressed document; the dictionary is empty for one without.

    Without `with_all` only those that are listed or near misses: the others are not even built.
    """
    rows = _rows(document, dictionary)
    shown = rows if with_all else [one for one in rows if any(one.get(name) for name in LISTED)]
    return from_documents(FindingDocument, shown)


def save(session: Session, case_id: UUID, revision: int, text: bytes, dictionary: bytes) -> None:
    """Replace the findings of a case by those of a checked text; the caller holds its lock."""
    digest = hashlib.sha256(dictionary).hexdigest()
    row = insert(FindingDictionary).values(digest=digest, text=zstd.compress(dictionary, LEVEL))
    if session.execute(row.on_conflict_do_nothing().returning(FindingDictionary.digest)).first():
        _forget_unused(session, digest)
    values = {
        "evidence_rev": revision,
        "dictionary": digest,
        "document": compressed(text, dictionary),
    }
    written = insert(CaseFindings).values(case_id=case_id, **values)
    session.execute(written.on_conflict_do_update(index_elements=["case_id"], set_=values))


def load(session: Session, case_id: UUID, *, with_all: bool = True) -> tuple[FindingDocument, ...]:
    """Return the findings of a case, or those that are shown; none before it was judged."""
    return load_all(session, [case_id], with_all=with_all).get(case_id, ())


def load_chosen(
    session: Session, case_id: UUID, is_chosen: Callable[[dict[str, Any]], bool]
) -> list[FindingDocument]:
    """Return the findings of a case whose documents are chosen: the others, most of all, are not built."""
    query = select(CaseFindings.dictionary, CaseFindings.document).where(CaseFindings.case_id == case_id)
    found = session.execute(query).one_or_none()
    if found is None:
        return []
    rows = _rows(found.document, _dictionary(session, found.dictionary))
    return list(from_documents(FindingDocument, [one for one in rows if is_chosen(one)]))


def load_all(
    session: Session, case_ids: Collection[UUID], *, with_all: bool = True
) -> dict[UUID, tuple[FindingDocument, ...]]:
    """Return the findings of the cases that were judged, or those that are shown."""
    query = select(CaseFindings.case_id, CaseFindings.dictionary, CaseFindings.document)
    rows = session.execute(query.where(among(CaseFindings.case_id, case_ids))).all()
    return {
        case_id: decompressed(document, _dictionary(session, digest), with_all=with_all)
        for case_id, digest, document in rows
    }


def _rows(document: bytes, dictionary: bytes) -> list[dict[str, Any]]:
    """Return the documents of a compressed text."""
    rows: list[dict[str, Any]] = from_json(zstd.decompress(document, zstd_dict=_raw(dictionary)))
    return rows


def _forget_unused(session: Session, newest: str) -> None:
    """Delete the dictionaries of other releases that no case needs any more."""
    is_used = exists().where(CaseFindings.dictionary == FindingDictionary.digest)
    session.execute(delete(FindingDictionary).where(FindingDictionary.digest != newest, ~is_used))


_loaded: dict[str, bytes] = {}


def _dictionary(session: Session, digest: str | None) -> bytes:
    """Return the text of a dictionary; empty for None."""
    if digest is None:
        return b""
    text = _loaded.get(digest)
    if text is None:
        stored = session.scalars(
            select(FindingDictionary.text).where(FindingDictionary.digest == digest)
        ).one()
        text = zstd.decompress(stored)
        while len(_loaded) >= LOADED:
            _loaded.pop(next(iter(_loaded)), None)
        _loaded[digest] = text
    return text


@lru_cache(maxsize=LOADED)
def _raw(dictionary: bytes) -> zstd.ZstdDict | None:
    return zstd.ZstdDict(dictionary, is_raw=True) if dictionary else None
