"""Functions of a profile, as conditions that a draft may have; `distinct.py` chooses among them."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from signatures.authoring.draft_clause import DraftClause
from signatures.judging.profile_index import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.profile import Profile

LEAST_SHARE = 0.05
LEAST_SAMPLES = 200
LEAST_STACKS = 2
MAX_CANDIDATES = 24
FRAMES = 8
ENTRIES = (
    "entry_",
    "do_syscall_64",
    "asm_",
    "ret_from_fork",
    "kthread",
    "x64_sys_call",
    "start_",
    "secondary_",
)

PASSED_BY_ALL = (
    "__x64_sys_",
    "__arm64_sys_",
    "__do_sys_",
    "__se_sys_",
    "ksys_",
    "do_sys_open",
    "do_filp_open",
    "path_openat",
)
"""Functions that hand a system call of files on: every program with such calls passes through them."""

REPORTING = ("dump_stack", "show_stack", "dump_header", "show_regs", "__show_regs", "show_trace")
"""Functions that print a report: every report of the kernel log ends in them."""


def profile_clauses(profile: Profile) -> Iterator[DraftClause]:
    """Yield the heaviest functions of the busy kernel below their callers, the heaviest first."""
    tree = Tree(profile)
    busy = np.flatnonzero(tree.population("kernel_busy")) if tree.is_timed else np.empty(0, dtype=np.intp)
    total = float(tree.weight[busy].sum()) if len(busy) else 0.0
    if len(busy) < LEAST_SAMPLES or not total:
        yield from _of_few_stacks(tree)
        return
    shares: dict[tuple[str, str], float] = {}
    for sample in busy:
        for pair in set(_pairs(tree, int(profile.sample_node[sample]))):
            shares[pair] = shares.get(pair, 0.0) + float(tree.weight[sample]) / total
    heaviest = sorted(shares.items(), key=lambda row: (-row[1], row[0]))
    known: set[str] = set()
    for (frame, caller), share in heaviest:
        if share < LEAST_SHARE or len(known) == MAX_CANDIDATES:
            return
        if frame not in known:
            known.add(frame)
            yield _hot(frame, caller, share)


def _hot(frame: str, caller: str, share: float) -> DraftClause:
    whole = math.floor(share * 100) / 100
    clause = f"hot_{frame.strip('_').lower().replace('.', '_')}"
    return DraftClause(
        clause,
        f"  {clause}:\n"
        f"    title: Kernel time in {frame} called from {caller}\n"
        "    role: core\n"
        f"    # {share:.1%} in this evidence: full weight; half of it: half the weight.\n"
        f"    stack: {{contains: [{frame}], under: [{caller}], of: kernel_busy}}\n"
        f"    share: {{at_least: {max(LEAST_SHARE, share / 2):.2f}, strong: {whole:.2f}}}\n"
        "    weight: 4\n",
        4,
        "kernel_stacks",
        share,
    )


def _of_few_stacks(tree: Tree) -> Iterator[DraftClause]:
    """Yield the kernel function at the end of most stacks, of which there are too few for a share."""
    profile = tree.profile
    if profile.samples < LEAST_STACKS:
        return
    counts: Counter[tuple[str, str]] = Counter()
    for sample in np.flatnonzero(tree.population("kernel_busy")):
        innermost = next(_pairs(tree, int(profile.sample_node[sample])), None)
        if innermost is not None:
            counts[innermost] += 1
    for (frame, caller), count in counts.most_common(1):
        clause = f"seen_{frame.strip('_').lower().replace('.', '_')}"
        yield DraftClause(
            clause,
            f"  {clause}:\n"
            f"    title: Stacks end in {frame} called from {caller}\n"
            f"    # {count} of {profile.samples:g} stacks in this evidence: too few for a share.\n"
            f"    stack: {{contains: [{frame}], under: [{caller}]}}\n"
            "    seen: true\n"
            "    weight: 2\n",
            2,
            "kernel_stacks",
            is_core=False,
        )


def _pairs(tree: Tree, node: int) -> Iterator[tuple[str, str]]:
    """Yield (function, caller) for the innermost frames of the kernel in a stack, without entry code."""
    profile = tree.profile
    names: list[str] = []
    while node >= 0 and len(names) < FRAMES:
        frame = int(profile.node_frame[node])
        if profile.frames[frame].kind == "user":
            break
        names.append(tree.names[frame])
        node = int(profile.node_parent[node])
    for inner, outer in pairwise(names):
        is_code = not inner.startswith(ENTRIES + PASSED_BY_ALL + REPORTING) and not outer.startswith(ENTRIES)
        if is_code and "[" not in inner + outer:
            yield inner, outer
