"""What a handoff says first about fixes, with the fixes of the library; texts of evidence are escaped."""

from signatures.document.catalog import load_catalog
from signatures.handoff.case_file import steps_of
from signatures.rendering import templates
from tests.signatures.documents.build import finding


def fixes_of(identity: str) -> list[dict[str, object]]:
    signature = next(one for one in load_catalog().signatures if one.id == identity)
    return [dict(fix) for fix in signature.fixes]


def test_the_fix_that_ends_it_stands_first_with_the_states_in_which_it_is_not_to_be_done() -> None:
    fixes = fixes_of("mm/memcg-oom")
    first = steps_of(finding(fixes=fixes))[0]
    assert first.label == "Ends it"
    assert first.title == next(fix["title"] for fix in fixes if fix.get("effect") == "cure")
    assert first.limits.endswith("; not if: the host has less memory free than the limit grows")


def test_a_fix_that_ends_it_with_the_next_deployment_is_not_left_out() -> None:
    fixes = fixes_of("sched/cfs-throttling")
    scopes = {fix["title"]: fix["scope"] for fix in fixes}
    (first, *others) = steps_of(finding(fixes=fixes))
    assert (first.label, scopes[first.title]) == ("Ends it", "redeploy")
    assert {(one.label, scopes[one.title]) for one in others} == {("May be done now", "runtime")}


def test_a_command_inside_a_sentence_is_code_and_the_rest_is_text() -> None:
    sentence = "This decides: `uname -a` (its <code> is_newer)."
    assert templates.markdown_commands(sentence) == "This decides: `uname -a` (its \\<code\\> is\\_newer)."
    assert (
        templates.html_commands(sentence)
        == "This decides: <code>uname -a</code> (its &lt;code&gt; is_newer)."
    )
