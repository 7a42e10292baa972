"""Questions about the profile of a stored reading: trees, tables, differences, lanes, files of other tools.

Each is a function of `Readings` and the question (JSON values) that returns the bytes of an answer. Weights
come from the whole profile; pruning only drops rows that are not visible and reports their number.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from backend.sandbox.computations.outcomes import AbsentError
from ingest.comparison.stacks_document import from_document
from ingest.export import arrangement, columns, difference, functions, selected, svg, times, whole
from ingest.export import firefox as firefox_file
from ingest.export import folded as folded_stacks
from ingest.export import speedscope as speedscope_file
from ingest.model.errors import UnsupportedQueryError
from ingest.native.views import View
from signatures.authoring.draft_stack import draft_of_stack

if TYPE_CHECKING:
    from collections.abc import Callable

    from backend.sandbox.computations.kept_readings import OpenProfile, Readings
    from ingest.model.profile import Profile

MAX_EXEMPLARS = 20


def graph(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the call tree of a selection, or the part below a node or a row of the inverted tree."""
    tree = question["tree"]
    one = readings.open(question["profile"])
    view = one.view(question["selection"])
    root, depth = tree["root"], tree["depth"]
    is_arranged = tree["is_by_command"] and not tree["is_inverted"] and tree["order"] != "chronological"
    commands = len(arrangement.command_names(view.profile)) if is_arranged else 0
    for node in (*tree["keep"][-1:], *(() if root is None else (root,))):
        _check_node(view.profile, node, commands)
    is_node = root is not None and root < len(view.profile.node_parent)
    if root is not None and is_node and not view.core.holds(root):
        raise AbsentError(f"no selected sample passes through node {root}")
    row = None if depth is None or root is None else (root, depth)
    document = columns.graph(
        view,
        min_share=tree["min_share"],
        root=root if row is None else None,
        keep=tuple(tree["keep"]),
        order=tree["order"],
        is_inverted=tree["is_inverted"],
        row=row,
        arrangement=arrangement.of_profile(view.profile, joins_nameless=tree["joins_nameless"])
        if is_arranged
        else None,
    )
    if row is not None and not document["node"]:
        raise AbsentError(f"node {root} has no callers {depth} above it")
    if tree["is_compact"]:
        if "start" in document:
            raise UnsupportedQueryError("rows in chronological order have no compact form")
        document = columns.compact(document)
    return _answer(one, document)


