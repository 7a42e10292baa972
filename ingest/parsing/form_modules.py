"""Forms of lines as modules: `readers/bpf/klockstat.yaml` is the module `ingest.readers.bpf.klockstat`.

Such a module has what that of a reader has: its documentation, `FORMAT` and `FACTS`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ingest.tables import table

if TYPE_CHECKING:
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from types import ModuleType
else:
    # Its module imports a dozen others.
    Loader = object


class FormLoader(Loader):
    """Fills a module with what its YAML file says."""

    def __init__(self, path: Path) -> None:
        """Load of `path`."""
        self.path = path

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:  # noqa: ARG002 - of `importlib`
        """Return None: an ordinary module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Read the form."""
        from ingest.parsing.line_forms.shape import format_of, meanings_of  # noqa: PLC0415 - few texts need it

        document = table(self.path)
        module.__doc__ = document["about"]
        vars(module).update(FORMAT=format_of(document), FACTS=meanings_of(document))


def form_names(package: ModuleType) -> list[str]:
    """Return the names of the forms of a package of readers."""
    return sorted(path.stem for path in Path(package.__path__[0]).glob("*.yaml"))
