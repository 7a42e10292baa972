"""Signatures of a team's library as values: read once from its files, judged without them.

    {"name": "payments", "commit": "1f0c…", "signatures": {"net/our-stall": {"document": {…}, "story": "…"}}}

A document was checked when it was read. If the engine changed since and refuses it now, the signature is left
out, and its error is a problem of the catalog.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict

from signatures.document.catalog import identity, load_catalog
from signatures.document.files import LIBRARY
from signatures.document.library_files import LibraryFiles
from signatures.document.parse import signature_of
from signatures.language.errors import SignatureError
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.language.model import Signature


class SignatureSource(TypedDict):
    """A signature: the parsed `signature.yaml`, and the text of `story.md`."""

    document: dict[str, Any]
    story: str


class SignatureFile(SignatureSource):
    """A signature as a version of a library stores it; `text` is its YAML, absent in older versions."""

    text: NotRequired[str]


class LibraryDocument(TypedDict):
    """Signatures by id, with the name of their library and the commit that they are of."""

    name: str
    commit: str
    signatures: dict[str, SignatureSource]


def catalog_with_teams(libraries: Iterable[LibraryDocument]) -> Catalog:
    """Return the library of Casebook together with those of teams, in the order of their ids.

    Of signatures with the same id that of the last library stands; its id is in `replaced`.
    """
    shipped = load_catalog()
    own = catalog_of_teams(libraries)
    if not own.signatures:
        return shipped
    by_id = {one.id: one for one in shipped.signatures}
    replaced = tuple(sorted(one.id for one in own.signatures if one.id in by_id))
    by_id.update((one.id, one) for one in own.signatures)
    in_order = tuple(by_id[name] for name in sorted(by_id))
    return Catalog(in_order, shipped.captures, (*shipped.problems, *own.problems), replaced)


def catalog_of_teams(libraries: Iterable[LibraryDocument]) -> Catalog:
    """Return the signatures of libraries of teams only, in the order of their ids."""
    shipped = load_catalog()
    captures = {one.name: one for one in shipped.captures}
    found: dict[str, Signature] = {}
    problems: list[SignatureError] = []
    for library in libraries:
        sources = library["signatures"]

        def other(name: str, sources: Mapping[str, SignatureSource] = sources) -> Mapping[str, Any] | None:
            return sources[name]["document"] if name in sources else _shipped_files().other(name)

        for name, source in sources.items():
            try:
                signature = signature_of(
                    source["document"],
                    f"{name}/signature.yaml",
                    captures=captures,
                    others=other,
                    story=source["story"],
                )
            except SignatureError as problem:
                problems.append(problem)
            else:
                found[name] = replace(signature, library=identity(library["name"], library["commit"]))
    in_order = tuple(found[name] for name in sorted(found))
    return Catalog(in_order, shipped.captures, tuple(problems))


def changed_signatures(before: Catalog, after: Catalog) -> list[str]:
    """Return the ids of signatures that may give a case another verdict: more than words differs."""
    was = {one.id: one for one in before.signatures}
    now = {one.id: one for one in after.signatures}
    return [
        name
        for name in sorted(was.keys() | now.keys())
        if name not in was or name not in now or _judged_part(was[name]) != _judged_part(now[name])
    ]


def _judged_part(signature: Signature) -> Signature:
    return replace(
        signature,
        version=0,
        title="",
        severity="",
        symptoms=(),
        aliases=(),
        reported=(),
        clauses=tuple(replace(clause, title="", answers="") for clause in signature.clauses),
        extract={},
        supersedes=(),
        follows=(),
        next={},
        first=(),
        fixes=(),
        references=(),
        story="",
        folder="",
        library="",
        reason="",
    )


@cache
def _shipped_files() -> LibraryFiles:
    return LibraryFiles(LIBRARY)
