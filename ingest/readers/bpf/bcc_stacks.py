"""Stacks of bcc and libbpf-tools that are not folded: profile, offcputime, wakeuptime, stackcount.

Examples:
    bpf_trace_run4
    __schedule
    schedule
    -                git (25962)
        183

      vfs_read
      ksys_read
        52

Innermost frame first, kernel above user (`--` may separate them), then who and how many: microseconds off the
CPU for offcputime and wakeuptime, samples for profile, calls for stackcount.
Source: bcc's tools/offcputime.py, tools/profile.py, tools/stackcount.py; libbpf-tools/offcputime.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.profile import Frame, Thread
from ingest.model.reading import Quality, Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import UNNAMED, PlacedFrame, StackBuilder, kind_of_stack
from ingest.parsing.protocols import Start
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "bcc-stacks"
VERSION = 1
PRIORITY = 61
TITLE = "Stacks of bcc tools"
COMMAND = "offcputime -p 1"
EXAMPLE = (
    "    __schedule\n    schedule\n    exit_to_user_mode_loop\n    -                git (25962)\n        183"
)

LOOK_AHEAD = 140
"""bcc prints at most 127 frames of each side."""

_FRAME = Pattern(r"^ {2,8}(?P<name>[^\s-].*?)(?:\+0x[0-9a-f]+)?(?: \[(?P<module>[\w.-]+)\])?\s*$")
_WHO = re.compile(r"^ {4}(?P<side>-|target:|waker:)\s+(?P<comm>\S.*?) \((?P<pid>\d+)\)\s*$")
_COMM = re.compile(r"^ {4}(?:b')?(?P<comm>[^\s\[].*?)'? \[(?P<pid>\d+)\]\s*$")
_COUNT = re.compile(r"^ {4,8}(?P<count>\d+)\s*$")
_BOUNDARY = re.compile(r"^ {2,4}--\s*$")
_MISSED = re.compile(r"^ {2,4}\[Missed (?:Kernel|User) Stack\]\s*$")
_MESSAGE = re.compile(
    r"^(?:failed to get syms|Tracing|Sampling at|Detaching|WARNING: |Missed|Hit Ctrl-C|libbpf:)|^\s*\[Missed"
)
_OFF_CPU = re.compile(r"off-CPU time|blocked time|offcputime|wakeuptime|offwaketime")
_CALLS = re.compile(r"Tracing \d+ functions? for|stackcount")


STARTS = (
    r"(?:Tracing|Sampling at).*Ctrl-C",
    Start((r" {2,8}[^\s-]", _MISSED.pattern), near=(_WHO.pattern, _COMM.pattern), within=LOOK_AHEAD),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether stacks start at `lines[at]`: a banner, or frames that end in who and a count."""
    line = lines[at]
    if line.startswith(("Tracing", "Sampling at")) and "Ctrl-C" in line:
        rest = lines[at + 1 :]
        skipped = next((skip for skip, one in enumerate(rest[:20]) if one.startswith("  ")), None)
        return skipped is not None and _is_stack(rest, skipped)
    return bool(_FRAME.match(line) or _MISSED.match(line)) and _is_stack(lines, at)


def _is_stack(lines: Sequence[str], at: int) -> bool:
    """Return whether the lines from `at` on are frames that end in who ran and a count."""
    for ahead in range(at, min(at + LOOK_AHEAD, len(lines) - 1)):
        line = lines[ahead]
        if _WHO.match(line) or (_COMM.match(line) and ahead > at):
            return any(_COUNT.match(after) for after in lines[ahead + 1 : ahead + 3])
        if not (_FRAME.match(line) or _BOUNDARY.match(line) or _MISSED.match(line) or _MESSAGE.match(line)):
            return False
        if line.rstrip().endswith((":", ";", ",", "{", "}")) or "=" in line.split(" ")[-1]:
            return False
    return False


def continues(line: str) -> bool:
    """Return whether `line` can occur among such stacks."""
    shapes = (_WHO, _COMM, _COUNT, _FRAME, _BOUNDARY, _MISSED, _MESSAGE)
    return any(shape.match(line) for shape in shapes)


def read(text: Text) -> Reading:
    """Read all stacks as one profile; a frame under `--` belongs to the program."""
    pasted = transcript(text)
    whole = pasted.command + " ".join(line for _, line, _ in pasted.lines[:4])
    # The libbpf tool prints no banner: its stacks all end below schedule, where tasks leave the CPU.
    is_off_cpu = bool(_OFF_CPU.search(whole)) or _ends_in_schedule([line for _, line, _ in pasted.lines[:12]])
    builder = StackBuilder()
    frames: list[tuple[str, str, int, bool]] = []
    thread, is_user, missed, first = UNNAMED, False, 0, 0
    for number, line, _ in pasted.lines:
        if not line.strip():
            continue
        if who := _WHO.match(line) or _COMM.match(line):
            thread = Thread(who["comm"], int(who["pid"]), -1)
        elif (count := _COUNT.match(line)) and (frames or thread is not UNNAMED):
            weight = float(count["count"])
            inferred = kind_of_stack(name for name, _, _, _ in frames)
            frames_of = [
                PlacedFrame(Frame(name, module, "user" if user else "module" if module else inferred), at)
                for name, module, at, user in frames
            ]
            builder.add(
                frames_of,
                line=frames[0][2] if frames else number,
                weight=weight,
                count=1.0 if is_off_cpu else weight,
                thread=thread,
            )
            first = first or number
            frames, thread, is_user = [], UNNAMED, False
        elif _BOUNDARY.match(line):
            is_user = True
        elif _MISSED.match(line):
            missed += 1
        elif _MESSAGE.match(line):
            pasted.skips.add("a message of the tool", number)
        elif frame := _FRAME.match(line):
            frames.append((frame["name"], frame["module"] or "", number, is_user))
        else:
            pasted.skips.add("not a frame", number)
    if frames:
        pasted.skips.add("a stack without a count: cut off", frames[0][2], len(frames))
    if missed:
        pasted.remark("truncated_stacks", f"{missed:,} stacks could not be walked by the tool", first or 1)
    if not len(builder):
        return Reading(skipped=pasted.skips.result(), quality=tuple(pasted.quality))
    what = "offcpu" if is_off_cpu else "event" if _CALLS.search(whole) else "cpu"
    unit = "us" if is_off_cpu else "samples" if what == "cpu" else "count"
    profile = builder.build(event=what, unit=unit, what=what, has_weights=True)
    remarks = tuple(pasted.quality)
    if what == "cpu" and profile.samples < 200:
        detail = f"{profile.samples:,.0f} samples: shares are coarse"
        remarks += (Quality("few_samples", detail, first),)
    return Reading(profiles=(profile,), skipped=pasted.skips.result(), quality=remarks)


def _ends_in_schedule(lines: Sequence[str]) -> bool:
    """Return whether the first stack leaves the CPU."""
    head = [line.strip() for line in lines if line.strip()]
    return any(line in {"__schedule", "schedule", "finish_task_switch.isra.0"} for line in head[:6])
