"""The page of results: a table of the code as it is, and one of older code."""

from __future__ import annotations

import json
from typing import Any

HEAD = """# What requests cost as cases grow

`make bench-growth-cases` writes this. Cases are real captures read by the service and multiplied with other
titles, hosts, owners, teams, visibilities, facts and weights of functions.

- *ms*: from the request to its answer, client included, the median of {rounds}. Goals with 100,000 cases, on
  an idle machine: 50 for `similar`, 100 for every other request.
- *CPU*: milliseconds of the API's process, client included, the median of the same runs.
- *SQL*: milliseconds that PostgreSQL plans and executes all queries of the request (EXPLAIN ANALYZE), the
  median of three; *pages* of 8 kB that these read.
- A request that takes longer than {slow} s is run once after it was run once, and explained once.
- *Reads whole*: growing tables of a thousand rows or more that a plan reads from end to end.
"""
ROUNDS, SLOW_S = 9, 0.5


def page(after: dict[str, Any], before: dict[str, Any]) -> str:
    """Return the page."""
    parts = [HEAD.format(rounds=ROUNDS, slow=SLOW_S), "## Now\n", machine(after), table(after), ""]
    parts += [f"## Before (commit {before['code']})\n", machine(before), table(before), ""]
    return "\n".join(parts)


def compact(results: dict[str, Any]) -> str:
    """Return results as JSON, one request a line."""
    return json.dumps(results).replace('{"who"', '\n{"who"') + "\n"


def machine(results: dict[str, Any]) -> str:
    """Return where and when it was measured."""
    made = ", ".join(f"{run['cases']:,} cases in {run['made_s']:.0f} s" for run in results["runs"])
    return f"{results['day']}, {results['machine']}, load {results['load']:.1f}; made {made}.\n"


def table(results: dict[str, Any]) -> str:
    """Return the table of all requests, one row each."""
    runs = results["runs"]
    heads = [f"{run['cases']:,}: ms | CPU | SQL | pages" for run in runs]
    most = f"{runs[-1]['cases']:,}"
    lines = [
        f"| who | request | {' | '.join(heads)} | reads whole at {most} | slowest plan at {most} |",
        "| --- | --- |" + " ---: |" * 4 * len(runs) + " --- | --- |",
    ]
    rows = [{(cost["who"], cost["name"]): cost for cost in run["costs"]} for run in runs]
    for key, last in rows[-1].items():
        cells = " | ".join(_cells(one[key]) if key in one else "– | – | – | –" for one in rows)
        name = last["name"].replace("|", "\\|").removeprefix("GET ")
        scanned = ", ".join(last["scanned"]) or "–"
        lines.append(f"| {last['who']} | `{name}` | {cells} | {scanned} | {last['slowest'] or '–'} |")
    return "\n".join(lines)


def _cells(cost: dict[str, Any]) -> str:
    return f"{cost['ms']:.0f} | {cost['cpu_ms']:.0f} | {cost['database_ms']:.1f} | {cost['buffers']}"
