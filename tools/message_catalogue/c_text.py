r"""Calls with a string literal in a C file: who is called, with what text, where.

printk(KERN_ERR "%s: I/O timeout\n", name);
-> Call("printk", "KERN_ERR ", "%s: I/O timeout\n", function="foo_reset", is_error=True)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOK_BACK = 600
"""Characters before a literal in which its call begins."""

LOOK_AHEAD = 500
"""Characters behind a call in which an error is returned."""

LINES_AHEAD = 6

_CHARACTER = r"'(?:\"|\\\")'"
_LITERAL = r'"(?:[^"\\\n]|\\.)*"'
# A macro between two literals is text that is not known here, such as that of a checksum.
_LITERALS = re.compile(rf"{_CHARACTER}|{_LITERAL}(?:(?:\s|\\\n|\b[A-Z][A-Za-z0-9_]+\b(?!\s*\())*{_LITERAL})*")
_PART = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\b([A-Z][A-Za-z0-9_]+)\b')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAME_BEFORE = re.compile(r"([A-Za-z_]\w*)\s*$")
_BODY = re.compile(r"^(?:\{|[A-Za-z_][^\n;=#]*\)\s*\{)[ \t]*$", re.MULTILINE)
_DECLARED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_STRING_MACRO = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?({_LITERAL})", re.MULTILINE)
_CALL_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)\n]*)\)((?:[^\\\n]|\\.|\\\n){0,1500})", re.MULTILINE
)
_MAY_PRINT = re.compile(r"(?i)print|pr_|err|warn|log|msg|dev_|emerg|info|notice|panic|bug|crit|fatal|alert")
NOT_LOGGED = re.compile(
    r"(?i)(?:v?s[cn]*printf|\w*snprintf|\w*k?v?asprintf|seq_\w+|trace_\w+|\w+_trace|tp_printk|module_\w+|str[nlc]?\w{2,5}"
    r"|mem(?:cmp|cpy|chr)|of_\w+|\w*sysfs_\w+|debugfs_\w+|\w*_create\w*|request_\w+|nl_set_\w+|\w*set_err_msg\w*|\w+_emit|_?static_assert"
    r"|build_bug\w*|compiletime\w*|sizeof|__section|__?asm\w*|__?volatile\w*|define_\w+|declare_\w+|export_\w+"
    r"|kunit\w*|\w*_(?:expect|assert)\w*|verbose|btf_verifier\w*|audit_log\w*|prt_\w+|\w*prt_printf|drm_printf|drm_puts|\w*iprintf"
    r"|kdb_\w+|xmon_\w+|dbf_\w+|debug_\w*event|f?put[sc]|f?printf_buf|set_name|\w*_set_name|alloc_\w+|kthread_\w+|\w*strcmp\w*"
    r"|acpi_module_name|dmi_match|\w*pinctrl_pin|\w*_function|\w+_property_\w+|__ATTR\w*|test_\w+|fprintf|perror|errx?|usage)$"
)
"""Calls whose text is not written to the log."""

_PREFIX = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(?:pr|dev)_fmt\(\w+\)[ \t]+([^\n]*)", re.MULTILINE)
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_ERROR = re.compile(
    r"\breturn\s+(?:-E[A-Z]|-1\b|ERR_PTR\b|(?:ret|rc|err|error|rval|retval|res|result|status|r)\s*;)"
    r"|\bgoto\s+\w*(?:err|fail|bad|abort|undo|unwind|bail|clean|free|release|destroy|unreg|disable)"
)
_OTHER_BRANCH = re.compile(r"[{}]|\b(?:if|case|else|default|for|while|switch)\b")
_NOT_FUNCTIONS = frozenset(
    {
        "if",
        "while",
        "for",
        "switch",
        "return",
        "__printf",
        "__attribute__",
        "printf",
        "__acquires",
        "__releases",
        "__must_hold",
        "noinline_if_inline",
    }
)


class Call(NamedTuple):
    """A call with a text.

    Attributes:
        callee: The function or macro called.
        before: Arguments before the text.
        text: The literals joined, as written; `%s` stands for a macro between them.
        function: The function around the call; empty outside of one.
        is_error: The code right behind it returns an error.
    """

    callee: str
    before: str
    text: str
    function: str
    is_error: bool


class Macro(NamedTuple):
    """A macro with arguments that calls something: its name, and the names and text of what it calls."""

    name: str
    callees: tuple[str, ...]
    body: str


class Scanned(NamedTuple):
    """What a file says: its calls, its macros, and the literals of its `pr_fmt`."""

    calls: tuple[Call, ...]
    macros: tuple[Macro, ...]
    prefix: str


def scan(text: str) -> Scanned:
    """Return calls and macros of a C file."""
    strings = dict(_STRING_MACRO.findall(text))
    macros = tuple(
        Macro(name, tuple(dict.fromkeys(_CALLED.findall(body))), body[:400])
        for name, parameters, body in _CALL_MACRO.findall(text)
        if parameters.strip() and "(" in body and _MAY_PRINT.search(body)
    )
    prefix = " ".join(_PREFIX.findall(text)[:1])
    return Scanned(tuple(_calls(text, strings)), macros, prefix)


def _calls(text: str, strings: dict[str, str]) -> Iterator[Call]:
    functions = _Functions(text)
    last = -1
    for found in _LITERALS.finditer(text):
        if found[0][0] == "'":
            continue
        place = _opened(text, found.start())
        if place is None or place[1] == last:
            continue
        callee, opened = place
        if NOT_LOGGED.match(callee):
            continue
        before = text[opened + 1 : found.start()]
        whole = "".join(
            part if macro == "" else _literal(macro, strings) for part, macro in _PART.findall(found[0])
        )
        if not any(letter.isalpha() for letter in re.sub(r"%[-+ #0-9.*hlzLjtq]*[a-zA-Z]|\\.", "", whole)):
            continue
        if (at := _NAME_BEFORE.search(before)) and not at[1].startswith("KERN_"):
            # A macro glued before the literal: `PFX "text"`.
            whole = _literal(at[1], strings) + whole
        last = opened
        function = functions.around(opened)
        if not function:
            # Outside of functions literals are tables, and macros whose texts are prefixes.
            continue
        end = _end(text, found.end())
        behind = _OTHER_BRANCH.split(text[end : end + LOOK_AHEAD], maxsplit=1)[0]
        behind = "\n".join(behind.split("\n", LINES_AHEAD)[:LINES_AHEAD])
        yield Call(callee, before[:120], whole, function, bool(_ERROR.search(behind)))


def _literal(macro: str, strings: dict[str, str]) -> str:
    """Return the text of a macro of this file; `%s` when it has none."""
    return strings[macro][1:-1] if macro in strings else "%s"


def _opened(text: str, at: int) -> tuple[str, int] | None:
    """Return the call whose argument begins at `at`, and where its parenthesis opens; None without one."""
    least = max(0, at - LOOK_BACK)
    depth = 0
    while at > least:
        at -= 1
        letter = text[at]
        if letter == ")":
            depth += 1
        elif letter == "(":
            if depth:
                depth -= 1
                continue
            name = _NAME_BEFORE.search(text, max(0, at - 80), at)
            if name is not None:
                return name[1], at
            # ACPI_ERROR((AE_INFO, "text")): the call is one parenthesis further out.
        elif letter in ";{}" and not depth:
            return None
    return None


def _end(text: str, at: int) -> int:
    """Return where the statement ends that holds `at`."""
    end = text.find(";", at, at + 800)
    return at if end < 0 else end + 1


class _Functions:
    """Where functions begin."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [found.start() for found in _BODY.finditer(text)]

    def around(self, at: int) -> str:
        """Return the name of the function that holds `at`."""
        place = bisect_right(self._starts, at) - 1
        if place < 0:
            return ""
        start = self._starts[place]
        if self._text.find("\n}", start, at) >= 0:
            return ""
        head = self._text[max(0, start - 700) : self._text.find("{", start)]
        head = re.split(r"[;}]|^[ \t]*#.*$|\*/|^\w+:$", head, flags=re.MULTILINE)[-1]
        names = [name for name in _DECLARED.findall(_COMMENT.sub("", head)) if name not in _NOT_FUNCTIONS]
        if names and names[0].isupper() and names[0].startswith(("SYSCALL_DEFINE", "COMPAT_SYSCALL_DEFINE")):
            inner = re.search(r"DEFINE\d?\s*\(\s*(\w+)", head)
            return f"sys_{inner[1]}" if inner else ""
        return names[0] if names else ""
