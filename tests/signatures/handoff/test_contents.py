"""What a handoff says first about fixes, with the fixes of the library."""

from signatures.document.catalog import load_catalog
from signatures.handoff import page, summary
from signatures.handoff.contents import limits_of, next_fixes


def fixes_of(identity: str) -> list[dict[str, object]]:
    signature = next(one for one in load_catalog().signatures if one.id == identity)
    return [dict(fix) for fix in signature.fixes]


def test_the_fix_that_ends_it_stands_first_with_the_states_in_which_it_is_not_to_be_done() -> None:
    label, fix = next_fixes({"fixes": fixes_of("mm/memcg-oom")})[0]
    assert label == "Ends it"
    assert fix["effect"] == "cure"
    assert limits_of(fix).endswith("; not if: the host has less memory free than the limit grows")


def test_a_fix_that_ends_it_with_the_next_deployment_is_not_left_out() -> None:
    (first, *others) = next_fixes({"fixes": fixes_of("sched/cfs-throttling")})
    assert (first[0], first[1]["scope"]) == ("Ends it", "redeploy")
    assert {(label, fix["scope"]) for label, fix in others} == {("May be done now", "runtime")}


def test_a_command_inside_a_sentence_is_code_and_the_rest_is_text() -> None:
    sentence = "This decides: `uname -a` (its <code> is_newer)."
    assert summary.with_commands(sentence) == "This decides: `uname -a` (its \\<code\\> is\\_newer)."
    assert page.with_commands(sentence) == "This decides: <code>uname -a</code> (its &lt;code&gt; is_newer)."
