"""What the files of `docker/` promise, read from the files; `make docker-check` builds and runs them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import annotated_types
import pytest
import yaml
from pydantic import SecretStr

from backend.core.http.request_limits import MAX_HEADER_BYTES, MAX_HEADERS, MAX_TARGET_BYTES
from backend.core.http.security_headers import HEADERS, TRANSPORT_SECURITY
from backend.core.jobs.broker import QUEUES
from backend.core.settings import Settings
from backend.core.version import VERSION
from backend.evidence.staging import MULTIPART_OVERHEAD_BYTES
from tests.backend.core.http.test_forwarded_headers import client_of
from tools.supply_chain import base_images

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "docker/Dockerfile").read_text()
NGINX = (ROOT / "docker/nginx.conf").read_text()
COMPOSE_TEXT = (ROOT / "docker/compose.yaml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
NAMES = sorted(SERVICES)
WORKERS = [name for name in NAMES if name.startswith("worker")]
MEBIBYTE = 1 << 20


def settings_rows() -> dict[str, list[str]]:
    """Return the cells of the settings table by field: default, allowed, meaning."""
    page = (ROOT / "docs/operations.md").read_text()
    rows = re.findall(r"^\| `CASEBOOK_([A-Z_]+)` \| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)
    return {name.lower(): cells for name, *cells in rows}


def stated(default: object) -> str:
    """Return a default as the table states it, without the words in parentheses."""
    if isinstance(default, timedelta):
        count, unit = (default.days, "day") if default.days else (default.seconds // 3600, "hour")
        return f"{count} {unit}{'s' if count > 1 else ''}"
    if isinstance(default, SecretStr):
        return stated(default.get_secret_value())
    if isinstance(default, Path):
        return str(default.relative_to(ROOT) if default.is_absolute() else default)
    return "–" if default in {"", None} else str(default)


def allowed(bounds: list[object]) -> str:
    """Return the bounds of a number as the table states them."""
    least = [bound.ge for bound in bounds if isinstance(bound, annotated_types.Ge)]
    most = [bound.le for bound in bounds if isinstance(bound, annotated_types.Le)]
    above = [bound.gt for bound in bounds if isinstance(bound, annotated_types.Gt)]
    if least and most:
        return f"{least[0]} to {most[0]}"
    return f"at least {least[0]}" if least else f"more than {above[0]}"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_the_settings_table_equals_the_code(name: str):
    field = Settings.model_fields[name]
    default, bounds, meaning = settings_rows()[name]
    assert re.sub(r" \(.*\)|`", "", default) == stated(field.default)
    assert meaning == field.description
    numbers = [bound for bound in field.metadata if isinstance(bound, annotated_types.BaseMetadata)]
    if numbers:
        assert bounds.startswith(allowed(numbers))


def test_only_settings_that_exist_are_set():
    named = re.findall(
        r"\bCASEBOOK_([A-Z_]+)\b", DOCKERFILE + COMPOSE_TEXT + (ROOT / "docker/env.example").read_text()
    )
    of_compose = {
        "DB_PASSWORD",
        "APP_DB_PASSWORD",
        "BROKER_PASSWORD",
        "VERSION",
        "FRONT_SUBNET",
        "OUTSIDE_SUBNET",
        "OUTSIDE_GATEWAY",
    }
    assert {name.lower() for name in set(named) - of_compose} <= set(Settings.model_fields)


def test_every_base_image_is_pinned_by_digest_and_supported_when_it_was_pinned():
    images = base_images.images()
    pulled = [name for name in NAMES if "build" not in SERVICES[name]]
    assert len(images) == DOCKERFILE.count("\nARG ") + len(pulled)
    assert [found for image in images if (found := base_images.problem(image, date(2026, 11, 23)))] == []
    # BuildKit would pull the image of a syntax line too.
    assert "# syntax=" not in DOCKERFILE


def test_an_image_by_tag_an_unknown_one_and_one_without_support_are_named():
    today, digest = date(2028, 5, 1), "sha256:" + "0" * 64
    assert base_images.problem("node:24", today) == "node:24 is not pinned by digest"
    assert base_images.problem(f"node:24.21@{digest}", today) == (
        "node:24.21 has no security updates since 2028-04-30"
    )
    for unknown in ("node:240", "node:20-slim", "mynode:24"):
        assert "until when it is supported" in base_images.problem(f"{unknown}@{digest}", today)
    assert base_images.problem(f"postgres:18.6@{digest}", today) == ""


PASSWORDS = ("CASEBOOK_DB_PASSWORD", "CASEBOOK_APP_DB_PASSWORD", "CASEBOOK_BROKER_PASSWORD")


def test_no_password_is_committed_and_a_missing_one_is_reported():
    secrets = [
        value
        for service in SERVICES.values()
        for name, value in service.get("environment", {}).items()
        if "PASSWORD" in name or "AUTH" in name
    ]
    assert len(secrets) == 2
    assert all(value.startswith(tuple(f"${{{name}:?" for name in PASSWORDS)) for value in secrets)
    example = (ROOT / "docker/env.example").read_text()
    for name in PASSWORDS:
        assert re.search(rf"^{name}=$", example, re.MULTILINE)
        assert re.findall(rf"\$\{{{name}(?!:\?)", COMPOSE_TEXT) == []


def test_only_migrations_connect_as_the_owner_of_the_tables():
    owner = {
        name
        for name in NAMES
        if "CASEBOOK_DB_PASSWORD" in str(SERVICES[name].get("environment")) and name != "database"
    }
    assert owner == {"migrate"}
    assert COMPOSE["x-settings"]["CASEBOOK_DATABASE_URL"].startswith(
        "postgresql://casebook_app:${CASEBOOK_APP_"
    )


def test_the_broker_has_a_password():
    assert SERVICES["broker"]["command"][-2] == "--requirepass"
    assert SERVICES["broker"]["command"][-1].startswith("${CASEBOOK_BROKER_PASSWORD:?")
    assert COMPOSE["x-settings"]["CASEBOOK_BROKER_URL"].startswith("redis://:${CASEBOOK_BROKER_PASSWORD:?")


@pytest.mark.parametrize("name", NAMES)
def test_every_container_is_confined(name: str):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert "cap_add" not in service
    assert service["read_only"] is True
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"]
    assert service["mem_limit"]
    assert service["cpus"]
    if "build" not in service:
        assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"])


def test_parsers_reach_only_database_and_broker():
    for worker in WORKERS:
        [network] = SERVICES[worker]["networks"]
        assert COMPOSE["networks"][network]["internal"] is True
        beside = {name for name in NAMES if network in SERVICES[name]["networks"]}
        assert beside == {*WORKERS, "database", "broker"}


def test_only_the_proxy_has_egress_and_a_port():
    assert [name for name in NAMES if "ports" in SERVICES[name]] == ["proxy"]
    outside = {name for name, network in COMPOSE["networks"].items() if not network.get("internal")}
    assert [name for name in NAMES if outside & set(SERVICES[name]["networks"])] == ["proxy"]


def test_every_queue_has_a_worker():
    served = {SERVICES[name]["command"][SERVICES[name]["command"].index("--queues") + 1] for name in WORKERS}
    assert served == set(QUEUES)


def test_nothing_starts_before_what_it_needs_is_ready():
    conditions = {
        needed["condition"]
        for service in SERVICES.values()
        for needed in service.get("depends_on", {}).values()
    }
    assert conditions == {"service_healthy", "service_completed_successfully"}
    for name in ("api", "beat", *WORKERS):
        assert SERVICES[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    for name in ("broker", "database", "proxy"):
        assert SERVICES[name]["healthcheck"]["test"]
    assert DOCKERFILE.count("\nHEALTHCHECK ") == 2


def test_container_limits_cover_the_memory_of_parsing():
    settings = Settings()
    light, heavy = (
        int(SERVICES[f"worker-{queue}"]["mem_limit"].removesuffix("g")) << 30 for queue in ("light", "heavy")
    )
    jobs_at_a_time = int(SERVICES["worker-light"]["command"][-1])
    assert light > jobs_at_a_time * settings.parse_memory_bytes
    assert heavy > settings.parse_heavy_memory_bytes


def test_the_images_have_the_version_of_the_package():
    ours = {service["image"] for service in SERVICES.values() if "build" in service}
    assert ours == {f"casebook-{target}:${{CASEBOOK_VERSION:-{VERSION}}}" for target in ("api", "worker")}


def test_the_images_run_as_a_numeric_ordinary_user():
    assert set(re.findall(r"^USER (.+)$", DOCKERFILE, re.MULTILINE)) == {"10001:10001"}
    assert "--no-default-groups" in DOCKERFILE
    assert re.findall(r"^FROM \S+ AS (api|worker|command)$", DOCKERFILE, re.MULTILINE) == [
        "command",
        "api",
        "worker",
    ]


def test_the_build_context_is_an_allow_list():
    let_in = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
    for source in " ".join(copied).split():
        assert any(source == name or source.startswith(f"{name}/") for name in let_in), source
        assert (ROOT / source).exists(), source


def test_nginx_and_api_have_the_same_body_limit():
    [stated_mebibytes] = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    most = Settings.model_fields["max_evidence_bytes"].default + MULTIPART_OVERHEAD_BYTES
    assert int(stated_mebibytes) * MEBIBYTE == most
    assert "proxy_request_buffering off;" in NGINX
    assert "proxy_buffering off;" in NGINX


def resolved(text: str, **variables: str) -> str:
    """Return a value of the compose file with its variables, or their defaults, filled in."""
    return re.sub(r"\$\{(\w+):-([^}]*)\}", lambda one: variables.get(one[1], one[2]), text)


@pytest.mark.parametrize(
    ("second_proxy", "chain", "client"),
    [
        ("", "192.0.2.66, 203.0.113.7", "203.0.113.7"),
        ("172.30.77.17/32", "192.0.2.66, 203.0.113.7, 172.30.77.17", "203.0.113.7"),
        ("", "192.0.2.66, 203.0.113.7, 172.30.77.17", "172.30.77.17"),
    ],
)
def test_the_api_sees_the_client_behind_nginx_and_a_proxy_in_front_of_it(second_proxy, chain, client):
    """nginx appends the address of its peer to the list that it received; the API has a list of its own."""
    assert "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;" in NGINX
    [front] = COMPOSE["networks"]["front"]["ipam"]["config"]
    [outside] = COMPOSE["networks"]["outside"]["ipam"]["config"]
    nginx = str(ip_network(resolved(front["subnet"]))[2])
    assert resolved(outside["gateway"]) == str(ip_network(resolved(outside["subnet"]))[1])
    trusted = SERVICES["api"]["environment"]["CASEBOOK_TRUSTED_PROXIES"]
    trusted = resolved(trusted, CASEBOOK_TRUSTED_PROXIES=second_proxy)
    assert Settings(trusted_proxies=trusted).trusted_proxies == trusted
    assert client_of(nginx, chain, trusted=trusted)[0] == client


def test_nginx_errors_carry_the_security_headers_once():
    server, separator, locations = NGINX.partition("        location / {")
    headers = dict(re.findall(r'add_header (\S+) "(.+)" always;', server))
    assert separator
    assert headers == HEADERS
    assert f'https "{TRANSPORT_SECURITY}";' in server
    assert re.findall(r"add_header (.*);", locations) == ['X-Of-Its-Own ""']


def test_nginx_header_limits_exceed_those_of_the_api():
    [(count, kibibytes)] = re.findall(r"large_client_header_buffers (\d+) (\d+)k;", NGINX)
    assert int(kibibytes) << 10 > MAX_TARGET_BYTES
    assert int(count) * int(kibibytes) << 10 > MAX_HEADER_BYTES
    assert f"limit: {MAX_TARGET_BYTES:,} bytes" in NGINX
    assert f"{MAX_HEADERS} headers, {MAX_HEADER_BYTES:,} bytes" in NGINX
