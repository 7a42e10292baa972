"""What tasks wait for decides the first step about them."""

from __future__ import annotations

import pytest

from ingest.frames.wait_points import GENERIC, kinds
from signatures.overview.harmful_steps import harms, subjects_of
from signatures.overview.waiting.steps import rows, step_about
from signatures.waits.model import Resource
from tests.signatures.overview.waiting.test_graph import statements

KINDS = [kind for row in rows() for kind in row["kinds"]]


def test_a_row_is_of_a_kind_that_is_read_and_no_kind_has_two():
    assert set(KINDS) <= {*kinds(), *GENERIC}
    assert len(KINDS) == len(set(KINDS))


def test_whoever_waits_for_something_outside_its_host_gets_a_step():
    outside = [name for name, kind in kinds().items() if kind.outside]
    assert [name for name in outside if not step_about(Resource(name, name, "", "", "", name))] == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("topic", ["blocked tasks", "deadlock"])
def test_no_step_harms_who_waits(kind, topic):
    assert not harms(step_about(Resource(kind, kind, "", "", "", kind), 4711), subjects_of(topic=topic))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("work-item-waits/dmesg.txt", "look where 54 waits or runs"),
        ("fuse-server-stops/dmesg.txt", "find the server process of that mount"),
        ("dm-suspended-under-ext4/dmesg.txt", "whether the device takes writes"),
    ],
)
def test_the_step_is_about_the_holder_or_about_what_is_waited_for(name, words):
    _, sentences = statements(name)
    waits = next(one for one in sentences if one.question == "locks")
    assert words in waits.first_step
