"""Times that requests state: with a time zone, and within what every part of the service can store and show.

The year 9999 in a western time zone is the year 10000 in UTC, which PostgreSQL stores and Python cannot read.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime

FIRST = datetime(1970, 1, 1, tzinfo=UTC)
LAST = datetime(2200, 1, 1, tzinfo=UTC)


def _is_near(time: datetime) -> datetime:
    if not FIRST <= time < LAST:
        raise ValueError(f"must be from {FIRST.year} to {LAST.year - 1}")
    return time


RequestTime = Annotated[AwareDatetime, AfterValidator(_is_near)]
"""A time with its time zone, from 1970 to 2199."""
