"""Leak scan: finds a name in every encoding, independently of redaction."""

from __future__ import annotations

import ast
import base64
import tracemalloc
from pathlib import Path
from urllib.parse import quote

import pytest

from ingest.redact import leak_scan
from ingest.redact.leak_scan import Detector

HOST = "analytics-db-02"
MAC = "3c:fd:fe:12:34:56"


def found_in(original: str, text: bytes) -> list[tuple[str, str]]:
    return [(leak.what, leak.written) for leak in Detector([original]).scan(text)]


@pytest.mark.parametrize(
    ("original", "written", "text"),
    [
        (HOST, "as it is", b"ANALYTICS-DB-02"),
        ("Jos\u00e9 Roe", "in a URL", quote("Jos\u00e9 Roe").encode()),
        (HOST, "in base64", base64.b64encode(f"x{HOST}yz".encode())),
        (HOST, "in hexadecimal", HOST.encode().hex().encode()),
        (HOST, "with NULs", HOST.encode("utf-16-le")),
        (HOST, "backwards", HOST[::-1].encode()),
        ("replication-coordinator", "cut to 15 bytes", b"comm=replication-coo"),
        ("10.20.30.40", "dashed", b"ip-10-20-30-40"),
        ("10.20.30.40", "reversed", b"40.30.20.10.in-addr.arpa"),
        ("10.20.30.40", "as procfs writes it", b" 281E140A:01BB"),
        (MAC, "without separators", b"enx3cfdfe123456"),
        (MAC, "with other separators", b"3C-FD-FE-12-34-56"),
        (MAC, "as EUI-64", b"fe80::3efd:feff:fe12:3456"),
    ],
)
def test_a_name_is_found_in_every_encoding(original: str, written: str, text: bytes):
    assert (original, written) in found_in(original, b"before " + text + b" behind")


def test_a_short_name_is_found_as_a_whole_word_only():
    assert found_in("db7", b"on db7: x") == [("db7", "as it is")]
    assert found_in("db7", b"adb72 ZGI3") == []


WORDS = frozenset({"code", "files", "vacuum", "nqn", "org", "net", "main"})


@pytest.mark.parametrize(
    "line",
    [
        "process exited, code=exited, status=32",
        "the code of it",
        "Code: 00 01",
        '{"code": 2}',
        "/srv/code/x",
        "common files",
        "code(2)",
        "  code  files",
        "postcode: code-word",
        "net: net",
        "AutoVacuumMain",
        "name: vacuums",
        "4.0M 40G 2025-02-12",
    ],
)
def test_a_word_that_a_host_is_called_is_no_leak_in_a_text(line: str):
    detector = Detector(["code", "files", "Vacuum", "net", "4.0M", "2025-02-12"], words=WORDS)
    assert list(detector.scan(f"x\n{line}\ny".encode())) == []


@pytest.mark.parametrize(
    "line",
    ["host=code up", "host: code", '"host": "code",', "jdoe@code", "https://code:80", "[code]", "<code>"],
)
def test_a_word_that_a_host_is_called_is_a_leak_as_a_value(line: str):
    detector = Detector(["code"], words=WORDS)
    assert [leak.what for leak in detector.scan(f"x\n{line}\ny".encode())] == ["code"]
    assert list(Detector(["code"], words=WORDS, usual={"code"}).scan(line.encode())) == []


def test_the_beginning_of_many_names_is_no_leak_and_that_of_one_is():
    name = "nqn.2014-08.org.nvmexpress:uuid:4c4c4544"
    detector = Detector([name, "nqn.krystal-archive.example"], words=WORDS)
    assert list(detector.scan(b"nqn.2014-08.org.nvmexpress:uuid:zq3r4yh5")) == []
    assert [leak.written for leak in detector.scan(b"nqn.krystal-archives")] == ["cut to 15 bytes"]


def test_each_leak_has_its_line():
    assert [
        leak.line for leak in Detector([HOST]).scan(b"a\nb\n" + HOST.encode() + b"\nanalytics-db-02")
    ] == [3, 4]


def test_names_in_no_list_are_found_by_pattern():
    text = b"mail jane@acme-bank.com, 10.1.2.3, /home/jane, AKIAABCDEFGHIJKLMNOP"
    assert {leak.what for leak in Detector([]).scan(text)} == {
        "e-mail address",
        "private address",
        "home directory",
        "AWS key",
    }


def test_pseudonyms_are_no_leaks():
    text = b"zqlk@zqmm.invalid 192.0.2.7 /home/zq3k /home/user-q3x4e password=xxxx password=redactedab23"
    assert list(Detector([HOST]).scan(text)) == []


def test_the_end_of_a_pseudonym_of_an_address_is_no_leak_and_that_of_a_version_is():
    assert found_in("db7", b"SRC=247.10.56.137 DST=254.192.168.1") == []
    for address in (b"v1.10.56.137.4", b"24.10.56.137", b"1247.10.56.137"):
        assert [what for what, _ in found_in("db7", address)] == ["private address"], address


def test_the_detector_shares_no_code_with_what_it_checks():
    tree = ast.parse(Path(leak_scan.__file__).read_text())
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in imported if "redact" in name]


MEMORY_BYTES = 24 << 20
"""What looking at a text may take, however long the text is."""


def test_a_text_of_any_length_costs_the_memory_of_one_window():
    size, block = 3 * MEMORY_BYTES, b"nothing to see on this line\n" * (1 << 15)
    look = Detector([HOST]).look()
    tracemalloc.start()
    try:
        found_in = [leak for _ in range(size // len(block)) for leak in look.at(block)]
        found_in += [*look.at(HOST.encode()), *look.end()]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEMORY_BYTES
    assert [leak.line for leak in found_in] == [(size // len(block) << 15) + 1]


@pytest.mark.parametrize("shift", [-len(HOST), -len(HOST) // 2, -1, 0, 1])
def test_a_name_across_two_windows_is_one_leak(shift: int):
    before = b"x\n" * ((leak_scan.WINDOW_BYTES + shift) // 2)
    text = before + HOST.encode() + b"\n" + b"y\n" * leak_scan.OVERLAP_BYTES
    look = Detector([HOST]).look()
    pieces = [text[at : at + 100_003] for at in range(0, len(text), 100_003)]
    found_in = [leak for piece in pieces for leak in look.at(piece)] + list(look.end())
    assert [leak.line for leak in found_in] == [before.count(b"\n") + 1]


def test_leaks_do_not_depend_on_where_a_text_is_cut(monkeypatch):
    monkeypatch.setattr(leak_scan, "WINDOW_BYTES", 50)
    monkeypatch.setattr(leak_scan, "OVERLAP_BYTES", 1)
    text = b"db7 adb7 db7b DB7\n" * 9 + f"{HOST} {HOST[::-1]} ".encode() + HOST.encode().hex().encode()
    detector = Detector(["db7", HOST])
    look = detector.look()
    cut = [leak for at in range(len(text)) for leak in look.at(text[at : at + 1])] + list(look.end())
    assert cut == list(detector.scan(text))
    assert len(cut) == 9 * 2 + 3
