"""A story as one Markdown file with YAML front matter.

    ---
    title: Ping spikes every five seconds
    area: mm
    symptoms:
    - ping has spikes of 100 ms
    signatures:
    - mm/memcg-stat-show-stall
    fix: cadvisor 0.45
    ---

    It began on a Tuesday.

Front matter errors are reported all at once, with line numbers.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import yaml

from backend.core.errors import UnsupportedQueryError
from backend.core.http.request_body import hiding, with_marks
from backend.stories.schemas import (
    AREA,
    MAX_FIX_CHARS,
    MAX_LINKS,
    MAX_SYMPTOMS,
    MAX_TEXT_CHARS,
    MAX_TITLE_CHARS,
    StoryText,
)
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEYS = ("title", "area", "symptoms", "signatures", "cases", "fix")
_FENCE = re.compile(r"---[ \t]*\r?$")
_END = re.compile(r"(---|\.\.\.)[ \t]*\r?$")
_HEADING = Pattern(r"\A\s*# +(.+?) *#*[ \t]*\r?(?:\n|\Z)")


class InvalidStoryError(UnsupportedQueryError):
    """Invalid story file; the message names the lines."""


def from_markdown(markdown: str, *, filename: str = "") -> StoryText:
    """Parse a story file; the title comes from front matter, first heading or file name.

    Raises:
        InvalidStoryError: The front matter is invalid, or there is no text.
    """
    lines = markdown.removeprefix("\ufeff").splitlines(keepends=True)
    fields: dict[str, Any] = {}
    if lines and _FENCE.match(lines[0]):
        end = next((at for at, line in enumerate(lines[1:], start=1) if _END.match(line)), None)
        if end is None:
            raise InvalidStoryError("line 1: the front matter is not closed; add --- below its last line")
        fields = _in_front("".join(lines[1:end]))
        lines = lines[end + 1 :]
    text = "".join(lines).lstrip("\r\n")
    if "title" not in fields:
        heading = _HEADING.match(text)
        fields["title"] = with_marks(heading[1].strip() if heading else PurePosixPath(filename).stem)
        text = text[heading.end() :].lstrip("\r\n") if heading else text
    if not fields["title"]:
        raise InvalidStoryError(
            "line 1: the story has no title; add 'title: …' to the front matter, or '# …' above its text"
        )
    if not text.strip():
        raise InvalidStoryError("the story has no text below the front matter")
    if len(text) > MAX_TEXT_CHARS:
        raise InvalidStoryError(
            f"the text has {len(text):,} characters; a story has at most {MAX_TEXT_CHARS:,}"
        )
    return StoryText(**{**fields, "title": fields["title"][:MAX_TITLE_CHARS]}, text=text)


def to_markdown(story: StoryText, *, with_cases: bool) -> str:
    """Return the story as a file; `with_cases` only locally, case numbers mean nothing elsewhere."""
    front = {
        name: value for name in KEYS if (value := getattr(story, name)) and (name != "cases" or with_cases)
    }
    written = yaml.safe_dump(front, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{written}---\n\n{story.text}"


def _in_front(written: str) -> dict[str, Any]:
    """Return the validated front matter.

    Raises:
        InvalidStoryError: Every wrong line, numbered as in the file, so the first is 2.
    """
    try:
        root = yaml.compose(written, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark or error.context_mark
        line = f"line {at.line + 2}, column {at.column + 1}" if at else "in front"
        raise InvalidStoryError(f"{line}: not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise InvalidStoryError(f"front matter: not YAML: {' '.join(str(error).split())}") from error
    if root is None:
        return {}
    if not isinstance(root, yaml.MappingNode):
        raise InvalidStoryError("line 2: expected 'key: value' lines; the keys are " + ", ".join(KEYS))
    fields: dict[str, Any] = {}
    faults: list[str] = []
    for key, value in root.value:
        line = key.start_mark.line + 2
        name = key.value if isinstance(key, yaml.ScalarNode) else "?"
        if name not in KEYS:
            faults.append(f"line {line}: there is no key {name!r}; the keys are {', '.join(KEYS)}")
        elif name in fields:
            faults.append(f"line {line}: {name} stands here a second time")
        else:
            fields[name], wrong = _read(name, value, line)
            faults += wrong
    if faults:
        raise InvalidStoryError("; ".join(faults))
    return fields


def _read(name: str, node: yaml.Node, line: int) -> tuple[Any, list[str]]:
    """Return a value and the error in it."""
    if name in {"title", "area", "fix"}:
        if not isinstance(node, yaml.ScalarNode):
            return "", [f"line {line}: {name} is one text, not a list"]
        return node.value.strip(), list(_faults_of_text(name, node.value.strip(), line))
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    if not all(isinstance(one, yaml.ScalarNode) for one in nodes):
        return [], [f"line {line}: {name} is a list of single values"]
    most = MAX_SYMPTOMS if name == "symptoms" else MAX_LINKS
    faults = [f"line {line}: {len(nodes)} {name}; a story has at most {most}"] if len(nodes) > most else []
    values = []
    for one in nodes:
        at = one.start_mark.line + 2
        value, wrong = _ITEMS[name](one.value.strip(), at)
        values.append(value)
        faults += wrong
    return [value for value in values if value], faults


def _faults_of_text(name: str, value: str, line: int) -> Iterator[str]:
    most = {"title": MAX_TITLE_CHARS, "area": 30, "fix": MAX_FIX_CHARS}[name]
    hidden = hiding(value) if name == "title" else None
    if hidden is not None:
        yield f"line {line}: {name} {hidden}"
    elif len(value) > most:
        yield f"line {line}: {name} has {len(value)} characters; at most {most}"
    elif name == "area" and not re.match(AREA, value):
        yield f"line {line}: area {value!r} is not a short name such as mm, net or sched"


def _symptom(value: str, line: int) -> tuple[str, list[str]]:
    return value, [f"line {line}: a symptom has at most 200 characters"] if len(value) > 200 else []


def _signature(value: str, line: int) -> tuple[str, list[str]]:
    if re.fullmatch(r"[a-z0-9-]{1,50}/[a-z0-9-]{1,90}", value):
        return value, []
    return value, [f"line {line}: {value!r} is not the id of a signature, such as mm/memcg-oom"]


def _case(value: str, line: int) -> tuple[int, list[str]]:
    if value.isascii() and value.isdecimal() and 0 < int(value[:10]) < 2**31:
        return int(value), []
    return 0, [f"line {line}: {value!r} is not the number of a case"]


_ITEMS: dict[str, Callable[[str, int], tuple[Any, list[str]]]] = {
    "symptoms": _symptom,
    "signatures": _signature,
    "cases": _case,
}
