"""Texts made against the patterns and tables of `ingest.redact`, and how the time to redact them grows."""

from __future__ import annotations

import re
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, NamedTuple

import yaml

from ingest.redact import Redactor, columns, detectors, leak_scan, unknown_tokens
from tests import growing
from tests.attacks import attacks, repeats, sample
from tests.growth import is_linear, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZE = 8_000
"""Bytes of a text that is tried first; longer ones tell how the time grows."""

SHORT = 0.012
"""Seconds of CPU for `SIZE` bytes: a search that begins anew behind every few bytes takes longer."""

UNITS = ("1.", "a:", "-", "/", "@", "=", '"', "'", "0f", ".", "a", "0", "10.1.2.3.", "a.com.")
"""Short units of which unbroken rows consist."""

MORE_UNITS = (
    "a@a.", "a.com ", "1.2.3.4 ", "::", "0f:", "a=", "a-", "a_", "a/", "//", "\\", "%2f", "$1$", "user=",
    "host ", "x:", "a,", "[", "(", "<", "{", "\t", "  ", "é", "\n", " a\n", "key=", "eyJ", "A", "| id | a\n",
    "vg  lv\n",
)  # fmt: skip

SIZES = (100_000, 400_000)
"""Bytes of rows of units."""

NAMES = {
    "hosts": "host=h{0}-db\n",
    "hosts of one family": "host=web{0}\n",
    "hosts of one domain": "dbx-{0}.acme.com ",
    "domains": "h{0}.acme{0}.com ",
    "users": "user=alice{0}\n",
    "addresses": "10.{2}.{1}.7 ",
    "mail": "bob{0}@acme{0}.com ",
    "secrets": "password=Zq7{0}xY\n",
    "serial numbers": "Serial Number: WD{0}77AB\n",
    "files": "/home/u{0}/x{0} ",
    "headers": "vg{3}lv\n",
}
"""Texts of names, no two alike."""


class Made(NamedTuple):
    """A text of any size: its name, and what makes it."""

    name: str
    text: Callable[[int], str]


def redacted(text: str) -> bytes:
    """Redact a text as a case of its own."""
    content = text.encode()
    redactor = Redactor(b"k" * 32)
    redactor.learn([content])
    redactor.settle()
    return b"".join(redactor.redact([content]))


def growth_of(made: Made, size: int = SIZE, short: float = SHORT) -> str:
    """Return how the time to redact a text grows when more than its size does, else ""."""

    def run(times: int) -> Callable[[], bytes]:
        text = made.text(times * size)
        return lambda: redacted(text)

    (first,) = seconds(run(1), rounds=1)
    if first < short or min(seconds(run(1))) < short:
        return ""
    # Engines change between the first two sizes: what is linear may grow more there.
    return "" if is_linear(run(4), run(16)) else f"{made.name}: from {4 * size} to {16 * size} characters"


def patterns() -> dict[str, str]:
    """Return every pattern that is searched in a text, by name."""
    classes = detectors.load()
    found = {f"rule {one.name}": one.expression for one in (*classes.rules, *classes.shapes)}
    found |= {f"table {one.name}": one.header for one in classes.tables}
    found |= {f"leak {name}": shape for name, shape in leak_scan.SHAPES}
    return found | {"profile": unknown_tokens.PROFILE, "titles": columns.header()}


def against(name: str, expression: str) -> Iterator[Made]:
    """Yield texts that a pattern may be slow on; the long form has more of them."""
    compiled = re.compile(expression.encode())
    if growing.IS_LONG:
        for attack in attacks(compiled, is_long=False):
            yield Made(f"{name} on {attack}", attack.text)
        return
    tree = parser.parse(expression.encode().decode("latin-1"), compiled.flags)
    yield repeated(f"{sample(tree)}\n", name)
    for prefix, body, after in repeats(tree, ""):
        yield repeated((sample(body) or "a") + after, name, prefix)


def repeated(unit: str, name: str = "", prefix: str = "") -> Made:
    """Return the text that repeats `unit` after `prefix`."""
    return Made(f"{name} on {prefix!r} and {unit!r}", lambda size: prefix + unit * (size // len(unit) + 1))


def tables() -> Iterator[Made]:
    """Yield tables whose rows are headers, and tables with rows of names; the short form has fewer titles."""
    document = yaml.safe_load(columns.TITLES.read_text(encoding="utf-8"))
    titles = [title for of_kind in document.values() for title in of_kind]
    for title in titles if growing.IS_LONG else titles[::16]:
        yield repeated(f"{title}  vg\n", f"title {title}")
    for table in detectors.load().tables:
        header = "  ".join(table.columns)
        yield repeated(f"{header}\n", f"table {table.name}")
        yield repeated("a-1  b-2\n", f"table {table.name}", f"{header}\n")


def of_names(form: str) -> Callable[[int], str]:
    """Return what makes a text of names that are all different."""

    def text(size: int) -> str:
        count = size // len(form) + 1
        return "".join(form.format(at, at % 250, at // 250 % 250, " " * (2 + at % 97)) for at in range(count))

    return text
