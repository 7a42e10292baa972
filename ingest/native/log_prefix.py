"""Prefixes of log lines in forms that nobody has listed: learned from the lines, and taken off.

    forms = PrefixForms()
    forms.read(["11:22:33 kernel: x", "11:22:34 kernel: y", "text"], messages)
        ->  [(0, "<->1 ~40953 - kernel - 18 - x"), (1, "<->1 ~40954 - kernel - 18 - y")]

A line of a log is written as RFC 5424 has it: level, time, host, program, and the message. `-` stands for
what is not known, times are seconds of the epoch (`@`) or of a year that is not stated (`~`), the message id
is the number of the characters of the line as it was pasted. The forms of earlier lines apply to later ones.
"""

from __future__ import annotations

from ingest.native._core import KernelMessages, PrefixForms

__all__ = ["KernelMessages", "PrefixForms"]
