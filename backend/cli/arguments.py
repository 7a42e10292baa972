"""Arguments that several subcommands take."""

from __future__ import annotations

import click

evidence_paths = click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, allow_dash=True),
)
"""One or more files, directories or archives; `-` is standard input."""
