"""Upload endpoints: what is accepted or refused with which message, and that no file is left over."""

from __future__ import annotations

import hashlib
import socket

import pytest

from backend.evidence import sample_cases, samples
from backend.models.evidence import Evidence

TEXT = b"nr_free_pages 1\npgscan_direct 2\n"


def staged_files(app_settings):
    return list(app_settings.staging_dir.glob("*")) if app_settings.staging_dir.exists() else []


def test_an_upload_without_a_case_creates_one_for_all_files(web, address):
    files = [("files", ("db7/proc/vmstat", TEXT)), ("files", ("db7/dmesg", b"[ 1.0] x\n"))]
    answer = web.post("/evidence", files=files)
    assert answer.status_code == 202
    received = answer.json()
    assert received["case"]["title"] == "db7 (2 files)"
    assert received["case"]["evidence_count"] == 2
    assert received["case"]["judged"] is False
    assert received["permalink"] == f"{address}/cases/{received['case']['number']}"
    assert [one["captured_path"] for one in received["evidence"]] == ["db7/proc/vmstat", "db7/dmesg"]
    assert received["evidence"][0]["sha256"] == hashlib.sha256(TEXT).hexdigest()
    assert {one["state"] for one in received["evidence"]} == {"received"}


def test_curl_upload_makes_a_case_and_its_bytes_come_back_unchanged(web, app_settings):
    content = bytes(range(256)) * 5000
    received = web.put("/evidence/perf.script", content=content).json()
    evidence = received["evidence"][0]
    answer = web.get(f"/evidence/{evidence['id']}/content")
    assert answer.content == content
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert staged_files(app_settings) == []


def test_a_chunked_body_is_accepted(web):
    received = web.put("/evidence/live.txt", content=iter([b"a 1\n", b"b 2\n"])).json()
    assert received["evidence"][0]["size_bytes"] == 8


def test_a_paste_is_one_evidence_and_loses_the_terminals_carriage_returns(web):
    received = web.post("/paste", json={"text": "a 1\r\nb 2\r\n", "captured_path": "/proc/vmstat"}).json()
    evidence = received["evidence"][0]
    assert (evidence["filename"], evidence["captured_path"]) == ("pasted.txt", "proc/vmstat")
    assert web.get(f"/evidence/{evidence['id']}/content").content == b"a 1\nb 2\n"


def test_each_evidence_is_queued_once_by_its_weight(web, sent):
    web.post("/evidence", files=[("files", ("a", b"1\n")), ("files", ("b", b"x" * (2 << 20)))])
    assert [job.queue for job in sent] == ["light", "heavy"]


def test_the_same_bytes_twice_at_the_same_place_are_one_evidence(web, sent):
    first = web.put("/evidence/perf.script", content=TEXT).json()
    case = first["case"]["number"]
    again = web.put(f"/cases/{case}/evidence/perf.script", content=TEXT)
    assert again.status_code == 202
    assert again.json()["evidence"][0]["id"] == first["evidence"][0]["id"]
    assert again.json()["evidence"][0]["is_duplicate_of"] == first["evidence"][0]["id"]
    assert again.json()["case"]["evidence_count"] == 1
    elsewhere = web.put(f"/cases/{case}/evidence/other/perf.script", content=TEXT).json()
    assert elsewhere["evidence"][0]["is_duplicate_of"] is None
    assert elsewhere["case"]["evidence_count"] == 2
    assert len(sent) == 1, "small files of a case share the job that waits"


def test_a_too_large_file_is_refused_before_its_first_byte(address, token, app_settings):
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as connection:
        head = (
            f"PUT /api/v1/evidence/huge HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Length: {app_settings.max_evidence_bytes + 1}\r\n\r\n"
        )
        connection.sendall(head.encode())
        answer = connection.recv(65536).decode()
    assert answer.startswith("HTTP/1.1 413 ")
    assert staged_files(app_settings) == []


@pytest.mark.parametrize("door", ["put", "multipart"])
def test_too_many_bytes_of_unknown_length_are_refused_and_leave_nothing(web, app_settings, sessions, door):
    pieces = (b"x" * (1 << 20) for _ in range(8))
    if door == "put":
        answer = web.put("/evidence/huge", content=pieces)
    else:
        head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="huge"\r\n\r\n'
        body = (piece for piece in (head, *pieces, b"\r\n--b--\r\n"))
        headers = {"Content-Type": "multipart/form-data; boundary=b"}
        answer = web.post("/evidence", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "TooLarge")
    assert "4,194,304 bytes" in answer.json()["detail"]
    assert staged_files(app_settings) == []
    with sessions() as session:
        assert session.query(Evidence).count() == 0


