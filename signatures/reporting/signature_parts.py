"""What findings take over from their signature: references, reports, fixes, captures of what is not decided.

A case has a finding of every signature, and these parts are more than half of their text. They depend on
which conditions are undecided and which are met, not on evidence, so that they are made once.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from signatures.documents.capture import CaptureDocument, ConditionCaptureDocument
from signatures.documents.codec import from_document, from_documents
from signatures.documents.fix import FixDocument, ReferenceDocument, ReportedDocument
from signatures.documents.shared import SharedDocuments
from signatures.kernels.fix_records import commit_url, cve_url

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from signatures.language.model import Capture, Signature

    AnyCapture = TypeVar("AnyCapture", bound=CaptureDocument)

MOST_SIGNATURES = 4096
MOST_CHOICES = 64
"""Of one signature in memory; evidence repeats a few of them."""

_URLS = {"commit": commit_url, "cve": cve_url}


class SignatureParts:
    """The parts of one signature."""

    def __init__(self, signature: Signature) -> None:
        """Make what all its findings share."""
        self.signature = signature
        self.references = SharedDocuments(map(reference_document, signature.references))
        self.reported = from_documents(ReportedDocument, signature.reported)
        self._every_fix = from_documents(FixDocument, signature.fixes)
        self._fixes: dict[tuple[bool, ...], SharedDocuments] = {}
        self._captures: dict[tuple[str, ...], SharedDocuments] = {}

    def fixes(self, met: Collection[str]) -> SharedDocuments:
        """Return its fixes; one for some states only (`only_with`) where one of its conditions is met."""
        chosen = tuple(
            not one.only_with or any(name in met for name in one.only_with) for one in self._every_fix
        )
        found = self._fixes.get(chosen)
        if found is None:
            fixes = (one for one, is_shown in zip(self._every_fix, chosen, strict=True) if is_shown)
            found = _kept(self._fixes, chosen, SharedDocuments(fixes))
        return found

    def captures(self, undecided: tuple[str, ...]) -> SharedDocuments:
        """Return the captures that decide these conditions."""
        found = self._captures.get(undecided)
        if found is None:
            captures = SharedDocuments(
                capture_document(capture, ConditionCaptureDocument, condition=condition)
                for condition in undecided
                for capture in self.signature.next.get(condition, ())
            )
            found = _kept(self._captures, undecided, captures)
        return found


def _kept(found: dict[Any, Any], key: Any, value: Any, most: int = MOST_CHOICES) -> Any:
    if len(found) >= most:
        found.clear()
    found[key] = value
    return value


_PARTS: dict[int, SignatureParts] = {}
"""By the number of the object; parts hold their signature, so that no other one takes its number."""


def parts_of(signature: Signature) -> SignatureParts:
    """Return the parts of a signature."""
    found = _PARTS.get(id(signature))
    return found or _kept(_PARTS, id(signature), SignatureParts(signature), MOST_SIGNATURES)


def capture_document(capture: Capture, cls: type[AnyCapture], **further: Any) -> AnyCapture:
    """Return a capture as a wire value of class `cls`, with the fields that it adds."""
    return cls(
        name=capture.name,
        title=capture.title,
        run=capture.run,
        cost=capture.cost,
        needs=capture.needs,
        alternatives=capture.alternatives,
        unsafe_if=capture.unsafe_if,
        **further,
    )


def reference_document(reference: Mapping[str, str]) -> ReferenceDocument:
    """Return a reference with the canonical URL of its commit or CVE."""
    found = from_document(ReferenceDocument, reference)
    if found.url or found.kind not in _URLS:
        return found
    return replace(found, url=_URLS[found.kind](found.id or ""))
