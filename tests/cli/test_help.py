"""`casebook --help` and completion list every command without importing any."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import COMMANDS, main

HEAVY = ("numpy", "fastapi", "sqlalchemy", "celery", "pydantic", "yaml")


def test_help_names_every_command_and_imports_nothing_heavy():
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cli", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for name, entry in COMMANDS.items():
        assert entry.is_hidden or f"  {name} " in result.stdout
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in result.stderr.splitlines()}
    assert not imported & set(HEAVY)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name):
    result = CliRunner().invoke(main, [name, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_a_script_of_that_shell(shell):
    result = CliRunner().invoke(main, ["completion", shell])
    assert result.exit_code == 0
    assert "_CASEBOOK_COMPLETE" in result.stdout


LOADED = {
    "bash": (
        'source "$1"; complete -p casebook; COMP_WORDS=(casebook base); COMP_CWORD=1;'
        ' _casebook_completion casebook; echo "${COMPREPLY[@]}"'
    ),
    "zsh": 'autoload -Uz compinit; compinit -D; source "$1"; print -r -- "$_comps[casebook] baseline"',
    "fish": 'source $argv[1]; complete -C "casebook base"',
}
"""What loads a script and completes `casebook base`; zsh does so in its line editor alone."""


@pytest.mark.parametrize("shell", LOADED)
def test_a_shell_loads_its_script_and_completes_commands(shell, tmp_path):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "completion"
    script.write_text(CliRunner().invoke(main, ["completion", shell]).stdout)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    words = [program, *options, "-c", LOADED[shell], *([] if shell == "fish" else ["shell"]), str(script)]
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": path, "HOME": str(tmp_path), "TERM": "dumb"},
    )
    assert "baseline" in done.stdout
    assert shell != "zsh" or done.stdout.startswith("_casebook")
    assert done.stderr == ""


def test_tab_completes_commands_and_signatures():
    def complete(words, position):
        environment = {"_CASEBOOK_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": position}
        result = subprocess.run(
            [sys.executable, "-c", "from cli import main; main(prog_name='casebook')"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return result.stdout

    assert "plain,analyze" in complete("casebook an", "1")
    assert "plain,mm/shrink-lruvec-livelock" in complete("casebook signature show mm/sh", "3")
