"""Structure-aware changes of a sample: of its numbers, words, columns, rows, sections and encoding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.ingest.fuzz_mutation import mutated

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    Change = Callable[[str, random.Random, str], str]

MOST_CHARS = 400_000
"""A changed sample is cut here."""

NUMBERS = (
    "nan",
    "-nan",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "9" * 400,
    "-" + "9" * 400,
    "1e308",
    "-1",
    "0",
    "0.0000000000000001",
    "4294967295",
    "18446744073709551615",
    "99999999999999999999",
    "0x7fffffffffffffff",
    "١٢٣",
    "1,234,567",
    "1.234,5",
    "",
)
ODD_WORDS = ("-", "?", "<defunct>", "[unknown]", "(null)", "\x00", "\u202e", "ﬀ", "a" * 3000, "%", "%s", "--")

SWEEPS = ("nan", "9" * 400, "-inf", None)
SWEPT_COLUMNS = 10

_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w.])")
_WORD = re.compile(r"\S+")


def swept(seed: bytes, number: int) -> bytes:
    """Return the change of a fixed number: a column of all rows impossible, or heads without rows."""
    text = seed.decode("utf-8", "replace")
    kind, at = number % len(SWEEPS), number // len(SWEEPS) % SWEPT_COLUMNS
    if SWEEPS[kind] is None:
        return _utf8(("\n".join(text.split("\n")[: at + 1]) + "\n") * 2)
    return _utf8(_with_column(text, at, SWEEPS[kind] or ""))


def changed(seed: bytes, chance: random.Random, others: tuple[bytes, ...]) -> bytes:
    """Return `seed` with one to four changes of structure; one in six has changed bytes, too."""
    text = seed.decode("utf-8", "replace")
    other = chance.choice(others).decode("utf-8", "replace")
    for _ in range(chance.choice((1, 1, 2, 3))):
        text = chance.choice(CHANGES)(text, chance, other)[:MOST_CHARS]
    content = chance.choice(ENCODINGS)(text)
    return mutated(content, chance, others) if chance.random() < 1 / 6 else content


def _a_number(text: str, chance: random.Random, _: str) -> str:
    found = list(_NUMBER.finditer(text[:60_000]))
    if not found:
        return text
    one = chance.choice(found)
    return text[: one.start()] + chance.choice(NUMBERS) + text[one.end() :]


def _all_numbers(text: str, chance: random.Random, _: str) -> str:
    value = chance.choice(NUMBERS)
    return _NUMBER.sub(lambda found: value if chance.random() < 0.7 else found[0], text[:60_000])


def _a_column(text: str, chance: random.Random, _: str) -> str:
    return _with_column(text, chance.randrange(12), chance.choice((*NUMBERS, *ODD_WORDS)))


def _with_column(text: str, at: int, value: str) -> str:
    """Put one value into the same column of every row with digits there."""
    lines = []
    for line in text.split("\n"):
        words = list(_WORD.finditer(line))
        if len(words) > at and any(char.isdigit() for char in words[at][0]):
            line = line[: words[at].start()] + value + line[words[at].end() :]  # noqa: PLW2901
        lines.append(line)
    return "\n".join(lines)


def _without_a_column(text: str, chance: random.Random, _: str) -> str:
    at = chance.randrange(8)
    lines = []
    for line in text.split("\n"):
        words = list(_WORD.finditer(line))
        lines.append(line[: words[at].start()] + line[words[at].end() :] if len(words) > at else line)
    return "\n".join(lines)


def _a_word(text: str, chance: random.Random, _: str) -> str:
    found = list(_WORD.finditer(text[:60_000]))
    if not found:
        return text
    one = chance.choice(found)
    return text[: one.start()] + chance.choice(ODD_WORDS) + text[one.end() :]


def _repeated_row(text: str, chance: random.Random, _: str) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    return "\n".join([*lines[:at], *[lines[at]] * chance.choice((2, 50, 2000)), *lines[at:]])


def _heads_only(text: str, chance: random.Random, _: str) -> str:
    """Leave the first lines, often a table without rows, sometimes twice."""
    head = "\n".join(text.split("\n")[: chance.randint(1, 4)]) + "\n"
    return head * chance.choice((1, 2, 3))


def _tail_only(text: str, chance: random.Random, _: str) -> str:
    lines = text.split("\n")
    return "\n".join(lines[chance.randrange(len(lines)) :])


def _shuffled(text: str, chance: random.Random, _: str) -> str:
    lines = text.split("\n")
    chance.shuffle(lines)
    return "\n".join(lines)


def _reversed(text: str, _: random.Random, __: str) -> str:
    return "\n".join(reversed(text.split("\n")))


def _without_rows(text: str, chance: random.Random, _: str) -> str:
    share = chance.random()
    return "\n".join(line for line in text.split("\n") if chance.random() < share)


def _interleaved(text: str, _: random.Random, other: str) -> str:
    mine, theirs = text.split("\n"), other.split("\n")
    rows = [line for pair in zip(mine, theirs, strict=False) for line in pair]
    return "\n".join([*rows, *mine[len(theirs) :]])


def _appended(text: str, chance: random.Random, other: str) -> str:
    banner = chance.choice(("", "==> proc/meminfo <==\n", "# dmesg | tail -1\n", "root@h:~# cat x\n"))
    return f"{text}\n{banner}{other[:20_000]}"


def _twice(text: str, _: random.Random, __: str) -> str:
    return text + text


def _glued(text: str, chance: random.Random, _: str) -> str:
    return text.replace(chance.choice((" ", "\n", ":", "\t")), "", chance.randint(1, 40))


def _wrapped(text: str, chance: random.Random, _: str) -> str:
    width = chance.randint(20, 100)
    rows = (line[at : at + width] for line in text.split("\n") for at in range(0, max(len(line), 1), width))
    return "\n".join(rows)


CHANGES: tuple[Change, ...] = (
    _a_number,
    _a_number,
    _all_numbers,
    _a_column,
    _a_column,
    _without_a_column,
    _a_word,
    _repeated_row,
    _heads_only,
    _tail_only,
    _shuffled,
    _reversed,
    _without_rows,
    _interleaved,
    _appended,
    _twice,
    _glued,
    _wrapped,
)


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


ENCODINGS: tuple[Callable[[str], bytes], ...] = (
    *[_utf8] * 12,
    lambda text: text.replace("\n", "\r\n").encode("utf-8", "replace"),
    lambda text: text.encode("utf-16", "replace"),
    lambda text: text.encode("latin-1", "replace"),
    lambda text: b"\xef\xbb\xbf" + text.encode("utf-8", "replace"),
)
