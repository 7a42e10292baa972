"""Run the programs of one character: `python -m benchmarks.workloads NAME SECONDS`."""

import sys

from benchmarks.workloads import run

run(sys.argv[1], float(sys.argv[2]))
