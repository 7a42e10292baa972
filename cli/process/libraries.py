"""Libraries of a team, used together with that of Casebook.

    casebook analyze --library ./signatures evidence/
    casebook signature --library ./signatures lint

`--library` names them, else CASEBOOK_LIBRARIES, else `casebook.toml` in the working directory or the nearest
folder above it:

    libraries = ["signatures"]

Paths in the file are relative to it. An empty CASEBOOK_LIBRARIES leaves the file out.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.language.model import Catalog

FILE = "casebook.toml"
VARIABLE = "CASEBOOK_LIBRARIES"
KEY = "libraries"
NAMED = "casebook.libraries"
"""Key of a context under which the libraries are that were named before the subcommand."""
LAYOUT = "<area>/<name>/signature.yaml"


def catalog_of(libraries: Sequence[Path]) -> Catalog:
    """Return what evidence is judged by; say which shipped signatures a library replaces.

    Raises:
        UsageError: A folder has no signature.
    """
    from signatures.document.catalog import catalog_with, load_catalog  # noqa: PLC0415 - keeps `--help` fast

    if not libraries:
        return load_catalog()
    refuse_empty(libraries)
    found = catalog_with(libraries)
    for name in found.replaced:
        click.echo(f"{name} is judged as the team's library has it, not as Casebook ships it", err=True)
    return found


def refuse_empty(libraries: Sequence[Path]) -> None:
    """Refuse a folder that has no signature.

    Raises:
        UsageError: There is one.
    """
    for root in libraries:
        if next(root.glob("*/*/signature.yaml"), None) is None:
            raise click.UsageError(f"{root} is not a library: it has no {LAYOUT}")


def libraries_or_shipped(libraries: Sequence[Path]) -> Sequence[Path]:
    """Return the libraries whose files are checked or tested: those of the team, else that of Casebook."""
    from signatures.document.files import LIBRARY  # noqa: PLC0415 - same

    return libraries or (LIBRARY,)


def library_to_write(libraries: Sequence[Path]) -> Path:
    """Return the library that a new signature is written to.

    Raises:
        UsageError: There are several.
    """
    if len(libraries) > 1:
        raise click.UsageError(
            f"several libraries: name with --library one of {', '.join(map(str, libraries))}"
        )
    return libraries_or_shipped(libraries)[0]


def _resolved(context: click.Context, _: click.Parameter, given: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the folders of the option, else of the group, of the environment, or of the file."""
    is_option = context.get_parameter_source("libraries") is ParameterSource.COMMANDLINE
    if isinstance(context.command, click.Group):
        if is_option:
            context.meta[NAMED] = given
        return given
    if not is_option and NAMED in context.meta:
        named: tuple[Path, ...] = context.meta[NAMED]
        return named
    if given or VARIABLE in os.environ:
        return given
    file = next((one for folder in _upwards(Path.cwd()) if (one := folder / FILE).is_file()), None)
    if file is None:
        return ()
    found = _named_in(file)
    if found:
        click.echo(f"{file}: with the library {', '.join(map(str, found))}", err=True)
    return found


def _upwards(folder: Path) -> list[Path]:
    return [folder, *folder.parents]


def _named_in(file: Path) -> tuple[Path, ...]:
    import tomllib  # noqa: PLC0415 - few have the file

    try:
        settings: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise click.UsageError(f"{file} cannot be read: {error}") from None
    unknown = sorted(set(settings) - {KEY})
    if unknown:
        raise click.UsageError(f"{file}: unknown setting {unknown[0]!r}; it may have {KEY}")
    named = settings.get(KEY, [])
    if not isinstance(named, list) or not all(isinstance(one, str) and one for one in named):
        raise click.UsageError(f'{file}: {KEY} is a list of folders, such as {KEY} = ["signatures"]')
    return tuple(file.parent / one for one in named)


libraries_option = click.option(
    "--library",
    "libraries",
    metavar="DIR",
    multiple=True,
    type=click.Path(file_okay=False, path_type=Path),
    envvar=VARIABLE,
    show_envvar=True,
    callback=_resolved,
    help=f"Folder of {LAYOUT} to use too; may be repeated. Default: `{KEY}` of {FILE}.",
)
"""Libraries besides that of Casebook; on a group, they are those of its subcommands."""
