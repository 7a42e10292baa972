"""The call tree by command, with frames without a symbol joined."""

from __future__ import annotations

import numpy as np
import pytest

from ingest.export import arrangement, columns, times
from ingest.export.arrangement import is_nameless
from ingest.model.profile import Frame
from ingest.model.selection import EVERYTHING, Selection
from ingest.native import parse_folded, parse_perf_script
from ingest.native.views import View
from tests.ingest.export import profiles


def arranged(profile, selection=EVERYTHING, *, joins_nameless=True, **options):
    how = arrangement.of_profile(profile, joins_nameless=joins_nameless)
    return columns.graph(View(profile, selection), min_share=0, arrangement=how, **options)


@pytest.mark.parametrize("profile", [profiles.memcg, profiles.database])
def test_commands_are_the_first_level_and_weigh_what_their_threads_do(profile):
    profile = profile()
    document = arranged(profile)
    outermost = {
        document["names"][document["frame"][row]]: document["total"][row]
        for row, depth in enumerate(document["depth"])
        if depth == 0
    }
    comms = arrangement.commands_of(profile)
    assert set(outermost) <= set(comms)
    for name, total in outermost.items():
        is_of = np.array([comms[thread] == name for thread in profile.sample_thread])
        assert total == pytest.approx(profile.sample_weight[is_of].sum())
    assert sum(outermost.values()) == pytest.approx(document["total_weight"])


def test_neighbouring_frames_without_a_symbol_are_one_row_whose_number_is_stated():
    profile = profiles.memcg()
    apart, joined = arranged(profile, joins_nameless=False), arranged(profile)
    nameless = [frame for frame in profile.frames if is_nameless(frame)]
    assert nameless
    assert not set(joined["names"]) & {frame.name for frame in nameless}
    assert len(joined["node"]) < len(apart["node"])
    parents: list[int] = []
    for row, depth in enumerate(joined["depth"]):
        del parents[depth:]
        if joined["joined"][row]:
            assert not (parents and joined["joined"][parents[-1]]), "two joined rows are neighbours"
        parents.append(row)
    assert sum(joined["self"]) == pytest.approx(sum(apart["self"]))


def test_a_command_is_numbered_after_the_nodes_in_every_selection():
    profile = profiles.database()
    count = len(profile.node_parent)
    names = arrangement.command_names(profile)
    name = arrangement.commands_of(profile)[int(profile.sample_thread[0])]
    only = arranged(profile, Selection(comms=(name,)))
    assert only["node"][0] == count + names.index(name)
    below = arranged(profile, root=only["node"][0])
    assert below["total"][0] == only["total"][0]
    assert below["depth"][0] == 0


def test_workers_of_one_pool_are_one_command_and_are_selected_as_such():
    script = "".join(
        f"{comm} {at} [000] {at}.5: 1 cycles:\n\tffffffff81000000 do_syscall_64 ([kernel.kallsyms])\n\n"
        for at, comm in enumerate(
            ("pool-1", "pool-2", "python3", "kworker/0:1-events", "kworker/u4:2"), start=1
        )
    )
    profile = parse_perf_script([script.encode()]).profiles[0]
    assert arrangement.command_names(profile) == ["kworker/0:1-events", "kworker/u4:2", "pool-*", "python3"]
    only = arranged(profile, Selection(comms=("pool-*",)))
    assert (only["names"][only["frame"][0]], only["total"][0]) == ("pool-*", 2)


def test_a_cited_node_names_its_row_also_where_nodes_are_joined():
    profile = profiles.memcg()
    document = arranged(profile)
    nodes = set(document["node"])
    hidden = next(node for node in range(len(profile.node_parent)) if node not in nodes)
    assert hidden in arranged(profile, keep=[hidden])["node"]


def test_a_folded_stack_that_begins_with_its_command_names_it_once():
    profile = parse_folded(
        [b"bash;[unknown];[libc.so.6];do_syscall_64 4\nbash;0x7f3102aa41;do_syscall_64 6\n"]
    ).profile
    document = arranged(profile)
    assert [document["names"][frame] for frame in document["frame"]] == [
        "bash",
        arrangement.JOINED_NAME,
        "do_syscall_64",
    ]
    assert (document["joined"], document["total"]) == ([0, 3, 0], [10, 10, 10])


def test_the_share_of_a_row_over_time_sums_to_its_weight():
    profile = profiles.database()
    how = arrangement.of_profile(profile, joins_nameless=True)
    document = arranged(profile, Selection(weight="samples"))
    row = max(
        range(len(document["node"])), key=lambda at: (document["depth"][at] == 1, document["total"][at])
    )
    view = View(profile, Selection(weight="samples"))
    alone = document["node"].count(document["node"][row]) == 1
    heat = times.heat(view, rows=25, node=document["node"][row], arrangement=how)
    assert sum(heat["part"]) == document["total"][row] if alone else sum(heat["part"]) > 0
    assert all(part <= count for part, count in zip(heat["part"], heat["counts"], strict=True))


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (Frame("[unknown]", "/usr/lib/libc.so.6", "user"), True),
        (Frame("7f31d2a041", "", "unknown"), True),
        (Frame("[libfoo.so.1]", "", "unknown"), True),
        (Frame("/usr/lib/libfoo.so+0x1f3", "", "user"), True),
        (Frame("[unknown]", "[kernel.kallsyms]", "kernel"), False),
        (Frame("deadbeef_handler", "/usr/bin/x", "user"), False),
        (Frame("main", "/usr/bin/x", "user"), False),
    ],
)
def test_only_code_of_user_space_without_a_function_is_nameless(frame, expected):
    assert is_nameless(frame) is expected
