"""`casebook completion`: shell completion.

$ casebook completion bash > ~/.local/share/bash-completion/completions/casebook
"""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  casebook completion bash > ~/.local/share/bash-completion/completions/casebook
    zsh:   casebook completion zsh > "${fpath[1]}/_casebook"
    fish:  casebook completion fish > ~/.config/fish/completions/casebook.fish
    """  # noqa: D301 - click reads the backspace
    from cli import main  # noqa: PLC0415 - that module imports this one

    made = get_completion_class(shell)
    assert made is not None  # noqa: S101 - click knows all three
    click.echo(made(main, {}, "casebook", "_CASEBOOK_COMPLETE").source())