def table(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return a page of the functions by name."""
    one = readings.open(question["profile"])
    return _answer(one, functions.table(one.view(question["selection"]), **question["options"]))


def sandwich(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the callers and callees of the functions of one name."""
    one, name = readings.open(question["profile"]), question["name"]
    document = functions.sandwich(one.view(question["selection"]), name, **question["options"])
    if document is None:
        raise AbsentError(f"no selected sample passes through {name}")
    return _answer(one, document)


def diff(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the diff tree of two selections: `base` is a, `profile` is b."""
    base, one = readings.open(question["base"]), readings.open(question["profile"])
    before, after = base.view(question["base_selection"]), one.view(question["selection"])
    document = difference.difference(before, after, **question["options"])
    return _answer(one, {"base_id": base.profile_id, **document, "base_whole": base.whole()})


def diff_of_stacks(_readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the diff tree of merged stacks, which come with the question: `base` is a, `new` is b."""
    before, after = (View(from_document(question[which]["stacks"])) for which in ("base", "new"))
    return to_json(
        {
            "profile_id": question["new"]["id"],
            "base_id": question["base"]["id"],
            **difference.difference(before, after, **question["options"]),
            "whole": whole.whole(after.profile, ()),
            "base_whole": whole.whole(before.profile, ()),
        }
    )


def heat(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the sample counts by time column and row."""
    one = readings.open(question["profile"])
    view, node, options = one.view(question["selection"]), question["node"], question["options"]
    if node is None:
        return _answer(one, times.heat(view, **options))
    _check_node(view.profile, node, len(arrangement.command_names(view.profile)))
    how = arrangement.of_profile(view.profile, joins_nameless=question["joins_nameless"])
    return _answer(one, times.heat(view, node=node, arrangement=how, **options))


def lanes(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the spans of samples by lane."""
    one = readings.open(question["profile"])
    return _answer(one, times.lanes(one.view(question["selection"]), **question["options"]))


def overview(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the summary of the whole recording with CPUs and threads."""
    one = readings.open(question["profile"])
    return _answer(one, whole.who(one.profile))


def node_lines(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return where the frame of a node was first printed, and lines of selected samples through it."""
    one, node = readings.open(question["profile"]), question["node"]
    view = one.view(question["selection"])
    profile = view.profile
    _check_node(profile, node)
    inside = np.frombuffer(view.core.below(node), dtype=np.bool_)
    raw = view.core.columns()
    ends = np.frombuffer(raw["sample_node"], dtype="<i4")
    is_below = np.zeros(len(ends), dtype=np.bool_)
    is_below[ends >= 0] = inside[ends[ends >= 0]]
    samples = np.frombuffer(raw["position"], dtype="<i4")[is_below]
    heaviest = samples[np.argsort(-profile.sample_weight[samples], kind="stable")[:MAX_EXEMPLARS]]
    return to_json(
        {
            "evidence_id": question["evidence_id"],
            "node": node,
            "first_line": int(profile.node_line[node]),
            "lines": sorted({int(line) for line in profile.sample_line[heaviest]}),
        }
    )


def draft(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return id and text of a signature draft that matches the stack of a node."""
    one, node = readings.open(question["profile"]), question["node"]
    _check_node(one.profile, node)
    try:
        return to_json(draft_of_stack(one.profile, node, one.evidence_name))
    except ValueError as problem:
        raise UnsupportedQueryError(str(problem)) from problem


def speedscope(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the selection in the format of speedscope."""
    one = readings.open(question["profile"])
    profile = selected.profile(one.view(question["selection"]))
    return _file(speedscope_file.document([profile], name=one.evidence_name))


def firefox(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the selection in the format of the Firefox Profiler."""
    one = readings.open(question["profile"])
    profile = selected.profile(one.view(question["selection"]))
    return _file(firefox_file.document(profile, name=one.evidence_name))


def picture(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the call tree of the selection as SVG without script and style sheet."""
    one = readings.open(question["profile"])
    view = one.view(question["selection"])
    text = svg.picture(view, one.whole(), title=one.evidence_name, **question["options"])
    return text.encode("utf-8", "replace")


def folded(readings: Readings, question: dict[str, Any]) -> bytes:
    """Return the selection as folded stacks."""
    one = readings.open(question["profile"])
    return folded_stacks.fold(selected.profile(one.view(question["selection"])), weight=question["weight"])


QUESTIONS: dict[str, Callable[[Readings, dict[str, Any]], bytes]] = {
    "graph": graph,
    "table": table,
    "sandwich": sandwich,
    "diff": diff,
    "diff of stacks": diff_of_stacks,
    "heat": heat,
    "lanes": lanes,
    "overview": overview,
    "node lines": node_lines,
    "draft": draft,
    "speedscope": speedscope,
    "firefox": firefox,
    "picture": picture,
    "folded": folded,
}


def to_json(document: Any) -> bytes:
    """Return a document as UTF-8, with `?` for what UTF-8 cannot hold."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return text.encode("utf-8", "replace")


def _answer(one: OpenProfile, view: dict[str, Any]) -> bytes:
    """Return a view as JSON, with the summary of the whole recording."""
    return to_json({"profile_id": one.profile_id, **view, "whole": one.whole()})


def _file(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def _check_node(profile: Profile, node: int, commands: int = 0) -> None:
    if not 0 <= node < len(profile.node_parent) + commands:
        raise AbsentError(f"the profile has no node {node}; it has {len(profile.node_parent)}")
