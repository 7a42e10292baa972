"""Explanation of lines of kernel logs: which source line prints each; the lines are never stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.sandbox.computations.results import leave
from ingest.native.messages import sources
from signatures.documents.codec import to_document
from signatures.rendering.explained_line import explained_lines
from signatures.reporting.explained_line import explained

if TYPE_CHECKING:
    from pathlib import Path


def explain_lines(arguments: dict[str, Any], output: Path, _input: int) -> None:
    """Explain `arguments["lines"]`.

    Leaves `result.json`: the releases looked at; for each line its document and words for people.
    """
    looked_at = [one.release for one in sources()]
    found = [explained(line) for line in arguments["lines"]]
    lines = [
        {"line": to_document(one), "words": [row.text for row in explained_lines(one, looked_at)]}
        for one in found
    ]
    leave({"looked_at": looked_at, "lines": lines}, output)
