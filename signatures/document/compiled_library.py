"""Compiled library: the YAML of all signatures as one JSON file, which loads in milliseconds.

`make build` writes it. Documents are keyed by the digest of their YAML text; changed and new files are read
from YAML, so a stale file is never wrong.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signatures.document.files import CAPTURES, LIBRARY

if TYPE_CHECKING:
    from collections.abc import Iterable

COMPILED = Path(__file__).parents[1] / "library.json"


def digest_of(content: bytes) -> str:
    """Return the key of a document."""
    return hashlib.sha256(content).hexdigest()


def load() -> dict[str, dict[str, Any]]:
    """Return digest to document; empty when nothing was compiled."""
    try:
        documents: dict[str, dict[str, Any]] = json.loads(COMPILED.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return documents


def write(paths: Iterable[Path]) -> int:
    """Compile the documents of `paths` and return how many there are.

    Raises:
        SignatureError: One of them is not YAML.
    """
    from signatures.document.yaml_document import document_of  # noqa: PLC0415 - YAML is slow to import

    contents = [(path, path.read_bytes()) for path in paths]
    documents = {
        digest_of(content): document_of(content.decode("utf-8"), str(path)) for path, content in contents
    }
    COMPILED.write_text(json.dumps(documents, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return len(documents)


if __name__ == "__main__":
    write([CAPTURES, *sorted(LIBRARY.glob("*/*/signature.yaml"))])
