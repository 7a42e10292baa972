"""What stands in a case: rows of the reading in use of evidence that is not deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVarTuple

from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.histogram import Histogram
from backend.models.log_record import LogRecord
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.row_set import RowSet
from backend.models.section import Section

if TYPE_CHECKING:
    from sqlalchemy import Select

Row = Fact | Histogram | LogRecord | Profile | RowSet
Columns = TypeVarTuple("Columns")


def standing(query: Select[*Columns], rows: type[Row]) -> Select[*Columns]:
    """Return the query joined to the reading, section and evidence of `rows`, limited to what stands."""
    return (
        query.join(Reading, Reading.id == rows.reading_id)
        .join(Section, Section.id == Reading.section_id)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .where(Reading.is_current, Evidence.deleted_at.is_(None))
    )
