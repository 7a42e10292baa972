"""`casebook doctor`: check the installation, and say what to do.

$ casebook doctor
ok       version         Casebook 0.1.0, Python 3.11.7, Linux 6.1.0 on x86_64
problem  database        the database is unreachable: …
                         start the instance with `casebook serve`; …
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from cli.process import exits
from cli.process.output import print_lines
from cli.service.running import data_dir_option
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from backend.operations.doctor.checks import Check

COLOURS = {"ok": "green", "warning": "yellow", "problem": "red", "unknown": "yellow"}
STATE_WIDTH, NAME_WIDTH = 9, 16


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of text.")
@data_dir_option
def command(data_dir: Path | None, *, as_json: bool) -> None:
    """Check versions, database, broker, store, sandbox, clock, disk, jobs and key of this installation.

    It works while the service is stopped, and changes nothing.

    Exit status: 0 no problem, warnings included; 2 usage error; 4 a problem was found.
    """
    checks = []
    for check in _results(data_dir):
        checks.append(check)
        if not as_json:
            print_lines(_lines(check))
    if as_json:
        click.echo(json.dumps([asdict(check) for check in checks], indent=2))
    if any(check.state == "problem" for check in checks):
        raise SystemExit(exits.CHECK_FAILED)


def _results(data_dir: Path | None) -> Iterator[Check]:
    from backend.core.errors import SettingsError  # noqa: PLC0415 - keeps `casebook --help` fast
    from backend.core.settings_environment import load_settings  # noqa: PLC0415 - same
    from backend.operations.doctor.checks import Check  # noqa: PLC0415 - same
    from backend.operations.doctor.examination import examine  # noqa: PLC0415 - same

    try:
        settings = load_settings(data_dir=data_dir) if data_dir else load_settings()
    except SettingsError as error:
        yield Check("settings", "problem", str(error), "correct the environment; nothing else was checked")
        return
    yield from examine(settings)


def _lines(check: Check) -> Iterator[Line]:
    yield Line(f"{check.state:<{STATE_WIDTH}}{check.name:<{NAME_WIDTH}}{check.finding}", COLOURS[check.state])
    if check.remedy:
        yield Line(f"{' ' * (STATE_WIDTH + NAME_WIDTH)}{check.remedy}")
