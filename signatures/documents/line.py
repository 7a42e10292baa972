"""One line of a kernel log: which source line prints it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

LineState: TypeAlias = Literal["kernel", "weak", "unknown", "program"]
"""`kernel`: a message of the catalogue; `weak`: one whose words programs print too; `unknown`: in no source
that was looked at; `program`: the prefix names another program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlaceDocument:
    """A place in the source that prints a line.

    Attributes:
        path: Below the top of the source package.
        driver: The module that the file is linked into; empty for code of the kernel itself.
        layer: One of `ingest.catalogue.message_places.LAYERS`.
        part: Part of the kernel, for people.
        level: Name of the level of the call, `emergency` to `information`.
        returns_error: The code right behind the call returns an error.
    """

    path: str
    function: str
    driver: str
    layer: str
    part: str
    level: str
    returns_error: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LineClassDocument:
    """A class of kernel messages that covers a line."""

    name: str
    severity: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedLineDocument:
    """What is known of one line.

    Attributes:
        line: As it was given.
        message: Without the prefix of its log.
        stated_level: Name of the level that the line itself states; empty without one.
        bits: How seldom the constant words of the message stand in lines of programs: −log₂ of the share.
        devices: Devices that the line names.
        places: Of the newest release that prints it, at most three.
        place_count: How many there are.
        printed_by: Releases looked at whose sources print it.
        not_printed_by: Releases of the same kind looked at whose sources do not.
    """

    line: str
    message: str
    state: LineState
    stated_level: str = ""
    bits: int = 0
    devices: tuple[str, ...] = ()
    places: tuple[LinePlaceDocument, ...] = ()
    place_count: int = 0
    printed_by: tuple[str, ...] = ()
    not_printed_by: tuple[str, ...] = ()
    classes: tuple[LineClassDocument, ...] = ()
