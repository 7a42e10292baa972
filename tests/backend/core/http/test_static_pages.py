"""Which paths serve the page, which a file, and which a 404."""

from __future__ import annotations

import re
from pathlib import Path

from backend.core.http.static_pages import ROUTES, is_page

SOURCES = Path("frontend/src")
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}

KNOWN = [
    "/",
    "/?q=rcu",
    "/case-problems",
    "/case-problems/wait:jbd2_log_wait_commit",
    "/case-problems/mm/memcg-oom",
    "/cases/7",
    "/cases/7/",
    "/compare",
    "/join",
    "/library",
    "/library/03-00",
    "/library/03-00/edit",
    "/open",
    "/s",
    "/settings",
    "/settings/members",
    "/sign-in?token=x&next=/",
    "/signatures",
    "/signatures/memory/zombie-cgroups",
]
UNKNOWN = ["/nothing", "/cases", "/cases/7/more", "/library//edit", "/en/cases", "/Sign-in", "/%ff%fe"]
NEVER = [
    "/healthz/nope",
    "/actuator/health",
    "/.env",
    "/.git/config",
    "/.well-known/security.txt",
    "/.well-known/change-password",
    "/robots.txt",
    "/index.php",
    "/wp-login.php",
    "/assets/none.js",
    "/assets/",
    "/assets",
    "/cases/%2e%2e",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/secret",
    "/cases%00",
    "/%ed%a0%80/x.txt",
    "/" + "q" * 300,
    "/" + "q" * 8000,
    "/cases/" + "q" * 300,
    "/" + "q/" * 4000,
    "/" * 8000,
    "/" + "%2f" * 2600,
    "/" + "%2e%2e/" * 1100,
]
API = ["/api", "/api/", "/api/nothing", "/api/v1", "/api/v1/nothing", "/api/v2/cases", "/api/" + "q" * 8000]


def test_the_routes_are_those_of_the_front_end():
    sources = "\n".join(path.read_text() for path in sorted(SOURCES.rglob("*.ts*")))
    known = re.findall(r"createRoute\(\{[^{}]*?\bpath: '([^']+)'", sources)
    assert sorted(known) == sorted(ROUTES)
    # A route without a path is a frame around others.
    assert len(re.findall(r"[^\w]createRoute\(", sources)) == len(known) + len(
        re.findall(r"createRoute\(\{[^{}]*?\bid: '", sources)
    )


def test_a_variable_segment_is_not_empty():
    assert is_page(("cases", "7"))
    assert not is_page(("cases", ""))


def test_a_route_of_the_front_end_is_the_page_any_other_path_is_404(browser, address):
    wrong = []
    for path in KNOWN:
        for headers in (BROWSER, {"Accept": "*/*"}):
            answer = browser.get(address + path, headers=headers)
            if answer.status_code != 200 or "csp-nonce" not in answer.text:
                wrong.append((path, answer.status_code))
    for path in UNKNOWN:
        shown = browser.get(address + path, headers=BROWSER)
        if (shown.status_code, "csp-nonce" in shown.text) != (404, True):
            wrong.append((path, shown.status_code))
        assert "'nonce-" in shown.headers["content-security-policy"]
        response = browser.get(address + path, headers={"Accept": "*/*"})
        if (response.status_code, response.json()["code"]) != (404, "NotFound"):
            wrong.append((path, response.status_code))
    assert wrong == []


def test_probed_paths_and_impossible_file_names_are_404(browser, address):
    wrong = []
    for path in [*NEVER, *API]:
        answer = browser.get(address + path, headers=BROWSER)
        if (answer.status_code, answer.headers["content-type"]) != (404, "application/problem+json"):
            wrong.append((path, answer.status_code, answer.text[:100]))
    assert wrong == []


def test_a_symlink_out_of_the_folder_is_not_followed(browser, address, app_settings, tmp_path):
    (tmp_path / "secret.txt").write_text("not for you")
    (app_settings.frontend_dir / "link.txt").symlink_to(tmp_path / "secret.txt")
    assert browser.get(f"{address}/link.txt").status_code == 404


def test_head_is_get_without_a_body(browser, address):
    assert (browser.head(f"{address}/").status_code, browser.head(f"{address}/").content) == (200, b"")
    assert browser.head(f"{address}/nothing").status_code == 404
