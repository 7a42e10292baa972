"""Rows of symbol tables, with or without a column header above them.

Examples:
    64.28%  [kernel]       [k] shrink_lruvec
     4.45%     0.00%  pip              [unknown]            [.] 0000000000000000         -      -
     2.50%            97  pip              [.] _PyEval_EvalFrameDefault
    -   62,00%    0,10%  swapper  [kernel.kallsyms]  [k] start_kernel                                   ▒
    1187.00 25.6% _raw_spin_lock  [kernel.kallsyms]
    40.3% [kernel] __get_page_tail
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.demangle import demangled
from ingest.native.linear import Pattern
from ingest.readers.perf.perf_table.header import share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PERCENT = r"\d{1,3}(?:[.,]\d{1,2})?%"
_ROW = Pattern(
    rf"^\s*(?:[+-]\s+)?(?P<percents>{_PERCENT}(?:\s+[+-]?{_PERCENT})*)\s+(?P<body>(?:\S.*\s)?\[[k.ugGH]\]\s+\S.*)$"
)
_OLD_ROW = re.compile(
    rf"^\s*\d+\.\d\d\s+(?P<percent>{_PERCENT})\s+(?P<name>[\w.$:~]+)\s+(?P<module>\[\S+\]|/\S+|\S+\.so\S*)\s*$"
)
_UNMARKED = re.compile(
    rf"^\s*(?P<percent>{_PERCENT})\s+(?P<module>\[(?:guest\.)?kernel(?:\.kallsyms)?\])\s+(?P<name>[A-Za-z_][\w.]*)\s*$"
)
"""A row whose mark somebody left out; the module says that it is the kernel's."""
_MARKED = re.compile(r"^\[(?P<mark>[k.ugGH])\]\s+(?P<name>.*)$")
_ANY_MARK = re.compile(r"(?:^|\s)\[[k.ugGH]\]\s")
SCROLL_BAR = " \t▒◆█│"
"""What the edge of a screen leaves behind a line."""
_COUNT = re.compile(r"^\d[\d,]*$")
_TAIL_COLUMN = Pattern(r"\s+(?:-\s+-|-)$")
_COMMAND_AND_OBJECT = Pattern(r"^(?P<command>.*?)\s(?P<object>\[[^\]]*\]|\S+\.so\S*)$")
_PID_COMM = re.compile(r"^\s*\d+:(?P<comm>.*)$")
_KERNEL_MODULES = ("[kernel", "[guest.kernel", "vmlinux")
_JIT = re.compile(r"perf-\d+\.map|^\[JIT\]|^\[JIT app cache\]|\.jit\b|jitted-")
_RAW_ADDRESS = re.compile(r"^(?:0x[0-9a-f]+|[0-9a-f]{8,16})$")
_TREE = Pattern(r"^\s*(?:[|]|-{2,}|[+-]\s|\d+(?:[.,]\d+)?%\s|.*--\d+(?:[.,]\d+)?%--)|^\s{8,}\S")


_ROOT = re.compile(rf"^(?P<lead>\s*)[-+]\s+(?P<percent>{_PERCENT})\s+(?P<name>[A-Za-z_][\w.]*)\s*$")
_BELOW = re.compile(rf"^(?P<lead>\s*)(?:[-+]\s+)?(?:(?P<percent>{_PERCENT})\s+)?[A-Za-z_][\w.]*\s*$")


class Row(NamedTuple):
    """One flat row: its percentages as shares, in printed order, and what they speak of."""

    shares: tuple[float, ...]
    name: str
    module: str
    comm: str
    kind: str
    is_branch: bool = False


def opens_tree(lines: Sequence[str], at: int) -> bool:
    """Return whether a call tree of the browser begins at `lines[at]` without the row that it belongs to."""
    root = _ROOT.match(lines[at])
    below = [_BELOW.match(line) for line in lines[at + 1 : at + 4]]
    if not root or len(below) < 3 or not all(below):
        return False
    widths = [len(one["lead"]) for one in (root, *below) if one]
    return sorted(set(widths)) == widths and any(one and one["percent"] for one in below)


def root(line: str) -> Row | None:
    """Return the first line of such a tree as a row without a module; None for any other line."""
    found = _ROOT.match(line)
    return Row((share(found["percent"].rstrip("%")), 0.0), found["name"], "", "", "") if found else None


