"""The supported formats as rows, listed without importing their readers.

`make build` compiles the rows: `python -m ingest.format_list`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest import tables
from ingest.compiled import Compiled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.parsing.protocols import DocumentFormat, Format

PACKAGE = Path(__file__).parent
COMPILED = Compiled("formats.json", ("readers/**/*.py", "reference.py", "model/limits.py", "format_list.py"))

_PROCESS = re.compile(r"(-p|--pid) 1\b")


class FormatRow(NamedTuple):
    """One format.

    Attributes:
        is_file: A captured file, recognised by its path; otherwise output of a tool, recognised by content.
        summary: First sentence of the reader's documentation.
        limit: How much of it is read, or by which paths it is recognised, as words.
        command: A command line that prints it; "" when none is known.
    """

    name: str
    title: str
    is_file: bool
    summary: str
    limit: str
    example: str
    command: str = ""


def format_rows() -> list[FormatRow]:
    """Return a row for each output of a tool, then for each captured file."""
    compiled = COMPILED.load(PACKAGE)
    return _rows() if compiled is None else [FormatRow(*row) for row in compiled]


def write(package: Path = PACKAGE) -> None:
    """Compile the rows, the index of the readers, tables and literals into a copy of this package."""
    from ingest.parsing import class_finder, required_literals  # noqa: PLC0415 - imports every reader
    from ingest.readers import write_index  # noqa: PLC0415 - same
    from ingest.sections import recognise  # noqa: PLC0415 - same

    tables.write(package)
    write_index(package)
    required_literals.write(package, (*class_finder.PATTERNS, *recognise.expressions()))
    COMPILED.write(package, _rows())


def _rows() -> list[FormatRow]:
    from ingest import reference  # noqa: PLC0415 - imports every reader
    from ingest.readers import DOCUMENTS, FILES, FORMATS, import_all  # noqa: PLC0415 - same
    from ingest.readers.logs import text  # noqa: PLC0415 - same

    import_all()
    outputs: tuple[Format | DocumentFormat, ...] = (*FORMATS, *DOCUMENTS, text)
    rows = [
        FormatRow(
            one.NAME,
            one.TITLE,
            False,
            reference.summary(one),
            reference.limit_of(one),
            one.EXAMPLE,
            _command(getattr(one, "COMMAND", "")),
        )
        for one in outputs
    ]
    for file in FILES:
        limit = f"by path: {', '.join(file.PATHS) or 'none'}"
        summary, command = reference.summary(file), _command_of(file.PATHS)
        rows.append(FormatRow(file.NAME, file.TITLE, True, summary, limit, file.EXAMPLE, command))
    return rows


def _command(sample: str) -> str:
    """Return the command of a sample with a placeholder for its process; "" where it shows a file."""
    return "" if sample.startswith("cat ./") else _PROCESS.sub(r"\1 PID", sample)


def _command_of(paths: Sequence[str]) -> str:
    """Return the command that prints a captured file: `cat`, or what sosreport names it by."""
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder.startswith("sos_commands/"):
            command = name.replace("_", " ").replace("*", "").strip(" -")
            if command:
                return command
        elif folder.startswith(("proc", "sys/", "etc")) and "*" not in path.replace("proc/*/", ""):
            return f"cat /{path.replace('proc/*/', 'proc/PID/')}"
    return ""


if __name__ == "__main__":
    write()
