"""`casebook status`: account, version and queues of the service.

$ casebook status
https://casebook.internal, version 0.1.0, profile default
account  ci (responder), token expires 2027-02-19
heavy    1 queued, 1 running
light    0 queued, 0 running
failed   2 jobs, see Settings, Jobs
"""

from __future__ import annotations

import json

import click

from cli.service.options import service_of, service_options
from signatures.rendering.lines import bare


@click.command("status")
@service_options
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
def command(*, url: str | None, token: str | None, profile: str | None, as_json: bool) -> None:
    """Show which service and account the command uses, and how much work is queued.

    Exit status: 0 the service answered; 2 usage error; 3 the token is refused; 6 the service failed; 7 it was
    unreachable.
    """
    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast

    used = service_of(url, token, profile)
    with Connection(used) as connection:
        account = connection.get("me")
        service = connection.get("status")
    if as_json:
        print_text(
            json.dumps(
                {"url": used.url, "profile": used.name or None, "account": account, **service}, indent=2
            )
            + "\n"
        )
        return
    ends = account.get("expires_at")
    expiry = f"token expires {ends[:10]}" if ends else "token does not expire"
    lines = [
        f"{used.url}, version {bare(service['version'])}{f', profile {used.name}' if used.name else ''}",
        f"account  {bare(account['name'])} ({account['role']}), {expiry}",
        *([] if service["queues"] else ["queues   empty"]),
        *(f"{one['name']:<8} {one['queued']} queued, {one['running']} running" for one in service["queues"]),
        *([f"failed   {service['failed_jobs']} jobs, see Settings, Jobs"] if service["failed_jobs"] else []),
    ]
    print_text("".join(f"{line}\n" for line in lines))
