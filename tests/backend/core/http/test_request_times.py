"""Times of requests are those that can be stored and shown."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from backend.core.http.request_times import RequestTime

TIME = TypeAdapter(RequestTime)


@pytest.mark.parametrize(
    "text", ["1970-01-01T00:00:00Z", "2026-03-14T03:12:00+05:30", "2199-12-31T23:59:59Z"]
)
def test_a_time_with_its_zone_is_accepted(text: str):
    assert TIME.validate_python(text).isoformat()[:19] == text[:19]


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-14T03:12:00",
        "9999-12-31T23:59:59-23:00",
        "0001-01-01T00:00:00+23:00",
        "1969-12-31T23:59:59Z",
        "2199-12-31T23:59:59-01:00",
    ],
)
def test_times_without_zone_or_out_of_range_are_rejected(text: str):
    with pytest.raises(ValidationError):
        TIME.validate_python(text)
