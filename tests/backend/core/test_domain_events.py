"""Domain events: subscribers run in the publisher's transaction, the same ones in every process."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from uuid import uuid4

import pytest

from backend.core import domain_events
from backend.core.domain_events import publish
from backend.core.jobs.job import Job
from backend.evidence.domain_events import CaseEvidenceChanged


@dataclass(frozen=True, slots=True)
class Unheard:
    """Nothing subscribes to it."""


def test_a_subscriber_enqueues_in_the_transaction_of_the_publisher(session, sent):
    case_id = uuid4()
    publish(session, CaseEvidenceChanged(case_id))
    assert session.query(Job).filter_by(kind="findings.judge", subject_id=case_id).count() == 1
    assert sent == []
    session.commit()
    assert len(sent) == 1


def test_a_rollback_drops_what_subscribers_did(session, sent):
    case_id = uuid4()
    publish(session, CaseEvidenceChanged(case_id))
    session.rollback()
    session.commit()
    assert session.query(Job).filter_by(subject_id=case_id).count() == 0
    assert sent == []


def test_an_event_without_subscriber_is_an_error(session):
    with pytest.raises(LookupError, match="nothing subscribes to Unheard"):
        publish(session, Unheard())


REPORT = """
import sys
from backend.core.settings import Settings
settings = Settings.model_validate_json(sys.argv[1])
{start}
from backend.core import domain_events
for kind, subscribers in domain_events._subscribers.items():
    for subscriber in subscribers:
        print(f"{{kind.__module__}}.{{kind.__name__}} {{subscriber.__module__}}.{{subscriber.__name__}}")
"""
FIRST_EVENT = """
from backend.core.domain_events import publish
try: publish(None, object())
except LookupError: pass
"""
STARTS = {
    "API": "from backend.app import create_app; create_app(settings)",
    "worker": "from backend.worker import create_worker; create_worker(settings)",
    "command": FIRST_EVENT,
}


def test_every_process_has_the_same_subscribers(settings, tmp_path):
    own = settings.model_copy(update={"data_dir": tmp_path}).model_dump_json()
    subscribers = {}
    for process, start in STARTS.items():
        command = [sys.executable, "-c", REPORT.format(start=start), own]
        subscribers[process] = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert subscribers["API"] == subscribers["worker"] == subscribers["command"]
    known = {f"{kind.__module__}.{kind.__name__}" for kind in domain_events._subscribers}
    assert {line.split()[0] for line in subscribers["API"].splitlines()} == known
