"""What a library holds: the documents of its signatures, one of them by name, and folders for new ones.

>>> index_of(["mm/memcg-oom", "mm/memcg-limit-reclaim"], "memcg-oom")
0
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from signatures.document.files import LIBRARY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from signatures.documents.signature import SignatureDocument
    from signatures.language.model import Catalog, Signature


MOST_SIMILAR = 5
"""So many ids are proposed for one that is not there."""


class UnknownSignatureError(ValueError):
    """No signature, or more than one, has the name; the message has the most similar ids."""


class FolderChoiceError(ValueError):
    """A new signature cannot have this id; the message has the reason."""


class LibraryDocuments(NamedTuple):
    """The documents of libraries.

    Attributes:
        documents: Sorted by id.
        problems: Signatures that cannot be loaded and are left out, as sentences.
    """

    documents: list[SignatureDocument]
    problems: tuple[str, ...]


def ids_in(root: Path = LIBRARY) -> list[str]:
    """Return the ids of all signatures of a library, sorted, without reading them."""
    return sorted("/".join(path.parts[-3:-1]) for path in root.glob("*/*/signature.yaml"))


def folder_of(root: Path, signature_id: str) -> Path:
    """Return the folder of a signature below `root`.

    Raises:
        FolderChoiceError: The id is not AREA/NAME.
    """
    area, _, name = signature_id.partition("/")
    if not area or not name or "/" in name:
        raise FolderChoiceError(f"{signature_id!r} is not AREA/NAME, such as mm/my-stall")
    return root / area / name


def refuse_existing(folder: Path) -> None:
    """Refuse to write into a folder that is there.

    Raises:
        FolderChoiceError: It is.
    """
    if folder.exists():
        raise FolderChoiceError(f"{folder} exists already; choose another name or edit it")


def library_documents(roots: Sequence[Path] = ()) -> LibraryDocuments:
    """Return the documents of Casebook's library and of those below `roots`, which replace equal ids."""
    from signatures.reporting.signature_list import signature_documents  # noqa: PLC0415 - completion needs ids alone

    documents = {one["id"]: one for one in signature_documents() or ()}
    if documents and not roots:
        return LibraryDocuments(list(documents.values()), ())
    from signatures.document.catalog import catalog_of_folder, load_catalog  # noqa: PLC0415 - parses every signature
    from signatures.reporting.signature_document import signature_document  # noqa: PLC0415 - imports the judging

    catalogs = [] if documents else [load_catalog()]
    catalogs += map(catalog_of_folder, roots)
    for catalog in catalogs:
        documents.update((one.id, signature_document(one)) for one in catalog.signatures)
    problems = tuple(str(problem) for catalog in catalogs for problem in catalog.problems)
    return LibraryDocuments([documents[name] for name in sorted(documents)], problems)


def signature_named(catalog: Catalog, wanted: str) -> Signature:
    """Return one signature by id, or by name without the area.

    Raises:
        UnknownSignatureError: Unknown or ambiguous.
    """
    return catalog.signatures[index_of([one.id for one in catalog.signatures], wanted)]


def signature_with_id(catalog: Catalog, signature_id: str) -> Signature:
    """Return one signature by its whole id.

    Raises:
        UnknownSignatureError: There is none.
    """
    found = catalog.get(signature_id)
    if found is None:
        raise UnknownSignatureError(f"unknown signature {signature_id!r}; see `casebook signature list`")
    return found


def index_of(ids: Sequence[str], wanted: str) -> int:
    """Return the index of a signature by id, or by name without the area.

    Raises:
        UnknownSignatureError: Unknown or ambiguous.
    """
    found = [index for index, one in enumerate(ids) if wanted in {one, one.rpartition("/")[2]}]
    if len(found) == 1:
        return found[0]
    similar = [ids[index] for index in found] or get_close_matches(wanted, ids) or _with_part(ids, wanted)
    hint = f"; did you mean {' or '.join(similar)}?" if similar else ";"
    raise UnknownSignatureError(f"unknown signature {wanted!r}{hint} see `casebook signature list`")


def _with_part(ids: Sequence[str], wanted: str) -> list[str]:
    """Return the ids that have `wanted` in them, the shortest first."""
    return sorted((one for one in ids if wanted and wanted in one), key=len)[:MOST_SIMILAR]
