"""Open tokens that a person chose to replace: `CLASS:TOKEN`, such as `host:swordfish-db3`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.redact.open_classes import KIND_OF_CLASS

if TYPE_CHECKING:
    from pathlib import Path


class ReplacementError(ValueError):
    """A word is not `CLASS:TOKEN`."""


class UnknownClassError(ValueError):
    """A class of open tokens that there is not."""


def known_class(name: str) -> str:
    """Return the name of a class of open tokens.

    Raises:
        UnknownClassError: There is no such class.
    """
    if name not in KIND_OF_CLASS:
        raise UnknownClassError(f"{name!r} is not one of {', '.join(KIND_OF_CLASS)}")
    return name


def replacement_of(word: str) -> tuple[str, str]:
    """Return kind and name of `CLASS:TOKEN`.

    Raises:
        ReplacementError: It is not of that form.
    """
    name, _, token = word.partition(":")
    if name not in KIND_OF_CLASS or not token.strip("*"):
        classes = ", ".join(KIND_OF_CLASS)
        raise ReplacementError(f"--replace {word!r}: expected CLASS:TOKEN, CLASS one of {classes}")
    return KIND_OF_CLASS[name], token


def replacements_in(file: Path) -> tuple[tuple[str, str], ...]:
    """Return kind and name of each line of a file of CLASS:TOKEN lines; `#` begins a comment.

    Raises:
        ReplacementError: A line is not of that form.
    """
    rows = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return tuple(replacement_of(row) for row in rows if row and not row.startswith("#"))
