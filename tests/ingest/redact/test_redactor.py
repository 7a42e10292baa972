"""Names leave as pseudonyms; lines, columns, symbols and versions stay as they were."""

from __future__ import annotations

import re
import tarfile
from pathlib import Path

import pytest

from ingest.redact import Redactor
from signatures.document.vocabulary import library_words

KEY = b"k" * 32
SYSLOG = b"""\
Nov 21 03:12:09 analytics-db-02 sshd[812]: Accepted publickey for jdoe from 10.20.30.40 port 5022 ssh2
Nov 21 03:12:10 analytics-db-02 kernel: [ 12.3] eth0: 3c:fd:fe:12:34:56 fe80::3efd:feff:fe12:3456 is up
Nov 21 03:12:11 analytics-db-02 sudo:     jdoe : TTY=pts/0 ; PWD=/home/jdoe ; USER=root ; COMMAND=/bin/ls
"""
DATA = Path("tests/data")


def redacted(text: bytes, *, key: bytes = KEY, path: str = "", words: frozenset[str] = frozenset()) -> bytes:
    redactor = Redactor(key, words=words)
    redactor.learn([text], path)
    redactor.settle()
    return b"".join(redactor.redact([text], path))


def lengths(text: bytes) -> list[int]:
    return [len(line) for line in text.split(b"\n")]


def test_a_redacted_log_keeps_lines_and_columns():
    redacted_text = redacted(SYSLOG)
    assert lengths(redacted_text) == lengths(SYSLOG)
    for name in (b"analytics-db-02", b"jdoe", b"10.20.30.40", b"3c:fd:fe", b"fe80::3efd"):
        assert name not in redacted_text
    for fragment in (b"sshd[812]: Accepted publickey for ", b" port 5022 ssh2", b"USER=root", b"/bin/ls"):
        assert fragment in redacted_text


def test_one_name_has_one_pseudonym_everywhere():
    redacted_text = redacted(SYSLOG + b"ANALYTICS-DB-02 and analytics-db-02:9100 by jdoe\n").decode()
    hosts = set(re.findall(r"host-\w+", redacted_text))
    assert len(hosts) == 1
    assert (
        redacted_text.splitlines()[-1]
        == f"{hosts.copy().pop()} and {hosts.pop()}:9100 by {redacted_text.split()[8]}"
    )


def test_another_case_has_other_pseudonyms():
    assert redacted(SYSLOG) == redacted(SYSLOG)
    assert redacted(SYSLOG) != redacted(SYSLOG, key=b"other" * 7)


def test_a_second_pass_changes_nothing():
    first_pass = redacted(SYSLOG)
    assert redacted(first_pass) == first_pass


def test_names_learnt_from_one_text_are_replaced_in_another():
    redactor = Redactor(KEY)
    redactor.learn([b"db-prod-7\n"], "sosreport/etc/hostname")
    redactor.learn([b"\n"], "")
    redactor.settle()
    assert b"db-prod-7" not in b"".join(redactor.redact([b"mysqld on db-prod-7 stalls\n"]))
    assert "db-prod-7" not in redactor.text("sosreport-db-prod-7/proc/meminfo")


