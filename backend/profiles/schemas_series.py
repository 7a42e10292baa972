"""What the endpoints of series and histograms give."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel


class Percentile(BaseModel):
    """The bucket in which a share of all values is reached; an open end is null."""

    share: float
    low: float | None
    high: float | None


class Bounds(BaseModel):
    """The least and the most that something can be; null where a filled bucket is open."""

    low: float | None
    high: float | None


class Distribution(BaseModel):
    """What a histogram says, its buckets as columns; an open end is null.

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


class ValueColumn(BaseModel):
    """Something that was measured; an empty unit is a plain count."""

    name: str
    unit: str


class SeriesEntry(BaseModel):
    """Something that can be drawn over time; `axis` is `seconds`, `order` or `window_seconds`."""

    id: str
    name: str
    evidence_id: UUID | None
    evidence_name: str
    section: int | None
    axis: str
    values: list[ValueColumn]
    labels: list[str]
    points: int


class Line(BaseModel):
    """One line as columns: where on the axis, the value, and the line of the evidence that says so."""

    label: dict[str, str]
    evidence_id: UUID
    evidence_name: str
    time: list[float]
    value: list[float]
    line: list[int]


class SeriesRead(BaseModel):
    """One series, its heaviest lines first; `origin` is what the clock showed at 0, when it is a clock."""

    id: str
    name: str
    value: str
    unit: str
    axis: str
    origin: str | None
    lines: list[Line]
    left_out: int
