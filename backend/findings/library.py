"""The signature library for the API, loaded once per process."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from backend.cases import stored_findings
from backend.core.errors import NotFoundError
from backend.findings.schemas_signatures import SignatureRead, SignatureSummary
from signatures.authoring.exports import EXPORTS, NotExportableError, exports_of, filename_of
from signatures.authoring.fixture_tests import fixture_document, fixtures_of
from signatures.document.catalog import load_catalog
from signatures.document.files import SCHEMA
from signatures.reporting.blank_findings import blank_findings
from signatures.reporting.signature_document import published_document

if TYPE_CHECKING:
    from ingest.model.json_value import JsonValue
    from signatures.language.model import Catalog, Signature


def catalog() -> Catalog:
    """Return the library."""
    return load_catalog()


@lru_cache(maxsize=1)
def dictionary() -> bytes:
    """Return the text that findings are compressed with: what the signatures determine of them."""
    return b"".join(map(stored_findings.text_of, blank_findings(catalog())))


def schema() -> dict[str, JsonValue]:
    """Return the JSON Schema of signature files."""
    found: dict[str, JsonValue] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return found


def summaries() -> list[SignatureSummary]:
    """Return the list entry of every signature."""
    return [_summary(signature) for signature in catalog().signatures]


def detail(signature_id: str, own: Signature | None = None) -> SignatureRead:
    """Return one signature with its document and story: `own`, of a team's library, in place of Casebook's.

    Raises:
        NotFoundError: Unknown signature.
    """
    signature = own or catalog().get(signature_id)
    if signature is None:
        raise NotFoundError(f"the library has no signature {signature_id}")
    evidence = [] if own else [fixture_document(fixture) for fixture in fixtures_of(signature_id)]
    detections = [
        {"name": name, "title": EXPORTS[name].title, "filename": filename_of(name, signature)}
        for name in (() if own else exports_of(signature))
    ]
    parts = {
        "document": published_document(signature),
        "story": signature.story,
        "evidence": evidence,
        "detections": detections,
    }
    whole = _summary(signature).model_dump() | parts
    return SignatureRead.model_validate(whole)


def detection(signature_id: str, name: str) -> tuple[str, str, str]:
    """Return text, media type and file name of an export of a signature.

    Raises:
        NotFoundError: Unknown signature, or it has no such export; the reason is named.
    """
    signature = catalog().get(signature_id)
    if signature is None:
        raise NotFoundError(f"the library has no signature {signature_id}")
    try:
        text = EXPORTS[name].text(signature)
    except NotExportableError as problem:
        raise NotFoundError(str(problem)) from problem
    return text, EXPORTS[name].media_type, filename_of(name, signature)


def _summary(signature: Signature) -> SignatureSummary:
    return SignatureSummary(
        id=signature.id,
        version=signature.version,
        title=signature.title,
        severity=signature.severity,
        status=signature.status,
        area=signature.id.partition("/")[0],
        symptoms=list(signature.symptoms),
        aliases=list(signature.aliases),
        library=signature.library,
    )
