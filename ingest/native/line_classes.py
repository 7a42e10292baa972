r"""The first of many regular expressions that matches a line, in time that hardly depends on their number.

    classes = LineClasses([r"^ata\d+: SATA link down", r"^nvme (?P<device>\S+): .*timeout"])
    classes.find("nvme nvme0: I/O 12 QID 5 timeout")  ->  (1, 0, {"device": "nvme0"})

Every expression requires a text of at least three bytes in what it matches; one search for all of these texts
finds the expressions worth trying. The syntax is that of the Rust crate `regex`, and so matching takes linear
time.
"""

from __future__ import annotations

from ingest.native._core import LineClasses, required_literals

__all__ = ["LineClasses", "required_literals"]
