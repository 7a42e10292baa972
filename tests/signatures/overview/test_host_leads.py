"""What leads on each host of a case: one row for all hosts with the same headline."""

from __future__ import annotations

from dataclasses import replace

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.combined import rows, with_combined
from signatures.overview.host_leads import leads_of
from signatures.overview.screen_document import overview_document
from signatures.overview.statement_order import in_order
from signatures.rendering.overview_text import other_hosts_words
from tests.growth import SIXTEENFOLD, is_linear
from tests.signatures.overview.test_first_screen import overview

SWAP = next(one["sample"] for one in rows() if one["name"] == "swap-and-file-system-on-a-failing-disk")
LOCKUP = "[   75.213852] NMI watchdog: Watchdog detected hard LOCKUP on cpu 0\n"
CALM = "[    0.000000] Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)\n"


def of(**logs):
    texts = (
        f"$ uname -a\nLinux {host.replace('_', '-')} 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1 x86_64\n\n"
        f"$ dmesg\n{log}"
        for host, log in logs.items()
    )
    return overview(*texts)


def test_hosts_with_the_same_headline_are_one_row_with_their_names():
    found = of(web_01=SWAP, web_02=SWAP, web_03=LOCKUP, web_04=SWAP, web_05=CALM, web_06=SWAP)
    leads = {one.hosts: one.text for one in found.by_host}
    same = ("web-01", "web-02", "web-04", "web-06")
    assert set(leads) == {same, ("web-03",), ("web-05",)}
    assert "lockup" in leads["web-03",]
    assert leads["web-05",] == ""
    assert found.by_host[-1].hosts == ("web-05",)
    assert all(one.citation for one in found.by_host if one.text)


def test_a_headline_says_how_many_hosts_it_is_of():
    found = of(web_01=SWAP, web_02=SWAP, web_03=CALM, web_04=SWAP, web_05=SWAP)
    assert found.short.text.startswith("web-01: ")
    assert [(one.text, one.title) for one in found.short.chips[:1]] == [
        ("4 hosts", "web-01, web-02, web-04, web-05")
    ]
    assert other_hosts_words(overview_document(found)) == ""


def test_what_a_report_says_together_is_counted_over_hosts_too():
    found = of(**{f"web_{at:02}": SWAP for at in range(1, 8)})
    together = [one for one in found.statements if one.statement.is_combined]
    assert [one.host for one in together] == ["web-01", "web-02"]
    assert together[1].statement.text.endswith("; likewise on 5 more hosts")


def test_the_first_screen_says_what_leads_on_the_other_hosts():
    words = other_hosts_words(overview_document(of(web_01=SWAP, web_02=LOCKUP, web_03=SWAP)))
    assert words.startswith("Other hosts: web-0")
    assert of(web_01=SWAP).by_host == ()


def test_statements_of_many_hosts_are_joined_in_linear_time():
    (item,) = items_of([read_bytes(f"$ dmesg\n{SWAP}".encode(), name="x")])
    told = list(in_order(run([item])))

    def of_hosts(count):
        # Equal statements of other hosts are objects of their own.
        every = [
            one._replace(host=f"web-{at}", statement=replace(one.statement))
            for at in range(count)
            for one in told
        ]
        return lambda: leads_of([], with_combined(every))

    assert is_linear(of_hosts(80), of_hosts(1280), SIXTEENFOLD)
