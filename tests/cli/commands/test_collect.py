"""`casebook collect` runs the collector that an instance serves."""

from __future__ import annotations

from click.testing import CliRunner

from cli import main
from ingest import collect


def test_it_prints_the_script_for_another_host():
    done = CliRunner().invoke(main, ["collect", "--print"])
    assert done.exit_code == 0
    assert done.stdout == collect.script()


def test_options_are_those_of_the_collector():
    done = CliRunner().invoke(main, ["collect", "--help"])
    assert done.exit_code == 0
    assert "--grab" in done.stdout


def test_its_exit_status_is_that_of_the_collector(capfd):
    done = CliRunner().invoke(main, ["collect", "--seconds", "99"])
    assert done.exit_code == 2
    assert "--seconds is 1 to 10" in capfd.readouterr().err
