"""`casebook kernels`: kernels of hosts, the problems that affect them, and inventories of hosts.

$ casebook kernels list
6.12.20  1,204 listed  6 affecting  6.12.94 clears 2 of 6
$ casebook kernels show 6.12.20
$ casebook kernels upload hosts.csv --source cmdb
1,204 hosts of cmdb stored, 2 rows not read
row 7: no release
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cli.service.options import service_of, service_options

Parts = str | None
as_json_option = click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
release_argument = click.argument("release", metavar="RELEASE")


@click.group("kernels")
def command() -> None:
    """List kernels of hosts and the problems that affect them; upload inventories of hosts.

    Exit status: 0 done; 2 usage error; 3 the service refused; 6 it failed; 7 it was unreachable.
    """


@command.command("list")
@click.option("-q", "--query", "q", metavar="TEXT", help="Part of a release or of the name of a host.")
@click.option("--problem", metavar="ID", help="Signature that affects them, or was found on them.")
@click.option("--family", metavar="NAME", help="Whose builds they are, such as Debian.")
@click.option("--source", metavar="NAME", help="Source of an inventory, without cases.")
@click.option("--cluster", metavar="NAME", help="Cluster of an inventory, without cases.")
@click.option(
    "--sort",
    type=click.Choice(["hosts", "affecting", "release"]),
    default="hosts",
    show_default=True,
    help="Order of the kernels.",
)
@click.option(
    "-L",
    "--limit",
    metavar="N",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="Kernels at most.",
)
@as_json_option
@service_options
def list_kernels(
    *, sort: str, limit: int, as_json: bool, url: Parts, token: Parts, profile: Parts, **filters: Any
) -> None:
    """List kernels with hosts, the number of problems that affect them, and what clears most."""
    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast
    from cli.service.kernels import kernel_row  # noqa: PLC0415 - same

    given = {name: value for name, value in filters.items() if value}
    order = sort if sort == "release" else f"-{sort}"
    with Connection(service_of(url, token, profile)) as connection:
        found = list(connection.items("kernels", limit, **given, sort=order))
    if as_json:
        print_text(json.dumps(found, indent=2) + "\n")
    else:
        print_text("".join(f"{kernel_row(one)}\n" for one in found))


@command.command("show")
@release_argument
@click.option("--package", default="", metavar="VERSION", help="Package of the build, as `list` names it.")
@as_json_option
@service_options
def show(*, release: str, package: str, as_json: bool, url: Parts, token: Parts, profile: Parts) -> None:
    """Show why each problem affects a kernel or not, and what other releases clear."""
    from urllib.parse import quote  # noqa: PLC0415 - same

    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast
    from cli.service.kernels import kernel_lines  # noqa: PLC0415 - same

    with Connection(service_of(url, token, profile)) as connection:
        found = connection.get(f"kernels/{quote(release, safe='')}", package=package)
    if as_json:
        print_text(json.dumps(found, indent=2) + "\n")
    else:
        print_text("".join(f"{line}\n" for line in kernel_lines(found)))


@command.command("upload")
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--source", required=True, metavar="NAME", help="Source whose hosts are replaced.")
@click.option("--team", "team_id", metavar="ID", help="Team that sees it; everybody without one.")
@as_json_option
@service_options
def upload(
    *, file: Path, source: str, team_id: Parts, as_json: bool, url: Parts, token: Parts, profile: Parts
) -> None:
    """Replace the hosts of a source: CSV with a header, or a JSON array (.json).

    Columns: host, release, and optionally build (`uname -v`), distro, instance_type, cluster.
    """
    from urllib.parse import quote  # noqa: PLC0415 - same

    from cli.process.output import print_text  # noqa: PLC0415 - same
    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast
    from signatures.rendering.lines import bare  # noqa: PLC0415 - same

    media_type = "application/json" if file.suffix == ".json" else "text/csv"
    team = {"team_id": team_id} if team_id else {}
    with Connection(service_of(url, token, profile)) as connection:
        path = f"inventories/{quote(source, safe='')}"
        written = connection.replace(path, file.read_bytes(), media_type, **team)
    if as_json:
        print_text(json.dumps(written, indent=2) + "\n")
        return
    rejected = f", {written['rejected']:,} rows not read" if written["rejected"] else ""
    lines = [f"{written['hosts']:,} hosts of {bare(written['source'])} stored{rejected}"]
    lines += [f"row {one['row']}: {bare(one['reason'])}" for one in written["first_rejected"]]
    print_text("".join(f"{line}\n" for line in lines))


@command.command("delete")
@click.option("--source", required=True, metavar="NAME", help="Source of the inventory.")
@click.option("--team", "team_id", metavar="ID", help="Team that sees it; everybody without one.")
@service_options
def delete(*, source: str, team_id: Parts, url: Parts, token: Parts, profile: Parts) -> None:
    """Delete an inventory with its hosts."""
    from urllib.parse import quote  # noqa: PLC0415 - same

    from cli.service.connection import Connection  # noqa: PLC0415 - keeps help fast

    team = {"team_id": team_id} if team_id else {}
    with Connection(service_of(url, token, profile)) as connection:
        connection.delete(f"inventories/{quote(source, safe='')}", **team)
