"""System-wide analyses as text lines.

Example:
    System overview:
      ! Who reclaims memory, and does it help?  Reclaim takes much CPU; its yield is not known.
            CPU in reclaim of a memory cgroup: 26.9 %  perf.script:108
        Where did the CPU go?  100% of 3,884 samples in 20.0 s on 2 CPUs are work: 38% user, 61% kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.rendering.lines import Line
from signatures.rendering.places import place_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.panel import FigureDocument, PanelDocument


def panel_lines(panels: Sequence[PanelDocument], *, with_all: bool = False) -> Iterator[Line]:
    """Yield notable panels with figures, and one sentence per other panel; or all."""
    listed = [panel for panel in panels if panel.state != "unknown" or with_all]
    if not listed:
        return
    yield Line("System overview:")
    hosts = {panel.host for panel in listed}
    for panel in sorted(listed, key=lambda panel: panel.state != "notable"):
        is_notable = panel.state == "notable"
        of_host = f" [{panel.host or 'unknown host'}]" if len(hosts) > 1 else ""
        mark = "!" if is_notable else "?" if panel.state == "unknown" else " "
        yield Line(f"  {mark} {panel.title}{of_host}  {panel.summary}", "yellow" if is_notable else "")
        shown = panel.figures if with_all else [figure for figure in panel.figures if figure.is_notable]
        yield from (Line(_figure(figure)) for figure in shown)
        if with_all and panel.lacks:
            yield Line(f"        missing: {'; '.join(panel.lacks)}")


def _figure(figure: FigureDocument) -> str:
    note = f", {figure.note}" if figure.note else ""
    places = ", ".join(map(place_words, figure.citations))
    return f"        {figure.label}: {quantity_words(figure.value, figure.unit)}{note}  {places}"
