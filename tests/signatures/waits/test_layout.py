"""Layered positions of a wait graph, and the picture drawn from them."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from signatures.waits.drawing import drawing_of
from signatures.waits.layout import BOX_HEIGHT, BOX_WIDTH, layout_of
from signatures.waits.svg import picture
from tests.signatures.waits.test_graph import graph, hung, of_text


def test_every_blocker_is_left_of_what_waits_for_it_and_boxes_do_not_overlap():
    drawing = drawing_of(graph("frozen-file-system/stacks.txt"))
    layout = layout_of(drawing)
    assert all(layout.boxes[link.source].x < layout.boxes[link.target].x for link in drawing.links)
    places = {(box.x, box.y) for box in layout.boxes}
    assert len(places) == len(drawing.nodes)
    for x, y in places:
        assert not any(x == other and 0 < abs(y - at) < BOX_HEIGHT for other, at in places)
        assert x + BOX_WIDTH <= layout.width
        assert y + BOX_HEIGHT <= layout.height


def test_a_ring_has_layers_and_a_link_back_below_the_boxes():
    found = of_text(hung("left", 10, "right", 11, "take_left") + hung("right", 11, "left", 10, "take_right"))
    layout = layout_of(drawing_of(found))
    assert {box.layer for box in layout.boxes} == {0, 1}
    assert len(layout.paths) == 2


def test_the_picture_is_well_formed_and_names_the_root_and_the_evidence_of_links():
    drawn = picture(graph("frozen-file-system/stacks.txt"), "db-7")
    root = ET.fromstring(drawn)  # noqa: S314 - our own output
    texts = [element.text for element in root.iter() if element.text and element.text.strip()]
    assert texts[0].startswith("db-7: 9 tasks wait for write access to a frozen file system")
    assert any("region_unmap:16828" in text for text in texts)
    assert "stroke-dasharray" in drawn
    assert "<script" not in drawn
    assert 'style="' not in drawn


def test_names_cannot_break_the_picture():
    log = 'INFO: task a"<b>&:7 blocked for more than 120 seconds.\n'
    log += 'task:a"<b>&  state:D stack:0     pid:7  tgid:7   ppid:2      flags:0x00004000\nCall Trace:\n'
    log += " __schedule+0x1/0x2\n schedule+0x1/0x2\n __mutex_lock+0x1/0x2\n f+0x1/0x2\n"
    root = ET.fromstring(picture(of_text(log)))  # noqa: S314 - our own output
    assert any('a"<b>&:7' in (element.text or "") for element in root.iter())
