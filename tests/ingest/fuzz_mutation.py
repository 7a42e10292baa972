"""How a sample is changed: bytes flipped, cut, dropped; numbers, lines and pieces of other samples put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

MAX_SEED = 20_000
"""A sample is cut here before it is changed; four times as much may become of it."""
NUMBERS = (b"0", b"-1", b"4294967295", b"18446744073709551615", b"9" * 400, b"1e999", b"nan", b"0x", b"1,5")
WORDS = (
    b"[",
    b"]",
    b"{",
    b"}",
    b"(",
    b")",
    b"=",
    b":",
    b";",
    b"\t",
    b"  ",
    b"@",
    b"%",
    b"|",
    b'"',
    b"\\",
    b"\xff",
    b"...",
)


def mutated(seed: bytes, chance: random.Random, others: tuple[bytes, ...]) -> bytes:
    """Return `seed` changed in one to six places."""
    content = bytearray(seed)
    for _ in range(chance.randint(1, 6)):
        content = _CHANGES[chance.randrange(len(_CHANGES))](content, chance, others)
        if len(content) > 4 * MAX_SEED:
            del content[4 * MAX_SEED :]
    return bytes(content)


def _flip(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    if content:
        content[chance.randrange(len(content))] = chance.randrange(256)
    return content


def _cut(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    del content[chance.randint(0, len(content)) :]
    return content


def _drop(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    start = chance.randint(0, len(content))
    del content[start : start + chance.randint(1, 60)]
    return content


def _insert(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    at = chance.randint(0, len(content))
    content[at:at] = chance.choice(WORDS) * chance.choice((1, 1, 1, 50))
    return content


def _number(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    digits = [at for at, byte in enumerate(content[:4000]) if 48 <= byte <= 57]
    if digits:
        start = end = chance.choice(digits)
        while end < len(content) and 48 <= content[end] <= 57:
            end += 1
        content[start:end] = chance.choice(NUMBERS)
    return content


def _lines(content: bytearray, chance: random.Random, _: tuple[bytes, ...]) -> bytearray:
    lines = bytes(content).split(b"\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    kind = chance.randrange(3)
    if kind == 0:
        lines[first], lines[second] = lines[second], lines[first]
    elif kind == 1:
        lines.insert(first, lines[second])
    else:
        del lines[first]
    return bytearray(b"\n".join(lines))


def _splice(content: bytearray, chance: random.Random, others: tuple[bytes, ...]) -> bytearray:
    other = chance.choice(others)
    start = chance.randint(0, len(other))
    at = chance.randint(0, len(content))
    content[at:at] = other[start : start + chance.randint(1, 400)]
    return content


_CHANGES = (_flip, _cut, _drop, _insert, _number, _lines, _splice)
