"""A flame graph as a still picture: SVG without script and without style, for reports and previews.

Example:
    <svg xmlns="…" width="1200" height="…" role="img"><title>cycles, perf.script</title>…
    <g><title>vfs_read, 18.2 %, 11,832 samples</title><rect …/><text …>vfs_read</text></g>

The colours are those of the page: the hue encodes the kind of code, the lightness the name. Boxes narrower
than half a pixel are not drawn; the last line states how many.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ingest.export.columns import graph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.export.columns import Order
    from ingest.native.views import View

KIND_WORDS = {
    "kernel": "kernel",
    "module": "kernel module",
    "user": "user space",
    "jit": "JIT code",
    "unknown": "unknown",
}
_HUES = {
    # Hue, chroma and a range of lightness (OKLCH), as in frontend/src/profile/kinds.ts.
    "kernel": (48, 0.105, 0.76, 0.87),
    "module": (95, 0.1, 0.82, 0.9),
    "user": (225, 0.06, 0.78, 0.89),
    "jit": (160, 0.07, 0.8, 0.89),
    "unknown": (260, 0.008, 0.8, 0.88),
}
MIN_PIXELS = 0.5
ROW = 17
MARGIN = 12
CHAR_WIDTH = 6.65
"""Width of a character at this size in the requested fonts."""
_FONT = 'font-family="ui-monospace, DejaVu Sans Mono, Consolas, monospace" font-size="11"'
_INK, _FAINT = "#1b1b1b", "#5c5c5c"
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127], "\N{REPLACEMENT CHARACTER}")


def picture(
    view: View,
    whole: dict[str, Any],
    *,
    title: str,
    width: int = 1200,
    order: Order = "left-heavy",
    is_inverted: bool = False,
    min_share: float = 0.0,
) -> str:
    """Return the call tree of a view as SVG.

    Args:
        view: What is selected.
        whole: The summary of the recording from `ingest.export.whole`.
        title: Whose recording this is.
        width: Pixels.
        order: Order of siblings; not `chronological`.
        is_inverted: Innermost functions at the top, their callers below.
        min_share: Rows below this share are left out even where they would be wide enough.
    """
    inside = width - 2 * MARGIN
    rows = graph(view, min_share=max(min_share, MIN_PIXELS / inside), order=order, is_inverted=is_inverted)
    depths = max(rows["depth"], default=-1) + 2
    lines = _lines(view, whole, title, is_inverted=is_inverted)
    head = MARGIN + ROW * (len(lines) + 2)
    height = head + depths * ROW + ROW + MARGIN

    def top(level: int) -> int:
        return head + (level if is_inverted else depths - 1 - level) * ROW

    every = f"all, 100 %, {_count(rows['total_weight'])} {view.unit}"
    body = [_box(MARGIN, top(0), inside, "#e4e4e4", every, "all")]
    for row, (start, share) in enumerate(_positions(rows)):
        name = rows["names"][rows["frame"][row]]
        kind = rows["kinds"][rows["frame"][row]]
        words = (
            f"{name}, {share:.2%} ({KIND_WORDS.get(kind, kind)}), {_count(rows['total'][row])} {view.unit}"
        )
        place = MARGIN + start * inside
        body.append(_box(place, top(rows["depth"][row] + 1), share * inside, colour(name, kind), words, name))
    pruned = f"{rows['pruned_nodes']:,} boxes too narrow to see are not drawn"
    lead = _INK
    remarks = []
    for at, line in enumerate(lines):
        remarks.append(_words(MARGIN, MARGIN + ROW * at + 11, line, lead))
        lead = _FAINT
    size = f'width="{width}" height="{height}"'
    canvas = f'{size} viewBox="0 0 {width} {height}" role="img" {_FONT}'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {canvas}>',
            f"<title>{_text(lines[0])}</title>",
            f"<desc>{_text(' '.join(lines[1:]))}</desc>",
            f'<rect {size} fill="#ffffff"/>',
            *remarks,
            *_legend(set(rows["kinds"]), MARGIN + ROW * len(lines) + 4),
            *body,
            _words(MARGIN, height - MARGIN, pruned, _FAINT),
            "</svg>\n",
        ]
    )


def colour(name: str, kind: str) -> str:
    """Return the colour of a function: steady for a name, so that the eye finds it again."""
    hue, chroma, low, high = _HUES.get(kind, _HUES["unknown"])
    lightness = low + ((_hash(name) % 997) / 997) * (high - low)
    return _from_oklch(lightness, chroma, hue)


def _lines(view: View, whole: dict[str, Any], title: str, *, is_inverted: bool) -> list[str]:
    """Return the header: source, selection and quality remarks."""
    event = view.profile.event or "samples"
    parts = [f"{_count(view.total_samples)} of {_count(whole['samples'])} samples"]
    if whole["duration_s"]:
        parts.append(f"{whole['duration_s']:.1f} s recorded")
    parts.append(f"idle {whole['idle_share']:.1%} and without a name {whole['unknown_share']:.1%} of all")
    if is_inverted:
        parts.append("inverted: innermost functions at the top, callers below")
    return [f"{event}, {title}", "; ".join(parts), *(remark["detail"] for remark in whole["quality"][:3])]


def _positions(rows: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """Yield start and width of every row as shares of the whole; siblings are adjacent."""
    total = rows["total_weight"] or 1
    ends: list[float] = [0.0]
    for depth, weight in zip(rows["depth"], rows["total"], strict=True):
        del ends[depth + 1 :]
        start, share = ends[depth], weight / total
        ends[depth] = start + share
        ends.append(start)
        yield start, share


def _box(x: float, y: int, width: float, fill: str, words: str, name: str) -> str:  # noqa: PLR0917 - one box
    chars = int((width - 6) / CHAR_WIDTH)
    shown = name if len(name) <= chars else f"{name[: chars - 1]}…"
    label = _words(x + 3, y + 12, shown, _INK) if chars >= 3 else ""
    place = f'x="{x:.1f}" y="{y}" width="{max(width - 0.3, 0.2):.1f}" height="{ROW - 1}"'
    return f'<g><title>{_text(words)}</title><rect {place} rx="1" fill="{fill}"/>{label}</g>'


def _words(x: float, y: float, words: str, fill: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.0f}" fill="{fill}">{_text(words)}</text>'


def _legend(kinds: set[str], y: int) -> Iterator[str]:
    x = float(MARGIN)
    for kind, words in KIND_WORDS.items():
        if kind in kinds:
            yield f'<rect x="{x:.1f}" y="{y}" width="11" height="11" fill="{colour(words, kind)}"/>'
            yield _words(x + 16, y + 10, words, _FAINT)
            x += 34 + CHAR_WIDTH * len(words)


def _text(words: str) -> str:
    return escape(words.translate(_CONTROLS))


def _count(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def _hash(name: str) -> int:
    """FNV-1a over UTF-16, as the page hashes names."""
    value = 0x811C9DC5
    units = name.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(units), 2):
        value = ((value ^ (units[at] | units[at + 1] << 8)) * 0x01000193) & 0xFFFFFFFF
    return value


def _from_oklch(lightness: float, chroma: float, hue: float) -> str:
    """Return sRGB in hex. Source: https://bottosson.github.io/posts/oklab/."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear: Sequence[float] = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * _gamma(min(max(part, 0.0), 1.0))):02x}" for part in linear)


def _gamma(part: float) -> float:
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
