"""The program with arbitrary code in place of one command's work: `python … CODE COMMAND ARGUMENT…`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

from cli import COMMANDS, main

if __name__ == "__main__":
    code, name, *below = Path(sys.argv[1]).read_text(), *sys.argv[2:]
    command = importlib.import_module(COMMANDS[name].module).command
    if isinstance(command, click.Group):
        command = command.commands[below[0]]

    def work(**_: object) -> None:
        names: dict[str, object] = {}
        exec(code, names)  # noqa: S102 - it stands for a reader that was taken over
        sys.stdout.write(f"{names['result']}\n")

    command.callback = work
    main(sys.argv[2:])
