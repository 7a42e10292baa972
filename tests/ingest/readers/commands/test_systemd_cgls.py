"""Readings from a control group tree."""

from __future__ import annotations

from pathlib import Path

from ingest.model.section import Text
from ingest.readers.commands import systemd_cgls

DATA = Path(__file__).parents[3] / "data" / "systemd-cgls"
LINES = (DATA / "systemd-cgls.txt").read_text().splitlines()


def test_every_process_is_in_its_group():
    (rows,) = systemd_cgls.read(Text(LINES)).row_sets
    assert len(rows.rows) == 10
    assert rows.rows[0] == (
        "/user.slice/user-10101.slice/user@10101.service/init.scope",
        1710746.0,
        "/lib/systemd/systemd --user",
    )
    assert rows.rows[-1][:2] == ("/user.slice/user-10101.slice/session-17455.scope", 1791367.0)


def test_sessions_are_counted():
    facts = {fact.name: fact.value for fact in systemd_cgls.read(Text(LINES)).facts}
    assert facts == {
        "systemd.units.slice": 2.0,
        "systemd.units.service": 1.0,
        "systemd.units.scope": 3.0,
        "systemd.units.session": 2.0,
    }


def test_dots_at_the_end_make_it_an_excerpt():
    assert systemd_cgls.read(Text(LINES)).quality_names == {"excerpt"}


def test_ascii_drawings_are_the_same_tree():
    lines = [
        line.replace("├─", "|-").replace("└─", "`-").replace("│", "|").replace("…", "...") for line in LINES
    ]
    assert systemd_cgls.read(Text(lines)).row_sets == systemd_cgls.read(Text(LINES)).row_sets


def test_it_begins_at_the_headline_and_covers_all():
    assert systemd_cgls.begins(LINES, 0)
    assert all(systemd_cgls.continues(line) for line in LINES)


def test_a_headline_without_a_tree_is_not_claimed():
    assert not systemd_cgls.begins(["Control group /:", "is where it all starts"], 0)
