"""Documents of baselines: what commands print, what a directory stores, what a service takes and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ingest.model.json_value import JsonObject


class NamesDocument(TypedDict):
    """The names of a series."""

    project: str
    benchmark: str
    machine: str
    kernel: str


class SeriesDocument(NamesDocument):
    """A series in a list; times are ISO 8601."""

    points: int
    latest: str
    latest_commit: str


class ServiceSeriesDocument(SeriesDocument):
    """A series of a service in a list; `team` is null without one."""

    team: str | None
    id: str


class _TrendPoint(TypedDict):
    at: str
    commit: str
    runs: int
    is_work_known: bool
    value: float | None


class TrendPointDocument(_TrendPoint, total=False):
    """A point of a trend; those of a directory have recordings, those of a service ids.

    Attributes:
        value: Cost per unit of work or run; null where the point lacks the measure.
    """

    recordings: list[str]
    id: str


class ChangeDocument(TypedDict):
    """A change point: index of the first point of the new level, and its growth, 0.1 for 10 %."""

    at: int
    growth: float


class TrendDocument(NamesDocument):
    """The trend of one series, oldest point first."""

    measure: str
    unit: str
    points: list[TrendPointDocument]
    changes: list[ChangeDocument]


class StoredRunDocument(TypedDict):
    """One run of a point in a directory; `costs` is of `ingest.comparison.costs_document`."""

    file: str
    sha256: list[str]
    work: float
    costs: JsonObject


class StoredPointDocument(NamesDocument):
    """A point in a directory, `point.json`."""

    format: int
    engine: str
    commit: str
    at: str
    is_work_known: bool
    comms: list[str]
    runs: list[StoredRunDocument]


class SentRunDocument(TypedDict):
    """One run of a point in a service."""

    sha256: list[str]
    work: float
    costs: JsonObject


class SentPointDocument(NamesDocument):
    """A point as a service takes it, without its merged stacks (`ingest.comparison.stacks_document`)."""

    format: int
    commit: str
    measured_at: str
    is_work_known: bool
    comms: list[str]
    runs: list[SentRunDocument]


class AnsweredPointDocument(TypedDict):
    """A point as a service answers it."""

    commit: str
    measured_at: str
    is_work_known: bool
    comms: list[str]
    runs: list[SentRunDocument]


class AddedPointDocument(TypedDict):
    """The answer to a point: a known one has the id that it had."""

    id: str
    baseline_id: str
    is_new: bool


class AnsweredSeriesDocument(NamesDocument):
    """A series as a service lists it."""

    id: str
    team: str | None
    points: int
    latest_at: str
    latest_commit: str


class AnsweredTrendPointDocument(TypedDict):
    """A point of a trend as a service answers it."""

    id: str
    commit: str
    measured_at: str
    runs: int
    is_work_known: bool
    value: float | None


class AnsweredTrendDocument(AnsweredSeriesDocument):
    """A trend as a service answers it."""

    measure: str
    unit: str
    trend: list[AnsweredTrendPointDocument]
    changes: list[ChangeDocument]
