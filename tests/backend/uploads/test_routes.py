"""Resumable uploads: every byte once and at its offset, whatever fails in between."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import threading
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from urllib.parse import urlsplit
from uuid import UUID

import pytest

from backend.core.errors import NoSpaceError
from backend.models.upload import Upload
from backend.uploads import service, space
from backend.uploads.writer import path_of
from tests.waiting import until

CONTENT = hashlib.shake_256(b"any bytes").digest(3 << 20)
PATCH = {"Content-Type": "application/offset+octet-stream"}


def upload_metadata(**pairs):
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())


def begin(tus, size=3 << 20, case=None, **pairs):
    metadata = upload_metadata(**({"filename": "perf.script"} | pairs))
    door = f"/cases/{case}/uploads" if case else "/uploads"
    return tus.post(door, headers={"Upload-Length": str(size), "Upload-Metadata": metadata})


def place(answer):
    return answer.headers["location"].removeprefix("/api/v1")


def send(tus, url, offset, content, **headers):
    return tus.patch(url, content=content, headers=PATCH | {"Upload-Offset": str(offset)} | headers)


def offset_of(tus, url):
    return int(tus.head(url).headers["upload-offset"])


def until_written_by(pipeline, url, connections):
    """Wait until so many connections have taken an upload over."""

    def have_come() -> bool:
        with pipeline.sessions() as session:
            return session.get(Upload, UUID(url.rpartition("/")[2])).writer_epoch >= connections

    until(have_come)


def kept(tus, pipeline, url):
    """Return the bytes of the evidence that an upload became."""
    pipeline.wait_idle()
    upload = tus.get(url).json()
    assert upload["state"] == "kept"
    return tus.get(f"/evidence/{upload['evidence_id']}/content").content


def test_options_lists_the_tus_extensions(tus):
    answer = tus.options("/uploads")
    assert answer.status_code == 204
    assert answer.headers["tus-version"] == "1.0.0"
    assert set(answer.headers["tus-extension"].split(",")) == {
        "creation",
        "creation-with-upload",
        "termination",
        "expiration",
        "checksum",
    }
    assert int(answer.headers["tus-max-size"]) > 0
    assert "sha1" in answer.headers["tus-checksum-algorithm"]


def test_a_chunked_upload_is_stored_unchanged(tus, pipeline):
    answer = begin(tus, captured_path="db7/perf.script")
    assert answer.status_code == 201
    begun = answer.json()
    assert begun["permalink"].endswith(f"/cases/{begun['case_number']}")
    url = place(answer)
    assert offset_of(tus, url) == 0
    cuts = [0, 1, 70_000, 2 << 20, len(CONTENT)]
    for start, end in pairwise(cuts):
        sent = send(tus, url, start, CONTENT[start:end])
        assert (sent.status_code, sent.headers["upload-offset"]) == (204, str(end))
    assert kept(tus, pipeline, url) == CONTENT
    evidence = tus.get(f"/cases/{begun['case_number']}/evidence").json()["items"]
    assert [(one["filename"], one["captured_path"]) for one in evidence] == [
        ("perf.script", "db7/perf.script")
    ]
    assert evidence[0]["sha256"] == hashlib.sha256(CONTENT).hexdigest()
    assert tus.get(f"/cases/{begun['case_number']}/uploads").json()["items"] == []
    assert not path_of(pipeline.settings, answer_id(answer)).exists()


def test_creation_with_upload_accepts_the_first_bytes(tus, pipeline):
    content = CONTENT[:70_000]
    headers = {
        "Upload-Length": str(len(content)),
        "Upload-Metadata": upload_metadata(filename="small.bin"),
    } | PATCH
    answer = tus.post("/uploads", headers=headers, content=content)
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, "70000")
    assert kept(tus, pipeline, place(answer)) == content

    longer = headers | {"Upload-Length": "70002", "Idempotency-Key": "one"}
    answer = tus.post("/uploads", headers=longer, content=content)
    assert (answer.status_code, answer.headers["upload-offset"]) == (201, "70000")
    again = tus.post("/uploads", headers=longer, content=content)
    assert (again.headers["location"], again.headers["upload-offset"]) == (
        answer.headers["location"],
        "70000",
    )
    other = tus.post("/uploads", headers=longer, content=content[:-1] + b"?")
    assert (other.status_code, other.json()["code"]) == (422, "KeyReused")
    assert send(tus, place(answer), 70_000, b"ab").status_code == 204
    assert kept(tus, pipeline, place(answer)) == content + b"ab"


def test_invalid_first_bytes_create_no_upload(tus):
    # The database is shared with other files of tests, which may leave unfinished uploads.
    before = tus.get("/uploads").json()["items"]
    headers = {"Upload-Length": "3", "Upload-Metadata": upload_metadata(filename="small.bin")} | PATCH
    assert tus.post("/uploads", headers=headers, content=b"four").status_code == 413
    wrong = "sha256 " + base64.b64encode(hashlib.sha256(b"xyz").digest()).decode()
    stated = headers | {"Upload-Checksum": wrong}
    assert tus.post("/uploads", headers=stated, content=b"abc").status_code == 460
    long = headers | {"Upload-Length": str(3 << 20)}
    assert tus.post("/uploads", headers=long, content=CONTENT[: (1 << 20) + 1]).status_code == 413
    assert tus.get("/uploads").json()["items"] == before


def answer_id(answer):
    return UUID(answer.json()["upload"]["id"])


def test_an_upload_is_listed_in_its_case_while_in_progress(tus, pipeline):
    case = tus.post("/cases", json={"title": "x"}).json()
    answer = begin(tus, size=6, case=case["number"])
    assert [one["offset_bytes"] for one in tus.get(f"/cases/{case['number']}/uploads").json()["items"]] == [0]
    send(tus, place(answer), 0, b"a 1\n")
    assert [one["offset_bytes"] for one in tus.get(f"/cases/{case['number']}/uploads").json()["items"]] == [4]
    send(tus, place(answer), 4, b"b\n")
    assert kept(tus, pipeline, place(answer)) == b"a 1\nb\n"


def test_an_empty_file_is_complete_and_rejected_with_a_reason(tus, pipeline):
    answer = begin(tus, size=0)
    pipeline.wait_idle()
    evidence = tus.get(f"/cases/{answer.json()['case_number']}/evidence").json()["items"]
    assert [(one["state"], one["reason"]) for one in evidence] == [("rejected", "the file is empty: 0 bytes")]


def test_bytes_at_another_offset_are_refused(tus):
    url = place(begin(tus))
    send(tus, url, 0, CONTENT[:100])
    refused = send(tus, url, 50, CONTENT[50:])
    assert (refused.status_code, refused.json()["code"]) == (409, "Conflict")
    assert "is at offset 100" in refused.json()["detail"]
    assert refused.headers["tus-resumable"] == "1.0.0"
    assert offset_of(tus, url) == 100


def test_a_broken_connection_loses_no_received_bytes(tus, pipeline):
    url = place(begin(tus))
    address = urlsplit(str(tus.base_url))
    head = (
        f"PATCH /api/v1{url} HTTP/1.1\r\nHost: {address.netloc}\r\nTus-Resumable: 1.0.0\r\n"
        f"Authorization: {tus.headers['authorization']}\r\nUpload-Offset: 0\r\n"
        f"Content-Type: {PATCH['Content-Type']}\r\nContent-Length: {len(CONTENT)}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(head.encode() + CONTENT[:1_500_000])
    # What is missing is asked for until the server has noticed.
    until(lambda: offset_of(tus, url))
    offset = offset_of(tus, url)
    assert 0 < offset <= 1_500_000
    send(tus, url, offset, CONTENT[offset:])
    assert kept(tus, pipeline, url) == CONTENT


def test_bytes_not_synced_before_a_crash_are_truncated(tus, pipeline):
    answer = begin(tus)
    url = place(answer)
    send(tus, url, 0, CONTENT[:1000])
    with path_of(pipeline.settings, answer_id(answer)).open("ab") as file:
        file.write(b"written by a process that was killed before it could say so")
    send(tus, url, 1000, CONTENT[1000:])
    assert kept(tus, pipeline, url) == CONTENT


def test_a_second_connection_ends_the_first(tus, pipeline):
    url = place(begin(tus))
    may_go_on = threading.Event()
    answers = []

    def slowly():
        yield CONTENT[: 1 << 20]
        may_go_on.wait(300)
        yield b"\0" * (len(CONTENT) - (1 << 20))

    earlier = threading.Thread(target=lambda: answers.append(send(tus, url, 0, slowly())))
    earlier.start()
    until_written_by(pipeline, url, 1)
    later = send(tus, url, 0, CONTENT[:2_000_000])
    assert later.status_code == 204
    may_go_on.set()
    earlier.join()
    assert (answers[0].status_code, answers[0].json()["code"]) == (423, "Superseded")
    send(tus, url, 2_000_000, CONTENT[2_000_000:])
    assert kept(tus, pipeline, url) == CONTENT


def test_bytes_with_a_wrong_checksum_are_not_stored(tus):
    url = place(begin(tus))
    digest = base64.b64encode(hashlib.sha1(CONTENT[:500], usedforsecurity=False).digest()).decode()
    wrong = send(tus, url, 0, b"\0" * 500, **{"Upload-Checksum": f"sha1 {digest}"})
    assert (wrong.status_code, wrong.json()["code"]) == (460, "Checksum")
    assert offset_of(tus, url) == 0
    right = send(tus, url, 0, CONTENT[:500], **{"Upload-Checksum": f"sha1 {digest}"})
    assert right.headers["upload-offset"] == "500"


@pytest.mark.parametrize(
    ("headers", "status", "words"),
    [
        ({"Tus-Resumable": "0.2.2"}, 412, "1.0.0"),
        ({"Upload-Length": "-1"}, 400, "must be a number"),
        ({"Upload-Length": "9" * 18}, 413, "compress it"),
        ({"Upload-Metadata": "filename ###"}, 400, "base64"),
        ({"Upload-Metadata": upload_metadata(filename="../../etc/passwd")}, 400, "out of its folder"),
    ],
)
def test_an_impossible_upload_is_refused_before_its_first_byte(tus, headers, status, words):
    answer = tus.post(
        "/uploads", headers={"Upload-Length": "5", "Upload-Metadata": upload_metadata(filename="a")} | headers
    )
    assert answer.status_code == status
    assert words in answer.json()["detail"]
    assert answer.headers["tus-resumable"] == "1.0.0"


def test_more_bytes_than_announced_and_other_bodies_are_refused(tus):
    url = place(begin(tus, size=10))
    assert send(tus, url, 0, b"x" * 11).status_code == 413
    assert send(tus, url, 0, b"x", **{"Content-Type": "text/plain"}).status_code == 415
    assert send(tus, url, 0, b"x", **{"Upload-Checksum": "crc32 AAAA"}).status_code == 400
    assert offset_of(tus, url) == 0


def test_deleting_an_upload_leaves_nothing_behind(tus, pipeline):
    answer = begin(tus)
    send(tus, place(answer), 0, CONTENT[:100])
    assert tus.delete(place(answer)).status_code == 204
    assert tus.head(place(answer)).status_code == 404
    assert not path_of(pipeline.settings, answer_id(answer)).exists()


def test_a_complete_upload_cannot_be_deleted(tus, pipeline):
    answer = begin(tus, size=4)
    send(tus, place(answer), 0, b"a 1\n")
    assert tus.delete(place(answer)).status_code == 409
    assert kept(tus, pipeline, place(answer)) == b"a 1\n"


def test_expired_uploads_and_stray_files_are_deleted(tus, pipeline):
    answer = begin(tus)
    upload_id = answer_id(answer)
    stray = pipeline.settings.uploads_dir / ("f" * 32)
    stray.touch()
    long_ago = datetime.now(UTC) - timedelta(days=2)
    os.utime(stray, (long_ago.timestamp(), long_ago.timestamp()))
    with pipeline.sessions.begin() as session:
        session.get_one(Upload, upload_id).updated_at = long_ago
    service.expire(pipeline.sessions, pipeline.settings)
    assert tus.head(place(answer)).status_code == 404
    assert not path_of(pipeline.settings, upload_id).exists()
    assert not stray.exists()


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"min_free_bytes": 1 << 60}, "not enough disk space for 50 bytes"),
        ({"quota_bytes": 1}, "the quota of all evidence"),
    ],
)
def test_an_upload_needs_free_space_before_its_first_byte(pipeline, limits, words):
    settings = pipeline.settings.model_copy(update=limits)
    settings.uploads_dir.mkdir(exist_ok=True)
    with pipeline.sessions() as session, pytest.raises(NoSpaceError, match=words):
        space.require(session, settings, 50)
