"""Time series and histograms of a case: row sets, repeated facts, pressure."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from backend.core.errors import NotFoundError, StoredBytesError
from backend.profiles import queries_series as queries
from backend.profiles.caching import Partial
from backend.sandbox.envelope import answer_of_request, folders_of, stored_error
from ingest.export.columns import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.models.case import Case
    from backend.models.row_set import RowSet
    from backend.profiles.caching import Work
    from backend.profiles.queries_series import Measured, SeriesPlace
    from backend.sandbox.kept_forks import KeptForks

WINDOW = re.compile(r"^pressure\.(?P<resource>\w+)\.(?P<kind>some|full)\.avg(?P<seconds>\d+)_share$")


def histograms(forks: KeptForks, session: Session, store: Store, case: Case) -> Work:
    """Look up the histograms of the case; return the computation of their statistics."""
    found = queries.histograms(session, case)
    heads = [{"id": str(row.id), **_place(place)} for row, place in found]
    places = [(place, row.ordinal) for row, place in found]

    def work() -> bytes | Partial:
        described, unreadable = _described(forks, store, "histograms", places, what="the histograms")
        items = [{**head, **one} for head, one in zip(heads, described, strict=True) if one is not None]
        return _whole(items, unreadable)

    return work


def listed(forks: KeptForks, session: Session, store: Store, case: Case) -> Work:
    """Look up the series of the case, rows, facts and pressure; return the computation of their list."""
    found = queries.row_sets(session, case)
    heads = [(f"rows:{row.id}", row.name, row.row_count, _place(place)) for row, place in found]
    places = [(place, row.ordinal) for row, place in found]
    others = _listed_facts(session, case)

    def work() -> bytes | Partial:
        described, unreadable = _described(forks, store, "row sets", places, what="the list of series")
        entries = []
        for (series_id, name, count, place), one in zip(heads, described, strict=True):
            if one is not None and one["values"]:
                axis = "seconds" if one["has_time"] else "order"
                entry = _entry(series_id, name, axis, one["values"], one["labels"], count)
                entries.append(entry | place)
        return _whole(entries + others, unreadable)

    return work


def lines(  # noqa: PLR0917 - whose, which and what of it
    forks: KeptForks,
    session: Session,
    store: Store,
    case: Case,
    series_id: str,
    value: str,
    by: Sequence[str],
    limit: int,
) -> Work:
    """Look up one series; return the computation of its lines.

    Raises:
        NotFoundError: The case has no such series.
        UnsupportedQueryError: The series has no such column.
    """
    kind, _, name = series_id.partition(":")
    absent = f"case {case.number} has no values of {series_id}"
    if kind == "rows":
        row, place = _row_set(session, case, name)
        where = {"evidence_id": str(place.evidence_id), "evidence_name": place.evidence_name}
        question: dict[str, Any] = {"head": {"id": series_id}, "where": where, "absent": absent}
        question |= {"name": row.name, "value": value, "by": by, "limit": limit}
        return partial(_row_lines, forks, store, (case.id, place), row.ordinal, question)
    if kind == "pressure":
        measured = queries.measured(session, case, f"pressure.{name}.", is_prefix=True)
        document = _pressure_lines(measured, value, limit)
    elif kind == "fact":
        document = _fact_lines(queries.measured(session, case, name), name, limit)
    else:
        raise NotFoundError(f"unknown series {series_id}; an id begins with rows:, fact: or pressure:")
    if not document["lines"]:
        raise NotFoundError(absent)
    content = _json({"id": series_id, **document})
    return lambda: content


def _row_set(session: Session, case: Case, name: str) -> tuple[RowSet, SeriesPlace]:
    try:
        return queries.row_set(session, case, UUID(name))
    except ValueError:
        raise NotFoundError(f"the id of a row set is a UUID, not {name!r}") from None


def _row_lines(
    forks: KeptForks, store: Store, at: tuple[UUID, SeriesPlace], ordinal: int, question: dict[str, Any]
) -> bytes:
    """Return lines of the row set `ordinal` of a reading of a case."""
    case_id, place = at
    folders = folders_of(store, [place.store_key], what="the series")
    asked = {"folder": str(folders[place.store_key]), "ordinal": ordinal}
    question = {"ask": "row lines", "place": asked, **question}
    return answer_of_request(forks, ((case_id, place.digest),), folders, question, what="the series")


def _listed_facts(session: Session, case: Case) -> list[dict[str, Any]]:
    entries = []
    for resource, points in queries.pressures(session, case):
        values = [{"name": kind, "unit": "share"} for kind in ("some", "full")]
        entries.append(
            _entry(f"pressure:{resource}", f"pressure of {resource}", "window_seconds", values, (), points)
        )
    for name, unit, points in queries.repeated_facts(session, case):
        entries.append(_entry(f"fact:{name}", name, "order", [{"name": name, "unit": unit}], (), points))
    return entries


def _described(
    forks: KeptForks, store: Store, question: str, places: list[tuple[SeriesPlace, int]], *, what: str
) -> tuple[list[dict[str, Any] | None], list[str]]:
    """Return what a fork says of each place, None where its reading is damaged, and sentences for those."""
    folders: dict[str, Path] = {}
    errors: dict[str, StoredBytesError] = {}
    for store_key in {place.store_key for place, _ in places}:
        try:
            folders[store_key] = store.folder(store_key)
        except StoredBytesError as error:
            errors[store_key] = error
    there = [at for at, (place, _) in enumerate(places) if place.store_key in folders]
    described: list[dict[str, Any] | None] = [None] * len(places)
    if there:
        asked = [
            {"folder": str(folders[place.store_key]), "ordinal": ordinal}
            for place, ordinal in (places[at] for at in there)
        ]
        document = {"ask": question, "places": asked}
        answer = json.loads(answer_of_request(forks, None, folders, document, what=what))
        for at, one in zip(there, answer, strict=True):
            described[at] = one
    unreadable = {}
    for (place, _), one in zip(places, described, strict=True):
        if one is None:
            key = place.store_key
            reason = errors[key] if key in errors else stored_error(key, folders[key])
            unreadable[key] = f"{place.evidence_name} is left out: {reason}"
    return described, list(unreadable.values())


def _fact_lines(measured: Iterable[Measured], name: str, limit: int) -> dict[str, Any]:
    """Return one line per subject of a fact, by clock time if known for all, else by capture order."""
    found: dict[tuple[Any, ...], list[Measured]] = {}
    for one in measured:
        found.setdefault((one.host_id, tuple(sorted(one.fact.labels.items()))), []).append(one)
    repeated = [points for points in found.values() if len(points) > 1]
    has_clock = all(one.fact.at_s is not None for points in repeated for one in points)
    candidates: list[dict[str, Any]] = [
        {
            "label": points[0].fact.labels,
            "evidence_id": str(points[0].evidence_id),
            "evidence_name": points[0].evidence_name,
            "time": [
                number((one.fact.at_s or 0.0) - (points[0].fact.at_s or 0.0)) if has_clock else position
                for position, one in enumerate(points)
            ],
            "value": [number(one.fact.number or 0.0) for one in points],
            "line": [one.fact.first_line for one in points],
        }
        for points in repeated
    ]
    heaviest = sorted(candidates, key=lambda line: -sum(line["value"]) / len(line["value"]))
    return {
        "name": name,
        "value": name,
        "unit": repeated[0][0].fact.unit if repeated else "",
        "axis": "seconds" if has_clock else "order",
        "origin": None,
        "lines": heaviest[:limit],
        "left_out": max(0, len(heaviest) - limit),
    }


def _pressure_lines(measured: Iterable[Measured], value: str, limit: int) -> dict[str, Any]:
    """Return pressure over the last 300, 60 and 10 seconds, one line per capture."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in measured:
        window = WINDOW.match(one.fact.name)
        if not window or (value and window["kind"] != value):
            continue
        key = (one.evidence_id, window["kind"], one.fact.snapshot, tuple(sorted(one.fact.labels.items())))
        line = found.setdefault(
            key,
            {
                "label": {"kind": window["kind"], **one.fact.labels},
                "evidence_id": str(one.evidence_id),
                "evidence_name": one.evidence_name,
                "points": [],
            },
        )
        line["points"].append((int(window["seconds"]), number(one.fact.number or 0.0), one.fact.first_line))
    candidates = []
    for line in found.values():
        points = sorted(line.pop("points"), reverse=True)
        time, values, at = (list(column) for column in zip(*points, strict=True))
        candidates.append({**line, "time": time, "value": values, "line": at})
    heaviest = sorted(candidates, key=lambda line: -sum(line["value"]) / len(line["value"]))
    return {
        "name": "pressure",
        "value": value or "some, full",
        "unit": "share",
        "axis": "window_seconds",
        "origin": None,
        "lines": heaviest[:limit],
        "left_out": max(0, len(heaviest) - limit),
    }


def _place(place: SeriesPlace) -> dict[str, Any]:
    return {
        "evidence_id": str(place.evidence_id),
        "evidence_name": place.evidence_name,
        "section": place.section,
    }


def _entry(  # noqa: PLR0917 - one row of the list
    series_id: str, name: str, axis: str, values: list[dict[str, str]], labels: Sequence[str], points: int
) -> dict[str, Any]:
    return {
        "id": series_id,
        "name": name,
        "evidence_id": None,
        "evidence_name": "",
        "section": None,
        "axis": axis,
        "values": values,
        "labels": list(labels),
        "points": points,
    }


def _whole(items: list[dict[str, Any]], unreadable: list[str]) -> bytes | Partial:
    content = _json({"items": items, "next_cursor": None, "unreadable": unreadable})
    return Partial(content) if unreadable else content


def _json(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode(
        "utf-8", "replace"
    )
