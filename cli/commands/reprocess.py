"""`casebook reprocess`: read and judge stored cases again after the engine, a format or a signature changed.

$ casebook reprocess --dry-run
1,204 cases to judge, 310 files (2,104.5 MB) to read again, 3 drafts to judge
$ casebook reprocess --older-than 90d
1,204 of 1,204 done; 2 lost a match, 14 have a new match, 40 have another headline only, 1,148 unchanged
"""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import click

from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from datetime import datetime

TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
_AGE = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}


class Age(click.ParamType[timedelta]):
    """A duration such as `12h`, `90d` or `8w`."""

    name = "age"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        """Return the duration."""
        found = _AGE.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is no age; write 12h, 90d or 8w", param, ctx)
        return timedelta(hours=int(found[1]) * _HOURS[found[2]])


@click.command("reprocess")
@click.option("--all", "takes_all", is_flag=True, help="Also cases that this version judged already.")
@click.option("--since", type=click.DateTime(TIMES), metavar="TIME", help="Opened then or later, in UTC.")
@click.option("--until", type=click.DateTime(TIMES), metavar="TIME", help="Opened before, in UTC.")
@click.option("--older-than", type=Age(), metavar="AGE", help="Opened longer ago, such as 90d.")
@click.option("--case", "case", metavar="N", help="This case only.")
@click.option("-n", "--dry-run", is_flag=True, help="Count what there is to do, and begin nothing.")
@click.option("--no-wait", is_flag=True, help="Begin, and do not wait for the end.")
@click.option("--cancel", is_flag=True, help="Cancel the run in progress; what is done stays.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@service_options
def command(
    *,
    takes_all: bool,
    since: datetime | None,
    until: datetime | None,
    older_than: timedelta | None,
    case: str | None,
    dry_run: bool,
    no_wait: bool,
    cancel: bool,
    as_json: bool,
    url: str | None,
    token: str | None,
    profile: str | None,
) -> None:
    """Read and judge stored cases again after an upgrade.

    Evidence is read again where another version of its format read it; cases are judged again where another
    version of the engine judged them, and so are drafts of signatures. A case keeps its verdicts until the
    new ones are whole. The service works on one case at a time, and pauses while other work is due. It goes
    on when this command is interrupted; the page What changed of the settings shows it.

    The token is an admin's. Exit status: 0 done; 1 cancelled or failed; 2 usage error; 3 the service refused;
    6 it failed; 7 it was unreachable.
    """
    from cli.process.progress import ProgressLine  # noqa: PLC0415 - keeps `casebook --help` fast
    from cli.service import reprocess_runs  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - same
    from cli.service.reprocess_lines import count_line, run_line  # noqa: PLC0415 - same

    if until is not None and older_than is not None:
        raise click.UsageError("give --until or --older-than, not both")
    choice = reprocess_runs.choice_of(
        takes_all=takes_all, since=since, until=until, older_than=older_than, case=case
    )
    line = ProgressLine()
    with Connection(service_of(url, token, profile)) as connection:
        if dry_run:
            counts = reprocess_runs.count(connection, choice)
            click.echo(json.dumps(counts) if as_json else count_line(counts))
            return
        try:
            run = reprocess_runs.cancel(connection) if cancel else reprocess_runs.begin(connection, choice)
        except reprocess_runs.NoRunError as error:
            raise click.ClickException(str(error)) from None
        if not no_wait and not cancel:
            run = reprocess_runs.follow(connection, run, lambda now: line.show(run_line(now)))
            line.clear()
    click.echo(json.dumps(run) if as_json else run_line(run))
    if run["state"] == "failed" or (run["state"] == "cancelled" and not cancel):
        raise SystemExit(1)
