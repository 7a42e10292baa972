"""Strings that make a backtracking regular expression slow, made from the expression itself.

A pattern is slow on a string when two of its repeats accept the same run, or when a search begins anew at
every place of a run that a repeat then goes through. So for every repeat of a pattern: what the pattern wants
before it, then a long run of what the repeat accepts, then something that fails.
"""

from __future__ import annotations

import re
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ALPHABET = " \t0a9fA_.:-=,([<\"'\\/%+#*|@xé"

SHAPES = (
    " ", "0", "0.", "a ", "a=", '\\"', "()", "<", "[", "a:", "0, ", "/a", "a_", "-", "(", '"', ":",
    "0f", "`", "_", "#", "\t", "a=0 ", "::", "<>", "[]", "0:", "0x", "0,", ",", ", ", "a.", "a-",
    "A", "=", "é", "a/", "{", "{}", "0 ", " a=", "# ", "0x0 ", "a+0x0 ", "a (", "%", "1% ", ";",
    "a;", "|", "*", "@", "a@", "\\", "'", "$ ", "> ", "...", "a\t",
)  # fmt: skip
"""Runs that people and tools really write, and a few that only an attacker would; of these the short form
takes the first."""

ENDS = ("", "\x01", "x", " !")

REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)


class Attack(NamedTuple):
    """A string of any length: what comes first, what is repeated, what comes last."""

    prefix: str
    pump: str
    end: str

    def text(self, size: int) -> str:
        """Return the string of about `size` characters."""
        return self.prefix + self.pump * max(1, size // len(self.pump)) + self.end


def attacks(pattern: re.Pattern, *, is_long: bool) -> list[Attack]:
    """Return strings that `pattern` may be slow on; the long form has more characters and ends."""
    ends = ENDS if is_long else ENDS[:2]
    return [Attack(prefix, pump, end) for prefix, pump in seeds(pattern, is_long=is_long) for end in ends]


def some_attacks(pattern: re.Pattern) -> list[Attack]:
    """Return the strings of the short form with one end each, in turn."""
    return [
        Attack(prefix, pump, ENDS[at % 2]) for at, (prefix, pump) in enumerate(seeds(pattern, is_long=False))
    ]


def seeds(pattern: re.Pattern, *, is_long: bool) -> list[tuple[str, str]]:
    """Return what comes first and what is then repeated, each pair once."""
    written = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    flags = getattr(pattern, "flags", 0)
    tree = parser.parse(written, flags)
    alphabet = ALPHABET if is_long else ALPHABET[:14]
    found: dict[tuple[str, str], None] = {}
    for prefix, body, after in repeats(tree, ""):
        for char in alphabet:
            if accepts(body, char):
                found[prefix, char] = None
        one = sample(body)
        for pump in (one, one + after, prefix + one, prefix + one + after):
            if pump:
                found[prefix, pump] = None
                found["", pump] = None
        for shape in SHAPES if is_long else SHAPES[:12]:
            if len(shape) > 1 and all(accepts(body, char) for char in shape):
                found[prefix, shape] = None
    for shape in SHAPES if is_long else SHAPES[:24]:
        found["", shape] = None
    if flags & re.MULTILINE:
        found |= {(prefix, f"{pump}\n"): None for prefix, pump in found}
    return list(found)


def repeats(tree, prefix: str) -> Iterator[tuple[str, object, str]]:
    """Yield for every repeat: the text before it, what it repeats, what comes after it."""
    items = list(tree)
    for at, (kind, value) in enumerate(items):
        if kind in REPEATS:
            low, high, body = value
            after = "".join(sample([item]) for item in items[at + 1 : at + 3])
            if high is kinds.MAXREPEAT or high > 8:
                yield prefix, body, after
            yield from repeats(body, prefix)
            # A later repeat is reached with this one empty, and with this one taken once.
            if low == 0 and len(prefix) < 200:
                yield from _unrepeated(items[at + 1 :], prefix + sample(body))
        elif kind is kinds.SUBPATTERN:
            yield from repeats(value[-1], prefix)
        elif kind is kinds.ATOMIC_GROUP:
            yield from repeats(value, prefix)
        elif kind is kinds.BRANCH:
            for way in value[1]:
                yield from repeats(way, prefix)
        elif kind in {kinds.ASSERT, kinds.ASSERT_NOT}:
            yield from repeats(value[1], prefix)
        prefix += sample([(kind, value)])


def _unrepeated(items, prefix: str) -> Iterator[tuple[str, object, str]]:
    """Yield the first repeat of `items`, reached after `prefix`."""
    for at, (kind, value) in enumerate(items):
        if kind in REPEATS and (value[1] is kinds.MAXREPEAT or value[1] > 8):
            yield prefix, value[2], "".join(sample([item]) for item in items[at + 1 : at + 3])
            return
        prefix += sample([(kind, value)])


def sample(tree) -> str:
    """Return a short string that the expression accepts, or nearly."""
    text = ""
    for kind, value in tree:
        if kind is kinds.LITERAL:
            text += chr(value)
        elif kind in {kinds.NOT_LITERAL, kinds.IN, kinds.ANY}:
            text += next((char for char in "a0A: " + ALPHABET if accepts([(kind, value)], char)), "?")
        elif kind in REPEATS:
            text += sample(value[2]) * min(value[0], 64)
        elif kind is kinds.SUBPATTERN:
            text += sample(value[-1])
        elif kind is kinds.ATOMIC_GROUP:
            text += sample(value)
        elif kind is kinds.BRANCH:
            text += sample(value[1][0])
        elif kind is kinds.CATEGORY:
            text += next((char for char in "a0 " if in_category(value, char)), "?")
    return text


def accepts(tree, char: str) -> bool:
    """Return whether the expression is one letter wide and accepts `char`."""
    items = list(tree)
    if len(items) != 1:
        return False
    kind, value = items[0]
    if kind is kinds.SUBPATTERN:
        return accepts(value[-1], char)
    if kind is kinds.BRANCH:
        return any(accepts(way, char) for way in value[1])
    if kind is kinds.ANY:
        return char != "\n"
    if kind is kinds.LITERAL:
        return chr(value) == char
    if kind is kinds.NOT_LITERAL:
        return chr(value) != char
    if kind is kinds.CATEGORY:
        return in_category(value, char)
    if kind is not kinds.IN:
        return False
    is_negated = value[0][0] is kinds.NEGATE
    return is_negated != any(_is_in(part, char) for part in value)


def _is_in(part, char: str) -> bool:
    """Return whether one part of a character class accepts `char`."""
    kind, value = part
    if kind is kinds.LITERAL:
        return chr(value) == char
    if kind is kinds.RANGE:
        return value[0] <= ord(char) <= value[1]
    return kind is kinds.CATEGORY and in_category(value, char)


def in_category(category, char: str) -> bool:
    """Return whether `char` is in a class such as `\\d`."""
    name = str(category)
    test = {"DIGIT": str.isdigit, "SPACE": str.isspace}.get(
        name.rsplit("_", 1)[-1], lambda one: one.isalnum() or one == "_"
    )
    return test(char) != ("_NOT_" in name)
