"""Draft a signature from one selected stack: its function below its caller.

Like every draft it fires on its own evidence and lacks counter-evidence: see `signatures.authoring.draft`.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

from signatures.authoring.draft_profile import ENTRIES
from signatures.judging.profile_index import Tree

if TYPE_CHECKING:
    from ingest.model.profile import Profile
    from signatures.language.conditions import Population

LEAST_SHARE = 0.01
_PLAIN = re.compile(r"[A-Za-z_$.][^*@,\[\]{}\s]*\Z")
"""Names usable in a condition; `*` and `@` would make a pattern."""


def draft_of_stack(profile: Profile, node: int, source: str) -> tuple[str, str]:
    """Return id and text of a `signature.yaml` that tests the function of `node` below its caller.

    Args:
        profile: The profile.
        node: Index of the selected node.
        source: Name of the evidence.

    Raises:
        ValueError: The profile has no shares of time, the function has no usable name, or its share is too
            small.
    """
    tree = Tree(profile)
    name = tree.names[profile.node_frame[node]]
    if not tree.is_timed:
        raise ValueError("conditions test shares of CPU time, and this profile has none")
    if not _PLAIN.match(name):
        raise ValueError(f"{name!r} cannot be used as a name in a condition")
    caller = _caller(tree, node, name)
    of, share = _heaviest_share(tree, name, caller)
    if share < LEAST_SHARE:
        raise ValueError(f"{name} has {share:.2%} of the busy samples; at least {LEAST_SHARE:.0%} needed")
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "function"
    below = f" called from {caller}" if caller else ""
    under = f", under: [{_quoted(caller)}]" if caller else ""
    title = json.dumps(f"Time in {name}{below}", ensure_ascii=False)
    strong = math.floor(share * 100) / 100
    comment = source.translate(dict.fromkeys(range(32), " "))
    return (
        f"local/{word}",
        f"""# yaml-language-server: $schema=../../../signature.schema.json
# Drafted from {comment}. It lacks counter-evidence: add excluding conditions and negative
# evidence. Save it as LIBRARY/local/{word}/signature.yaml, then: casebook signature --library LIBRARY lint
schema: 1
id: local/{word}
version: 1
title: {title}
severity: medium
status: draft
symptoms: [what a user notices first]
clauses:
  hot:
    title: {title}
    role: core
    # {share:.1%} in this evidence: full weight; half of it: half the weight.
    stack: {{contains: [{_quoted(name)}]{under}, of: {of}}}
    share: {{at_least: {max(LEAST_SHARE, math.floor(share * 50) / 100):.2f}, strong: {strong:.2f}}}
    weight: 4
decide:
  require: {{any: [hot]}}
  suspect: {{score: 2}}
  match: {{score: 4, all: [hot], min_coverage: 0.5}}
next:
  hot: kernel_stacks
""",
    )


def _caller(tree: Tree, node: int, name: str) -> str:
    """Return the nearest caller outside entry code, "" when there is none."""
    profile = tree.profile
    above = int(profile.node_parent[node])
    while above >= 0:
        caller: str = tree.names[profile.node_frame[above]]
        if caller != name and _PLAIN.match(caller) and not caller.startswith(ENTRIES):
            return caller
        above = int(profile.node_parent[above])
    return ""


def _heaviest_share(tree: Tree, name: str, caller: str) -> tuple[Population, float]:
    """Return the population with the larger share of the function: `kernel_busy` or `busy`."""
    path = ((name,), (caller,)) if caller else ((name,),)
    is_through = tree.has_path(path)
    shares: dict[Population, float] = {}
    kinds: tuple[Population, ...] = ("kernel_busy", "busy")
    for of in kinds:
        mask = tree.population(of)
        whole = float(tree.weight[mask].sum())
        shares[of] = float(tree.weight[mask & is_through].sum()) / whole if whole else 0.0
    best = max(shares, key=lambda one: shares[one])
    return best, shares[best]


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_]\w*", name) else json.dumps(name, ensure_ascii=False)
