"""The event stream: history, live events, resumption."""

from __future__ import annotations

import json


def events_of(connected, path, count, headers=None):
    """Return the first `count` events of a stream as (id, kind, data)."""
    events, current = [], {}
    with connected.stream("GET", path, headers=headers or {}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith(("id:", "event:", "data:")):
                name, _, value = line.partition(":")
                current[name] = value.strip()
            elif not line and "data" in current:
                events.append((int(current["id"]), current["event"], json.loads(current["data"])))
                current = {}
                if len(events) == count:
                    break
    return events


def test_a_stream_starts_with_past_events_and_resumes_after_last_event_id(connected):
    case = connected.post("/cases", json={"title": "first"}).json()
    connected.patch(f"/cases/{case['id']}", json={"title": "second"})
    path = f"/cases/{case['id']}/events"
    created, changed = events_of(connected, path, 2)
    assert [created[1], changed[1]] == ["case.created", "case.changed"]
    assert changed[2]["payload"] == {"title": "second"}
    assert created[0] < changed[0]
    assert events_of(connected, path, 1, {"Last-Event-ID": str(created[0])}) == [changed]


def test_the_stream_of_an_unknown_case_is_a_404(connected):
    assert connected.get("/cases/99999/events").status_code == 404
