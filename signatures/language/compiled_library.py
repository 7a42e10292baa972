"""The YAML of the library as one JSON file, so that loading takes milliseconds.

`make build` writes it. A document is kept under the digest of the text it was made of: an edited, a new or a
missing one is read from its YAML, so the kept file can be old but never wrong.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from signatures.language.yaml_document import document_of

if TYPE_CHECKING:
    from collections.abc import Iterable

KEPT = Path(__file__).parents[1] / "library.json"


def digest_of(content: bytes) -> str:
    """Return the name a document is kept under."""
    return hashlib.sha256(content).hexdigest()


def load() -> dict[str, dict[str, Any]]:
    """Return digest to document; empty when nothing was compiled."""
    try:
        kept: dict[str, dict[str, Any]] = json.loads(KEPT.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return kept


def write(paths: Iterable[Path]) -> int:
    """Compile the documents of `paths` and return how many there are.

    Raises:
        SignatureError: One of them is not YAML.
    """
    contents = [(path, path.read_bytes()) for path in paths]
    kept = {digest_of(content): document_of(content.decode("utf-8"), str(path)) for path, content in contents}
    KEPT.write_text(json.dumps(kept, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    return len(kept)


if __name__ == "__main__":
    here = Path(__file__).parents[1]
    write([here / "captures.yaml", *sorted(here.glob("library/*/*/signature.yaml"))])
