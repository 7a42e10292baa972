"""Several readings of one value in one text: first and last, how many, over what time."""

from __future__ import annotations

import pytest

from signatures.overview.readings import span_words
from tests.signatures.overview import pastes
from tests.signatures.overview.stated import MACHINE, changed, statements
from tests.signatures.overview.test_first_screen import overview

PUBLISHED = """\
$ cat /proc/meminfo | grep -i -e recl -e slab
Slab:             181700 kB
SReclaimable:      97832 kB
SUnreclaim:        83868 kB
up 1 min,

$ date; uptime; cat /proc/meminfo | grep -i -e recl -e slab
 11:28:15 **up 10 min**,  1 user,  load average: 0,28, 0,40, 0,27
Slab:             209032 kB
SReclaimable:     118676 kB
SUnreclaim:        90356 kB

$ date; uptime; cat /proc/meminfo | grep -i -e recl -e slab
 11:56:30 up 38 min,  1 user,  load average: 0,58, 0,64, 0,60
Slab:             228584 kB
SReclaimable:     132664 kB
SUnreclaim:        95920 kB

$ date; uptime; cat /proc/meminfo | grep -i -e recl -e slab
 13:54:04 up  2:36,  1 user,  load average: 1,15, 0,51, 0,52
Slab:             263324 kB
SReclaimable:     159060 kB
SUnreclaim:       104264 kB
"""
"""Somebody watched slab after boot: the first uptime is cut off, that of the second is in bold."""

READING = """\
$ uptime; cat /proc/meminfo
 11:{minute:02}:30 up {minute} min,  1 user,  load average: 0.58, 0.64, 0.60
MemTotal:       16000000 kB
MemFree:         4000000 kB
SReclaimable:     132664 kB
SUnreclaim:      {slab} kB
"""


def readings(*slabs, minutes=(2, 20, 50)):
    return "".join(
        READING.format(slab=slab, minute=minute) for slab, minute in zip(slabs, minutes, strict=False)
    )


def about_slab(text):
    return next(one for one in statements(text) if "nreclaimable slab" in one)


def test_readings_of_slab_are_told_from_first_to_last_with_the_least_time():
    found = next(one for one in statements(PUBLISHED) if one.startswith("Slab grew"))
    assert found.startswith(
        "Slab grew from 177.4 MiB to 257.2 MiB in 4 readings, over at least 1 h 58 min: "
        "reclaimable slab grew from 95.54 MiB to 155.3 MiB, "
        "unreclaimable slab grew from 81.9 MiB to 101.8 MiB"
    )


def test_the_first_and_the_last_line_are_cited():
    every = overview(PUBLISHED).statements
    shown = next(one for one in every if one.statement.text.startswith("Slab grew"))
    assert {place.first_line for place in shown.statement.places} == {2, 3, 4, 21, 22, 23}


@pytest.mark.parametrize("prints", [1, 2, 3])
def test_prints_of_one_reading_state_no_trend(prints):
    reading = "".join(PUBLISHED.splitlines(keepends=True)[:4])
    words = " ".join(statements(reading * prints))
    assert "60.4" not in words
    assert "53.8 % of all slab" in words
    assert not any(word in words for word in ("grew", "steady", "readings"))


def test_a_repeated_print_is_no_further_reading():
    first = "".join(PUBLISHED.splitlines(keepends=True)[:4])
    assert "in 4 readings" in overview(PUBLISHED + "\n" + first).headline.text


@pytest.mark.parametrize(
    ("slabs", "words"),
    [
        ((4000000, 4300000, 4600000), "it grew from 3906 MiB to 4492 MiB in 3 readings, over 48 min"),
        ((4600000, 4300000, 4000000), "it fell from 4492 MiB to 3906 MiB in 3 readings, over 48 min"),
        ((4000000, 4010000, 4020000), "it is steady at 3926 MiB in 3 readings, over 48 min"),
        (
            (4000000, 5000000, 4200000),
            "it went from 3906 MiB to 4102 MiB, between 3906 MiB and 4883 MiB in 3 readings, over 48 min",
        ),
    ],
)
def test_the_share_that_leads_says_how_it_went(slabs, words):
    assert about_slab(readings(*slabs)).endswith(f"of memory is unreclaimable slab; {words}")


def test_growth_to_twice_as_much_is_one_statement():
    found = [one for one in statements(readings(2000000, 4000000)) if "grew" in one]
    assert found == [
        "Unreclaimable slab grew from 1953 MiB to 3906 MiB in 2 readings of /proc/meminfo, over 18 min"
    ]


def test_readings_of_two_machines_or_boots_state_no_trend():
    other = changed(readings(4600000, minutes=(50,)), "16000000", "32000000")
    assert "readings" not in about_slab(readings(4000000) + other)
    assert "readings" not in about_slab(readings(4000000, 4600000, minutes=(50, 2)))


def test_a_slab_cache_in_two_prints_of_slabtop_says_how_it_went():
    later = changed(pastes.SLABTOP, "48130490K", "58130490K").replace("187990016", "227049386")
    text = f"$ slabtop -o\n{pastes.SLABTOP}\n$ slabtop -o\n{later}"
    assert "kmalloc-256" in overview(text).headline.text
    assert any("it grew from 45.9 GiB to 55.4 GiB in 2 readings" in one for one in statements(text))


def test_of_a_calm_host_what_is_available_leads():
    text = overview("$ cat /proc/meminfo\n" + (MACHINE / "proc/meminfo").read_text()).headline.text
    assert text.endswith("21.2 of 23.5 GiB (90.2 %) of memory is available")


def test_a_small_size_is_readable():
    text = f"$ slabtop -o\n{changed(pastes.SLABTOP, '48130490K', '12K')}\n$ slabtop -o\n{pastes.SLABTOP}"
    assert any("it grew from 12 KiB to 45.9 GiB in 2 readings" in one for one in statements(text))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(12, "12 s"), (90, "2 min"), (7080, "1 h 58 min"), (7200, "2 h"), (266400, "3 d 2 h")],
)
def test_a_span_has_the_units_that_matter(seconds, words):
    assert span_words(seconds) == words
