r"""Transcript of one pasted section: numbered lines, the command above each, and what that command omits.

Example:
    sre@node ~ $ sudo hping3 172.16.47.27 --icmp -i u10000 | egrep --line-buffered 'rtt=[0-9]{3}\.'
    len=46 ip=172.16.47.27 ttl=61 id=41127 icmp_seq=12564 rtt=140.9 ms
    ^C

is one output line, number 2, of an `hping3` whose short round trips were filtered away.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Quality, SkipCounter
from ingest.native.line_starts import LineStarts
from ingest.paste.annotations import ELLIPSIS
from ingest.paste.prompt import OPENERS, is_excerpt, is_filter, prompt_at

if TYPE_CHECKING:
    from ingest.model.section import Text

MAX_LINE = 65536
"""Characters above which a line is nothing a table prints."""

MOST_DIGITS = 6
"""An interval of more digits is none."""

_INTERRUPT = re.compile(r"^\s*(?:\^[CDZ\\])+\s*$")
_OPTION = r"(?:^|\s){name}(?:=|\s*)(?P<value>[^\s=]\S*)"


@cache
def _residue() -> LineStarts:
    """Return what finds the lines that may be no output, loosely."""
    return LineStarts([(0, (*OPENERS, r"\s*\^", r"\s*(?:\.\.\.|…|\[|(?i:<snip>))"), (), 0)])


class Line(NamedTuple):
    """One line that a tool may have printed, and the command that printed it ("" when unknown)."""

    number: int
    text: str
    command: str


@dataclass(slots=True)
class Transcript:
    """A section without its shell residue.

    Attributes:
        command: The command above the first line, "" when there is none.
        texts: Lines without prompts, `^C` and `...`; blank lines stay.
        numbers: The number of each of `texts`.
        commands: Where a run of `texts` begins, and the command that printed it.
        skips: What was left out so far; readers go on counting here.
        quality: Filters, excerpts and ellipses seen so far; readers append theirs.
    """

    command: str = ""
    texts: list[str] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("i"))
    commands: list[tuple[int, str]] = field(default_factory=list)
    skips: SkipCounter = field(default_factory=SkipCounter)
    quality: list[Quality] = field(default_factory=list)
    _lines: list[Line] | None = None

    @property
    def lines(self) -> list[Line]:
        """The lines with their numbers and commands."""
        if self._lines is None:
            edges = [*(at for at, _ in self.commands), len(self.texts)][1:]
            self._lines = [
                Line(number, text, command)
                for (first, command), end in zip(self.commands, edges, strict=True)
                for number, text in zip(self.numbers[first:end], self.texts[first:end], strict=True)
            ]
        return self._lines

    def keep(self, texts: list[str], first_line: int, command: str) -> None:
        """Keep lines that `command` printed from `first_line` on."""
        self.commands.append((len(self.texts), command))
        self.texts += texts
        self.numbers.extend(range(first_line, first_line + len(texts)))

    @property
    def is_filtered(self) -> bool:
        """Whether lines were dropped by what they say: no percentiles, no rates, no absences."""
        return any(remark.name == "filtered" for remark in self.quality)

    def remark(self, name: str, detail: str, line: int) -> None:
        """Note what weakens this evidence; the same remark counts once."""
        if not any((name, detail) == (other.name, other.detail) for other in self.quality):
            self.quality.append(Quality(name, detail, line))

    def note_command(self, command: str, line: int) -> None:
        """Note what `command` leaves out."""
        if is_filter(command):
            self.remark("filtered", "the command passes its output through a filter", line)
        if is_excerpt(command):
            self.remark("excerpt", "the command keeps only some of the lines it prints", line)


def transcript(text: Text) -> Transcript:
    """Remove prompts, interrupts and ellipses from `text` and record their meaning."""
    found = Transcript(command=text.command)
    command = text.command
    if command:
        found.note_command(command, text.first_line)
    lines = text.lines if isinstance(text.lines, list) else list(text.lines)
    is_long = max(map(len, lines), default=0) > MAX_LINE
    kept = 0
    for at in range(len(lines)) if is_long else _residue().scan(lines)[0]:
        if at < kept:
            continue
        line, number = lines[at], text.first_line + at
        taken = 1
        prompt = prompt_at(lines, at) if line.strip() and len(line) <= MAX_LINE else None
        if prompt:
            taken = prompt.lines
            found.skips.add("shell prompt", number, taken)
        elif len(line) > MAX_LINE:
            found.skips.add("line longer than 64 KiB", number)
        elif _INTERRUPT.match(line):
            found.skips.add("interrupt key", number)
        elif ELLIPSIS.match(line):
            found.remark("excerpt", "lines are left out at `...`", number)
        else:
            continue
        found.keep(lines[kept:at], text.first_line + kept, command)
        kept = at + taken
        if prompt and prompt.command:
            command = prompt.command
            found.note_command(command, number)
            found.command = found.command or command
    found.keep(lines[kept:] if kept else lines, text.first_line + kept, command)
    return found


def blanked(text: Text, pasted: Transcript) -> list[str]:
    """Return the lines of a section with those that the transcript left out blank, so that numbers stay."""
    kept = {line.number: line.text for line in pasted.lines}
    return [kept.get(number, "") for number in range(text.first_line, text.first_line + len(text.lines))]


def option(command: str, name: str) -> str | None:
    """Return the value that `command` gives its option `name`, None when it does not.

    option("ping -i 0.01 host", "-i") == option("ping -i0.01 host", "-i") == "0.01"
    """
    found = re.search(_OPTION.format(name=re.escape(name)), command)
    return found["value"].strip("'\"") if found else None


def interval_of(command: str) -> float | None:
    """Return the interval in seconds at the end of a command line: of `vmstat -w 2 30` 2; else None."""
    *_, before, last = ("", "", *command.partition("|")[0].split())
    interval = before if before.isdecimal() else last
    return (
        float(interval)
        if interval.isdecimal() and 0 < len(interval) < MOST_DIGITS and last.isdecimal()
        else None
    )


def spanned_by(command: str, looks: int) -> float | None:
    """Return the seconds from the first to the last look of a command; None when it does not say."""
    interval = interval_of(command)
    return interval * (looks - 1) if interval and looks > 1 else None


def decimal(text: str) -> float:
    """Return a number printed with a decimal point or a decimal comma and without groups."""
    return float(text.replace(",", "."))
