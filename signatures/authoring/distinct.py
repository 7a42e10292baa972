"""Choice of the functions that tell evidence from what resembles it.

The heaviest functions of a profile are often those of every profile: `vfs_read`, `seq_read_iter`. Of the
functions that are hot, a draft tests those that the fewest look-alikes have.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from signatures.document.parse import signature_of
from signatures.document.yaml_document import document_of
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from signatures.authoring.draft_clause import DraftClause
    from signatures.judging.scope import Item

MOST_FUNCTIONS = 2
LEAST_PART = 0.25
"""A function with less than this of the share of the first is beside the point."""

SAME_CHAIN = 0.7
"""Functions with nearly the share of another belong to the same call chain: one of them is enough."""

_ID = "draft/candidates"
_SIGNATURE = """\
schema: 1
id: {id}
version: 1
title: Candidates
severity: medium
status: draft
clauses:
{clauses}decide:
  require: {{any: [{names}]}}
  suspect: {{score: 1}}
  match: {{score: 1, all: [{names}]}}
"""


def distinct(clauses: Sequence[DraftClause], unlike: Iterable[Sequence[Item]]) -> list[DraftClause]:
    """Return the clauses without those functions of profiles that tell less, in their order.

    Args:
        clauses: Candidates; those without `share` are all returned.
        unlike: Evidence of other pathologies.
    """
    functions = [each for each in clauses if each.share]
    met = _met(functions, unlike) if functions else Counter()
    best: list[DraftClause] = []
    for each in sorted(functions, key=lambda one: (met[one.clause], -one.share)):
        if len(best) == MOST_FUNCTIONS or (best and met[each.clause] > met[best[0].clause]):
            break
        if best and each.share < LEAST_PART * best[0].share:
            continue
        if all(min(each.share, other.share) <= SAME_CHAIN * max(each.share, other.share) for other in best):
            best.append(each)
    return [each for each in clauses if not each.share or each in best]


def _met(functions: Sequence[DraftClause], unlike: Iterable[Sequence[Item]]) -> Counter[str]:
    """Return in how many of the evidence each condition is met."""
    text = _SIGNATURE.format(
        id=_ID,
        clauses="".join(each.yaml for each in functions),
        names=", ".join(each.clause for each in functions),
    )
    catalog = Catalog((signature_of(document_of(text, _ID), _ID),), ())
    met: Counter[str] = Counter()
    for items in unlike:
        met.update(
            {
                state.clause.id
                for finding in judge(items, catalog)
                for state in finding.clauses
                if state.state is State.TRUE
            }
        )
    return met
