"""The layers that a sandbox on this machine gets, found by confining a real child."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from backend.core.errors import SettingsError, UnavailableError
from backend.sandbox.code_paths import code_paths
from backend.sandbox.fork_server import LAYERS
from backend.sandbox.layers import Layers, refusal
from backend.sandbox.runner import SandboxLimits, read_in_sandbox

if TYPE_CHECKING:
    from backend.core.settings import Settings

LIMITS = SandboxLimits(cpu_seconds=5, wall_seconds=60.0, memory_bytes=768 << 20, output_bytes=1 << 20)


def layers_here() -> Layers:
    """Return the layers that the kernel grants a child of this process."""
    with tempfile.TemporaryDirectory(prefix="casebook-sandbox-") as directory:
        evidence, output = Path(directory, "note.txt"), Path(directory, "output")
        evidence.write_bytes(b"a note\n")
        output.mkdir()
        with suppress(UnavailableError):
            read_in_sandbox(evidence, output=output, limits=LIMITS, name="note.txt")
        return Layers(**json.loads((output / LAYERS).read_bytes()))


def require(settings: Settings) -> Layers:
    """Return the layers of this machine.

    Raises:
        SettingsError: They are fewer than required, or the data directory is readable in every sandbox.
    """
    for path in code_paths():
        if settings.data_dir.resolve().is_relative_to(path.resolve()):
            raise SettingsError(
                f"the data directory {settings.data_dir} is below {path}, which parsers may read: "
                "choose another with CASEBOOK_DATA_DIR"
            )
    layers = layers_here()
    if not layers.is_accepted(settings.sandbox):
        raise SettingsError(refusal(layers, settings.sandbox))
    return layers
