"""A plain perf script is folded without the readers of everything else, to the same bytes."""

from __future__ import annotations

import gzip
import io
import random
from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from ingest.export.folded import fold
from ingest.export.plain_script import counted, counted_file

DATA = Path(__file__).parents[2] / "data"
SCRIPTS = [*sorted(DATA.glob("perf-script/*.txt*")), *sorted(DATA.glob("bad/*perf*"))]
WAYS = ((False, False), (True, False), (True, True))
"""By period, as inferno."""

SAMPLE = (
    "java 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:\n"
    "\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])\n\n"
)
DEEP = (
    SAMPLE.replace("\n\n", "\n")
    + "".join(f"\t    7f0{at} main_{at}+0x1{at} (/usr/bin/java)\n" for at in range(5))
    + "\n"
)
IDLE = "swapper     0/0     [001]  1038.279020:   10101010 cpu-clock:ppp:\n\n"
PLAIN = {
    "one sample": SAMPLE,
    "CRLF": (SAMPLE * 3).replace("\n", "\r\n"),
    "first samples without a stack": IDLE * 3 + SAMPLE,
    "an event that begins with a digit": SAMPLE.replace("cpu-clock:ppp", "4cycles") * 2,
    "two events": SAMPLE + SAMPLE.replace("cpu-clock:ppp", "cycles") + SAMPLE,
    "some samples without a period": SAMPLE + SAMPLE.replace("10101010 ", ""),
    "names of several words": SAMPLE.replace("java", "C2 CompilerThre")
    + SAMPLE.replace("java", "IO Task (3"),
    "no CPU": SAMPLE.replace(" [000]", ""),
    "arguments of a tracepoint": SAMPLE
    + SAMPLE.replace("cpu-clock:ppp:", "s:t: x=1 ffffffff81000000 f ([k])"),
    "lost events": SAMPLE + "java 1 [000] 1.500000: PERF_RECORD_LOST lost 3\n\n" + SAMPLE,
    "names that break lines": SAMPLE.replace("next_uptodate", "a;b<int>(char)")
    + SAMPLE.replace("java", "a;b c"),
    "inlined": SAMPLE.replace("\n\n", "\n\t   55d0a1 core::ops::call (inlined)\n\n"),
    "cut off in a frame": DEEP * 9 + DEEP[:-28],
    "blank lines": SAMPLE.replace("\n\n", "\n\n\n\n") * 3,
    "a header": "# ========\n# captured on    : today\n# ========\n#\n" + SAMPLE * 5,
}
OTHERS = {
    "a log behind it": f"{SAMPLE}[    1.000000] usb 1-1: new high-speed USB device number 2\n",
    "a prompt above it": f"$ perf script\n{SAMPLE}",
    "a carriage return": SAMPLE + SAMPLE.replace("java", "ja\rva"),
    "a NUL": SAMPLE + SAMPLE.replace("java", "ja\0va"),
    "a note": SAMPLE.replace("kallsyms])\n", "kallsyms])  <-- here\n"),
    "a quote": "".join(f"> {line}\n" for line in SAMPLE.splitlines()),
    "periods that cannot be added up": SAMPLE.replace("  10101010", "999999999999999") * 20,
    "no sample": "a;b 1\n",
    "nothing": "",
}


def written(script, number: int, *, by_period: bool, is_inferno: bool) -> bytes | None:
    """Return the text of one event; None where it cannot be added up."""
    pieces: list[bytes] = []
    return b"".join(pieces) if script.write(number, by_period, is_inferno, pieces.append) else None


def expected(content: bytes, name: str) -> dict[str, list[bytes]]:
    """Return every event of the one section of a text, folded in every way out of its profile."""
    [section] = read_bytes(content, name=name).sections
    return {
        profile.event: [
            fold(profile, "period" if by_period else "samples", compat="inferno" if is_inferno else "")
            for by_period, is_inferno in WAYS
        ]
        for profile in section.reading.profiles
    }


def ways_of(count) -> dict[str, list[bytes | None]]:
    """Return every event of a script, which `count` counts, folded in every way."""
    events = count().events
    return {
        event: [
            written(count(), number, by_period=by_period, is_inferno=is_inferno)
            for by_period, is_inferno in WAYS
        ]
        for number, event in enumerate(events)
    }


def in_chunks(content: bytes, seed: int) -> list[bytes]:
    """Cut a text anywhere."""
    chance = random.Random(seed)  # noqa: S311 - cuts of a test
    cuts = sorted(chance.randrange(len(content) + 1) for _ in range(9))
    return [content[a:b] for a, b in zip([0, *cuts], [*cuts, len(content)], strict=True) if a < b]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_bytes_are_those_of_the_whole_way(path: Path):
    if counted_file(str(path)) is not None:
        assert ways_of(lambda: counted_file(str(path))) == expected(path.read_bytes(), path.name)


def test_most_recordings_with_stacks_are_plain():
    assert sum(counted_file(str(path)) is not None for path in SCRIPTS) > 5


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_what_perf_prints_is_folded_at_once(text: str, tmp_path: Path):
    content = text.encode()
    path = tmp_path / "x"
    path.write_bytes(content)
    other = tmp_path / "x.gz"
    other.write_bytes(gzip.compress(content))
    wanted = expected(content, "x")
    assert ways_of(lambda: counted_file(str(path))) == wanted
    assert ways_of(lambda: counted_file(str(other))) == wanted
    for seed in range(5):
        assert ways_of(lambda seed=seed: counted(in_chunks(content, seed), read_bytes=200)) == wanted


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_anything_else_is_left_to_recognition(text: str, tmp_path: Path):
    (tmp_path / "x").write_text(text, newline="")
    for script in (counted_file(str(tmp_path / "x")), counted(iter([text.encode()] if text else []))):
        assert script is None or written(script, 0, by_period=True, is_inferno=False) is None


def test_a_text_of_several_pieces_is_one_script(tmp_path: Path):
    path = tmp_path / "x"
    path.write_text("# ========\n# captured on    : today\n# ========\n#\n" + (SAMPLE + IDLE) * 500)
    script = counted_file(str(path), read_bytes=1000)
    lines = b"java;next_uptodate_folio 500\nswapper 500\n"
    assert written(script, 0, by_period=False, is_inferno=False) == lines


def test_who_takes_the_text_may_refuse_it():
    def refuse(_piece: bytes) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        counted([SAMPLE.encode()]).write(0, False, False, refuse)


def test_a_broken_archive_is_left_to_the_other_way(tmp_path: Path):
    whole = gzip.compress((SAMPLE * 5000).encode())
    (tmp_path / "x.gz").write_bytes(whole[: len(whole) // 2])
    assert counted_file(str(tmp_path / "x.gz")) is None


def test_standard_input_that_is_refused_is_read_again():
    from cli.evidence.held_input import HeldInput

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    text = (SAMPLE * 3000 + OTHERS["a log behind it"] + SAMPLE * 3000).encode()
    held = HeldInput(Pipe(text))
    assert counted(held.chunks()) is None
    again = held.again()
    pieces = []
    while piece := again.read(1 << 20):
        pieces.append(piece)
    assert b"".join(pieces) == text
