"""Answers of the HTTP API of Prometheus: instant queries and range queries as JSON.

Example:
    {"status": "success", "data": {"resultType": "matrix", "result": [
      {"metric": {"__name__": "node_load1"}, "values": [[1712000000, "0.4"], [1712000015, "0.5"]]}]}}

A range query is a look at each time: what is high for a while is stated by its worst window.
Source: the HTTP API of Prometheus, "Expression queries".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ingest.model.errors import MalformedInputError
from ingest.parsing.prometheus_samples import NAME, Sample, reading_of
from ingest.parsing.shapes import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import Reading

LOOK_AHEAD = 2_000
PAIR = 2


def _claims(head: bytes) -> bool:
    begins = head[:LOOK_AHEAD]
    return b'"resultType"' in begins and b'"status"' in begins


def _read_document(content: bytes) -> Reading:
    """Read all series of an answer.

    Raises:
        MalformedInputError: It is no JSON, or no answer to a query.
    """
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise MalformedInputError("no whole JSON document") from error
    data = document.get("data") if isinstance(document, dict) else None
    result = data.get("result") if isinstance(data, dict) else None
    if not isinstance(result, list):
        raise MalformedInputError("no result of a query")
    return reading_of(_samples(result))


def _samples(result: list[Any]) -> Iterator[Sample]:
    for series in result:
        if not isinstance(series, dict) or not isinstance(series.get("metric"), dict):
            continue
        labels = {str(name): str(text) for name, text in series["metric"].items()}
        name = labels.get(NAME, "value")
        pairs = series.get("values") or [series.get("value")]
        for pair in pairs if isinstance(pairs, list) else ():
            if isinstance(pair, list) and len(pair) == PAIR and (value := _number(pair[1])) is not None:
                yield Sample(name, labels, value, _number(pair[0]), 1)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


FORMAT = Document(
    name="prometheus-query",
    title="Prometheus query (JSON)",
    example='{"status": "success", "data": {"resultType": "vector", "result": ['
    '{"metric": {"__name__": "node_load1"}, "value": [1712000000, "88.2"]}]}}',
    head=r"(?:\xef\xbb\xbf)?\s*\{\s*\"(?:status|data)\"",
    claims=_claims,
    read_document=_read_document,
)
