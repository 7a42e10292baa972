"""Panels as JSON values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from signatures.overview.model import Figure, Panel


def panel_document(panel: Panel) -> dict[str, Any]:
    """Return a panel as JSON values; an infinite number becomes the text `inf`."""
    return {
        "name": panel.name,
        "title": panel.title,
        "host": panel.host,
        "phase": panel.phase,
        "state": panel.state,
        "summary": panel.summary,
        "figures": [_figure(figure) for figure in panel.figures],
        "lacks": list(panel.lacks),
        "assesses": list(panel.assesses),
    }


def _figure(figure: Figure) -> dict[str, Any]:
    value = figure.value
    is_infinite = isinstance(value, float) and not math.isfinite(value)
    return {
        "label": figure.label,
        "value": str(value) if is_infinite else value,
        "unit": figure.unit,
        "is_notable": figure.is_notable,
        "note": figure.note,
        "citations": [place._asdict() for place in figure.places],
    }
