"""A backup restores into nothing with equal rows, objects and audit log, or says what is wrong with it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from click.testing import CliRunner
from psycopg import sql
from sqlalchemy import select, text

from backend.core import audit
from backend.core.audit_checkpoint_writer import AuditCheckpoints
from backend.core.db import migrate
from backend.core.db.engine import create_engine
from backend.core.db.instance import identity_of
from backend.core.layout import MIGRATIONS_DIR
from backend.core.sessions import create_sessions
from backend.core.settings import Settings
from backend.core.storage import gc_lock
from backend.core.storage.object_store import Store, blob_key
from backend.models import Case, Evidence, Reading, Upload, UploadState
from backend.operations.backup import checking, manifest
from backend.operations.backup.manifest import BackupError
from backend.operations.backup.restoring import restore
from backend.operations.backup.writing import back_up
from cli import main
from tests.backend.operations import instances
from tests.cluster import migrated_cluster

PAGE = Path("docs/operations.md").read_text()
VERDICTS = """
    select number, host, phase, signature, verdict, score
    from finding join "case" on "case".id = case_id
"""


def silent(*_):
    """Show no progress."""


@pytest.fixture(scope="module")
def instance(tmp_path_factory):
    folder = tmp_path_factory.mktemp("instance")
    with instances.running(migrated_cluster(tmp_path_factory), folder) as instance:
        yield instance


@pytest.fixture(scope="module")
def backup(instance, tmp_path_factory):
    directory = tmp_path_factory.mktemp("backup") / "of the instance"
    back_up(instance.settings, directory, with_key=True, report=silent)
    return directory


@pytest.fixture
def target(instance, tmp_path):
    """Settings of an instance with an empty external database of a role that is no superuser."""
    server = f"host={instance.settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        for statement in ("drop database if exists restored with (force)", "drop role if exists plain"):
            connection.execute(statement)
        connection.execute("create role plain login")
        connection.execute("create database restored owner plain")
    url = f"postgresql+psycopg://plain@/restored?host={instance.settings.run_dir}"
    return Settings(data_dir=tmp_path / "target", database_url=url, broker_url="redis://127.0.0.1:9/0")


def rows(settings, query):
    engine = create_engine(settings, pool_size=1)
    with engine.connect() as connection:
        found = connection.execute(text(query)).all()
    engine.dispose()
    return sorted(map(tuple, found))


def objects_of(settings):
    store = Store.open(settings)
    return {item.key: b"".join(store.object_chunks(item.key)) for item in store.listing()}


def has_tables(settings):
    return rows(settings, "select count(*) from pg_tables where schemaname = 'public'") != [(0,)]


def test_a_restored_instance_has_equal_verdicts_objects_uploads_and_audit_log(instance, backup, target):
    done = restore(target, backup, replaces=False, without_key=False, report=silent)
    assert rows(target, VERDICTS) == rows(instance.settings, VERDICTS) != []
    assert objects_of(target) == objects_of(instance.settings)
    assert done.audit_entries == 1
    uploads = sorted(path.read_bytes() for path in target.uploads_dir.iterdir())
    assert uploads == [instances.SENT, instances.SENDING], "without what was not synced"
    # Numbers go on where they were.
    engine = create_engine(target, pool_size=1)
    with engine.begin() as connection:
        number = connection.scalar(
            text('insert into "case" (id, title, status, evidence_rev, judged_rev, next_captures)'
                 " values (gen_random_uuid(), 'next', 'investigating', 0, 0, '[]') returning number")
        )  # fmt: skip
    engine.dispose()
    assert number == 1 + max(row[0] for row in rows(instance.settings, 'select number from "case"'))
    with pytest.raises(BackupError, match="not empty"):
        restore(target, backup, replaces=False, without_key=False, report=silent)
    assert done.audit_problems == []


def test_a_restored_instance_is_of_another_generation_than_its_backup(instance, backup, target):
    """Else workers of the time before, or of another copy, would claim the restored jobs."""
    identities = {identity_of(instance.settings.data_dir)}
    for replaces in (False, True):
        restore(target, backup, replaces=replaces, without_key=False, report=silent)
        identities.add(identity_of(target.data_dir))
        assert rows(target, "select id, generation from instance") == [identity_of(target.data_dir)]
    assert len(identities) == 3


def test_a_later_audit_log_of_the_same_instance_is_missed_after_a_restore(backup, target):
    restore(target, backup, replaces=False, without_key=False, report=silent)
    sessions = create_sessions(target, pool_size=1)
    with sessions.begin() as session:
        audit.record(session, audit.AuditAction(action="command", subject="after the backup"))
    store = Store.open(target)
    AuditCheckpoints(sessions, store, target).write()
    sessions.kw["bind"].dispose()
    again = restore(target, backup, replaces=True, without_key=False, report=silent)
    assert again.audit_entries == 1
    assert [gap.partition(" are missing")[0] for gap in again.audit_problems] == ["entries 2 to 2"]
    assert len(store.records("audit")) == 1


def test_what_arrives_during_a_backup_is_whole_or_absent_and_nothing_is_deleted_meanwhile(instance, tmp_path):
    may_clear = []

    def meanwhile(step, done, _total):
        if (step, done) == ("tables", 3):
            with instance.sessions.begin() as session:
                session.add(Case(title="arrived meanwhile"))
                instance.store.put_bytes(b"arrived meanwhile")
        if step == "objects" and not may_clear:
            with instance.sessions.begin() as session:
                may_clear.append(gc_lock.may_clear(session))

    before = rows(instance.settings, 'select count(*) from "case"')[0][0]
    written = back_up(instance.settings, tmp_path / "b", with_key=False, report=meanwhile)
    assert (written.cases, written.is_complete, may_clear) == (before, True, [False])
    assert list(checking.problems_of(tmp_path / "b", silent)) == []
    with instance.sessions.begin() as session:
        assert gc_lock.may_clear(session)


def test_an_upload_that_becomes_evidence_during_a_backup_is_in_it(instance, tmp_path):
    """The snapshot has it as sent, its file is gone, and its row now names the evidence."""

    with instance.sessions.begin() as session:
        upload = session.scalars(select(Upload).where(Upload.state == UploadState.SENT)).one()
        evidence = session.scalars(select(Evidence)).first()
        upload.evidence_id = evidence.id
        file = instance.settings.uploads_dir / upload.id.hex
    content = file.read_bytes()
    file.unlink()
    try:
        written = back_up(instance.settings, tmp_path / "b", with_key=False, report=silent)
    finally:
        file.write_bytes(content)
    assert (tmp_path / "b" / "uploads" / file.name).read_bytes() == instances.STACKS
    assert len(written.uploads) == 2


def test_a_second_backup_copies_only_what_is_new_and_deletes_what_is_gone(instance, tmp_path):
    directory = tmp_path / "b"
    sha256 = instance.store.put_bytes(b"of a guest")
    with instance.sessions.begin() as session:
        session.execute(
            text("insert into blob (sha256, size_bytes) values (:sha256, 10)"), {"sha256": sha256}
        )
    back_up(instance.settings, directory, with_key=True, report=silent)
    copied = directory / "store" / blob_key(sha256)
    kept = next(
        path for path in (directory / "store" / "blobs").rglob("*") if path.is_file() and path != copied
    )
    inode = kept.stat().st_ino
    with instance.sessions.begin() as session:
        session.execute(text("delete from blob where sha256 = :sha256"), {"sha256": sha256})
    instance.store.delete(sha256)

    def interrupt(step, *_):
        if step == "objects":
            raise KeyboardInterrupt

    def compete(step, *_):
        if step == "objects":
            back_up(instance.settings, directory, with_key=False, report=silent)

    with pytest.raises(BackupError, match="another backup"):
        back_up(instance.settings, directory, with_key=False, report=compete)
    with pytest.raises(KeyboardInterrupt):
        back_up(instance.settings, directory, with_key=False, report=interrupt)
    assert list(checking.problems_of(directory, silent)) == [], "the earlier backup is valid"
    back_up(instance.settings, directory, with_key=False, report=silent)
    assert list(checking.problems_of(directory, silent)) == []
    assert (copied.exists(), kept.stat().st_ino == inode) == (False, True)
    assert len(list(directory.glob("database-*"))) == len(list(directory.glob("objects.*"))) == 1
    assert not (directory / "seal.key").exists()


def test_missing_and_damaged_objects_are_listed_and_the_rest_is_in_the_backup(
    instance, tmp_path, monkeypatch
):
    with instance.sessions() as session:
        evidence = session.scalars(select(Evidence)).first()
        folder = session.scalars(select(Reading.store_key)).first()
        number = session.get_one(Case, evidence.case_id).number
    file, column = (
        instance.object_file(blob_key(evidence.sha256)),
        next(instance.object_file(folder).glob("*.zst")),
    )
    content, stored = file.read_bytes(), column.read_bytes()
    whole = tmp_path / "whole"
    back_up(instance.settings, whole, with_key=False, report=silent)
    file.unlink()
    column.write_bytes(stored[:-1] + bytes([stored[-1] ^ 1]))
    monkeypatch.setenv("CASEBOOK_DATA_DIR", str(instance.settings.data_dir))
    try:
        asked = CliRunner().invoke(main, ["backup", str(tmp_path / "b"), "--json"])
        again = back_up(instance.settings, whole, with_key=False, report=silent)
        scrubbed = CliRunner().invoke(main, ["scrub", "--json"])
    finally:
        file.write_bytes(content)
        column.write_bytes(stored)
    assert asked.exit_code == 5
    document = json.loads(asked.output)
    assert (document["missing"], document["damaged"]) == ([evidence.sha256], [folder])
    assert again.is_complete, "an earlier backup keeps the true bytes"
    assert scrubbed.exit_code == 4
    faults = {(one["fault"], one["name"]): one["cases"] for one in json.loads(scrubbed.output)["faults"]}
    assert faults == {("missing", evidence.sha256): [number], ("damaged", folder): [number]}
    orphan, young = (instance.object_file(blob_key(digit * 64)) for digit in "01")
    for path in (orphan, young):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"of no row")
    os.utime(orphan, (0, 0))
    scrubbed = CliRunner().invoke(main, ["scrub"])
    assert scrubbed.exit_code == 0, "nothing is lost"
    assert re.findall(r"^orphaned  (.*)$", scrubbed.output, re.MULTILINE) == [blob_key("0" * 64)]


def test_a_damaged_backup_is_refused_and_leaves_the_database_as_it_was(backup, target, tmp_path):
    copy = shutil.copytree(backup, tmp_path / "copy")
    for part in ("database-*/finding.copy.zst", "store/blobs/*/*", "objects.*", "manifest.json"):
        file = next(copy.glob(part))
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2])
        with pytest.raises(BackupError):
            restore(target, copy, replaces=False, without_key=False, report=silent)
        assert not has_tables(target), part
        assert CliRunner().invoke(main, ["scrub", "--backup", str(copy)]).exit_code == 4, part
        file.write_bytes(content)
    assert CliRunner().invoke(main, ["scrub", "--backup", str(copy)]).exit_code == 0


def test_without_its_key_a_backup_is_refused_or_restored_with_what_that_loses(
    instance, target, tmp_path, monkeypatch
):
    back_up(instance.settings, tmp_path / "b", with_key=False, report=silent)
    with pytest.raises(BackupError, match=r"the key of the backup .* is not here"):
        restore(target, tmp_path / "b", replaces=False, without_key=False, report=silent)
    assert not has_tables(target)
    (target.data_dir / "store").mkdir(parents=True)
    foreign = Store.open(target).put_bytes(b"of another instance")
    monkeypatch.setenv("CASEBOOK_DATABASE_URL", target.database_url)
    words = ["restore", str(tmp_path / "b"), "--without-key", "--data-dir", str(target.data_dir)]
    refused = CliRunner().invoke(main, words)
    assert (refused.exit_code, "object store of the instance is not empty" in refused.output) == (1, True)
    done = CliRunner().invoke(main, [*words, "--replace", "--json"])
    assert done.exit_code == 0, done.output
    summary = json.loads(done.output)
    assert (summary["restored"]["has_key"], summary["restored"]["audit_problems"]) == (False, [])
    assert summary["backup"]["cases"] == rows(target, 'select count(*) from "case"')[0][0]
    assert not Store.open(target).has(foreign)
    assert rows(target, VERDICTS) == rows(instance.settings, VERDICTS)
    # A new log begins, with the restore.
    assert rows(target, "select number, left(subject, 8) from audit_entry") == [(1, "restore ")]
    verified = CliRunner().invoke(main, ["audit", "verify", "--data-dir", str(target.data_dir)])
    assert verified.exit_code == 0, verified.output


def test_a_backup_of_an_older_version_is_migrated_and_one_of_a_newer_is_refused(instance, target, tmp_path):
    server = f"host={instance.settings.run_dir} user=casebook dbname=postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("drop database if exists older with (force)")
        connection.execute(sql.SQL("create database older template {}").format(sql.Identifier("migrated")))
    older = instance.settings.model_copy(
        update={"database_url": instance.settings.effective_owner_url.replace("/casebook?", "/older?")}
    )
    engine = create_engine(older, pool_size=1)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS_DIR))
        config.attributes["connection"] = connection
        command.downgrade(config, "0032")
        connection.execute(
            text("insert into account (id, name, is_owner) values (gen_random_uuid(), 'x', true)")
        )
    engine.dispose()
    older = older.model_copy(update={"data_dir": tmp_path / "older"})
    written = back_up(older, tmp_path / "b", with_key=False, report=silent)
    assert written.migration == "0032"
    restore(target, tmp_path / "b", replaces=False, without_key=False, report=silent)
    assert rows(target, "select version_num from alembic_version") == [(migrate.head(),)]
    assert rows(target, "select name from account") == [("x",)]
    newer = tmp_path / "b" / manifest.MANIFEST
    newer.write_text(re.sub(r'"migration": "\d+"', '"migration": "7777"', newer.read_text()))
    with pytest.raises(BackupError, match="restore it with that version or a newer one"):
        restore(target, tmp_path / "b", replaces=True, without_key=False, report=silent)


def test_the_commands_of_the_page_work_as_they_are_written(instance, tmp_path, monkeypatch):
    """In this process: each would take a second of CPU to start."""
    section = PAGE[PAGE.index("## Backup and restore") :]
    [block] = re.findall(
        r"^```sh\n(.*?)^```$", section[: section.index("\n## ", 3)], re.MULTILINE | re.DOTALL
    )
    monkeypatch.setenv("CASEBOOK_DATA_DIR", str(instance.settings.data_dir))
    for place in ("backup", "srv", "safe"):
        (tmp_path / place).mkdir()
    ran = []
    here = re.sub(r" /(backup|srv|safe)/", rf" {tmp_path}/\1/", block)
    for line in here.replace("$CASEBOOK_DATA_DIR", str(instance.settings.data_dir)).splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        if words[0] == "casebook":
            done = CliRunner().invoke(main, words[1:])
            assert done.exit_code == 0, f"{line}\n{done.output}"
            ran.append((words[1], done.output))
        else:
            subprocess.run(words, check=True)
    assert [name for name, _ in ran] == ["backup", "scrub", "restore", "scrub"]
    assert "all equal the backup" in ran[2][1]
    assert (tmp_path / "srv" / "casebook" / "seal.key").read_text() == (
        tmp_path / "safe" / "seal.key"
    ).read_text()
