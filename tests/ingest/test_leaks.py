"""The second look sees a name however it is written, and knows nothing of how names were replaced."""

from __future__ import annotations

import ast
import base64
from pathlib import Path
from urllib.parse import quote

import pytest

from ingest import leaks
from ingest.leaks import Detector

HOST = "analytics-db-02"
MAC = "3c:fd:fe:12:34:56"


def seen(original: str, text: bytes) -> list[tuple[str, str]]:
    return [(leak.what, leak.written) for leak in Detector([original]).leaks(text)]


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
def test_a_name_is_seen_however_it_is_written(original: str, written: str, text: bytes):
    assert (original, written) in seen(original, b"before " + text + b" behind")


def test_a_short_name_is_seen_as_a_word_only():
    assert seen("db7", b"on db7: x") == [("db7", "as it is")]
    assert seen("db7", b"adb72 ZGI3") == []


def test_each_place_is_told_with_its_line():
    assert [
        leak.line for leak in Detector([HOST]).leaks(b"a\nb\n" + HOST.encode() + b"\nanalytics-db-02")
    ] == [3, 4]


def test_what_no_list_can_tell_is_seen_by_its_shape():
    text = b"mail jane@acme-bank.com, 10.1.2.3, /home/jane, AKIAABCDEFGHIJKLMNOP"
    assert {leak.what for leak in Detector([]).leaks(text)} == {
        "e-mail address",
        "private address",
        "home directory",
        "AWS key",
    }


def test_pseudonyms_are_no_leaks():
    text = b"zqlk@zqmm.invalid 192.0.2.7 /home/zq3k /home/user-q3x4e password=xxxx password=redactedab23"
    assert list(Detector([HOST]).leaks(text)) == []


def test_the_detector_shares_no_code_with_what_it_checks():
    tree = ast.parse(Path(leaks.__file__).read_text())
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in imported if "redact" in name]
