"""Compressed texts: decoding runs in parallel with parsing, without temporary files."""

from __future__ import annotations

import gzip
import lzma
import shutil
from typing import TYPE_CHECKING, BinaryIO, cast

from benchmarks.programs import cpu, in_turn, inside, wall
from benchmarks.record import COPY_BYTES, MEGABYTE, make_input
from benchmarks.results import Goal, Section
from ingest.model.zstd import zstd

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SIZE = 500
ROUNDS = 3
GOAL = 1.15


def _zstd(path: Path) -> BinaryIO:
    return cast("BinaryIO", zstd.open(path, "wb"))


def _xz(path: Path) -> BinaryIO:
    return cast("BinaryIO", lzma.open(path, "wb", preset=1))


def _gzip(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path, "wb", compresslevel=6))


WRITERS: dict[str, Callable[[Path], BinaryIO]] = {"zst": _zstd, "gz": _gzip, "xz": _xz}


def measure(parts: list[Path]) -> Section:
    """Measure each compression of one text."""
    text = make_input(SIZE * MEGABYTE, parts)
    (parsed,) = in_turn([inside("read", "read")], text, ROUNDS).values()
    lines = [
        f"The text alone, {SIZE} MB, is read in {wall(parsed):.2f} s.",
        "",
        "| stored as | MB | decode alone s | decode and read s | times the slower one | CPU s |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    goals = []
    for suffix, writer in WRITERS.items():
        stored = _compressed(text, suffix, writer)
        rows = in_turn([inside("decode", "decode"), inside("read", "read")], stored, ROUNDS)
        alone, both = wall(rows["decode"]), wall(rows["read"])
        factor = both / max(alone, wall(parsed))
        lines.append(
            f"| {suffix} | {stored.stat().st_size / MEGABYTE:,.0f} | {alone:.2f} | {both:.2f} | {factor:.2f} "
            f"| {cpu(rows['read']):.2f} |"
        )
        goals.append(
            Goal(
                "7",
                f"{suffix}, {SIZE} MB of text",
                f"{GOAL} times the slower of decoding and reading",
                f"{factor:.2f} times",
                factor <= GOAL,
                "decoding takes one CPU, and reading beside it slows its memory down",
            )
        )
    return Section("Compressed", lines, goals)


def _compressed(text: Path, suffix: str, writer: Callable[[Path], BinaryIO]) -> Path:
    stored = text.with_name(f"{text.name}.{suffix}")
    if not stored.is_file():
        partial = stored.with_suffix(".new")
        with text.open("rb") as source, writer(partial) as out:
            shutil.copyfileobj(source, out, COPY_BYTES)
        partial.rename(stored)
    return stored
