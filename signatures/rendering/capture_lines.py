"""The capture catalogue as text: each command with its cost, requirements and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.language.model import Capture


def capture_lines(captures: Iterable[Capture]) -> Iterator[str]:
    """Yield the lines of each capture, the command last."""
    for capture in captures:
        yield f"{capture.name}: {capture.title}"
        yield f"  cost: {capture.cost}"
        for name, values in (
            ("needs", capture.needs),
            ("reads", capture.reads),
            ("not if", capture.unsafe_if),
        ):
            if values:
                yield f"  {name}: {', '.join(values)}"
        yield f"  {capture.run}"
