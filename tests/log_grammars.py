"""Random grammars of log prefixes, and logs printed with them.

A grammar is drawn from a seed: an order of a date or a time, a host, a level, a thread and bars, with or
without `kernel:` and `[ s.us]`, and what happens to the text on its way: colours, two interleaved prefixes,
blanks made one, lines wrapped, the first line cut.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CONTEXT = (
    "usb 1-1: new high-speed USB device number 2 using xhci_hcd",
    "ata1: SATA max UDMA/133 abar m2048@0xf7d36000 port 0xf7d36100 irq 31",
    "nvme nvme0: 8/0/0 default/read/poll queues",
    "e1000e 0000:00:1f.6 eno1: renamed from eth0",
    "usb 2-1: Product: USB 2.0 Hub",
    "scsi host4: ahci",
)
"""Messages that drivers print when nothing is wrong."""

MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "de": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
    "fr": "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
    "ru": "янв фев мар апр май июн июл авг сен окт ноя дек",
    "ja": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
}
DAYS = {
    "en": "Mon Tue Wed Thu Fri Sat Sun",
    "de": "Mo Di Mi Do Fr Sa So",
    "fr": "lun. mar. mer. jeu. ven. sam. dim.",
    "ru": "Пн Вт Ср Чт Пт Сб Вс",
    "ja": "月 火 水 木 金 土 日",
    "it": "lun mar mer gio ven sab dom",
}
LEVELS = ("err", "warn", "info", "crit", "notice")
BEGIN = datetime(2026, 3, 4, 5, 6, 7, 123456, tzinfo=UTC)

Times = dict[str, "Callable[[datetime, str], str]"]


def _month(at: datetime, locale: str) -> str:
    return MONTHS[locale].split()[at.month - 1]


def _day(at: datetime, locale: str) -> str:
    return DAYS[locale].split()[at.weekday()]


TIMES: Times = {
    "iso": lambda at, _: at.isoformat(timespec="microseconds"),
    "iso_z": lambda at, _: at.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
    "iso_odd": lambda at, _: at.strftime("%Y-%m-%dT%H:%M:%S.") + str(at.microsecond // 100),
    "blank": lambda at, _: at.strftime("%Y-%m-%d %H:%M:%S"),
    "blank_zone": lambda at, _: at.strftime("%Y-%m-%d %H:%M:%S +0800"),
    "comma": lambda at, _: at.strftime("%Y-%m-%d %H:%M:%S,") + f"{at.microsecond // 1000:03}",
    "slashes": lambda at, _: at.strftime("%Y/%m/%d %H:%M:%S"),
    "dots": lambda at, _: at.strftime("%d.%m.%Y %H:%M:%S"),
    "syslog": lambda at, locale: f"{_month(at, locale)} {at.day:2} {at:%H:%M:%S}",
    "local": lambda at, locale: (
        f"[{_day(at, locale)} {_month(at, locale)} {at.day:2} {at:%H:%M:%S} {at.year}]"
    ),
    "weekday": lambda at, locale: f"{_day(at, locale)} {at:%Y-%m-%d %H:%M:%S}",
    "logcat": lambda at, _: at.strftime("%m-%d %H:%M:%S.") + f"{at.microsecond // 1000:03}",
    "clock": lambda at, _: at.strftime("%H:%M:%S"),
    "clock_part": lambda at, _: at.strftime("[%H:%M:%S.%f]"),
    "epoch": lambda at, _: f"{at.timestamp():.6f}",
    "build": lambda at, _: f"[{(at - BEGIN).seconds + 12:5}s]",
    "none": lambda _at, _locale: "",
}


@dataclass
class Grammar:
    """One form of prefixes, and what happens to its lines."""

    seed: int
    parts: list[str] = field(default_factory=list)
    time: str = "iso"
    locale: str = "en"
    host: str = ""
    has_kernel: bool = False
    has_stamp: bool = False
    level: str = ""
    bar: str = ""
    thread: str = ""
    colour: bool = False
    structure: str = ""

    @classmethod
    def of(cls, seed: int) -> Grammar:
        """Draw a grammar."""
        draw = random.Random(seed)  # noqa: S311 - a draw of tests
        time = draw.choice(list(TIMES))
        drawn = cls(
            seed,
            time=time,
            locale=draw.choice(list(MONTHS)),
            host=draw.choice(("", "db-02", "node7.example.net", "web1")),
            has_kernel=draw.random() < 0.4,
            has_stamp=draw.random() < 0.4 or time == "none",
            level=draw.choice(("", "", "word", "WORD", "bracket", "angle", "letter")),
            bar=draw.choice(("", "", " | ", " | messages | ", " - ", " > ")),
            thread=draw.choice(("", "", "[T{}]", "({})", " {}  {} ")),
            colour=draw.random() < 0.15,
            structure=draw.choice(("", "", "", "", "", "", "json", "logfmt")),
        )
        if drawn.structure and time == "none":
            drawn.time = "iso"
        return drawn

    def line(self, message: str, number: int, uptime: float) -> str:
        """Print one message."""
        draw = random.Random(f"{self.seed} {number}")  # noqa: S311 - a draw of tests
        at = BEGIN + timedelta(seconds=uptime)
        stamp = f"[{uptime:12.6f}] " if self.has_stamp else ""
        word = draw.choice(LEVELS)
        if self.structure:
            fields = {"time": TIMES[self.time](at, self.locale), "level": word, "msg": f"{stamp}{message}"}
            if self.structure == "json":
                return json.dumps(fields, ensure_ascii=number % 2 == 0)
            quoted = json.dumps(fields["msg"], ensure_ascii=False)
            return f"ts={json.dumps(fields['time'], ensure_ascii=False)} level={word} msg={quoted}"
        level = {
            "": "",
            "word": word,
            "WORD": word.upper(),
            "bracket": f"[{word}]",
            "angle": f"<{draw.randrange(8)}>",
            "letter": draw.choice("EWI"),
        }[self.level]
        thread = self.thread.replace("{}", str(draw.randrange(1, 9999)))
        # A host stands with a time; `kernel:` is the program of a system log.
        host = self.host if self.time not in {"none", "build"} else ""
        time = TIMES[self.time](at, self.locale)
        if self.colour:
            time = f"\x1b[32m{time}\x1b[0m"
        head = " ".join(part for part in (time + self.bar.rstrip(), level, thread.strip(), host) if part)
        mark = "kernel: " if self.has_kernel else ""
        return f"{head} {mark}{stamp}{message}".lstrip(" ")


def printed(grammars: Sequence[Grammar], messages: Sequence[str], seed: int) -> str:
    """Print messages with the grammars in turn, and do to the text what mails and terminals do."""
    draw = random.Random(seed)  # noqa: S311 - a draw of tests
    lines = [grammars[at % len(grammars)].line(one, at, 900.0 + at * 0.25) for at, one in enumerate(messages)]
    fate = draw.choice(("", "", "", "cut", "wrapped", "one_blank"))
    if fate == "cut":
        lines[0] = lines[0][draw.randrange(3, 12) :]
    elif fate == "wrapped":
        lines = [part for line in lines for part in re.findall(r".{1,100}", line)]
    elif fate == "one_blank":
        lines = [re.sub(r"(?<=\S) {2,}(?=\S)", " ", line) for line in lines]
    return "\n".join(lines) + "\n"
