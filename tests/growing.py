"""Texts of any length, and the parts of the packages that take text from strangers."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
from collections import deque
from typing import TYPE_CHECKING

from backend.core.errors import InvalidNameError
from backend.core.logs.redaction import redact
from backend.library import documents
from backend.stories.publishing import functions_of
from backend.uploads import names
from ingest.containers import bundle_manifest
from ingest.frames.normalise import normalise
from ingest.model.section import Text
from ingest.native.frame_kind import classify
from ingest.paste import narrative
from ingest.paste.annotations import without_annotations
from ingest.paste.prompt import prompt_at
from ingest.paste.quoting import runs, unquoted
from ingest.paste.transcript import option, transcript
from ingest.readers.bpf.bpftrace_text import script
from ingest.readers.logs.kernel_log import classes as kernel_classes
from ingest.redact import Redactor
from ingest.redact.open_tokens import detector_of, second_look_of
from ingest.sections import split
from ingest.sections.recognise import RECOGNISED, spans
from signatures.kernels import release_dates
from signatures.language import kernel_families, kernel_releases, units
from tests.attacks import SHAPES

if TYPE_CHECKING:
    from collections.abc import Callable

IS_LONG = os.environ.get("CASEBOOK_GROWTH") == "long"

MANY = (2000,)
"""Characters at which a paste of many lines is tried first."""

LINES = SHAPES if IS_LONG else (" ", "0", "0.", "a ", "a=", '\\"', "(", "<", "[", ":", "0f", "0, ", "a_", "-")


def line(shape: str, size: int) -> str:
    """Return one line that repeats `shape`."""
    return shape * (size // len(shape)) + "!"


def paragraph(shape: str, size: int) -> str:
    """Return lines of twenty times `shape`."""
    one = shape * 20 + "\n"
    return one * (size // len(one) + 1)


def _name(text: str) -> None:
    """Make a safe name and a title of what a sender calls a file."""
    with contextlib.suppress(InvalidNameError):
        names.split(text)
    names.is_made_title(names.title_for([text, text]), [text])


def _manifest(text: str) -> bytes:
    """Return the manifest of a bundle whose files and hosts have long names."""
    row = {"path": text, "host": "a", "boot": "b", "phase": "during"}
    return json.dumps({"members": [row, *({**row, "path": one} for one in text.split("\n"))]}).encode()


def redaction(text: str) -> None:
    """Redact a text as a case of its own, scan the result for leaks and list its open tokens."""
    content = text.encode()
    redactor = Redactor(b"k" * 32)
    redactor.learn([content])
    redactor.settle()
    redacted = b"".join(redactor.redact([content]))
    deque(detector_of(redactor).scan(redacted), maxlen=0)
    second_look = second_look_of(redactor)
    deque(second_look.read([redacted], "text"), maxlen=0)
    second_look.classes()


CALLS: dict[str, Callable[[str], object]] = {
    "prompts": lambda text: [prompt_at([*text.split("\n"), ""], at) for at in range(2)],
    "prompts with an open quote": lambda text: prompt_at(["$ cat '", *text.split("\n")], 0),
    "transcripts": lambda text: transcript(Text(text.split("\n"))),
    "options": lambda text: option(text, "-i"),
    "notes": lambda text: without_annotations(Text([f"{one} <-- {one}" for one in text.split("\n")])),
    "quotes": lambda text: [unquoted(text.split("\n")), *runs(text.split("\n"))],
    "sections": lambda text: split.split(text.split("\n")),
    "spans": lambda text: spans(text.split("\n")),
    "stories": lambda text: narrative.detect_narrative(["---", *text.split("\n"), "---"], ["# " + text]),
    "scripts": lambda text: script.read(list(enumerate(text.split("\n"), 1))),
    "frames": lambda text: [normalise(f"a{text}"), classify(text)],
    "compilers' suffixes": lambda text: normalise(text.replace("a", ".isra.0") + ".cold"),
    "releases": lambda text: [
        kernel_families.kernel_of("5.15.0-1-generic", text),
        kernel_releases.numbers(text),
    ],
    "builds": lambda text: [release_dates.built_on(f"#1 SMP {text}"), kernel_releases.debian_package(text)],
    "quantities": lambda text: units.parse(f"1 {text}"),
    "names of uploads": _name,
    "words of the library": lambda text: [documents.plain(text), documents.headings_of(text)],
    "functions in stories": lambda text: list(functions_of(text)),
    "log records": redact,
    "kernel messages": lambda text: [
        kernel_classes.classify(f"{begin}{text}{end}")
        for begin, end in (
            ("", ""),
            ("nvme nvme0: ", "timeout"),
            ("sd 0:0:0:0: ", "hostbyte="),
            ("BUG: ", ""),
            ("e1000e eth0: ", "hang"),
            ("BTRFS error ", "csum failed"),
            ("device-mapper: ", "failed"),
        )
    ],
    "bundles": lambda text: bundle_manifest.placements(_manifest(text)),
}
"""What takes text, by what it takes."""

_TYPED = (
    "\n", " \n", "a\n", "> x\n", "$ ls\n", "# ls\n", "```\n", "````\n```\n", "...\n", "---\n",
    "    x\n", "a <-- b\n", "$ cat '\n", "{\n", "[\n", "if (;\n", "BEGIN {\n", "t:a{@=c(\n", "@[\n",
    "a=1 b=2\n", "a;b 1\n", "==> a <==\n", "Call Trace:\n",
)  # fmt: skip
UNITS = list(dict.fromkeys([*_TYPED, *(f"{one.EXAMPLE}\n" for one in RECOGNISED)]))
"""Lines that make a paste when they are repeated; among them those by which every format is known."""


def _speedscope(size: int) -> bytes:
    """Return a document of speedscope with one stack of many frames, and one long name."""
    many = [{"name": f"a_{at}.isra.{at}"} for at in range(size // 40)]
    profile = {
        "type": "sampled", "name": "a" * size, "unit": "none", "startValue": 0, "endValue": 1,
        "samples": [list(range(len(many)))], "weights": [1],
    }  # fmt: skip
    schema = "https://www.speedscope.app/file-format-schema.json"
    shared = {"frames": [*many, {"name": "a" * size}]}
    return json.dumps({"$schema": schema, "shared": shared, "profiles": [profile]}).encode()


def _chrome(size: int) -> bytes:
    """Return a trace of Chrome: nested calls, and one long name."""
    events = [
        {"ph": kind, "name": "f", "pid": 1, "tid": 1, "ts": at} for at in range(size // 120) for kind in "BE"
    ]
    named = {"ph": "X", "name": "a" * size, "pid": 1, "tid": 1, "ts": 0, "dur": 1}
    return json.dumps({"traceEvents": [*events, named]}).encode()


def _pprof(size: int) -> bytes:
    """Return a profile of pprof with as many names as fit, each of two characters."""
    table = b"".join(bytes((0x32, 2)) + b"ab" for _ in range(size // 4))
    return gzip.compress(bytes((0x32, 0)) + table, 1)


DOCUMENTS: dict[str, Callable[[int], bytes]] = {
    "speedscope": _speedscope,
    "chrome-trace": _chrome,
    "pprof": _pprof,
}
"""Evidence that is one document, by its size."""
