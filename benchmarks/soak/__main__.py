"""`make soak MINUTES=60`: load a throw-away instance, write SOAK.md; status 1 when a figure grows."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from benchmarks.soak import report, resources
from benchmarks.soak.load import Load, Target
from cli.service.instance import throw_away

RESULTS = Path(__file__).parents[1] / "SOAK.md"
SAMPLE_SECONDS = 10.0
SETTINGS = {
    # All actors share one address and one token.
    "CASEBOOK_REQUESTS_PER_MINUTE": "100000",
    "CASEBOOK_SENDS_PER_MINUTE": "100000",
    "CASEBOOK_STRANGERS_PER_MINUTE": "100000",
    "CASEBOOK_PAGES_PER_MINUTE": "100000",
}


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="How long to load it. Default: 60.")
    minutes = parser.parse_args().minutes
    loads = [os.getloadavg()[0]]
    samples: list[resources.Sample] = []
    with throw_away(say=print, settings=SETTINGS) as instance:
        load = Load(Target(instance.url, instance.create_token("soak")))
        load.start()
        began = time.monotonic()
        try:
            while (elapsed := time.monotonic() - began) < minutes * 60:
                samples += resources.take(elapsed, instance.pids())
                time.sleep(SAMPLE_SECONDS)
        finally:
            load.stop()
    loads.append(os.getloadavg()[0])
    growths = resources.growths(samples)
    RESULTS.write_text(report.render(minutes, load.counts.answers, growths, loads), encoding="utf-8")
    sys.stdout.write(RESULTS.read_text(encoding="utf-8"))
    is_sound = all(one.is_flat for one in growths) and not report.failures(load.counts.answers)
    return 0 if is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
