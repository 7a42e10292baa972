"""What the pages of a case show beside its findings, computed with its judgement."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from backend.core.db.wire_json import WireValue, WireValues
from backend.models.base import Base
from signatures.documents.comparison import ComparisonDocument
from signatures.documents.overview import OverviewDocument
from signatures.documents.panel import PanelDocument
from signatures.documents.waits import WaitGraphDocument


class CaseScreen(Base):
    """The computed documents of a case; they cite evidence by id.

    Attributes:
        evidence_rev: Revision of the evidence that they are of.
        engine: Version of the engine that computed them (`signatures.engine_version`).
        overview: The first screen (`signatures.overview.screen_document`).
        panels: The system-wide analyses (`signatures.overview.report`).
        waits: Wait graphs by host and phase (`signatures.waits.document`).
        comparisons: Whether the recordings of two phases of a host compare.
    """

    __tablename__ = "case_screen"

    case_id: Mapped[UUID] = mapped_column(ForeignKey("case.id", ondelete="CASCADE"), primary_key=True)
    evidence_rev: Mapped[int]
    engine: Mapped[str]
    overview: Mapped[OverviewDocument] = mapped_column(WireValue(OverviewDocument))
    panels: Mapped[tuple[PanelDocument, ...]] = mapped_column(WireValues(PanelDocument))
    waits: Mapped[tuple[WaitGraphDocument, ...]] = mapped_column(WireValues(WaitGraphDocument))
    comparisons: Mapped[tuple[ComparisonDocument, ...]] = mapped_column(WireValues(ComparisonDocument))
