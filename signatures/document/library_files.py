"""Documents of a library of signatures, read from its files; checked for nothing but being YAML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from signatures.document import compiled_library
from signatures.document.files import CAPTURES, LIBRARY
from signatures.language.errors import SignatureError

if TYPE_CHECKING:
    from pathlib import Path


class LibraryFiles:
    """Cached documents below one root; clauses may reference each other across files."""

    def __init__(self, root: Path) -> None:
        """Read the compiled library; the files below `root` are read when asked for."""
        self.root = root
        self._compiled = compiled_library.load()
        self._documents: dict[str, dict[str, Any]] = {}

    def paths(self) -> list[Path]:
        """Return the files of all signatures, sorted."""
        return sorted(self.root.glob("*/*/signature.yaml"))

    def document(self, path: Path) -> dict[str, Any]:
        """Return the document of one file.

        Raises:
            SignatureError: It is not YAML.
        """
        signature_id = id_of(path)
        if signature_id not in self._documents:
            self._documents[signature_id] = self._read(path, f"{signature_id}/{path.name}")
        return self._documents[signature_id]

    def captures(self) -> dict[str, dict[str, Any]]:
        """Return the documents of the shared captures by name."""
        return self._read(CAPTURES, CAPTURES.name)

    def other(self, signature_id: str) -> dict[str, Any] | None:
        """Return another signature's document; None when it is missing or unreadable.

        A signature that this library does not have is looked up in the library of Casebook.
        """
        for root in (self.root, LIBRARY):
            path = root.joinpath(*signature_id.split("/"), "signature.yaml")
            if path.is_file():
                return self._readable(path)
        return None

    def _readable(self, path: Path) -> dict[str, Any] | None:
        try:
            return self.document(path)
        except SignatureError:
            return None

    def _read(self, path: Path, name: str) -> dict[str, Any]:
        content = path.read_bytes()
        compiled = self._compiled.get(compiled_library.digest_of(content))
        if compiled is not None:
            return compiled
        from signatures.document.yaml_document import document_of  # noqa: PLC0415 - YAML is slow to import

        return document_of(content.decode("utf-8"), name)


def id_of(path: Path) -> str:
    """Return the id of the signature in the file: its folder."""
    return "/".join(path.parts[-3:-1])
