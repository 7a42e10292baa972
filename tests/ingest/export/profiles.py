"""Profiles of real recordings for the exports."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from ingest.native import parse_folded, parse_perf_script

DATA = Path(__file__).parents[2] / "data"


@cache
def memcg():
    return parse_perf_script([(DATA / "perf-script/memcg-reclaim.default.txt").read_bytes()]).profiles[0]


@cache
def database():
    content = gzip.decompress((DATA / "perf-script/healthy-database.fields_full.txt.gz").read_bytes())
    return parse_perf_script([content]).profiles[0]


@cache
def ordered():
    return parse_folded([(DATA / "folded/perf-ordered-folded.txt").read_bytes()]).profile


ALL = [memcg, database, ordered]
