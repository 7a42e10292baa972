"""Readings from docker stats and podman stats."""

from __future__ import annotations

import json

import pytest

from ingest.model.section import Text
from ingest.readers.commands import docker_stats
from tests.ingest.samples import whole


def facts_of(reading):
    return {(fact.name, fact.labels["container"]): fact.value for fact in reading.facts}


def test_what_each_container_uses_is_read():
    found = facts_of(whole("docker-stats/near-limit.txt"))
    assert found["container.cpus", "shop-api-1"] == 1.8742
    assert found["container.memory_limit_bytes", "shop-api-1"] == 2 << 30
    assert found["container.network_sent_bytes", "shop-api-1"] == 884_000_000
    assert found["container.written_bytes", "shop-db-1"] == 92_300_000_000
    assert found["container.tasks", "shop-cache-1"] == 5


def test_a_stopped_container_is_counted():
    (skip,) = whole("docker-stats/near-limit.txt").skipped
    assert (skip.reason, skip.count) == ("a container that does not run, or no row of the table", 1)


@pytest.mark.parametrize(
    "lines",
    [
        ["CONTAINER           CPU %   MEM USAGE / LIMIT   MEM %", "web   2.50%   50MiB / 1GiB   4.88%"],
        ["NAME  CPU %  MEM USAGE / LIMIT", "web 2.50% 50MiB / 1GiB"],
        ["\x1b[2J\x1b[HCONTAINER ID   NAME   CPU %   MEM USAGE / LIMIT", "abc  web  2.50%  50MiB / 1GiB"],
        [
            "ID  NAME  CPU %  MEM USAGE / LIMIT  MEM %  NET IO   BLOCK IO  PIDS  CPU TIME   AVG CPU %",
            "3f9d1c20ab7e  web   2.50%  50MiB / 1GiB       4.88%  -- / --  0B / 0B   2     12.5005s   2.50%",
        ],
    ],
)
def test_other_columns_of_docker_and_podman(lines):
    assert docker_stats.begins(lines, 0)
    assert docker_stats.continues(lines[1])
    found = facts_of(docker_stats.read(Text(lines)))
    assert found["container.cpus", "web"] == 0.025
    assert found["container.memory_bytes", "web"] == 50 << 20
    assert ("container.network_received_bytes", "web") not in found


@pytest.mark.parametrize("form", ["docker-json-lines.txt", "docker-json-jq.txt"])
def test_json_is_read_as_the_table(form):
    found = facts_of(whole(f"docker-stats/{form}"))
    assert found["container.cpus", "api-worker"] == 0.9871
    assert found["container.memory_bytes", "api-worker"] == round(1.974 * (1 << 30))
    assert found["container.memory_limit_bytes", "api-worker"] == 2 << 30
    assert found["container.network_received_bytes", "api-worker"] == 12_300
    assert found["container.written_bytes", "redis"] == 0
    assert found["container.tasks", "redis"] == 5


def test_the_list_of_podman_is_read_and_cited_at_its_memory():
    reading = whole("docker-stats/podman-json-list.txt")
    found = {fact.name: (fact.value, fact.lines.first) for fact in reading.facts}
    assert found["container.memory_bytes"] == (255_200_000, 8)
    assert found["container.memory_limit_bytes"] == (268_400_000, 8)
    assert "container.read_bytes" not in found


def test_all_containers_of_a_list_on_one_line_are_read():
    entry = {"CPUPerc": "1.00%", "MemUsage": "10MiB / 4GiB"}
    line = json.dumps([{"Name": f"c{at}", **entry} for at in range(300)])
    assert docker_stats.begins([line], 0)
    reading = docker_stats.read(Text([line]))
    assert len({fact.labels["container"] for fact in reading.facts}) == 300
    assert not reading.skipped


@pytest.mark.parametrize(
    "line",
    [
        '{"Name":"a","CPUPerc":"--","MemUsage":"-- / --"}',
        '{"Name":"a","CPUPerc":"' + "9" * 400 + '%","MemUsage":"' + "9" * 400 + 'MiB / 1GiB"}',
        '{"Name":"a","CPUPerc":NaN,"MemUsage":"10MiB / 4GiB"',
        '{"Name":[],"MemUsage":{}}',
        '{"Name":"a","CPUPerc":"1.00%","MemUsage":"10MiB / ' + " " * 300_000,
    ],
)
def test_what_is_no_container_in_json_is_counted(line):
    reading = docker_stats.read(Text([line]))
    assert not reading.facts
    assert sum(skip.count for skip in reading.skipped) == 1
