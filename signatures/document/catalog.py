"""The library of signatures and the shared catalogue of captures, read from their files.

A broken signature does not affect the others: it is omitted and its error listed in `problems`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.document import compiled_library
from signatures.document.decision_rules import capture_of
from signatures.document.files import CAPTURES, LIBRARY
from signatures.document.parse import signature_of
from signatures.document.yaml_document import document_of, line_of
from signatures.language.errors import SignatureError
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from signatures.language.model import Capture, Signature


class _Library:
    """Cached documents below one root; clauses may reference each other across files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._compiled = compiled_library.load()
        self._documents: dict[str, dict[str, Any]] = {}

    def paths(self) -> list[Path]:
        return sorted(self.root.glob("*/*/signature.yaml"))

    def document(self, path: Path) -> dict[str, Any]:
        signature_id = id_of(path)
        if signature_id not in self._documents:
            self._documents[signature_id] = self._read(path, f"{signature_id}/{path.name}")
        return self._documents[signature_id]

    def captures(self) -> dict[str, Capture]:
        rows = self._read(CAPTURES, CAPTURES.name)
        return {name: capture_of(CAPTURES.name, name, row, name) for name, row in rows.items()}

    def other(self, signature_id: str) -> dict[str, Any] | None:
        """Return another signature's document; None when it is missing or unreadable."""
        path = self.root.joinpath(*signature_id.split("/"), "signature.yaml")
        try:
            return self.document(path) if path.is_file() else None
        except SignatureError:
            return None

    def _read(self, path: Path, name: str) -> dict[str, Any]:
        content = path.read_bytes()
        compiled = self._compiled.get(compiled_library.digest_of(content))
        return compiled if compiled is not None else document_of(content.decode("utf-8"), name)


def id_of(path: Path) -> str:
    """Return the id of the signature in the file: its folder."""
    return "/".join(path.parts[-3:-1])


def load_catalog(root: Path | None = None) -> Catalog:
    """Read every `<area>/<name>/signature.yaml` below `root`, by default the library."""
    library = _Library(root or LIBRARY)
    captures = library.captures()
    signatures: list[Signature] = []
    problems: list[SignatureError] = []
    for path in library.paths():
        try:
            signatures.append(_signature(path, captures, library))
        except SignatureError as problem:
            problems.append(problem)
    return Catalog(tuple(signatures), tuple(captures.values()), tuple(problems))


def _signature(path: Path, captures: Mapping[str, Capture], library: _Library) -> Signature:
    expected = id_of(path)
    name = f"{expected}/{path.name}"
    story = path.with_name("story.md")
    try:
        signature = signature_of(
            library.document(path),
            name,
            captures=captures,
            others=library.other,
            story=story.read_text(encoding="utf-8") if story.exists() else "",
            folder=str(path.parent),
        )
        _check_id(signature, expected, name)
    except SignatureError as error:
        if error.line:
            raise
        line = line_of(path.read_text(encoding="utf-8"), error.key)
        raise SignatureError(error.file, error.key, error.problem, error.remedy, line) from error
    return signature


def _check_id(signature: Signature, expected: str, name: str) -> None:
    if signature.id != expected:
        raise SignatureError(name, "id", f"{signature.id!r} differs from its folder", f"write id: {expected}")
