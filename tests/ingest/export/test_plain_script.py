"""A plain perf script is folded without the readers of everything else, to the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from ingest.export.folded import fold
from ingest.export.plain_script import folded

DATA = Path(__file__).parents[2] / "data/perf-script"
PLAIN = sorted(path for path in DATA.glob("*.txt") if folded(str(path)) is not None)
SAMPLE = (
    "java 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:\n"
    "\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])\n\n"
)
OTHERS = {
    "a log behind it": f"{SAMPLE}[    1.000000] usb 1-1: new high-speed USB device number 2\n",
    "a prompt above it": f"$ perf script\n{SAMPLE}",
    "two events": SAMPLE + SAMPLE.replace("cpu-clock:ppp", "cycles"),
    "CRLF": SAMPLE.replace("\n", "\r\n"),
    "a note": SAMPLE.replace("kallsyms])\n", "kallsyms])  <-- here\n"),
    "a quote": "".join(f"> {line}\n" for line in SAMPLE.splitlines()),
    "no sample": "a;b 1\n",
    "nothing": "",
}


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name)
def test_the_bytes_are_those_of_the_whole_way(path: Path):
    [section] = read_bytes(path.read_bytes(), name=path.name).sections
    [profile] = section.reading.profiles
    assert folded(str(path)) == fold(profile)


def test_most_recordings_with_stacks_are_plain():
    assert len(PLAIN) > 4


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_anything_else_is_left_to_recognition(text: str, tmp_path: Path):
    (tmp_path / "x").write_text(text, newline="")
    assert folded(str(tmp_path / "x")) is None


def test_a_text_of_several_pieces_is_one_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("ingest.export.plain_script._PIECE_BYTES", 1000)
    (tmp_path / "x").write_text("# ========\n# captured on    : today\n# ========\n#\n" + SAMPLE * 50)
    assert folded(str(tmp_path / "x")) == b"java;next_uptodate_folio 50\n"
