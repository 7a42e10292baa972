"""Fields that the documents of signatures and alarms have in common."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from signatures.documents.levels import LEVEL_OF_SEVERITY

if TYPE_CHECKING:
    from collections.abc import Mapping


def fingerprint(*parts: str) -> str:
    """Return the SHA-256 of what a finding is about, the same in the next build; parts hold no measures."""
    return hashlib.sha256(" ".join(parts).encode(errors="surrogatepass")).hexdigest()


def common_fields(signature: str, severity: str, host: str, phase: str) -> dict[str, Any]:
    """Return kind, level and fingerprint of the finding of a signature."""
    return {
        "kind": "signature",
        "level": LEVEL_OF_SEVERITY[severity],
        "fingerprint": fingerprint(signature, host, phase),
    }


def completed(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a signature with the common fields, which older documents lack."""
    named = {name: document[name] for name in ("signature", "severity", "host", "phase")}
    return {**common_fields(**named), **document}
