"""Stage 4: write summary, page and bundle."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from backend.handoffs import bundle
from backend.handoffs.preparation.values import WrittenBundle, extend

if TYPE_CHECKING:
    from backend.handoffs.preparation.values import JudgedContents


def write(preparation: JudgedContents) -> WrittenBundle:
    """Return the preparation with the bundle, written to its scratch directory."""
    documents = bundle.documents(preparation.contents)
    path = preparation.scratch / f"handoff{bundle.SUFFIX}"
    with path.open("wb") as stream:
        bundle.write(preparation.contents, documents, stream)
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    return extend(
        preparation,
        WrittenBundle,
        documents=documents,
        path=path,
        sha256=sha256,
        size_bytes=path.stat().st_size,
    )
