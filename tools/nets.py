"""Nets below a change of structure: every reading, verdict and rendering of the samples, before and after.

    make nets BEFORE=DIR        compare this checkout with another one, with its own .venv
    python -m tools.nets take CHECKOUT OUT
    python -m tools.nets compare BEFORE AFTER

`take` has the Python of CHECKOUT write one file for each sample and kind: the reading as JSON with digests of
its profiles; which readers begin and continue at which lines; what `casebook analyze` gives as text,
Markdown, chat, JSON, SARIF and JUnit, for the fixtures of the library, published evidence and shown
incidents; and the schema of the API. `compare` lists what differs, and writes the differences beside AFTER.

What this program calls in a checkout is the command and the entry points of the engine only: both sides of a
change of structure understand it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
NETS = ROOT / "var" / "nets"
SUFFIXES = ("txt", "md", "json", "sarif", "xml")
"""Of reports that `--output` writes by the suffix of their file."""

FIRST_LINES = 40
"""Lines of a sample that the table of recognition is made of."""

SHOWN = 40
Lines = list[str]


def take(checkout: Path, out: Path) -> None:
    """Write the nets of `checkout` below `out`, which is emptied."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    python = checkout / ".venv/bin/python"
    environment = {**os.environ, "PYTHONPATH": str(checkout), "COLUMNS": "160", "NO_COLOR": "1"}
    command = [str(python), str(Path(__file__).resolve()), "inside", str(out)]
    subprocess.run(command, cwd=checkout, env=environment, check=True)


def inside(out: Path) -> None:
    """Write the nets of the checkout in the working directory."""
    for path in _samples():
        _write(out / "readings" / f"{path}.json", _reading(path))
        _write(out / "recognition" / f"{path}.txt", "\n".join(_recognised(path)))
    for folder in _cases():
        _analyse(folder, out / "cases" / folder)
    text = subprocess.run(
        [sys.executable, "-m", "cli", "openapi"], check=True, capture_output=True, text=True
    ).stdout
    _write(out / "openapi.json", text)


def compare(before: Path, after: Path) -> int:
    """Print what differs and write the differences to `after`.diff; return the number of files."""
    names = sorted({*_names(before), *_names(after)})
    differing = [name for name in names if _text(before / name) != _text(after / name)]
    with after.with_suffix(".diff").open("w", encoding="utf-8") as stream:
        for name in differing:
            lines = (_text(before / name).splitlines(), _text(after / name).splitlines())
            stream.writelines(
                f"{line}\n" for line in difflib.unified_diff(*lines, name, name, lineterm="", n=1)
            )
    sys.stdout.write(f"{len(differing):,} of {len(names):,} files differ\n")
    for name in differing[:SHOWN]:
        sys.stdout.write(f"  {name}\n")
    if len(differing) > SHOWN:
        sys.stdout.write(f"  and {len(differing) - SHOWN:,} more; see {after.with_suffix('.diff')}\n")
    return len(differing)


def _samples() -> Iterator[Path]:
    """Yield every sample of a format, relative to the checkout."""
    for path in sorted(Path("tests/data").rglob("*")):
        is_sample = path.is_file() and path.parts[2] not in {"expected", "builds", "contributing"}
        if is_sample and path.name != "PROVENANCE.md" and path.stat().st_size < 2_000_000:
            yield path


def _cases() -> Iterator[Path]:
    """Yield every folder or file that is analysed as a case, relative to the checkout."""
    yield from sorted(path.parent for path in Path("signatures/library").rglob("expect.yaml"))
    yield from sorted(Path("tests/data/published").iterdir())
    yield from sorted(path for path in Path("benchmarks/pool/shown").rglob("*.txt"))


def _reading(path: Path) -> str:
    from ingest.evidence import read_file  # noqa: PLC0415 - of the checkout that is looked at
    from ingest.model import reading_documents  # noqa: PLC0415 - same

    parts = path.parts
    captured = "/".join(parts[4:]) if parts[2] == "files" else ""
    evidence = read_file(path, captured_path=captured)
    document = {
        "state": evidence.state,
        "reason": evidence.reason,
        "members": len(evidence.members),
        "sections": [
            {
                "format": section.format,
                "lines": [section.first_line, section.last_line],
                "path": section.path,
                "profiles": [_profile(profile) for profile in section.reading.profiles],
                **reading_documents.documents(section.reading),
            }
            for section in evidence.sections
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False, default=str)


def _profile(profile: Any) -> dict[str, Any]:
    columns = {
        name: value for name in profile.__slots__ if hasattr(value := getattr(profile, name), "tobytes")
    }
    digest = hashlib.sha256(b"".join(columns[name].tobytes() for name in sorted(columns)))
    frames = [frame.name for frame in profile.frames]
    return {"event": profile.event, "unit": profile.unit, "columns": digest.hexdigest(), "frames": frames}


def _recognised(path: Path) -> Iterator[str]:
    """Yield the readers that begin or continue at each of the first lines of a sample."""
    from ingest.readers import FORMATS  # noqa: PLC0415 - of the checkout that is looked at

    lines = path.read_bytes()[:200_000].decode("utf-8", "replace").splitlines()[:FIRST_LINES]
    for number, line in enumerate(lines, start=1):
        begin = [one.NAME for one in FORMATS if one.begins(lines, number - 1)]
        continue_ = [one.NAME for one in FORMATS if one.continues(line)]
        yield f"{number} begin: {' '.join(begin)}; continue: {' '.join(continue_)}"


def _analyse(case: Path, out: Path) -> None:
    from click.testing import CliRunner  # noqa: PLC0415 - of the checkout that is looked at

    from cli import main as command  # noqa: PLC0415 - same

    out.mkdir(parents=True)
    reports = [f"--output={out}/report.{suffix}" for suffix in SUFFIXES]
    result = CliRunner().invoke(command, ["analyze", "--all", *reports, str(case)])
    _write(out / "exit.txt", f"{result.exit_code}\n{result.output}\n{result.exception or ''}")
    _write(out / "chat.md", CliRunner().invoke(command, ["analyze", "--format=chat", str(case)]).output)


def _names(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _text(path: Path) -> str:
    """Return a net as text; of JSON the order of keys does not count."""
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    if path.suffix != ".json" or not text:
        return text
    return json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")


def main(arguments: list[str]) -> int:
    """Take, compare, or both for a checkout of before; return the exit status."""
    verb, *paths = arguments
    places = [Path(path).absolute() for path in paths]
    if verb == "take":
        take(*places)
    elif verb == "inside":
        inside(*places)
    elif verb == "compare":
        return min(1, compare(*places))
    else:
        for name, checkout in (("before", places[0]), ("after", ROOT)):
            take(checkout, NETS / name)
        return min(1, compare(NETS / "before", NETS / "after"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
