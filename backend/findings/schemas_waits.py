"""Response schemas of wait graphs."""

from __future__ import annotations

from pydantic import BaseModel

from backend.core.http import wire_models  # noqa: F401 - configures wire values
from signatures.documents.waits import WaitGraphDocument


class WaitsRead(BaseModel):
    """The wait graphs of a case for one evidence revision."""

    evidence_rev: int
    graphs: tuple[WaitGraphDocument, ...]
