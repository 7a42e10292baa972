"""Tokens that are in no vocabulary are names even where no rule knows their place."""

from __future__ import annotations

from ingest.redact import Redactor
from tests.ingest.redact.test_tools import redacted


def test_a_compound_or_a_word_that_nothing_knows_is_a_name_without_a_place():
    text = redacted("scrape of usv-kellrath2 failed\nretried by <qbrandvold> yesterday\n")
    assert not [name for name in ("kellrath", "brandvold") if name in text]
    assert [text.startswith("scrape of "), text.endswith("> yesterday\n")] == [True, True]


def test_a_word_that_nobody_knows_is_a_name_unless_it_is_a_key_a_call_or_a_part_of_a_path():
    text = "qbrandvold  running  0.4\nx: brandvold_q2, by brandvoldr\n"
    assert "brandvold" not in redacted(text)
    for line in (
        "qbrandvold: 2 seconds\n",
        '{"qbrandvold": 2}\n',
        "qbrandvold=2\n",
        "qbrandvold(2)\n",
        "/lib/qbrandvold\n",
    ):
        assert redacted(line) == line


def test_the_date_behind_a_name_stays():
    assert redacted("index qbrandvold-2025.08.13 is red\n").endswith("-2025.08.13 is red\n")


def test_words_modules_units_packages_models_and_versions_stay():
    line = (
        "libnss3 nf_conntrack i40e iwlwifi kworker/u64:2 systemd-journald.service"
        " orchids pg-14 MZ7LH480HAHQ 5.14.0-427\n"
    )
    assert redacted(line) == line


def test_what_is_unknown_in_a_profile_is_code():
    line = "main;qbrandvold;quarrel_x;futex_wait 17\n"
    assert redacted(line) == line


def test_hosts_that_differ_from_a_host_in_numbers_are_hosts():
    text = redacted("# hostname : web-07\nproxied by web-08 and web-11; web-server is a word\n")
    assert not [name for name in ("web-07", "web-08", "web-11") if name in text]
    assert "web-server is a word" in text


def test_numbers_of_nodes_and_devices_are_no_family():
    line = "node0 node12 disk3 cpu7\n"
    assert redacted(f"# hostname : node1\n{line}").endswith(line)


def test_a_protected_word_of_the_caller_is_known():
    redactor = Redactor(b"k" * 32, words=["kellrath"])
    redactor.learn([b"kellrath-2 failed\n"])
    assert not redactor.originals["host"]
