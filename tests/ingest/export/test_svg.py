"""SVG flame graphs: well-formed for any name, no scripts, boxes as wide as their shares."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from ingest.export import svg
from ingest.export.whole import whole
from ingest.model.profile import Frame
from ingest.model.reading import Quality
from ingest.model.selection import Selection
from ingest.native.views import View
from tests.ingest.export.profiles import ALL, database, memcg

SVG = "{http://www.w3.org/2000/svg}"


def drawn(profile, selection=None, **options):
    view = View(profile, selection or Selection())
    remarks = [Quality("few_samples", "62 samples: shares are coarse", 1)]
    return ET.fromstring(svg.picture(view, whole(profile, remarks), title="perf.script", **options))  # noqa: S314


def boxes(root):
    """Return (title, x, width) of every box."""
    return [
        (group[0].text, float(group[1].get("x")), float(group[1].get("width")))
        for group in root.iter(f"{SVG}g")
    ]


@pytest.mark.parametrize("profile", ALL, ids=lambda one: one.__name__)
@pytest.mark.parametrize("is_inverted", [False, True])
def test_it_is_well_formed_and_has_neither_script_nor_style(profile, is_inverted):
    root = drawn(profile(), is_inverted=is_inverted)
    assert {element.tag for element in root.iter()} <= {
        f"{SVG}{name}" for name in ("svg", "title", "desc", "rect", "g", "text")
    }
    assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]


def test_a_box_is_as_wide_as_its_share():
    profile = memcg()
    inside = 1000 - 2 * svg.MARGIN
    for title, x, width in boxes(drawn(profile, width=1000))[1:]:
        share = float(title.rsplit(", ", 2)[1].partition("%")[0]) / 100
        assert width == pytest.approx(share * inside, abs=0.5)
        assert svg.MARGIN <= x <= 1000 - svg.MARGIN


def test_special_characters_in_names_are_escaped():
    profile = memcg()
    hostile = '<script>alert("1")</script>\x00&\ud800'
    frames = (Frame(hostile, "", "user"), *profile.frames[1:])
    text = svg.picture(View(replace(profile, frames=frames)), whole(profile, ()), title="<&>").encode(
        "utf-8", "replace"
    )
    assert b"<script" not in text
    ET.fromstring(text)  # noqa: S314


def test_the_header_has_the_selection_and_the_quality_remarks():
    profile = database()
    text = "".join(drawn(profile, Selection(comms=("postgres",))).itertext())
    assert f"of {profile.samples:,.0f} samples" in text
    assert "shares are coarse" in text


def test_a_name_has_the_colour_it_has_on_the_page():
    # What the hash of frontend/src/profile/kinds.ts gives, and the corners of sRGB in OKLCH.
    assert [svg._hash(name) for name in ("main", "schlüssel→")] == [3935363592, 4120727084]
    corners = {"#ffffff": (1, 0, 0), "#000000": (0, 0, 0), "#ff0000": (0.62796, 0.25768, 29.234)}
    assert {svg._from_oklch(*corner): corner for corner in corners.values()} == corners
    assert svg.colour("main", "user") != svg.colour("main", "kernel")
