"""The library of signatures and the shared catalogue of captures, read from their files.

A broken signature does not affect the others: it is omitted and its error listed in `problems`.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from signatures.document import compiled_catalog
from signatures.document.files import CAPTURES, LIBRARY
from signatures.document.library_files import LibraryFiles, id_of
from signatures.language.errors import SignatureError
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from signatures.language.model import Capture, Signature

COMMIT_DIGITS = 12
"""Digits of a commit, or of the digest of a folder, that are shown."""


def load_catalog(root: Path | None = None) -> Catalog:
    """Return the signatures in `<area>/<name>/signature.yaml` below `root`; the library is read once."""
    return _library() if root is None else _read(root)


def catalog_with(roots: Sequence[Path]) -> Catalog:
    """Return the library of Casebook together with those below `roots`, in the order of their ids.

    Of signatures with the same id that of the last root stands; its id is in `replaced`. Those of a root name
    it as their library.
    """
    library = _library()
    signatures = {one.id: one for one in library.signatures}
    problems = list(library.problems)
    replaced: set[str] = set()
    for root in roots:
        own = catalog_of_folder(root)
        replaced.update(one.id for one in own.signatures if one.id in signatures)
        signatures.update((one.id, one) for one in own.signatures)
        problems += own.problems
    in_order = tuple(signatures[name] for name in sorted(signatures))
    return Catalog(in_order, library.captures, tuple(problems), tuple(sorted(replaced)))


def catalog_of_folder(root: Path) -> Catalog:
    """Return the signatures below `root`, each with the library that it is of: `ours@1f0c9e2ab7d4`."""
    own = _read(root)
    library = identity(root.resolve().name, digest_of_folder(root))
    return replace(own, signatures=tuple(replace(one, library=library) for one in own.signatures))


def digest_of_folder(root: Path) -> str:
    """Return the SHA-256 of ids and files of the signatures below `root`; equal libraries have the same."""
    whole = hashlib.sha256()
    for path in LibraryFiles(root).paths():
        whole.update(f"{id_of(path)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def identity(name: str, commit: str) -> str:
    """Return the library of a finding as it is shown: `payments@1f0c9e2ab7d4`."""
    return f"{name}@{commit[:COMMIT_DIGITS]}"


@cache
def _library() -> Catalog:
    return compiled_catalog.load() or parsed_library()


def parsed_library() -> Catalog:
    """Return the library of Casebook as its files state it, whatever is compiled."""
    return _read(LIBRARY)


def _read(root: Path) -> Catalog:
    from signatures.document.decision_rules import capture_of  # noqa: PLC0415 - what is compiled needs none of it

    library = LibraryFiles(root)
    rows = library.captures()
    captures = {name: capture_of(CAPTURES.name, name, row, name) for name, row in rows.items()}
    signatures: list[Signature] = []
    problems: list[SignatureError] = []
    for path in library.paths():
        try:
            signatures.append(_signature(path, captures, library))
        except SignatureError as problem:
            problems.append(problem)
    return Catalog(tuple(signatures), tuple(captures.values()), tuple(problems))


def _signature(path: Path, captures: Mapping[str, Capture], library: LibraryFiles) -> Signature:
    from signatures.document.parse import signature_of  # noqa: PLC0415 - same

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
        from signatures.document.yaml_document import line_of  # noqa: PLC0415 - YAML is slow to import

        line = line_of(path.read_text(encoding="utf-8"), error.key)
        raise SignatureError(error.file, error.key, error.problem, error.remedy, line) from error
    return signature


def _check_id(signature: Signature, expected: str, name: str) -> None:
    if signature.id != expected:
        raise SignatureError(name, "id", f"{signature.id!r} differs from its folder", f"write id: {expected}")


if __name__ == "__main__":
    compiled_catalog.write(parsed_library())
