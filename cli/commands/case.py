"""`casebook case`: list, show, change, annotate, close and reopen cases of a service.

$ casebook case list --state open
12  open  high  db7: 40 s stalls  2026-11-21 11:40  mm/memcg-limit-reclaim
$ casebook case note 12 --body 'memory.high raised to 6 GiB, watching'
$ casebook case set 12 --status mitigated --severity high --assignee ada --tag postgres
$ casebook case event 12 started --at 2026-11-21T03:07 --text 'Queries time out'
$ casebook case close 12 --cause 'memory limit' --signature mm/memcg-limit-reclaim --fix 'limit raised'
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import NoSuchCommand

from cli.commands.case_incident import TIMES, event, set_fields
from cli.service.column_names import Columns
from cli.service.options import service_of, service_options

if TYPE_CHECKING:
    from typing import TextIO

    from signatures.rendering.case_columns import Column

as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
number_argument = click.argument("number", metavar="N")
Parts = str | None
OTHER_NAMES = {"comment": "note", "ls": "list", "search": "list", "view": "show"}
"""What other programs call our commands."""


class CaseGroup(click.Group):
    """A group that knows what other programs call its commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand of the arguments; an unknown one fails with the most similar name."""
        try:
            return super().resolve_command(ctx, args)
        except NoSuchCommand as error:
            ours = OTHER_NAMES.get(error.command_name)
            if ours is None:
                raise
            raise click.UsageError(f"{error.message} Did you mean {ours!r}?", ctx) from None


@click.group("case", cls=CaseGroup)
def command() -> None:
    """List, show, change, annotate, close and reopen cases of a service.

    N is the number or UUID of a case. Exit status: 0 done; 2 usage error; 3 the service refused; 6 it failed;
    7 it was unreachable.
    """


@command.command("list")
@click.option("-q", "--query", "q", metavar="QUERY", help="Words and fields, such as: memory host:db7.")
@click.option(
    "-s",
    "--state",
    type=click.Choice(["open", "closed", "all"]),
    default="open",
    show_default=True,
    help="State of the case.",
)
@click.option(
    "--severity", type=click.Choice(["critical", "high", "medium", "low"]), help="Severity of the case."
)
@click.option("--signature", metavar="ID", help="Signature that matches or is suspected.")
@click.option("--verdict", type=click.Choice(["match", "suspect"]), help="Verdict of some finding.")
@click.option("--host", metavar="NAME", help="Host of the evidence.")
@click.option("--kernel", metavar="RELEASE", help="Kernel release, or its beginning, such as 6.1.")
@click.option("--frame", metavar="FUNCTION", help="Function in a profile.")
@click.option("--log-class", metavar="CLASS", help="Class of a kernel log record, such as oom_kill.")
@click.option("--since", type=click.DateTime(TIMES), metavar="TIME", help="Opened then or later, in UTC.")
@click.option("--until", type=click.DateTime(TIMES), metavar="TIME", help="Opened before, in UTC.")
@click.option(
    "-L", "--limit", metavar="N", type=click.IntRange(1), default=30, show_default=True, help="Cases at most."
)
@click.option(
    "-c",
    "--columns",
    type=Columns(),
    help="Columns in their order, separated by commas, such as: number,headline,owner.",
)
@as_json_option
@service_options
def list_cases(
    *,
    state: str,
    limit: int,
    columns: list[Column] | None,
    as_json: bool,
    url: Parts,
    token: Parts,
    profile: Parts,
    **filters: Any,
) -> None:
    """List cases: those of a query by relevance, else the newest first.

    A case has number, state, severity, title, time of the last change, and the signature of its headline, if
    any, or the columns that are named; with --json these are the fields of an object. Columns are separated
    by tabs where the output is no terminal.

    \b
    Columns: number title headline finding problem host kernel distro class
             severity status state owner team tag label seen files cause fix
             opened changed closed
    """  # noqa: D301 - click reads the backspace
    from cli.process.output import print_text, width  # noqa: PLC0415 - same
    from cli.service import cases  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - same
    from signatures.rendering.case_columns import cells  # noqa: PLC0415 - same
    from signatures.rendering.case_text import DEFAULT, case_rows  # noqa: PLC0415 - keeps help fast

    with Connection(service_of(url, token, profile)) as connection:
        found = cases.cases(connection, limit, state, filters)
    if as_json:
        shown = found if columns is None else [cells(columns, one) for one in found]
        print_text(json.dumps(shown, indent=2) + "\n")
    elif not found and sys.stdout.isatty():
        click.echo(f"no {'' if state == 'all' else f'{state} '}case matches", err=True)
    else:
        rows = case_rows(found, width() if sys.stdout.isatty() else None, columns or DEFAULT)
        print_text("".join(f"{row}\n" for row in rows))


@command.command("show")
@number_argument
@as_json_option
@service_options
def show(*, number: str, as_json: bool, url: Parts, token: Parts, profile: Parts) -> None:
    """Show a case with its findings and notes."""
    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.service.cases import case_document  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - same
    from signatures.documents.alarm import any_finding_from  # noqa: PLC0415 - same
    from signatures.rendering.case_text import case_lines  # noqa: PLC0415 - keeps help fast

    with Connection(service_of(url, token, profile)) as connection:
        found = case_document(connection, number)
    if as_json:
        print_text(json.dumps(found, indent=2) + "\n")
    else:
        shown = [any_finding_from(one) for one in found["findings"]]
        lines = case_lines(found, shown, found["notes"], connection.url)
        print_text("".join(f"{line}\n" for line in lines))


@command.command("note")
@number_argument
@click.option("-b", "--body", metavar="TEXT", help="Text of the note, in Markdown.")
@click.option(
    "-F", "--body-file", type=click.File(encoding="utf-8"), help="File with the text; - is standard input."
)
@service_options
def note(
    *, number: str, body: str | None, body_file: TextIO | None, url: Parts, token: Parts, profile: Parts
) -> None:
    """Add a note to a case."""
    from cli.service import cases  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    if (body is None) == (body_file is None):
        raise click.UsageError("name the text with --body, or a file with --body-file")
    text = body or "" if body_file is None else body_file.read()
    with Connection(service_of(url, token, profile)) as connection:
        cases.add_note(connection, number, text)
    click.echo(f"added a note to case {number}")


@command.command("close")
@number_argument
@click.option("--cause", metavar="TEXT", default="", help="What caused it.")
@click.option("--signature", metavar="ID", default="", help="The signature of the cause.")
@click.option("--fix", metavar="TEXT", default="", help="What fixed it.")
@service_options
def close(
    *, number: str, cause: str, signature: str, fix: str, url: Parts, token: Parts, profile: Parts
) -> None:
    """Close a case, with its resolution."""
    from cli.service import cases  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        closed = cases.close(connection, number, cause=cause, signature=signature, fix=fix)
    click.echo(f"closed case {closed}")


@command.command("reopen")
@number_argument
@service_options
def reopen(*, number: str, url: Parts, token: Parts, profile: Parts) -> None:
    """Reopen a closed case; its resolution stays."""
    from cli.service import cases  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        reopened = cases.reopen(connection, number)
    click.echo(f"reopened case {reopened}")


@command.command("issue")
@number_argument
@click.option(
    "--for",
    "tracker",
    type=click.Choice(["github", "gitlab", "jira"]),
    default="github",
    show_default=True,
    help="Whose markup the text has.",
)
@click.option("--finding", metavar="ID", help="Finding that it is about; all without one.")
@as_json_option
@service_options
def issue(
    *,
    number: str,
    tracker: str,
    finding: str | None,
    as_json: bool,
    url: Parts,
    token: Parts,
    profile: Parts,
) -> None:
    """Print the text of an issue about a case: the title, an empty line, the body.

    \b
    casebook case issue N --for jira
    casebook case issue N --json | jq -r .body > body.md && gh issue create -F body.md
    """  # noqa: D301 - click reads the backspace
    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.service import cases  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        made = cases.issue_of(connection, number, tracker, finding)
    print_text(json.dumps(made, indent=2) + "\n" if as_json else f"{made['title']}\n\n{made['body']}")


@command.command("open")
@number_argument
@service_options
def open_page(*, number: str, url: Parts, token: Parts, profile: Parts) -> None:
    """Open the page of a case in the browser, and print its URL."""
    from cli.service.cases import page_of  # noqa: PLC0415 - keeps help fast
    from cli.service.connection import Connection  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        page = page_of(connection, number)
    click.echo(page)
    if sys.stdout.isatty():
        click.launch(page)


for written in (set_fields, event):
    command.add_command(written)
