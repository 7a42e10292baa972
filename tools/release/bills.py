"""Bills of materials of a release: those of `make sbom`, with the time of the commit.

Their writers put in the time of day and a random serial number, which differ from build to build.
"""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from tools.release.source_tree import ROOT

if TYPE_CHECKING:
    from pathlib import Path


def write_bills(folder: Path, epoch: int) -> None:
    """Write the bills to `folder`; `epoch` is the time of the commit."""
    subprocess.run([ROOT / "tools/supply_chain/sbom"], check=True, stdout=subprocess.DEVNULL)
    for path in sorted((ROOT / "var/sbom").glob("*.cdx.json")):
        (folder / path.name).write_text(dated(path.read_text(encoding="utf-8"), epoch), encoding="utf-8")


def dated(text: str, epoch: int) -> str:
    """Return a CycloneDX document with the time `epoch`, and a serial number made of its content."""
    document = json.loads(text)
    document.pop("serialNumber", None)
    document.setdefault("metadata", {})["timestamp"] = datetime.fromtimestamp(epoch, UTC).isoformat()
    content = json.dumps(document, indent=2, ensure_ascii=False)
    document["serialNumber"] = f"urn:uuid:{uuid5(NAMESPACE_URL, content)}"
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
