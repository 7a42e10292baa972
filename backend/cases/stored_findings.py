"""Findings of cases in the database: one document per case, compressed with what its signatures determine.

A finding is 7 KB of JSON of which evidence determines a few hundred bytes. The rest is the same in every case
and is stored once, as the dictionary of the compression (ADR 33). Columns of `finding` are for queries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable  # noqa: TC003 - a NamedTuple resolves its annotations
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import from_json
from sqlalchemy import delete, exists, select
from sqlalchemy.dialects.postgresql import insert

from backend.core.db.base import among, clean_json, json_text
from backend.models.case_findings import CaseFindings, FindingDictionary
from ingest.model.zstd import zstd
from signatures.documents.alarm import FIRING
from signatures.documents.codec import InvalidDocumentError, from_documents
from signatures.documents.finding import FindingDocument
from signatures.documents.finding_text import BETWEEN, findings_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from uuid import UUID

    from sqlalchemy.orm import Session

    from ingest.model.json_value import JsonObject

LEVEL = 12
WINDOW_LOG = 21
"""Window of 2 MiB: the dictionary of a library of 87 signatures has 0.9 MB."""

REQUIRED = ("signature", "title", "severity", "host", "phase", "verdict")
"""Texts without which a stored row is no finding."""

_BETWEEN = BETWEEN.encode()
LOADED = 4
"""Dictionaries in memory: a service has one, and for a while that of the release before."""


class Choice(NamedTuple):
    """Findings that are asked for: a tenth of all, mostly.

    Attributes:
        texts: JSON texts of which every chosen finding has one; those without any are not parsed.
        is_chosen: Whether a document is of a chosen finding.
        with_places: Also the findings of the same signatures on other hosts and in other phases.
    """

    texts: tuple[bytes, ...]
    is_chosen: Callable[[JsonObject], bool]
    with_places: bool = False

    def parsed(self, text: bytes) -> list[JsonObject]:
        """Return the documents of the chosen findings of a stored text."""
        documents = self._candidates(text)
        chosen = [one for one in documents if self.is_chosen(one)]
        if not self.with_places:
            return chosen
        signatures = {one["signature"] for one in chosen}
        return [one for one in documents if one["signature"] in signatures]

    def _candidates(self, text: bytes) -> list[JsonObject]:
        """Return the documents among which all chosen ones are."""
        if _BETWEEN not in text:  # Of an older release.
            return _documents(text)
        found = list(self._rows(text))
        if self.with_places:
            signatures = {_beginning(row) for row in found}
            found = [row for row in text[1:-1].split(_BETWEEN) if _beginning(row) in signatures]
        try:
            return _documents(b"[%b]" % b",".join(found))
        except ValueError:  # Not as `findings_text` writes it.
            return _documents(text)

    def _rows(self, text: bytes) -> Iterator[bytes]:
        """Yield the rows that have one of the texts: few of many, so no others are cut out."""
        ends: dict[int, int] = {}
        for one in self.texts:
            at = text.find(one)
            while at >= 0:
                before, after = text.rfind(_BETWEEN, 0, at), text.find(_BETWEEN, at)
                end = len(text) - 1 if after < 0 else after
                ends[1 if before < 0 else before + len(_BETWEEN)] = end
                at = text.find(one, end)
        for begin in sorted(ends):
            yield text[begin : ends[begin]]


LISTED = Choice((b'"is_listed": true',), lambda one: bool(one.get("is_listed")))
SHOWN = Choice(
    (*LISTED.texts, b'"is_near_miss": true'),
    lambda one: bool(one.get("is_listed") or one.get("is_near_miss")),
)
"""Listed findings and near misses: those that the page of a case shows."""
FIRED = Choice((b'"verdict": "match"', b'"verdict": "suspect"'), lambda one: one.get("verdict") in FIRING)


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
            text = f"[{BETWEEN.join(json_text(clean_json(one)) for one in json.loads(text))}]".encode()
        rows = from_json(text, allow_inf_nan=False)
    except (ValueError, RecursionError) as error:
        raise InvalidDocumentError(f"the findings are no JSON: {error}") from error
    if not isinstance(rows, list) or not all(map(_is_finding, rows)):
        raise InvalidDocumentError("the findings lack a field that identifies them")
    return text


def _is_finding(row: Any) -> bool:
    return isinstance(row, dict) and all(isinstance(row.get(name), str) for name in REQUIRED)


def compressed(text: bytes, dictionary: bytes) -> bytes:
    """Return the text of findings compressed with that of a dictionary."""
    options = {
        int(zstd.CompressionParameter.compression_level): LEVEL,
        int(zstd.CompressionParameter.window_log): WINDOW_LOG,
    }
    raw = _raw(dictionary)
    # Digested, it keeps the tables of the compressor: half the CPU time.
    return zstd.compress(text, options=options, zstd_dict=raw and raw.as_digested_dict)


def decompressed(
    document: bytes, dictionary: bytes, choice: Choice | None = None
) -> tuple[FindingDocument, ...]:
    """Return the findings of a compressed document, or the chosen ones.

    `dictionary` is empty for a document that was compressed without.
    """
    text = zstd.decompress(document, zstd_dict=_raw(dictionary))
    return from_documents(FindingDocument, choice.parsed(text) if choice else _documents(text))


def save(session: Session, case_id: UUID, revision: int, text: bytes, dictionary: bytes) -> None:
    """Replace the findings of a case by those of a checked text; the caller holds its lock."""
    digest = _digest(dictionary)
    # Compressed and sent only when it is missing; locked, as the release after may delete it.
    stored = select(FindingDictionary.digest).where(FindingDictionary.digest == digest)
    if session.scalar(stored.with_for_update(read=True, key_share=True)) is None:
        row = insert(FindingDictionary).values(digest=digest, text=zstd.compress(dictionary, LEVEL))
        if session.execute(row.on_conflict_do_nothing().returning(FindingDictionary.digest)).first():
            _forget_unused(session, digest)
    values = {
        "evidence_rev": revision,
        "dictionary": digest,
        "document": compressed(text, dictionary),
    }
    written = insert(CaseFindings).values(case_id=case_id, **values)
    replaced = {name: written.excluded[name] for name in values}
    session.execute(written.on_conflict_do_update(index_elements=["case_id"], set_=replaced))


def load(session: Session, case_id: UUID, choice: Choice | None = None) -> tuple[FindingDocument, ...]:
    """Return the findings of a case, or the chosen ones; none before it was judged."""
    return load_all(session, [case_id], choice).get(case_id, ())


def load_all(
    session: Session, case_ids: Collection[UUID], choice: Choice | None = None
) -> dict[UUID, tuple[FindingDocument, ...]]:
    """Return the findings of the cases that were judged, or the chosen ones."""
    query = select(CaseFindings.case_id, CaseFindings.dictionary, CaseFindings.document)
    rows = session.execute(query.where(among(CaseFindings.case_id, case_ids))).all()
    return {
        case_id: decompressed(document, _dictionary(session, digest), choice)
        for case_id, digest, document in rows
    }


def _documents(text: bytes) -> list[JsonObject]:
    documents: list[JsonObject] = from_json(text)
    return documents


def _beginning(row: bytes) -> bytes:
    """Return the JSON text of the signature of a finding, its first field."""
    return row.partition(b",")[0]


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
def _digest(dictionary: bytes) -> str:
    return hashlib.sha256(dictionary).hexdigest()


@lru_cache(maxsize=LOADED)
def _raw(dictionary: bytes) -> zstd.ZstdDict | None:
    return zstd.ZstdDict(dictionary, is_raw=True) if dictionary else None
