r"""Lines of a system log without their commonest prefixes, and which of their messages need no further look.

    lines = LogLines(LineClasses([r"^nvme \S+: .*timeout"]), [r"\+0x"])
    lines.entries(["[    2.500] usb 1-1: new", "nonsense"], 7)
        ->  [("usb 1-1: new", 7, 7, 2.5, None, "", True, True, None, True, -1), None]

A message is quiet, the last item but one, when it is of no class and no notable expression matches in it; of
the lines of other programs all are. The expressions have the syntax of the Rust crate `regex`.
"""

from __future__ import annotations

from ingest.native._core import LogLines

__all__ = ["LogLines"]
