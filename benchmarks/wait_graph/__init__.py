"""Wait graph: blockers of recorded and published hangs, healthy hosts, CPU time by number of tasks."""
