"""Lines of a kernel log are explained over HTTP, in a limited child, with words for people."""

from __future__ import annotations

NVME = "[ 2225.621988] nvme nvme0: I/O 12 QID 5 timeout, completion polled"


def test_lines_have_their_place_and_words(web):
    answer = web.post("/library/lines", json={"lines": [NVME, "no message of a kernel qwertz"]})
    assert answer.status_code == 200
    known, unknown = answer.json()["lines"]
    assert known["line"]["places"][0]["path"] == "drivers/nvme/host/pci.c"
    assert any("nvme_timeout" in words for words in known["words"])
    assert unknown["line"]["state"] == "unknown"
    assert "4.4" in answer.json()["looked_at"]


def test_no_lines_and_too_many_are_refused(web):
    for lines in ([], ["x"] * 21, ["x" * 2_001]):
        assert web.post("/library/lines", json={"lines": lines}).status_code == 422
