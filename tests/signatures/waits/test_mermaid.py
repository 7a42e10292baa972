"""The wait graph as a Mermaid chart."""

from __future__ import annotations

import re

from signatures.waits.drawing import drawing_of
from signatures.waits.mermaid import mermaid_lines
from tests.signatures.waits.test_graph import graph, of_text


def test_every_link_joins_declared_nodes_and_the_root_is_marked():
    lines = list(mermaid_lines(graph("frozen-file-system/stacks.txt")))
    assert lines[0] == "flowchart LR"
    declared = {found[1] for line in lines if (found := re.match(r"\s+(n\d+)[\[(]", line))}
    links = [found.groups() for line in lines if (found := re.match(r"\s+(n\d+) -.* (n\d+)$", line))]
    assert len(links) == 5
    assert {end for link in links for end in link} <= declared
    assert sum(line.endswith(":::root") for line in lines) == 1


def test_reported_links_are_solid_and_inferred_ones_dashed():
    text = "\n".join(mermaid_lines(graph("fuse-server-stops/dmesg.txt")))
    assert '-- "inode lock (i_rwsem)" -->' in text
    assert '-. "reply of a FUSE server" .->' in text


def test_names_cannot_break_the_chart():
    log = 'INFO: task a"b]<i>:7 blocked for more than 120 seconds.\n'
    log += 'task:a"b]<i>  state:D stack:0     pid:7  tgid:7   ppid:2      flags:0x00004000\nCall Trace:\n'
    log += " __schedule+0x1/0x2\n schedule+0x1/0x2\n __mutex_lock+0x1/0x2\n f+0x1/0x2\n"
    text = "\n".join(mermaid_lines(of_text(log)))
    assert "a#quot;b]#lt;i#gt;:7" in text


def test_clusters_beyond_the_limit_are_counted():
    drawing = drawing_of(graph("frozen-file-system/stacks.txt"), limit=3)
    assert drawing.omitted == 3 + 3 + 1
