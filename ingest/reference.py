"""Generate the page of formats, facts and limits from the modules themselves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ingest import catalogue, fact_catalogue
from ingest.catalogue.log_classes import CLASSES
from ingest.catalogue.log_classes.fields import FIELDS
from ingest.model.limits import DEFAULT
from ingest.readers import BY_CONTENT, DOCUMENTS, FILES, FORMATS, STREAMS, import_all
from ingest.readers.logs import text as plain
from ingest.tables import files as resources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.limits import Limits
    from ingest.parsing.protocols import CapturedFile, DocumentFormat, Format

MAX_SHOWN = 4
"""Maximum paths of a reader, and lines of an example, on the page."""

EXAMPLE_WIDTH = 110


def page() -> str:
    """Return the whole page as Markdown."""
    import_all()
    parts = [
        _prose("opening.md"),
        "\n".join(_formats()),
        "\n".join(_captured()),
        "\n".join(_facts()),
        _prose("rows.md"),
        "\n".join(_log_classes()),
        "\n".join(_limits(DEFAULT)),
    ]
    return "\n".join(parts)


def _prose(name: str) -> str:
    return (resources(catalogue) / name).read_text(encoding="utf-8")


def summary(module: Format | CapturedFile | DocumentFormat) -> str:
    """Return the first sentence of the module's docstring: what is read."""
    name = getattr(module, "__name__", "")
    paragraph = (sys.modules[name].__doc__ or "").strip().split("\n\n")[0]
    return " ".join(paragraph.split())


def how(module: Format | DocumentFormat) -> str:
    """Return how the format is read, which decides its limit."""
    if module.NAME in STREAMS or module.NAME == plain.NAME:
        return "stream"
    if any(module.NAME == document.NAME for document in DOCUMENTS):
        return "document"
    return "text"


def limit_of(module: Format | DocumentFormat, limits: Limits = DEFAULT) -> str:
    """Return how much of the format is read, as words."""
    sizes = {
        "stream": f"up to {limits.decoded_bytes >> 30} GiB, not held",
        "document": f"up to {limits.document_bytes >> 20} MiB, held whole",
        "text": f"up to {limits.buffered_bytes >> 20} MiB a section, held",
    }
    return sizes[how(module)]


def _formats() -> Iterator[str]:
    yield "## Output formats"
    yield ""
    yield "| name | what | read as | module |"
    yield "| --- | --- | --- | --- |"
    every: Sequence[Format | DocumentFormat] = (*FORMATS, *DOCUMENTS, plain)
    for one in every:
        module = _place(getattr(one, "__name__", ""))
        yield f"| `{one.NAME}` | {one.TITLE} | {how(one)} | `{module}` |"
    yield ""
    for example in {how(one): one for one in every}.values():
        yield f"- *{how(example)}*: {limit_of(example)}."
    yield ""
    for one in every:
        yield f"### `{one.NAME}`"
        yield ""
        yield summary(one)
        yield ""
        yield from _example(one.EXAMPLE, getattr(one, "COMMAND", ""))
    yield "A module's docstring shows more output that it reads, and names the program that prints it."
    yield ""


def _place(module: str) -> str:
    """Return the place of a module without its suffix, that of a form of lines with it."""
    place = module.replace(".", "/")
    form = f"{place}.yaml"
    return form if (Path(__file__).parents[1] / form).is_file() else place


def _example(text: str, command: str) -> Iterator[str]:
    """Yield an example as a block of at most a few lines, below the command that prints it."""
    lines = text.split("\n")
    yield "```text"
    if command:
        yield f"$ {command}"
    for line in lines[:MAX_SHOWN]:
        shown = line.rstrip()
        yield shown if len(shown) <= EXAMPLE_WIDTH else f"{shown[: EXAMPLE_WIDTH - 1]}…"
    yield "```"
    yield ""


def _captured() -> Iterator[str]:
    yield "## Captured files"
    yield ""
    yield "| name | what | by path |"
    yield "| --- | --- | --- |"
    for one in FILES:
        shown = ", ".join(f"`{path}`" for path in one.PATHS[:MAX_SHOWN])
        more = " …" if len(one.PATHS) > MAX_SHOWN else ""
        yield f"| `{one.NAME}` | {one.TITLE} | {shown}{more} |"
    yield ""
    names = ", ".join(f"`{one.NAME}`" for one in BY_CONTENT)
    yield f"Recognised without a path too: {names}."
    yield ""


def _facts() -> Iterator[str]:
    yield "## Facts"
    yield ""
    yield (
        "A fact has a name, a value, a unit, labels and the line it stands in. Names are dotted"
        " lower case; shares are"
    )
    yield (
        "0..1; a limit of `max` is infinite. `<key>` is the name that the kernel or the tool prints,"
        " in lower case."
    )
    yield "`casebook facts` lists them with examples."
    yield ""
    yield "| fact | value | labels | what it says | read by |"
    yield "| --- | --- | --- | --- | --- |"
    for entry in fact_catalogue.entries():
        value = " or ".join(entry.units) or " or ".join(entry.types)
        labels = " ".join(f"`{label}`" for label in entry.labels)
        readers = ", ".join(entry.formats)
        yield f"| `{entry.name}` | {value} | {labels} | {entry.meaning} | {readers} |"
    yield ""


def _log_classes() -> Iterator[str]:
    yield "## Classes of kernel messages"
    yield ""
    yield f"{len(CLASSES)} classes; a message is of the first that its text matches."
    yield "`critical`: data lost, or a machine, device or filesystem out of service; `error`: an operation"
    yield "failed or a process was killed; `warning`: something degraded, retried, short; `notice`: a change"
    yield "of state, which may be a cause of what follows."
    yield ""
    yield "| class | area | subsystem | severity | meaning |"
    yield "| --- | --- | --- | --- | --- |"
    for one in sorted(CLASSES, key=lambda one: (one.area, one.subsystem, one.name)):
        yield f"| `{one.name}` | {one.area} | {one.subsystem} | {one.severity} | {one.meaning} |"
    yield ""
    yield "Fields of the records:"
    yield ""
    yield "| field | unit | meaning |"
    yield "| --- | --- | --- |"
    for name, field in sorted(FIELDS.items()):
        yield f"| `{name}` | {field.unit} | {field.meaning} |"
    yield ""


def _limits(limits: Limits) -> Iterator[str]:
    yield "## Limits"
    yield ""
    yield "| what | limit |"
    yield "| --- | --- |"
    yield f"| one evidence after decompression | {limits.decoded_bytes >> 30} GiB |"
    yield f"| one line | {limits.line_bytes >> 20} MiB |"
    yield f"| members of one archive | {limits.members:,} |"
    yield f"| one member that is read | {limits.member_bytes >> 30} GiB |"
    yield f"| decoded ÷ stored bytes, above {limits.ratio_free_bytes >> 20} MiB | {limits.expansion_ratio} |"
    yield f"| archives inside archives | {limits.archive_depth} |"
    yield f"| length of a captured path | {limits.path_bytes:,} bytes |"
    yield f"| a document: JSON or protocol buffer of a profiler | {limits.document_bytes >> 20} MiB |"
    yield (
        f"| text that is split into sections as a whole; longer text is split in windows of this size"
        f" | {limits.sectioned_bytes >> 20} MiB |"
    )
    yield f"| a section that is not read as a stream is held up to | {limits.buffered_bytes >> 20} MiB |"
    yield ""
    yield "The service adds its own: bytes of one request, and time and memory of the reading child"
    yield (
        "([operations.md](operations.md)). `GET /api/v1/limits` and the page state them before"
        " anything is sent."
    )
    yield ""
