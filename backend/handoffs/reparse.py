"""Parses redacted evidence again in the sandbox, for a second judgement."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from backend.sandbox.runner import SandboxLimits, read_in_sandbox
from ingest.export import svg
from ingest.export.whole import whole
from ingest.model import reading_folder
from ingest.native.views import View
from signatures.judging.scope import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from backend.core.jobs.run import Run
    from backend.evidence.readings import AssignedReading
    from backend.handoffs.contents import BundleFile

MAX_PICTURES = 3
MIN_SHARE = 0.001


def items(
    run: Run, files: Sequence[BundleFile], readings: Sequence[AssignedReading], scratch: Path
) -> list[Item]:
    """Return the engine input for the redacted texts."""
    found = []
    for file in files:
        reading = next((one for one in readings if str(one.evidence_id) == file.evidence_id), None)
        if reading is None:
            continue
        output = Path(scratch, f"output-{file.number}")
        output.mkdir()
        path = file.path.split("/", 2)[2]
        has_path = bool(reading.path)
        report = read_in_sandbox(
            file.local_path,
            output=output,
            limits=SandboxLimits.of(run.settings, is_heavy=run.queue == "heavy"),
            name=file.name,
            captured_path=path if has_path else "",
            check=run.check,
        )
        found += [
            Item(
                evidence=file.evidence_id,
                captured_path=section.path or (path if has_path else ""),
                host=file.host,
                boot=file.boot,
                phase=file.phase,
                section=section.ordinal,
                format=section.format,
                reading=reading_folder.load(output / section.folder),
                first_line=section.first_line,
                last_line=section.last_line,
            )
            for section in report.sections
        ]
    return found


def pictures(found: Sequence[Item], files: Sequence[BundleFile]) -> list[tuple[str, str]]:
    """Return flame graphs of the recordings with most samples, as title and SVG."""
    names = {file.evidence_id: file.name for file in files}
    profiles = [(profile, item) for item in found for profile in item.reading.profiles if profile.samples > 0]
    profiles.sort(key=lambda one: (-one[0].samples, names[one[1].evidence], one[1].section))
    drawings = []
    for profile, item in profiles[:MAX_PICTURES]:
        title = f"{profile.event or 'stacks'} of {names[item.evidence]}"
        drawn = svg.picture(
            View(profile), whole(profile, item.reading.quality), title=title, min_share=MIN_SHARE
        )
        drawings.append((title, drawn))
    return drawings


def changed_lines(original: Iterable[bytes], redacted: Path) -> int:
    """Return the number of lines of the redacted text that differ from the original."""
    with redacted.open("rb") as stream:
        return sum(1 for _ in changes(original, stream))


def changes(original: Iterable[bytes], redacted: Iterable[bytes]) -> Iterator[tuple[int, str, str]]:
    """Yield the differing lines: number, before, after."""
    for number, (before, after) in enumerate(
        zip_longest(split(original), split(redacted), fillvalue=b""), start=1
    ):
        if before != after:
            yield number, before.decode("utf-8", "replace"), after.decode("utf-8", "replace")


def split(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a chunked text without line endings."""
    rest = b""
    for chunk in chunks:
        *whole_lines, rest = (rest + chunk).split(b"\n")
        yield from whole_lines
    if rest:
        yield rest
