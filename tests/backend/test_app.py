"""The application: schema, headers, problem documents and the front end."""

from __future__ import annotations

import json
import re

from backend.access.permission_matrix import endpoints
from backend.core.http.responses import KEY
from tests.backend.applications import api_schema, create_app, described
from tests.backend.conftest import serving


def test_the_committed_schema_is_that_of_the_code():
    of_the_code = json.loads(json.dumps(described().openapi()))
    assert api_schema() == of_the_code, "run `casebook openapi --output frontend/openapi.json`"


def test_every_operation_has_a_name_and_a_sentence_and_answers_with_problems():
    schema = api_schema()
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))
    assert all(operation["description"].strip() for operation in operations)
    assert all({"4XX", "5XX"} <= set(operation["responses"]) for operation in operations)
    may_lack_space = {operation["operationId"]: "NoSpace" in operation[KEY] for operation in operations}
    assert (may_lack_space["receive_files"], may_lack_space["list_cases"]) == (True, False)
    assert "HTTPValidationError" not in schema["components"]["schemas"]


def test_only_signing_in_health_links_and_guests_need_no_account(browser, address):
    """That all others answer nobody is a row of the permission matrix."""
    open_to_all = set()
    for one in endpoints(api_schema()):
        if one.rule.role is not None:
            continue
        if not one.path.startswith("/api/v1/shares/"):
            open_to_all.add((one.method.lower(), one.path))
            continue
        place = re.sub(r"\{\w+\}", "01900000-0000-7000-8000-000000000000", one.path)
        status = browser.request(one.method, address + place).status_code
        assert status in {404, 410, 422}, "nothing without the secret of a link, or the pass it gave"
    assert open_to_all == {
        ("get", "/api/v1/health"),
        ("get", "/api/v1/guest"),
        ("post", "/api/v1/guest/paste"),
        ("post", "/api/v1/guest/evidence"),
        ("delete", "/api/v1/guest"),
        ("post", "/api/v1/join"),
        ("post", "/api/v1/session"),
        ("post", "/api/v1/session/passkey"),
        ("post", "/api/v1/session/passkey/options"),
        ("post", "/api/v1/session/password"),
        ("get", "/api/v1/session/ways"),
        ("get", "/api/v1/session/oidc"),
        ("get", "/api/v1/session/oidc/callback"),
    }


def test_an_invalid_body_is_reported_field_by_field(web):
    answer = web.post("/cases", json={"title": 7})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "InvalidRequest"
    assert answer.json()["fields"] == ["body.title: Input should be a valid string"]


def test_the_page_has_a_fresh_nonce_and_a_policy_without_unsafe_inline(browser, address):
    first, second = (browser.get(f"{address}/cases/7?finding=x") for _ in range(2))
    nonce = re.search(r'nonce="([^"]+)"', first.text)[1]
    policy = first.headers["content-security-policy"]
    assert f"'nonce-{nonce}'" in policy
    assert "unsafe" not in policy
    assert nonce not in second.text
    assert first.headers["cache-control"] == "no-store"


def test_only_built_files_are_served(browser, address, app_settings):
    (app_settings.frontend_dir / "assets").mkdir()
    (app_settings.frontend_dir / "assets" / "a-1.js").write_text("1")
    (app_settings.frontend_dir.parent / "secret.txt").write_text("not for you")
    hashed = browser.get(f"{address}/assets/a-1.js")
    assert (hashed.text, "immutable" in hashed.headers["cache-control"]) == ("1", True)
    assert browser.get(f"{address}/assets/none.js").status_code == 404
    for escape in ("/..%2fsecret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
        assert "not for you" not in browser.get(address + escape).text


def test_speedscope_has_a_policy_of_its_own_that_reaches_nothing(browser, address, app_settings):
    (app_settings.frontend_dir / "speedscope").mkdir()
    (app_settings.frontend_dir / "speedscope" / "index.html").write_text("speedscope")
    answer = browser.get(f"{address}/speedscope/")
    assert answer.text == "speedscope"
    policy = answer.headers["content-security-policy"]
    assert "connect-src 'none'" in policy
    assert "'wasm-unsafe-eval'" in policy


def test_the_reference_of_the_api_runs_by_nonce_and_is_not_a_plain_file(browser, address, app_settings):
    (app_settings.frontend_dir / "api-reference").mkdir()
    (app_settings.frontend_dir / "api-reference" / "index.html").write_text('<i nonce="__CSP_NONCE__">')
    (app_settings.frontend_dir / "api-reference" / "page.js").write_text("1")
    answer = browser.get(f"{address}/api-reference")
    nonce = re.search(r'<i nonce="([^"]+)">', answer.text)[1]
    assert f"'nonce-{nonce}'" in answer.headers["content-security-policy"]
    assert browser.get(f"{address}/api-reference/page.js").text == "1"
    assert "__CSP_NONCE__" not in browser.get(f"{address}/api-reference/index.html").text


def test_every_operation_documents_its_permission(web):
    schema = web.get("/openapi.json").json()
    assert set(schema["components"]["securitySchemes"]) == {"token", "session"}
    assert schema["paths"]["/api/v1/health"]["get"]["security"] == []
    assert "security" not in schema["paths"]["/api/v1/me"]["get"]


def test_a_missing_front_end_is_reported_in_one_sentence(app_settings, sessions, store, browser, tmp_path):
    settings = app_settings.model_copy(update={"frontend_dir": tmp_path / "nothing"})
    with serving(create_app(settings, sessions=sessions, store=store)) as url:
        answer = browser.get(f"{url}/")
        assert answer.status_code == 503
        assert answer.text.count("\n") == 1
        assert "npm run build" in answer.text


def test_large_responses_are_compressed_and_streams_are_not(web):
    assert web.get("/signatures").headers["content-encoding"] == "gzip"
    case = web.post("/cases", json={}).json()["number"]
    with web.stream("GET", f"/cases/{case}/events") as answer:
        assert "content-encoding" not in answer.headers
