"""Panels: the result of one system-wide analysis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from signatures.documents.citation import Place

PanelState: TypeAlias = Literal["calm", "notable", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDocument:
    """One figure: a number in `unit` or a word, with its citation.

    Attributes:
        value: A number that is not finite is a text, such as `inf`.
        is_notable: Far outside the normal range.
    """

    label: str
    value: float | str
    unit: str
    is_notable: bool = False
    note: str = ""
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelDocument:
    """The result of one analysis for one host and phase; a calm panel that assesses nothing is not judged.

    Attributes:
        lacks: Missing evidence: commands or files.
        assesses: Questions that its evidence answers completely.
    """

    name: str
    title: str
    host: str
    phase: str
    state: PanelState
    summary: str
    figures: tuple[FigureDocument, ...] = ()
    lacks: tuple[str, ...] = ()
    assesses: tuple[str, ...] = ()
