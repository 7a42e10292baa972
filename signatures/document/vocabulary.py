"""Words of the library, which redaction preserves because signatures match them."""

from __future__ import annotations

from functools import lru_cache

from ingest.redact.protected_words import words_of
from signatures.document.files import CAPTURES, LIBRARY


@lru_cache(maxsize=1)
def library_words() -> frozenset[str]:
    """Return the words of all signatures, stories and captures, in lower case."""
    paths = [CAPTURES, *LIBRARY.glob("*/*/signature.yaml"), *LIBRARY.glob("*/*/story.md")]
    return frozenset(words_of(path.read_text(encoding="utf-8") for path in paths))