@pytest.mark.parametrize(
    ("secret", "line"),
    [
        ("AKIAIOSFODNN7EXAMPLQ", "key AKIAIOSFODNN7EXAMPLQ"),
        ("ghp_" + "a1B2" * 9, "remote ghp_" + "a1B2" * 9),
        ("hunter2hunter2", "DB_PASSWORD=hunter2hunter2"),
        ("s3cr3tpw", "https://bob:s3cr3tpw@git.acme-bank.de/x"),
        ("acme-bank", "https://bob:s3cr3tpw@git.acme-bank.de/x.acme-bank.com"),
        ("c2VjcmV0OnRva2Vu", "Authorization: Basic c2VjcmV0OnRva2Vu"),
        ("$6$abcdefgh$" + "x1Y2" * 10, "root:$6$abcdefgh$" + "x1Y2" * 10 + ":19000:0:"),
        ("jane.roe", "mail from jane.roe@acme-bank.com"),
        ("acme-bank.com", "mail from jane.roe@acme-bank.com"),
        ("MIIEpAIBAAKCAQ", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQ\n-----END RSA PRIVATE KEY-----"),
        ("3a1b2c3d-1111", "root=UUID=3a1b2c3d-1111-2222-3333-444455556666 ro"),
        ("VMW-56", "\tSerial Number: VMW-56 4d 3c"),
        ("10-0-0-5", "ip-10-0-0-5 is a worker"),
        ("0500000A", "   0: 0500000A:1F90 0100007F:0016 01"),
        ("eyJhbGci", "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.abcDEFghi"),
        ("Jane Roe", "jroe:x:1001:1001:Jane Roe,,,:/home/jroe:/bin/bash"),
        ("aabb.ccdd.eeff", "port aabb.ccdd.eeff is up"),
        ("fd00:10:20::7", "addr fd00:10:20::7 dev eth0"),
    ],
)
def test_private_names_are_replaced(secret: str, line: str):
    redacted_text = redacted(f"{line}\n".encode()).decode()
    assert secret not in redacted_text
    assert lengths(redacted_text.encode()) == lengths(f"{line}\n".encode())


@pytest.mark.parametrize(
    "line",
    [
        "Linux version 5.15.0-1040-gke (buildd@lcy02) gcc 11.3.0",
        "java.net.Socket.read java.io.File org.apache.Foo [kernel.kallsyms] libc-2.31.so libfoo.so.1.2.3.4",
        "glibc-2.36.0.1 nss-3.90.0.1-2 v1.2.3.4",
        "listen 127.0.0.1:3306 0.0.0.0:22 ::1 255.255.255.0 ff02::1 00:00:00:00:00:00 localhost",
        "getty@tty1.service user@1000.service systemd-journald.socket memcpy@GLIBC_2.14",
        "rwsem_down_read_slowpath+0x1a0 ([kernel.kallsyms]) std::vector::push_back add::ace",
        "/sys/fs/cgroup/a/memory.events.local memory.swap.events.local",
        "12:34:56 03:12:09.123 1064.57: 0000:00:1f.2 8086:1234",
        "passwd: files systemd  password: x  token: 12",
        "https://bugs.debian.org/12 see docs.kernel.org and jens@kernel.org",
        "root  1  0.0  0.1  1 2 ? Ss  /sbin/init --no-pager",
        "signature:  30:64:02:30:53:31:EA:F0:DE:59:23:67:73:36:F4:B3:57:81:B5:62:",
        "name:           ipv6",
        "name:           tcp_cubic",
        "alias:          crypto-crc32c-intel",
        "alias:          cxl:t3*",
        "author:         Alan Cox",
        "33:33:00:00:00:01 dev eno2, 01:00:5e:00:00:01, 01:80:c2:00:00:0e",
        "server: x509: certificate of amd64",
        "# vgqdisplay",
    ],
)
def test_text_without_private_names_stays(line: str):
    assert redacted(f"{line}\n".encode()).decode() == f"{line}\n"


def test_the_name_of_a_product_stays_where_it_is_no_domain():
    text = redacted(b"see https://www.rsyslog.com and /etc/rsyslog.d\n").decode()
    assert "rsyslog.com" not in text
    assert text.endswith(" and /etc/rsyslog.d\n")


def test_a_host_named_like_a_word_is_replaced_only_as_a_name():
    redactor = Redactor(KEY, words=library_words())
    text = b"# hostname : memory\nmysqld: memory.usage reclaim memory\n"
    redactor.learn([text])
    redactor.settle()
    redacted_text = b"".join(redactor.redact([text])).split(b"\n")
    assert redacted_text[0] != b"# hostname : memory"
    assert redacted_text[1] == b"mysqld: memory.usage reclaim memory"
    assert redactor.unreplaced_words == {"memory"}


def test_pieces_may_be_cut_anywhere():
    redactor = Redactor(KEY)
    text = SYSLOG * 3
    redactor.learn([text[:50], text[50:]])
    redactor.settle()
    parts = [text[at : at + 37] for at in range(0, len(text), 37)]
    assert b"".join(redactor.redact(parts)) == redacted(text)


def perf_scripts() -> list[Path]:
    return sorted((DATA / "perf-script").glob("*.txt"))[:6]


@pytest.mark.parametrize("sample", perf_scripts(), ids=lambda path: path.name)
def test_no_symbol_of_a_perf_script_changes(sample: Path):
    text = sample.read_bytes()
    redacted_text = redacted(text, words=library_words())
    frame = re.compile(rb"^\s+[0-9a-f]+ (\S+)", re.MULTILINE)
    assert frame.findall(redacted_text) == frame.findall(text)
    assert lengths(redacted_text) == lengths(text)


def test_a_sosreport_loses_the_name_of_its_host_and_no_line():
    archive = next((DATA / "sosreport").glob("*.tar.xz"))
    redactor = Redactor(KEY, words=library_words())
    with tarfile.open(archive) as tar:
        texts = [
            (member.name, content.read())
            for member in tar
            if member.isreg() and (content := tar.extractfile(member)) is not None
        ]
    for name, content in texts:
        redactor.learn([content], name)
        redactor.learn([name.encode()])
    redactor.settle()
    for name, content in texts:
        redacted_text = b"".join(redactor.redact([content], name))
        assert b"analytics-db-02" not in redacted_text
        assert content.count(b"\n") == redacted_text.count(b"\n")
    assert "analytics-db-02" in redactor.originals["host"]


def test_the_pseudonym_map_is_reused_and_holds_no_original():
    first = Redactor(KEY)
    first.learn([SYSLOG])
    first.settle()
    redacted_text = b"".join(first.redact([SYSLOG]))
    assert not any(
        "jdoe" in text or "analytics" in text
        for text in (*first.pseudonym_map, *first.pseudonym_map.values())
    )
    second = Redactor(KEY, pseudonym_map=first.pseudonym_map)
    second.learn([SYSLOG.replace(b"10.20.30.40", b"10.20.30.41")])
    second.settle()
    assert b"".join(second.redact([SYSLOG])).split(b"\n")[1:] == redacted_text.split(b"\n")[1:]
