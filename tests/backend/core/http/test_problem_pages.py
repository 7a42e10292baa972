"""Help pages of problem types: meaning and remedy."""

from __future__ import annotations

import backend.app  # noqa: F401 - brings every class of errors
from backend.core.http import problem_pages


def test_the_type_of_a_problem_leads_to_its_page(web, browser, address):
    problem = web.get("/cases/999999").json()
    assert problem["type"] == "/problems/NotFound"
    answer = browser.get(f"{address}{problem['type']}")
    assert answer.status_code == 200
    assert "<h1>NotFound</h1>" in answer.text
    assert "ask its owner for access" in answer.text
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_every_problem_type_has_a_meaning_and_a_remedy(browser, address):
    listed = browser.get(f"{address}/problems").text
    for code, one in problem_pages.types().items():
        assert f'href="/problems/{code}"' in listed
        assert one.says.endswith("."), code
        assert one.remedy.endswith("."), code
        assert 400 <= one.status <= 599


def test_every_remedy_belongs_to_a_problem_type():
    assert set(problem_pages.REMEDIES) <= set(problem_pages.types())


def test_an_unknown_problem_page_is_answered_404(browser, address):
    answer = browser.get(f"{address}/problems/<script>")
    assert (answer.status_code, answer.json()["code"]) == (404, "NotFound")
