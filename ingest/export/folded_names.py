"""Names of frames and threads in folded text."""

from __future__ import annotations


def unbroken(name: str) -> str:
    """Return a name that cannot break a line or a stack."""
    return name.replace(";", ":").replace("\n", " ")
