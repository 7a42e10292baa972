"""A comparison of builds as a picture: growth of each total and function with its interval.

    <svg xmlns="…" width="760" height="…" role="img"><title>Fail: CPU time +12.1 % per run</title>…

A row is a measure, its dot the growth, its line the 95 % interval. The colours follow the theme of the
reader's system, since pages of forges show the picture on light and on dark.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from ingest.comparison.results import is_failure
from signatures.rendering.amounts import percent
from signatures.rendering.comparison import largest
from signatures.rendering.comparison_base import base_words
from signatures.rendering.comparison_headline import headline, name_of
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.comparison.results import Growth
    from signatures.rendering.comparison_headline import Comparison

MOST_FUNCTIONS = 8
WIDTH = 760
NAMES, AMOUNTS, MARGIN = 290, 80, 16
"""Pixels of the columns left and right of the axis, and around everything."""

ROW, HEAD = 22, 64
MOST_NAME_CHARACTERS = 40
MOST_TITLE_CHARACTERS = 92
LEAST_SPAN, MOST_SPAN = 0.05, 2.0
"""Growth at the ends of the axis."""

STYLE = """
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 13px; font-weight: 600 }
  .faint { fill: #59636e }
  .back { fill: #ffffff }
  .axis { stroke: #818b98 }
  .same { stroke: #59636e; fill: #59636e }
  .grown { stroke: #b35900; fill: #b35900 }
  .less { stroke: #1a7f37; fill: #1a7f37 }
  text.same, text.grown, text.less { stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .faint { fill: #9198a1 }
    .back { fill: #0d1117 }
    .axis { stroke: #656c76 }
    .same { stroke: #9198a1; fill: #9198a1 }
    .grown { stroke: #f0a35e; fill: #f0a35e }
    .less { stroke: #3fb950; fill: #3fb950 }
  }
"""


def picture(comparison: Comparison) -> str:
    """Return the picture; of runs that are not comparable it has the reason only."""
    result = comparison.result
    foreign = (result.foreign,) if result.foreign is not None else ()
    rows = (*result.totals, *foreign, *largest(result.functions, MOST_FUNCTIONS))
    title, base = headline(comparison), f"Base: {base_words(comparison)}"
    height = HEAD + ROW * len(rows) + (ROW if rows else 0)
    size = f'width="{WIDTH}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {WIDTH} {height}" role="img">',
        f"<title>{_text(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="back" {size} rx="6"/>',
        f'<text class="title" x="{MARGIN}" y="24">{_text(_cut(title, MOST_TITLE_CHARACTERS))}</text>',
        f'<text class="faint" x="{MARGIN}" y="42">{_text(_cut(base, MOST_TITLE_CHARACTERS))}</text>',
        *(_chart(comparison, rows) if rows else ()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _chart(comparison: Comparison, rows: tuple[Growth, ...]) -> Iterator[str]:
    span = _span(rows)
    middle, bottom = _x(0.0, span), HEAD + ROW * len(rows)
    yield f'<line class="axis" x1="{middle:.1f}" x2="{middle:.1f}" y1="{HEAD - 6}" y2="{bottom}"/>'
    for at, one in enumerate(rows):
        yield from _row(comparison, one, HEAD + ROW * at + ROW / 2, span)
    for share, anchor in ((-span, "start"), (0.0, "middle"), (span, "end")):
        label = f"{share * 100:+.0f} %" if share else "0"
        place = f'x="{_x(share, span):.1f}" y="{bottom + 15}" text-anchor="{anchor}"'
        yield f'<text class="faint" {place}>{label}</text>'


def _row(comparison: Comparison, growth: Growth, y: float, span: float) -> Iterator[str]:
    result = comparison.result
    shrunk = growth.p_decline <= result.rules.alpha and growth.growth < 0
    kind = "grown" if is_failure(growth, result.rules) else "less" if shrunk else "same"
    part = " (own)" if growth.measure.kind == "own" else ""
    name = f"{_cut(name_of(growth), MOST_NAME_CHARACTERS)}{part}"
    low, high = (_x(max(-span, min(span, one)), span) for one in (growth.low, growth.high))
    yield f"<g><title>{_text(name_of(growth) + part)}</title>"
    yield f'<text x="{MARGIN}" y="{y + 4:.1f}">{_text(name)}</text>'
    if math.isfinite(growth.low):
        place = f'x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"'
        yield f'<line class="{kind}" stroke-width="2" {place}/>'
    if math.isfinite(growth.growth):
        at = _x(max(-span, min(span, growth.growth)), span)
        yield f'<circle class="{kind}" cx="{at:.1f}" cy="{y:.1f}" r="4"/>'
    amount = percent(growth.growth)
    yield f'<text class="{kind}" x="{WIDTH - MARGIN}" y="{y + 4:.1f}" text-anchor="end">{amount}</text></g>'


def _span(rows: tuple[Growth, ...]) -> float:
    """Return the growth at the right end of the axis, wide enough for the dots and most intervals."""
    rows = tuple(one for one in rows if one.measure.kind != "foreign")
    sizes = [abs(one.growth) for one in rows if math.isfinite(one.growth)]
    ends = sorted(max(abs(one.low), abs(one.high)) for one in rows if math.isfinite(one.low))
    most = max([*sizes, ends[len(ends) // 2] if ends else 0.0], default=0.0)
    return min(MOST_SPAN, max(LEAST_SPAN, math.ceil(most * 22) / 20))


def _x(share: float, span: float) -> float:
    left, right = NAMES, WIDTH - AMOUNTS - MARGIN
    return left + (right - left) * (share + span) / (2 * span)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _text(text: str) -> str:
    return escape(bare(text))
