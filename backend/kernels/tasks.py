"""Kernels of a case, derived from its evidence with every change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.derived_rows import CaseContentChanged
from backend.core.domain_events import subscribes
from backend.kernels import case_rows

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


@subscribes(CaseContentChanged)
def list_kernels_of_case(session: Session, event: CaseContentChanged) -> None:
    """Write the kernels of the hosts of the case in the transaction that changes it."""
    case_rows.refresh(session, event.case_id)
