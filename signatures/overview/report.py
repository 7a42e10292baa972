"""Panels as wire values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.documents.panel import FigureDocument, PanelDocument

if TYPE_CHECKING:
    from signatures.overview.model import Figure, Panel


def panel_document(panel: Panel) -> PanelDocument:
    """Return a panel as a wire value."""
    return PanelDocument(
        name=panel.name,
        title=panel.title,
        host=panel.host,
        phase=panel.phase,
        state=panel.state,
        summary=panel.summary,
        figures=tuple(map(_figure, panel.figures)),
        lacks=panel.lacks,
        assesses=panel.assesses,
    )


def _figure(figure: Figure) -> FigureDocument:
    return FigureDocument(
        label=figure.label,
        value=figure.value,
        unit=figure.unit,
        is_notable=figure.is_notable,
        note=figure.note,
        citations=figure.places,
    )
