"""`casebook case set` and `casebook case event`: the incident of a case.

$ casebook case set 12 --status mitigated --severity high --assignee ada --tag postgres
$ casebook case event 12 started --at 2026-11-21T03:07 --text 'Queries time out'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from datetime import datetime

Parts = str | None
TIMES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


@click.command("set")
@click.argument("numbers", metavar="N…", nargs=-1, required=True)
@click.option("--status", type=click.Choice(["investigating", "mitigated", "resolved"]), help="Status.")
@click.option(
    "--severity", type=click.Choice(["critical", "high", "medium", "low", "none"]), help="Severity."
)
@click.option("--assignee", metavar="NAME", help="Account that works on it; none is nobody.")
@click.option("--team", metavar="NAME", help="Team of the case; none is no team.")
@click.option("--title", metavar="TEXT", help="Title, of one case.")
@click.option("--tag", "add_tags", metavar="WORD", multiple=True, help="Add a tag; repeatable.")
@click.option("--untag", "remove_tags", metavar="WORD", multiple=True, help="Remove a tag; repeatable.")
@service_options
def set_fields(*, numbers: tuple[str, ...], url: Parts, token: Parts, profile: Parts, **given: Any) -> None:
    """Change status, severity, assignee, team, title or tags of cases.

    Several cases change together, or none does. N is the number or UUID of a case.
    """
    from cli.service import incidents  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    changes = {name: value for name, value in given.items() if value not in (None, ())}
    if not changes:
        raise click.UsageError("name a field to change, such as --status mitigated")
    if "title" in changes and len(numbers) > 1:
        raise click.UsageError("--title takes one case")
    with Connection(service_of(url, token, profile)) as connection:
        for line in incidents.set_fields(connection, numbers, changes):
            click.echo(line)


@click.command("event")
@click.argument("number", metavar="N")
@click.argument("kind", type=click.Choice(["started", "detected", "action", "mitigated", "resolved"]))
@click.option(
    "--at", type=click.DateTime(TIMES), metavar="TIME", help="When it happened, in UTC; now if left out."
)
@click.option("--text", metavar="TEXT", default="", help="One sentence.")
@service_options
def event(
    *,
    number: str,
    kind: str,
    at: datetime | None,
    text: str,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Record an event of the incident of a case.

    `mitigated` and `resolved` set the status of the case.
    """
    from cli.service import incidents  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        recorded = incidents.add_event(connection, number, kind, at, text)
    click.echo(f"case {number}: {kind} at {recorded}")
