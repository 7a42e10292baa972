"""Response schemas of series and histograms."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel

from backend.core.http.envelope import Listed


class Percentile(BaseModel):
    """The bucket that contains a percentile; an open end is null."""

    share: float
    low: float | None
    high: float | None


class Bounds(BaseModel):
    """Lower and upper bound of an estimate; null where a filled bucket is open."""

    low: float | None
    high: float | None


class Distribution(BaseModel):
    """Statistics of a histogram with its buckets as columns; an open end is null.

    `sum_shares` is the share of the summed time or bytes per bucket, estimated from the middle of each.
    """

    name: str
    key: str
    unit: str
    probe: str
    scale: str
    count: float
    lows: list[float | None]
    highs: list[float | None]
    counts: list[float]
    shares: list[float]
    cumulative: list[float]
    lines: list[int]
    percentiles: list[Percentile]
    sum: Bounds
    sum_shares: list[float] | None


class HistogramRead(Distribution):
    """One histogram and where it was read."""

    id: UUID
    evidence_id: UUID
    evidence_name: str
    section: int


class HistogramList(Listed[HistogramRead]):
    """The histograms of a case; `unreadable` says what is left out, since its reading is damaged."""

    unreadable: list[str]


class ValueColumn(BaseModel):
    """A measured quantity; an empty unit is a plain count."""

    name: str
    unit: str


class SeriesEntry(BaseModel):
    """A series to plot; `axis` is `seconds`, `order` or `window_seconds`."""

    id: str
    name: str
    evidence_id: UUID | None
    evidence_name: str
    section: int | None
    axis: str
    values: list[ValueColumn]
    labels: list[str]
    points: int


class SeriesList(Listed[SeriesEntry]):
    """The series of a case; `unreadable` says what is left out, since its reading is damaged."""

    unreadable: list[str]


class Line(BaseModel):
    """One line as columns: position on the axis, value, and evidence line."""

    label: dict[str, str]
    evidence_id: UUID
    evidence_name: str
    time: list[float]
    value: list[float]
    line: list[int]


class SeriesRead(BaseModel):
    """One series, largest lines first; `origin` is the clock time at 0, if known."""

    id: str
    name: str
    value: str
    unit: str
    axis: str
    origin: str | None
    lines: list[Line]
    left_out: int
