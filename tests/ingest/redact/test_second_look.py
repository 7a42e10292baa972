"""The second look lists tokens that may be names, and leaves words, versions, devices and pseudonyms."""

from __future__ import annotations

import ast
from pathlib import Path

from ingest.redact import second_look
from ingest.redact.protected_words import own_words
from ingest.redact.second_look import SecondLook

TEXT = b"""\
at swordfish-db3: disk WFK2R0QZ4411 of mkowal@quarrymill
key Zk3vT9xQm2Lr8YbWn5Kd on swordfish-db3
"""
ORDINARY = b"""\
kernel 5.14.0-427.13.1.el9_4.x86_64 eth0 nvme0n1 sda1 cpu12 kworker/u64:2-e 0000:00:1f.6 x86-64 utf-8 amd64
systemd-journald.service libc-2.34.so NetworkManager-1.46.0-1.el9 memory.events.local 3840 MB ipv6
host-q7x3mfka2ei zqk3 zqm.k4h.test redacted4wqabcdef 0000f25c-5488-1c73-34a4-ed11e9dd2758 user-5mfx2k
TcpExtTCPMD5NotFound Icmp6InRouterSolicits native_queued_spin_lock_slowpath+0x197 ffffffff8a0d2e57
192.0.2.7 2026-11-21T03:12:09
"""


def _word(number: int) -> bytes:
    return bytes(ord("k") + int(digit) for digit in f"{number:05}")


def classes(text: bytes) -> dict[str, list[str]]:
    look = SecondLook(own_words())
    assert b"".join(look.read([text[:30], text[30:]], "a.log")) == text
    return {one.name: [token.text for token in one.tokens] for one in look.classes()}


def test_tokens_that_may_be_names_are_listed_by_class():
    assert classes(TEXT) == {
        "account": ["mkowal@quarrymill"],
        "host": ["swordfish-db3"],
        "id": ["WFK2R0QZ4411"],
        "secret": ["Zk3vT9xQm2Lr8YbWn5Kd"],
    }


def test_words_outside_of_the_vocabulary_are_listed_those_of_no_language_and_of_values_first():
    look = SecondLook(own_words(), {"walnut", "resilvered"})
    list(look.read([b"resilvered the pool\nsaw mkarlsen there\nimport /walnut/x\n"], "a.log"))
    assert [token.text for token in look.classes()[0].tokens] == ["mkarlsen", "walnut", "resilvered"]


def test_words_of_the_vocabulary_are_listed_in_places_of_names_and_as_unusual_values():
    words = {"pool", "atlas", "swap", "night", "batch", "the", "server"}
    look = SecondLook(words, words, usual={"swap", "batch-*"}, doubtful={"server"})
    list(
        look.read([b"the server\npool: atlas\npool: swap\npool='night-batch'\nthe night batch-7\n"], "a.log")
    )
    assert {one.name: [token.text for token in one.tokens] for one in look.classes()} == {
        "host": ["night-batch"],
        "word": ["atlas", "server"],
    }


def test_short_codes_and_two_joined_words_are_listed_as_values_and_symbols_are_not():
    words = {"service", "tag", "pool", "fast", "aggr", "nr", "free", "pages"}
    look = SecondLook(words, words, usual={"none"})
    text = b"tag: 9XJ4LQ2\npool='aggr_sas2'\nthe aggr_sas7 of 8XJ4LQ2 now\nnr: nr_free_pages\n"
    list(look.read([text, b"ffffffff82df62cc d zorbl_init\n- 07aa9c4e1f20b36d58e1a9\n"], "a.log"))
    assert {one.name: [token.text for token in one.tokens] for one in look.classes()} == {
        "id": ["07aa9c4e1f20b36d58e1a9", "9XJ4LQ2"],
        "word": ["aggr_sas2"],
    }


def test_technical_words_are_known_but_in_compounds_that_look_like_a_host():
    look = SecondLook({"collect"}, {"carbon", "relay"}, technical={"carbon", "relay"})
    list(look.read([b"carbon_relay and relay2 collect carbon-relay\n"], "a.log"))
    assert [[token.text for token in one.tokens] for one in look.classes()] == [["relay2", "carbon-relay"]]


def test_a_token_has_its_number_and_its_first_place():
    look = SecondLook(own_words())
    list(look.read([TEXT], "a.log"))
    list(look.read([TEXT], "b.log"))
    token = next(one for one in look.classes() if one.name == "host").tokens[0]
    assert (token.count, token.where, token.line) == (4, "a.log", 1)
    assert (token.before, token.behind) == ("at ", ": disk WFK2R0QZ4411 of mkowal@quarrymill")


def test_words_versions_devices_counters_and_pseudonyms_are_not_listed():
    assert classes(ORDINARY) == {}


def test_no_more_than_the_likeliest_are_listed_and_the_others_counted():
    look = SecondLook(own_words())
    list(look.read([b"".join(b"%s-sword\n" % _word(number) for number in range(150))], "a.log"))
    hosts = look.classes()[0]
    assert (hosts.distinct, len(hosts.tokens)) == (150, second_look.MAX_LISTED["host"])


def test_hosts_that_differ_in_numbers_are_one_decision():
    look = SecondLook(own_words())
    list(look.read([b"at swordfish07\nat swordfish08 and swordfish08\nat marlin-db3\n"], "a.log"))
    single, family = look.classes()[0].tokens
    assert (family.text, family.names, family.count, family.line) == ("swordfish*", 2, 3, 2)
    assert (single.text, single.names) == ("marlin-db3", 1)


def redact_modules(path: Path) -> set[str]:
    """Return the names of the modules of `ingest.redact` that a file imports."""
    tree = ast.parse(path.read_text())
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.rpartition(".")[2] for name in imported if name.startswith("ingest.redact.")}


def test_the_second_look_shares_no_code_with_what_it_checks():
    own = Path(second_look.__file__)
    helpers = redact_modules(own)
    files = [path for path in own.parent.rglob("*.py") if path != own and path.stem not in helpers]
    others = {name for path in files for name in redact_modules(path)}
    assert helpers.isdisjoint(others)
    assert len(others) > 5
