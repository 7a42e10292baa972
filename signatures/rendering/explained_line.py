"""What is known of a line of a kernel log, as lines for people.

nvme nvme0: I/O 12 QID 5 timeout, completion polled
  level: warning, of the call in the source; the line states none
  place: nvme_timeout in drivers/nvme/host/pci.c; driver nvme
  layer: controller (NVMe)
  releases: printed by the sources of 4.15–7.1, not by 4.4
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.line import ExplainedLineDocument, LinePlaceDocument

LISTED = 3


def explained_lines(found: ExplainedLineDocument, looked_at: Sequence[str]) -> Iterator[Line]:
    """Yield what is known of a line.

    Args:
        found: The line.
        looked_at: Every release of the catalogue, in its order.
    """
    yield Line(found.message or found.line, "cyan")
    if found.state == "program":
        yield Line("  another program's line, by its prefix: no message of the kernel")
        return
    if found.state == "unknown":
        yield Line(f"  in no source that was looked at: {ranges(looked_at, looked_at)}")
    if found.state == "weak":
        words = f"its words are common ({found.bits} bits), and it has no prefix of a kernel log"
        yield Line(f"  no evidence that the kernel printed it: {words}")
    if found.places:
        yield from _places(found)
        yield Line(f"  releases: {releases(found, looked_at)}")
    elif found.stated_level:
        yield Line(f"  level: {found.stated_level}, as the line states")
    if found.devices:
        yield Line(f"  device: {', '.join(found.devices)}")
    for one in found.classes:
        yield Line(f"  class: {one.name} ({one.severity}): {one.meaning}")
    if found.places and not found.classes:
        yield Line("  class: none")


def _places(found: ExplainedLineDocument) -> Iterator[Line]:
    levels = list(dict.fromkeys(one.level for one in found.places))
    stated = f"the line states {found.stated_level}" if found.stated_level else "the line states none"
    yield Line(f"  level: {' or '.join(levels)}, of the call in the source; {stated}")
    if found.place_count > len(found.places):
        yield Line(f"  place: ambiguous: {found.place_count} places, among them:")
    for one in found.places:
        name = "  place: " if found.place_count <= len(found.places) else "    "
        yield Line(f"{name}{place(one)}")
    for layer in dict.fromkeys(f"{one.layer}{f' ({one.part})' if one.part else ''}" for one in found.places):
        yield Line(f"  layer: {layer}")
    if found.place_count <= len(found.places) and all(one.returns_error for one in found.places):
        yield Line("  then: the code behind it returns an error")


def place(one: LinePlaceDocument) -> str:
    """Return `nvme_timeout in drivers/nvme/host/pci.c; driver nvme`."""
    driver = f"; driver {one.driver}" if one.driver else ""
    return f"{f'{one.function} in ' if one.function else ''}{one.path}{driver}"


def releases(found: ExplainedLineDocument, looked_at: Sequence[str]) -> str:
    """Return which of the releases looked at print a line: a hint, since vendors change what they ship."""
    printed = f"printed by the sources of {ranges(found.printed_by, looked_at)}"
    if not found.not_printed_by:
        return f"{printed}; no other was looked at"
    return f"{printed}, not by {ranges(found.not_printed_by, looked_at)} (no other was looked at)"


def ranges(releases: Sequence[str], looked_at: Sequence[str]) -> str:
    """Return `4.4–5.4 and 6.1`: releases next to each other among those looked at are a range."""
    runs: list[list[str]] = []
    last = -2
    for at, release in enumerate(looked_at):
        if release not in releases:
            continue
        package = release.rpartition(" ")[0]
        if at == last + 1 and runs and runs[-1][-1].rpartition(" ")[0] == package:
            runs[-1].append(release)
        else:
            runs.append([release])
        last = at
    words = [run[0] if len(run) == 1 else f"{run[0]}–{run[-1].rpartition(' ')[2]}" for run in runs]
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
