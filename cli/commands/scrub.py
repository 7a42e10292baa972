"""`casebook scrub`: check every stored object against its digest.

$ casebook scrub
damaged   9f86d081…  cases 12, 15
4,120 objects (96 MB) read: 0 missing, 1 damaged, 0 orphaned
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.process.progress import MEGABYTE, ProgressLine
from cli.service.running import data_dir_option, database_failure, database_server, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.operations.scrub import Scrubbed


@click.command("scrub")
@click.option(
    "--backup",
    "directory",
    metavar="DIRECTORY",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Check a backup instead of the object store.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@data_dir_option
def command(directory: Path | None, data_dir: Path | None, *, as_json: bool) -> None:
    """Read every object of the store, and list those that are missing, damaged or orphaned, with their cases.

    Sending the bytes of a missing or damaged file again heals it. An orphaned object is older than a day, and
    no row of the database names it: it takes space, and nothing is lost.

    Exit status: 0 nothing is missing or damaged; 1 failed; 2 usage error; 4 an object is missing or damaged.
    """
    if directory is not None:
        _check_backup(directory, as_json=as_json)
        return
    import psycopg  # noqa: PLC0415 - keeps `casebook --help` fast
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 - same

    from backend.core.errors import CasebookError  # noqa: PLC0415 - same
    from backend.operations.scrub import scrub  # noqa: PLC0415 - same

    settings = settings_of(data_dir)
    line = ProgressLine()
    try:
        with database_server(settings, say=line.show):
            found = scrub(settings, line.step)
    except CasebookError as error:
        raise click.ClickException(str(error)) from None
    except (DBAPIError, psycopg.Error) as error:
        raise click.ClickException(database_failure(error)) from None
    finally:
        line.clear()
    if as_json:
        click.echo(json.dumps(asdict(found), indent=2))
    else:
        for text in _lines(found):
            click.echo(text)
    if found.has_losses:
        raise SystemExit(exits.CHECK_FAILED)


def _check_backup(directory: Path, *, as_json: bool) -> None:
    from backend.operations.backup.checking import problems_of  # noqa: PLC0415 - same
    from backend.operations.backup.manifest import BackupError  # noqa: PLC0415 - same
    from cli.process.progress import ProgressLine  # noqa: PLC0415 - keeps `casebook --help` fast

    line = ProgressLine()
    try:
        problems = list(problems_of(directory, line.step))
    except BackupError as error:
        problems = [str(error)]
    finally:
        line.clear()
    if as_json:
        click.echo(json.dumps({"backup": str(directory), "problems": problems}, indent=2))
    else:
        for problem in problems or ["every part of the backup matches its digest"]:
            click.echo(problem)
    if problems:
        raise SystemExit(exits.CHECK_FAILED)


def _lines(found: Scrubbed) -> Iterator[str]:
    counts = {"missing": 0, "damaged": 0, "orphaned": 0}
    for one in found.faults:
        counts[one.fault] += 1
        cases = f"  cases {', '.join(map(str, one.cases))}" if one.cases else ""
        yield f"{one.fault:<9} {one.name}{cases}"
    summary = ", ".join(f"{count:,} {fault}" for fault, count in counts.items())
    yield f"{found.objects:,} objects ({found.size_bytes // MEGABYTE:,} MB) read: {summary}"
