"""Redaction has the limits of a job: it goes on in the heavy queue, and ends there in words."""

from __future__ import annotations

from sqlalchemy import select

from backend.models import Job


def jobs_of(session, handoff):
    rows = select(Job.queue, Job.state).where(Job.subject_id == handoff["id"]).order_by(Job.id)
    return [(queue, state.value) for queue, state in session.execute(rows)]


def test_a_redaction_above_its_limits_goes_on_in_the_heavy_queue_and_ends_there_in_words(
    app_settings, maker, session
):
    # No processor time at all: every redaction is too slow.
    limits = {"light_cpu_seconds": 0, "parse_heavy_cpu_seconds": 0}
    hurried = maker.limited_to(app_settings.model_copy(update=limits))
    begun = hurried.begun()
    assert hurried.prepared(begun["id"])["state"] == "preparing"
    assert jobs_of(session, begun) == [("light", "done"), ("heavy", "queued")]
    failed = hurried.prepared(begun["id"])
    assert failed["state"] == "failed"
    assert "the redaction took more than 0 s of processor time" in failed["reason"]
    assert "nothing was shared" in failed["reason"]
    session.expire_all()
    assert jobs_of(session, begun) == [("light", "done"), ("heavy", "done")]


def test_a_handoff_of_lost_bytes_says_so(maker, store):
    listed = maker.web.get(f"{maker.url.removesuffix('/handoffs')}/evidence").json()["items"]
    sha256 = next(one["sha256"] for one in listed if one["filename"] == "auth.log")
    store.delete(sha256)
    failed = maker.made()
    assert failed["state"] == "failed"
    assert sha256 in failed["reason"]
