"""`casebook signature hunt`: what a library would newly find, and lose, in past cases.

$ casebook signature hunt ./signatures --name payments
gains 14 of 9,200 cases, loses 1
312  gateway drops
    none → match  net/our-stall on gw7
        The kernel log says that packets are dropped  kern.log:312

The cases are those of a service, or the files and folders in a folder.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.process.confined import ConfinedCommand, Reach
from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from cli.service.connection import Connection
    from cli.service.libraries import HuntCase, HuntDocument

Parts = str | None
READINGS = "casebook/readings"


def _own_cache() -> Path:
    """Return where readings are kept when no folder is named: below XDG_CACHE_HOME (`~/.cache`)."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if home else Path.home() / ".cache") / READINGS


@click.command(
    "hunt",
    cls=ConfinedCommand,
    reach=Reach(reads=("folder", "evidence"), keeps=("kept",), only_with="evidence"),
)
@click.argument(
    "folder", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option(
    "--evidence",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Hunt in this folder instead of a service: each file, archive or folder in it is a case.",
)
@click.option(
    "--kept",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    default=_own_cache,
    help="Where the readings of --evidence are kept, so that the next hunt opens no evidence; default: "
    f"~/.cache/{READINGS}.",
)
@click.option("--name", metavar="NAME", help="Name of the library; default: that of the folder.")
@click.option(
    "--apply", "applies", is_flag=True, help="Judge the cases that change again, by the libraries in use."
)
@click.option("--cancel", is_flag=True, help="Cancel the hunt in progress; what is done stays.")
@click.option("--resume", is_flag=True, help="Go on with the newest hunt, if it was cancelled or failed.")
@click.option(
    "-L", "--limit", metavar="N", type=click.IntRange(0), default=50, show_default=True, help="Cases shown."
)
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@service_options
def hunt(
    *,
    folder: Path | None,
    evidence: Path | None,
    kept: Path,
    name: Parts,
    applies: bool,
    cancel: bool,
    resume: bool,
    limit: int,
    as_json: bool,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Hunt a library in past cases of a service, or of a folder: which it gains and loses, and why.

    DIR is uploaded as the next version of the library, which is in shadow then; without DIR the newest
    version of --name is hunted. No evidence is read again. The service pauses while other work is due, and
    goes on when this command is interrupted.

    With --evidence no service is asked: cases of a folder are judged by the library of Casebook, and as DIR
    changes it.

    The token is a curator's. Exit status: 0 nothing changes; 4 cases gain or lose a verdict, or the library
    cannot be read; 5 nothing changes in what could be read; 1 cancelled or failed; 2 usage error; 3 the
    service refused; 6 it failed; 7 unreachable.
    """
    from cli.commands.library import upload  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.process.progress import ProgressLine  # noqa: PLC0415 - same
    from cli.service import libraries  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    if evidence is not None:
        if folder is None or name or applies or cancel or resume:
            raise click.UsageError("--evidence wants the folder of a library, and nothing of a service")
        sys.exit(_hunted(folder, evidence, kept, limit, as_json=as_json))
    chosen = name or (folder.resolve().name.lower() if folder else "")
    if not chosen and not (cancel or resume):
        raise click.UsageError("give the folder of a library, or --name")
    line = ProgressLine()
    with Connection(service_of(url, token, profile)) as connection:
        if cancel or resume:
            found = _newest(connection, "running" if cancel else "")
            run = connection.change("POST", f"hunts/{found['id']}/{'cancel' if cancel else 'resume'}", {})
        else:
            if folder is not None:
                upload(connection, chosen, folder)
                newest = libraries.settled(connection, chosen)["newest"]
                if newest is not None and newest["state"] == "failed":
                    print_text("".join(f"{text}\n" for text in libraries.version_lines(newest)))
                    sys.exit(exits.CHECK_FAILED)
            run = connection.change("POST", "hunts", {"library": chosen, "applies": applies})
        if not cancel:
            run = libraries.follow(connection, run, lambda now: line.show(libraries.hunt_line(now)))
            line.clear()
        rows: list[HuntCase] = list(connection.items(f"hunts/{run['id']}/cases", limit)) if limit else []
    if as_json:
        print_text(json.dumps({"hunt": run, "cases": rows}, indent=2, ensure_ascii=False) + "\n")
    else:
        lines = [libraries.hunt_line(run), *(text for row in rows for text in libraries.case_lines(row))]
        print_text("".join(f"{text}\n" for text in lines))
    if run["state"] == "failed" or (run["state"] == "cancelled" and not cancel):
        sys.exit(1)
    if run["gained"] or run["lost"]:
        sys.exit(exits.CHECK_FAILED)


def _hunted(folder: Path, evidence: Path, kept: Path, limit: int, *, as_json: bool) -> int:
    """Hunt in a folder of cases, print what changes, and return the exit status."""
    from cli.evidence.hunt import hunt as hunt_below  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.process.libraries import refuse_empty  # noqa: PLC0415 - same
    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.process.progress import ProgressLine  # noqa: PLC0415 - same
    from cli.service.libraries import verdict_lines  # noqa: PLC0415 - same
    from signatures.rendering.lines import bare  # noqa: PLC0415 - same

    refuse_empty([folder])
    line = ProgressLine()
    try:
        found = hunt_below(folder, evidence, kept, lambda done, total: line.step("hunting", done, total))
    except OSError as error:
        raise click.ClickException(f"{error.filename or evidence}: {error.strerror}") from None
    line.clear()
    for problem in found.problems:
        click.echo(f"skipped: {problem}", err=True)
    if as_json:
        document = {name: getattr(found, name) for name in ("signatures", "total", "gained", "lost")}
        document |= {"opened": found.total - found.was_kept, "problems": found.problems}
        rows = found.cases[:limit]
        print_text(json.dumps({"hunt": document, "cases": rows}, indent=2, ensure_ascii=False) + "\n")
    else:
        click.echo(f"{found.total - found.was_kept:,} cases read, {found.was_kept:,} kept", err=True)
        lines = [f"gains {found.gained:,} of {found.total:,} cases, loses {found.lost:,}"]
        for row in found.cases[:limit]:
            lines += [bare(row["case"]), *(f"    not read: {bare(one)}" for one in row["unread"])]
            lines += verdict_lines(row["verdicts"])
        print_text("".join(f"{text}\n" for text in lines))
    if found.problems or found.gained or found.lost:
        return exits.CHECK_FAILED
    return 0 if found.is_whole else exits.INCOMPLETE


def _newest(connection: Connection, state: str) -> HuntDocument:
    found = [one for one in connection.items("hunts", 1) if not state or one["state"] == state]
    if not found:
        raise click.ClickException("no hunt is in progress" if state else "there is no hunt")
    first: HuntDocument = found[0]
    return first
