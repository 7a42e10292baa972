"""What every computation on readings takes and leaves: items, the result as JSON, faults of parts."""

from __future__ import annotations

import json
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.sandbox.fork_server import RESULT
from ingest.model import reading_folder
from signatures import faults
from signatures.judging.scope import Item

if TYPE_CHECKING:
    from backend.sandbox.documents import ReadingDocument
    from signatures.faults import Fault


def item_of(given: ReadingDocument) -> Item:
    """Return a stored reading with its position in the case."""
    return Item(reading=reading_folder.load(Path(given["folder"])), **given["item"])


def noted_faults() -> list[dict[str, str]]:
    """Return a list that receives the faults of this process."""
    seen: list[dict[str, str]] = []
    faults.observers.append(lambda fault, error: seen.append(_document(fault, error)))
    return seen


def leave(result: Any, output: Path) -> None:
    """Write the result of a computation."""
    text = json.dumps(result, allow_nan=False, separators=(",", ":"))
    (output / RESULT).write_text(text, encoding="utf-8", errors="surrogatepass")


def _document(fault: Fault, error: BaseException) -> dict[str, str]:
    trace = "".join(traceback.format_exception(error))
    return {"part": fault.part, "number": fault.number, "detail": fault.detail, "traceback": trace}
