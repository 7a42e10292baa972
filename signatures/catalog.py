"""The library of signatures and the shared catalogue of captures, read from their files.

One broken signature never stops the others: it is left out and its problem is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from signatures.errors import SignatureError
from signatures.parse import capture_of, signature_of

if TYPE_CHECKING:
    from signatures.model import Capture, Signature

LIBRARY = Path(__file__).parent / "library"
CAPTURES = Path(__file__).parent / "captures.yaml"
_CAPTURES_KEY = "x-captures"


@dataclass(frozen=True, slots=True)
class Catalog:
    """Signatures by id, in the order of their ids, and what could not be read."""

    signatures: tuple[Signature, ...]
    captures: tuple[Capture, ...]
    problems: tuple[SignatureError, ...] = ()

    def get(self, signature_id: str) -> Signature | None:
        """Return the signature with this id, None when there is none."""
        return next((found for found in self.signatures if found.id == signature_id), None)


def load_catalog(root: Path | None = None) -> Catalog:
    """Read every `<area>/<name>/signature.yaml` below `root`, the library unless told otherwise."""
    captures_text = CAPTURES.read_text(encoding="utf-8")
    signatures: list[Signature] = []
    problems: list[SignatureError] = []
    for path in sorted((root or LIBRARY).glob("*/*/signature.yaml")):
        try:
            signatures.append(load_signature(path, captures_text))
        except SignatureError as problem:
            problems.append(problem)
    captures = _document(captures_text, CAPTURES.name)[_CAPTURES_KEY]
    catalogue = tuple(capture_of(CAPTURES.name, name, row) for name, row in captures.items())
    return Catalog(tuple(signatures), catalogue, tuple(problems))


def load_signature(path: Path, captures_text: str | None = None) -> Signature:
    """Read one signature; the anchors of the capture catalogue (`*kernel_stacks`) are known to it.

    Raises:
        SignatureError: With file, key and remedy.
    """
    shared = CAPTURES.read_text(encoding="utf-8") if captures_text is None else captures_text
    expected = "/".join(path.parts[-3:-1])
    name = f"{expected}/{path.name}"
    document = _document(f"{shared}\n{path.read_text(encoding='utf-8')}", name)
    document.pop(_CAPTURES_KEY, None)
    story = path.with_name("story.md")
    signature = signature_of(
        document,
        name,
        story=story.read_text(encoding="utf-8") if story.exists() else "",
        folder=str(path.parent),
    )
    if signature.id != expected:
        raise SignatureError(name, "id", f"{signature.id!r} is not its folder", f"write id: {expected}")
    return signature


def _document(text: str, name: str) -> dict[str, Any]:
    try:
        document = yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as problem:
        raise SignatureError(name, "the document", f"is not YAML: {problem}", "mend the syntax") from problem
    if not isinstance(document, dict):
        raise SignatureError(name, "the document", "is not a mapping", "write `key: value`")
    return document