def test_too_many_files_are_refused_and_leave_nothing(web, app_settings):
    answer = web.post("/evidence", files=[("files", (f"f{n}", b"1\n")) for n in range(41)])
    assert (answer.status_code, answer.json()["code"]) == (413, "TooLarge")
    assert staged_files(app_settings) == []


def test_a_paste_beyond_its_limit_is_refused(web):
    answer = web.post("/paste", json={"text": "x" * ((1 << 20) + 1)})
    assert (answer.status_code, answer.json()["code"]) == (413, "TooLarge")


@pytest.mark.parametrize(
    ("body", "content_type", "sentence"),
    [
        (b"hello", "text/plain", "multipart/form-data"),
        (b"hello", "multipart/form-data", "boundary"),
        (b"--b\r\nnonsense", "multipart/form-data; boundary=b", "multipart body"),
        (
            b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n',
            "multipart/form-data; boundary=b",
            "no file",
        ),
        (
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\ncut o',
            "multipart/form-data; boundary=b",
            "ends before its last boundary",
        ),
        (
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="../a"\r\n\r\n1\r\n--b--\r\n',
            "multipart/form-data; boundary=b",
            "lead out of its folder",
        ),
    ],
)
def test_a_broken_body_is_refused_with_a_sentence_and_leaves_nothing(
    web, app_settings, body, content_type, sentence
):
    answer = web.post("/evidence", content=body, headers={"Content-Type": content_type})
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]
    assert staged_files(app_settings) == []


def test_unauthorised_uploads_are_refused_before_the_body(browser, web, app_settings):
    assert browser.put("/evidence/a", content=TEXT).status_code == 401
    assert web.put("/cases/99999/evidence/a", content=TEXT).status_code == 404
    assert staged_files(app_settings) == []


def test_removed_evidence_can_be_restored_unless_uploaded_again(web):
    received = web.put("/evidence/a", content=TEXT).json()
    case, evidence = received["case"]["number"], received["evidence"][0]["id"]
    assert web.delete(f"/evidence/{evidence}").status_code == 204
    assert web.get(f"/evidence/{evidence}").status_code == 404
    assert web.get(f"/cases/{case}").json()["evidence_count"] == 0
    assert web.post(f"/evidence/{evidence}/restore").json()["is_deleted"] is False
    web.delete(f"/evidence/{evidence}")
    again = web.put(f"/cases/{case}/evidence/a", content=TEXT).json()["evidence"][0]
    assert again["id"] != evidence
    answer = web.post(f"/evidence/{evidence}/restore")
    assert (answer.status_code, answer.json()["code"]) == (409, "Conflict")


def test_only_rejected_or_failed_evidence_can_be_retried(web):
    evidence = web.put("/evidence/a", content=TEXT).json()["evidence"][0]["id"]
    assert web.post(f"/evidence/{evidence}/retry").status_code == 409


def test_limits_are_available_before_the_upload(web, app_settings):
    received = web.get("/limits").json()
    assert received["max_evidence_bytes"] == app_settings.max_evidence_bytes
    assert received["max_lines_per_request"] == 2000


def test_no_backlog_refuses_the_sample_cases_of_a_slow_first_start(session, store, app_settings):
    busy = app_settings.model_copy(update={"queued_per_sender": 1})
    assert len(samples.load_on_first_start(session, store, busy)) == len(sample_cases.ALL)


def test_the_samples_are_received_on_the_first_start_only(session, store, app_settings):
    made = samples.load_on_first_start(session, store, app_settings)
    assert [case.title.partition(" (")[0] for case in made] == [
        "Sample: the vanishing CPU",
        "Sample: reclaim at the limit",
    ]
    paths = {evidence.captured_path for evidence in session.query(Evidence)}
    assert "cg_during/memory.stat" in paths
    assert not any("PROVENANCE" in path for path in paths)
    assert samples.load_on_first_start(session, store, app_settings) == []
