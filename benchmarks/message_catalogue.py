"""The catalogue of kernel messages: size, speed, start, lines of programs taken for the kernel's.

    python -m benchmarks.message_catalogue [--heldout DIR] [--boots DIR] [--before CHECKOUT]

writes MESSAGE_CATALOGUE.md. Kernel logs are those of the tests and of the evidence of signatures.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.native import messages
from ingest.readers.logs.kernel_log import prefix
from tools.message_catalogue.__main__ import OUTPUT
from tools.message_catalogue.text_corpus import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "benchmarks" / "MESSAGE_CATALOGUE.md"
SIZE_BYTES = 16 << 20
ROUNDS = 3
PAIRS = 7
COMMAND = ("--help",)


def kernel_lines() -> list[str]:
    """Return the distinct kernel lines of the repository, as printed."""
    found: dict[str, None] = {}
    for folder in (ROOT / "tests" / "data", ROOT / "signatures" / "library"):
        for path in sorted(folder.rglob("*.txt")):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if len(line) < 400 and prefix.is_stamped(line):
                    found.setdefault(line)
    return list(found)


def measured_log(lines: list[str]) -> list[str]:
    """Return a log of the catalogued `lines` and twice as many others, in their order."""
    found = [match is not None and match[0] >= messages.LEAST_BITS for match in messages.find_all(lines)]
    room = 2 * sum(found)
    log = []
    for line, is_catalogued in zip(lines, found, strict=True):
        room -= not is_catalogued
        if is_catalogued or room >= 0:
            log.append(line)
    return log


def speed(lines: list[str]) -> tuple[float, float, int]:
    """Return megabytes per CPU second of a log of `lines`, the share catalogued, and distinct messages."""
    text = "\n".join(lines).encode()
    text = (text + b"\n") * max(1, SIZE_BYTES // len(text))
    taken = []
    for _ in range(ROUNDS):
        start = time.process_time()
        found, distinct = messages.count(text)
        taken.append(time.process_time() - start)
    return len(text) / 1e6 / min(taken), found / text.count(b"\n"), distinct


def accepted(lines: Iterable[str]) -> tuple[int, int, Counter[str]]:
    """Return the number of lines, how many are taken for the kernel's by their words alone, and examples."""
    total = taken = 0
    examples: Counter[str] = Counter()
    for batch in _batches(line.rstrip("\n") for line in lines):
        total += len(batch)
        for line, found in zip(batch, messages.find_all(batch), strict=True):
            if found is not None and found[0] >= messages.LEAST_BITS:
                taken += 1
                examples[line[:160]] += 1
    return total, taken, examples


def _batches(lines: Iterable[str], size: int = 10_000) -> Iterator[list[str]]:
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == size:
            yield batch
            batch = []
    yield batch


def start_up(checkouts: dict[str, Path]) -> dict[str, list[float]]:
    """Return CPU seconds of `casebook --help` of each checkout, in turn."""
    found: dict[str, list[float]] = {name: [] for name in checkouts}
    for _ in range(PAIRS):
        for name, path in checkouts.items():
            script = (
                "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3); "
                "u = resource.getrusage(-1); print(u.ru_utime + u.ru_stime)"
            )
            words = [sys.executable, "-c", script, str(path / ".venv/bin/casebook"), *COMMAND]
            answer = subprocess.run(words, capture_output=True, text=True, check=True, cwd=path)
            found[name].append(float(answer.stdout))
    return found


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.message_catalogue")
    parser.add_argument("--heldout", type=Path)
    parser.add_argument("--boots", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--examples", action="store_true", help="print lines of programs that were taken")
    given = parser.parse_args()
    size = OUTPUT.stat().st_size
    packed = len(gzip.compress(OUTPUT.read_bytes(), 9))
    boots = [line.rstrip("\n") for line in lines_of(given.boots)] if given.boots else []
    lines = measured_log(list(dict.fromkeys([*kernel_lines(), *boots])))
    rate, share, distinct = speed(lines)
    sources = messages.sources()
    kernels = [one.release for one in sources if one.kind == "kernel"]
    others = [one.release for one in sources if one.kind != "kernel"]
    text = [
        "# Catalogue of kernel messages",
        "",
        "Written by `make bench-catalogue`, on 2 shared CPUs.",
        "",
        f"- {messages.message_count():,} messages of {len(kernels)} releases of the kernel",
        f"  ({', '.join(kernels)}) and {len(others)} of modules",
        f"  ({', '.join(others)}).",
        f"- {size / 1e6:.2f} MB in the library, {packed / 1e6:.2f} MB of the wheel.",
        f"- Look-up: {rate:.0f} MB of log per CPU second, one thread, of {len(lines):,}",
        f"  distinct kernel lines; {share:.0%} have {messages.LEAST_BITS} catalogued bits or more,",
        f"  by {distinct:,} distinct messages.",
    ]
    if given.heldout:
        total, taken, examples = accepted(lines_of(given.heldout))
        text.append(
            f"- Lines of programs and prose that were held out: {taken:,} of {total:,} are taken for the"
            f" kernel's, {taken / max(1, total) * 10_000:.2f} of 10,000."
        )
        if given.examples:
            sys.stderr.writelines(f"{count:6} {line}\n" for line, count in examples.most_common(200))
    if given.boots:
        text.append(_boots(given.boots))
    if given.before:
        taken_s = start_up({"before": given.before, "after": ROOT})
        words = ", ".join(f"{statistics.median(values):.3f} s {name}" for name, values in taken_s.items())
        text.append(f"- Start: `casebook --help` takes {words} (CPU, median of {PAIRS}).")
    PAGE.write_text("\n".join([*text, ""]), encoding="utf-8")
    sys.stdout.write(PAGE.read_text(encoding="utf-8"))


def _boots(folder: Path) -> str:
    total = found = errors = 0
    for line in lines_of(folder):
        entry = prefix.entry(line.rstrip("\n"), 1)
        match = messages.message_bits(entry.text) if entry.is_kernel and entry.text.strip() else None
        total += bool(entry.is_kernel and entry.text.strip())
        if match is not None and match[0] >= messages.LEAST_BITS:
            found += 1
            errors += max(messages.entry(match[1]).levels) <= 3
    return (
        f"- Logs of healthy boots: {found / max(1, total):.0%} of {total:,} kernel lines are catalogued;"
        f" {errors / max(1, total):.2%} at error level or worse."
    )


if __name__ == "__main__":
    main()
