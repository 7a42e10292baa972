"""One log that several commands printed parts of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ingest.model.section import Text


class Output(NamedTuple):
    """What one command printed and none before it.

    Attributes:
        goes_on: Whether its first line follows the last line of the output before it in the log.
    """

    text: Text
    goes_on: bool
