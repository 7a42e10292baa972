"""Search documents made from signatures and Markdown texts."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from ingest.frames.normalise import normalise
from signatures.judging.observe import conditions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from signatures.language.model import Signature

VERSION = 3
"""Version of the document layout; a change rebuilds all rows."""

ASKED = Path(__file__).with_name("asked.yaml")

_HEADING = re.compile(r"^#{1,6} ++(.+)$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()]*+\)")
_MARKS = re.compile(
    r"(?P<ticks>`++)(?P<code>[^`]++)(?P=ticks)|^ {0,3}>[> ]*+|[*`|]++|(?<!\w)_++|(?<!_)_++(?!\w)",
    re.MULTILINE,
)
"""Code is left as it is; Markdown markup elsewhere is removed."""
_FENCE = "```"
_LINE = re.compile(r"[^\n]*+\n|[^\n]++")
_FUNCTION = re.compile(r"\b_*[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b")
_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class Document:
    """The columns of one `LibraryEntry`."""

    kind: str
    key: str
    title: str
    headline: str
    area: str
    severity: str
    status: str
    has_fix: bool
    symptoms: tuple[str, ...]
    frames: tuple[str, ...]
    signatures: tuple[str, ...]
    names: str
    headings: str
    conditions: str
    body: str
    vocabulary: str

    @property
    def digest(self) -> str:
        """SHA-256 of all fields and the layout version."""
        document = json.dumps([VERSION, asdict(self)], sort_keys=True)
        return hashlib.sha256(document.encode("utf-8", "surrogateescape")).hexdigest()


def of_signature(signature: Signature) -> Document:
    """Return the search document of a signature and its story."""
    frames = tuple(dict.fromkeys(frames_of(signature)))
    clauses = [clause.title for clause in signature.clauses if clause.role != "rival"]
    fixes = [str(fix.get("title", "")) for fix in signature.fixes]
    references = [reference.get("title", "") for reference in signature.references]
    named = [signature.title, *signature.symptoms, *signature.aliases, *asked().get(signature.id, ())]
    headings = headings_of(signature.story)
    return Document(
        kind="signature",
        key=signature.id,
        title=signature.title,
        headline=headings[0] if headings else "",
        area=signature.id.partition("/")[0],
        severity=signature.severity,
        status=signature.status,
        has_fix=any(fix.get("kind") != "procedure" for fix in signature.fixes),
        symptoms=signature.symptoms,
        frames=frames,
        signatures=(signature.id,),
        names="\n".join([*named, signature.id]),
        headings="\n".join(headings),
        conditions="\n".join([*clauses, *fixes, *references, *frames]),
        body=plain(signature.story),
        vocabulary=vocabulary_of([*named, *headings], frames),
    )


@lru_cache(maxsize=1)
def asked() -> dict[str, list[str]]:
    """Return what people call the problem of each signature, by its id."""
    document: dict[str, list[str]] = yaml.safe_load(ASKED.read_text(encoding="utf-8"))
    return document


def frames_of(signature: Signature) -> Iterator[str]:
    """Yield the functions in the conditions of a signature, without patterns and alternatives."""
    for clause in signature.clauses:
        if clause.role == "rival":
            continue
        for condition in conditions_of(clause.test):
            yield from (normalise(name) for name in condition.functions if "*" not in name)
    yield from (normalise(name) for name in signature.aliases if _FUNCTION.fullmatch(name))


def headings_of(text: str) -> list[str]:
    """Return the headings of a Markdown text, in order."""
    return [plain(_title(heading)) for heading in _HEADING.finditer(text)]


def plain(text: str) -> str:
    """Return a Markdown text as plain text: without diagrams, markup and link targets."""
    parts = ((_HEADING.sub(_title, _LINK.sub(r"\1", part)), is_code) for part, is_code in _parts(text))
    text = "".join(part if is_code else _MARKS.sub(_code, part) for part, is_code in parts)
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


def _title(heading: re.Match[str]) -> str:
    """Return the text of a heading without closing marks."""
    return heading[1].rstrip("#").rstrip(" ") or heading[1][0]


def _code(mark: re.Match[str]) -> str:
    """Return the content of inline code, "" for other markup."""
    return mark["code"] or ""


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the text between code blocks and the code; skips diagrams."""
    lines = _LINE.findall(text)
    closings = [at for at, line in enumerate(lines) if line.rstrip("\n") == _FENCE]
    done = at = 0
    while at < len(lines) and closings:
        place = bisect_right(closings, at)
        if place == len(closings):
            break
        if lines[at].startswith(_FENCE):
            end = closings[place]
            yield "".join(lines[done:at]), False
            if lines[at].rstrip("\n") != f"{_FENCE}mermaid":
                yield "".join(lines[at + 1 : end]), True
            done = at = end + 1
        else:
            at += 1
    yield "".join(lines[done:]), False


def functions_in(text: str) -> list[str]:
    """Return identifiers such as `memcg_stat_show`, deduplicated."""
    return list(dict.fromkeys(normalise(name) for name in _FUNCTION.findall(text)))


def vocabulary_of(texts: Iterable[str], functions: Iterable[str]) -> str:
    """Return the words of `texts` and the functions, deduplicated, separated by blanks."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return " ".join(dict.fromkeys([*words, *functions]))
