"""The forms of evidence that signatures can use, as JSON values and as text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypedDict

from signatures.authoring import evidence_forms
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.model import Signature


class UseDocument(TypedDict):
    """Whether a signature can use a form of evidence: by which conditions, or why not."""

    form: str
    title: str
    state: str
    used_by: list[str]
    why_not: str | None


class CoverageDocument(TypedDict):
    """Every form of evidence for one signature."""

    id: str
    forms: list[UseDocument]


def coverage_document(signature: Signature) -> CoverageDocument:
    """Return every form of evidence for one signature."""
    return {
        "id": signature.id,
        "forms": [
            {
                "form": use.form.id,
                "title": use.form.title,
                "state": use.state,
                "used_by": list(use.conditions),
                "why_not": use.why_not or None,
            }
            for use in evidence_forms.coverage(signature)
        ],
    }


def coverage_lines(document: CoverageDocument, *, is_whole: bool) -> Iterator[Line]:
    """Yield how many forms the signature uses, explains or leaves open, and each of them if `is_whole`."""
    forms = document["forms"]
    counted = Counter(use["state"] for use in forms)
    rest = ", ".join(f"{counted[state]} {state}" for state in ("explained", "open") if counted[state])
    used = f"{counted['used']} of {len(forms)} forms used"
    yield Line(f"{document['id']}: {used}{f', {rest}' if rest else ''}")
    if not is_whole:
        return
    widest = max(len(use["title"]) for use in forms)
    for use in forms:
        said = ", ".join(use["used_by"]) or use["why_not"] or ""
        yield Line(f"  {use['state']:<9}  {use['title']:<{widest}}  {said}".rstrip())
