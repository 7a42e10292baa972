"""The state of the system, for admins."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import uuid4

from backend.models import Account, Delivery, Destination, Role
from backend.models.destination import Channel
from backend.operations import outbox_state, system
from backend.operations.backup import last_backup, manifest
from tests.backend.people import person, signed_in


def test_admins_see_queues_components_database_store_disk_and_engines(web, address, sessions):
    web.post("/paste", json={"text": "main;read_file;copy_to_user 42\n"})
    found = web.get("/system").json()
    assert {one["name"]: one["is_ok"] for one in found["components"]} == {
        "database": True,
        "migrations": True,
        "broker": False,  # it is not where the settings of this test have it
        "store": True,
    }
    assert found["queues"][0]["queued"] >= 1
    assert found["store"]["blobs"] >= 1
    assert found["database"]["version"].startswith("18")
    assert 0 < found["database"]["connections"] <= found["database"]["max_connections"]
    assert found["disk"]["free_bytes"] <= found["disk"]["total_bytes"]
    assert {one["name"] for one in found["engines"]} >= {"series", "threads"}
    assert found["backup"] is None
    with signed_in(address, sessions, person(sessions, f"kim {uuid4()}", Role.CURATOR)) as kim:
        assert kim.get("/system").status_code == 403


def test_the_last_backup_is_stated_and_one_that_cannot_be_read_is_none(web, app_settings, tmp_path):
    written = SimpleNamespace(
        made_at=datetime(2026, 11, 21, 3, tzinfo=UTC).isoformat(),
        cases=812,
        object_count=4120,
        object_bytes=96 << 20,
        missing=["a"],
        damaged=[],
    )
    last_backup.write(app_settings.data_dir, tmp_path / "backup", written)
    backup = web.get("/system").json()["backup"]
    assert (backup["made_at"], backup["cases"], backup["incomplete"]) == ("2026-11-21T03:00:00Z", 812, 1)
    for damaged in ("", "[]", '{"made_at": 7}', '{"made_at": "yesterday"}'):
        (app_settings.data_dir / last_backup.NAME).write_text(damaged)
        assert web.get("/system").json()["backup"] is None
        assert last_backup.made_at(app_settings.data_dir) is None
    assert {"made_at", "cases", "object_count", "object_bytes", "missing", "damaged"} <= set(
        manifest.Manifest.__dataclass_fields__
    )


def test_processes_of_the_supervisor_are_named_with_whether_they_run(app_settings):
    app_settings.run_dir.mkdir(parents=True, exist_ok=True)
    rows = [{"name": "api", "pid": 1}, {"name": "worker-light", "pid": 2**22 + 1}]
    (app_settings.run_dir / "processes.json").write_text(json.dumps({"processes": rows}))
    assert [(one.name, one.is_running) for one in system.processes(app_settings)] == [
        ("api", True),
        ("worker-light", False),
    ]


def test_what_nobody_sends_is_held_and_has_no_age(sessions):
    with sessions.begin() as session:
        owner = Account(name="ada", role=Role.ADMIN)
        session.add(owner)
        session.flush()
        rows = [
            Destination(owner_id=owner.id, name=name, channel=Channel.WEBHOOK, url="", base_url="", sealed="")
            for name in ("works", "disabled")
        ]
        rows[1].is_enabled = False
        session.add_all(rows)
        session.flush()
        hour = datetime.now(UTC) - timedelta(hours=1)
        session.add_all(
            Delivery(destination_id=one.id, kind="test", body="{}", created_at=hour)
            for one in (rows[1], *rows)
        )
        session.flush()
        found = outbox_state.read(session)
        assert (found.unsent, found.pending, found.held) == (0, 1, 2)
        assert 3590 < found.oldest_seconds < 7200
        assert system.outbox_of(session).waiting == 1
        rows[0].is_enabled = False
        session.flush()
        assert outbox_state.read(session) == (0, 0, 3, 0)
        session.rollback()
