"""Endpoint that explains lines of a kernel log."""

from __future__ import annotations

from fastapi import APIRouter

from backend.access.actions import Action
from backend.access.dependencies import SettingsDep, needs
from backend.library import kernel_lines
from backend.library.schemas_lines import ExplainedLinesRead, LinesQuery

router = APIRouter(tags=["library"])


@router.post("/library/lines", dependencies=[needs(Action.LIBRARY_READ)])
def explain_lines(body: LinesQuery, settings: SettingsDep) -> ExplainedLinesRead:
    """Explain lines of a kernel log: level, driver, layer, place and releases of what prints them.

    The lines are never stored. No text of the sources is returned.
    """
    return kernel_lines.explain(settings, body.lines)