def is_row(line: str) -> bool:
    """Return whether `line` is a row of a symbol table."""
    return "%" in line and bool(_ROW.match(line) or _OLD_ROW.match(line) or _UNMARKED.match(line))


def is_marked_row(line: str) -> bool:
    """Return whether `line` is a row with `[k]` or `[.]`, or of the kernel: nothing else prints those."""
    return "%" in line and "] " in line and bool(_ROW.match(line) or _UNMARKED.match(line))


def is_tree(line: str) -> bool:
    """Return whether `line` can belong to the call tree below a row."""
    return bool(_TREE.match(line))


def is_unnamed(name: str) -> bool:
    """Return whether the symbol is an address."""
    return bool(_RAW_ADDRESS.match(name)) or name in {"[unknown]", "0000000000000000"}


def read(line: str, columns: Sequence[str]) -> Row | None:
    """Read one row below the header `columns` (empty when there is none); None for any other line."""
    if old := _OLD_ROW.match(line) or _UNMARKED.match(line):
        kind = kind_of(old["module"], "k" if old["module"].startswith("[") else ".", old["name"])
        return Row((share(old["percent"].rstrip("%")),), old["name"], old["module"], "", kind)
    found = _ROW.match(line.rstrip(SCROLL_BAR))
    if not found:
        return None
    percents = [text for text in found["percents"].split() if text[0] not in "+-"]
    shares = tuple(share(text.rstrip("%")) for text in percents)
    named = dict(_cells(found["body"], _names(columns)))
    marked = _MARKED.match(named.get("Symbol", ""))
    if not marked or not shares:
        return None
    module, name = named.get("Shared Object", ""), marked["name"].strip()
    comm = named.get("Command", "")
    pid_comm = _PID_COMM.match(comm)
    return Row(
        shares,
        demangled(name),
        module,
        pid_comm["comm"] if pid_comm else comm,
        kind_of(module, marked["mark"], name),
        is_branch=len(_ANY_MARK.findall(found["body"])) > 1 and "Target Symbol" in columns,
    )


def _names(columns: Sequence[str]) -> list[str]:
    """Return the names of the columns behind the percentages, in one spelling."""
    names: list[str] = []
    for column in columns:
        if column in {"Overhead", "Children", "Self"}:
            continue
        plain = column.removeprefix("Source ")
        names.append("Command" if plain.endswith("Pid:Command") or plain == "Comm" else plain)
    return names


def _cells(body: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (column, cell); without a header the cells before `[k]` are known by their looks."""
    mark = _ANY_MARK.search(body)
    if not mark:
        return
    start = mark.end() - 4
    words_before = [cell for cell in re.split(r"\s{2,}|\t", body[:start].strip()) if cell]
    right = re.split(r"\s{2,}|\t", body[start:].strip())
    yield "Symbol", _TAIL_COLUMN.sub("", right[0])
    before = names[: names.index("Symbol")] if "Symbol" in names else []
    if before and len(before) == len(words_before):
        yield from zip(before, words_before, strict=True)
    else:
        yield from _guessed(words_before, has_module="Shared Object" in before or not names)
    if "Symbol" in names:
        yield from zip(names[names.index("Symbol") + 1 :], right[1:], strict=False)


def _guessed(words_before: list[str], *, has_module: bool) -> Iterator[tuple[str, str]]:
    """Yield command and object from cells without a header: counts first, the object last."""
    cells = [cell for cell in words_before if not _COUNT.match(cell)]
    if len(cells) == 1 and (found := _COMMAND_AND_OBJECT.match(cells[0])):
        cells = [found["command"], found["object"]]
    if cells and has_module:
        yield "Shared Object", cells.pop()
    if cells:
        yield "Command", " ".join(cells)


def kind_of(module: str, mark: str, name: str) -> str:
    """Return `kernel`, `module`, `user`, `jit` or `unknown` for a marked symbol."""
    if mark == "k":
        is_kernel = not module or module.startswith(_KERNEL_MODULES) or "vmlinux" in module
        is_module = module.endswith((".ko", ".ko.xz", ".ko.gz", ".ko.zst")) or module.startswith("[")
        if is_kernel or module in {"[unknown]", "[vdso]"}:
            return "kernel"
        return "module" if is_module else "kernel"
    if mark != ".":
        return "unknown"
    if _JIT.search(module):
        return "jit"
    return "unknown" if module in {"", "[unknown]"} and is_unnamed(name) else "user"
