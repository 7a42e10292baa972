"""bpftrace text and `-f json`: maps, histograms, stacks as keys, and what scripts print.

Example:
    Attaching 2 probes...
    ^C

    @latency_us:
    [0]                10402 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
    [1]                 1452 |@@@@@@@                                             |

    @[
        __mmap_lock_do_trace_released+113
        do_user_addr_fault+727
    ]: 1

The banner gives the number of attached probes, not their names: the probe of a map is known only where the
text shows the script. Read out: scalars and `stats` as facts, `hist` and `lhist` as histograms, maps with
stacks as profiles, printed lines as row sets.

Source: bpftrace src/output.cpp; captures of bpftrace 0.17 and 0.23.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.protocols import Start
from ingest.readers.bpf.bpftrace_text import hold_stats, json_lines, rows, script, values
from ingest.readers.bpf.bpftrace_text.reader import BANNER, LOST, MAP, OPEN_KEY, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "bpftrace-text"
VERSION = 2
PRIORITY = 63
TITLE = "bpftrace"
COMMAND = "bpftrace ./mincore.bt"
EXAMPLE = (
    "Attaching 2 probes...\n^C\n\n@latency_us:\n"
    "[0]                10402 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|\n"
    "[1]                 1452 |@@@@@@@                                             |"
)

_JSON_TYPES = re.compile(
    r'"type": "(?:attached_probes|map|hist|lhist|stats|tseries|printf|time|value|lost_events|join|cat)"'
)
# What ends a section: a prompt, a captured-path banner, a kernel log stamp.
_ELSEWHERE = re.compile(r"^(?:==> .* <==$|\S*[\w~)\]][$#] \S|[$#] \w|\[\s*\d+\.\d{6}\] |<\d+>\[)")
_PROSE = re.compile(r"^[A-Z][^=:@|\[\]]{40,}[.:]?$")


_JSON_TYPES_BELOW = rf".*{_JSON_TYPES.pattern}"
STARTS = (
    BANNER.pattern,
    LOST.pattern,
    hold_stats.HEADLINE.pattern,
    r"\s*\d+\s+\d+\s+\d+\s.*mm_vmscan_memcg_reclaim_",
    r"\s*mmap_lock hold duration",
    r"\s*(?:\[[\d:]+\]\s*)?inode is switching!",
    script.OPENING.pattern,
    r"\s*[\[(][^|]*[\])]\s+\d",
    r"\s*(?:\d\d:\d\d:\d\d(?:\.\d+)?\s+)?@\w*[\[:]",
    Start((r"\{\s*$", r'\{.*"type"'), near=(_JSON_TYPES_BELOW,), within=2),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether bpftrace output starts at `lines[at]`: banner, map, bucket, known row or script."""
    line = lines[at]
    if BANNER.match(line) or LOST.match(line) or hold_stats.HEADLINE.match(line) or rows.is_known(line):
        return True
    if json_lines.is_start(line):
        return any(_JSON_TYPES.search(ahead) for ahead in lines[at : at + 3])
    if script.OPENING.match(line) or values.bucket(line, 0):
        return True
    return bool(MAP.match(line) or OPEN_KEY.match(line))


def continues(line: str) -> bool:
    """Return whether `line` can occur inside bpftrace output: nearly any, scripts print what they like."""
    return not (_ELSEWHERE.match(line) or _PROSE.match(line))


def read(text: Text) -> Reading:
    """Read one section of bpftrace output."""
    return Reader(text).result()
