"""Documents that many findings have in common, with their text."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from signatures.documents.codec import to_documents


class SharedDocuments(tuple[Any, ...]):  # noqa: SLOT001 - the text is kept
    """A tuple of wire values that is made once, and written as JSON once."""

    @cached_property
    def text(self) -> str:
        """Its JSON text."""
        return json.dumps(to_documents(self), allow_nan=False)


def text_of(documents: tuple[Any, ...]) -> str:
    """Return wire values as JSON text."""
    if isinstance(documents, SharedDocuments):
        return documents.text
    return json.dumps(to_documents(documents), allow_nan=False)
